import { hash } from "node:crypto";

export function sha256(text: string): string {
  return hash("sha256", text, "base64url");
}

export function sha256Number(text: string): bigint {
  return BigInt(`0x${hash("sha256", text, "hex")}`);
}

/** Serialises a value to JSON with sorted object keys, so that equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (part === null || typeof part !== "object" || Array.isArray(part)) return part;
    const entries = Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries);
  });
}
