/** JSON values as the comparison sees them: by type, by exact equality, by length in code points. */

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** A JSON Schema 2020-12 document or subschema. */
export type JsonSchema = boolean | { [keyword: string]: unknown };

/** The six types that partition all JSON values; an integer is a number without a fraction. */
export const JSON_TYPES = ["null", "boolean", "number", "string", "array", "object"] as const;
export type JsonType = (typeof JSON_TYPES)[number];

export function typeOf(value: Json): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value as JsonType;
}

/**
 * One text per value: equal values, and no others, have equal texts (1.0 is 1, the order of an object's names
 * does not count). Not itself JSON, since a number may be infinite after parsing.
 */
export function canonical(value: unknown): string {
  if (typeof value === "number") return String(value === 0 ? 0 : value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const names = Object.keys(value).sort();
  const entry = (name: string) =>
    `${JSON.stringify(name)}:${canonical((value as Record<string, unknown>)[name])}`;
  return `{${names.map(entry).join(",")}}`;
}

/** The length that `minLength` and `maxLength` count: Unicode code points. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value is nested deeper than `limit`; walks without recursion, so that no depth can overflow the stack. */
export function deeperThan(value: unknown, limit: number): boolean {
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
