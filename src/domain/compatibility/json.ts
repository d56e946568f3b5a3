/** Types of JSON values, and functions for their type, equality, length and depth. */

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** A JSON Schema 2020-12 document or subschema. */
export type JsonSchema = boolean | { [keyword: string]: unknown };

/** The six JSON types. Every value has exactly one type; an integer is a number without a fraction. */
export const JSON_TYPES = ["null", "boolean", "number", "string", "array", "object"] as const;
export type JsonType = (typeof JSON_TYPES)[number];

export function typeOf(value: Json): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value as JsonType;
}

/**
 * Returns the same text for two values exactly if they are equal as JSON: 1.0 equals 1, and key order does
 * not matter. The text may be invalid JSON, because a parsed number can be infinite.
 */
export function canonicalText(value: unknown): string {
  if (typeof value === "number") return String(value === 0 ? 0 : value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  const names = Object.keys(value).sort();
  const entry = (name: string) =>
    `${JSON.stringify(name)}:${canonicalText((value as Record<string, unknown>)[name])}`;
  return `{${names.map(entry).join(",")}}`;
}

/** Returns the length in Unicode code points, the unit of `minLength` and `maxLength`. */
export function codePointLength(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Returns whether a value is nested deeper than `limit`. Uses a loop, because recursion could overflow the
 * stack.
 */
export function isDeeperThan(value: unknown, limit: number): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    const next: unknown[] = [];
    for (const part of level) {
      if (typeof part === "object" && part !== null)
        for (const inner of Object.values(part)) next.push(inner);
    }
    level = next;
  }
  return false;
}
