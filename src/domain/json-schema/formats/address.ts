import { createRequire } from "node:module";

const { fullFormats } = createRequire(import.meta.url)("ajv-formats/dist/formats.js") as {
  fullFormats: Record<"ipv4" | "ipv6", RegExp>;
};

export const isIpv4 = (text: string): boolean => fullFormats.ipv4.test(text);
export const isIpv6 = (text: string): boolean => fullFormats.ipv6.test(text);
