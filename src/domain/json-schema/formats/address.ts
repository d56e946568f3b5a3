import published from "ajv-formats/dist/formats.js";

const { ipv4, ipv6 } = published.fullFormats as Record<"ipv4" | "ipv6", RegExp>;

export const isIpv4 = (text: string): boolean => ipv4.test(text);
export const isIpv6 = (text: string): boolean => ipv6.test(text);
