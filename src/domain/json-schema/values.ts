/** Types of JSON values and schemas, and functions for their type, equality, size and text. */
import type { Reason } from "../../contract/errors.js";

/** A JSON object as returned by `JSON.parse`: all keys are own properties, including `__proto__`. */
export type JsonObject = { [key: string]: unknown };

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** A schema is an object or a boolean (JSON Schema 2020-12 core, section 4.3). */
export type JsonSchema = JsonObject | boolean;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The six JSON types. Every value has exactly one type; an integer is a number without a fraction. */
export const JSON_TYPES = ["null", "boolean", "number", "string", "array", "object"] as const;
export type JsonType = (typeof JSON_TYPES)[number];

export function typeName(value: unknown): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value as JsonType;
}

/**
 * Returns the length of a string in code points, not UTF-16 code units (JSON Schema 2020-12 validation,
 * section 6.3.1).
 */
export function codePoints(text: string): number {
  let length = text.length;
  for (let i = 0; i + 1 < text.length; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      length--;
      i++;
    }
  }
  return length;
}

/**
 * Returns the same text for values that are equal as JSON, and different texts for all others (JSON Schema
 * 2020-12 core, section 4.2.2): 1.0 equals 1, -0 equals 0, and key order does not matter. `uniqueItems`,
 * `enum` and `const` compare these texts by hash, which takes linear time.
 */
export function canonicalText(value: unknown): string {
  // `JSON.parse` reads 1e400 as Infinity, which `JSON.stringify` would serialise as null.
  if (typeof value === "number") return String(value === 0 ? 0 : value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  const members = Object.keys(value).sort();
  const object = value as JsonObject;
  return `{${members.map((key) => `${JSON.stringify(key)}:${canonicalText(object[key])}`).join(",")}}`;
}

export function pluralize(number: number, thing: string): string {
  return number === 1
    ? `1 ${thing}`
    : `${number} ${thing.endsWith("y") ? `${thing.slice(0, -1)}ie` : thing}s`;
}

/** Returns one reference token of a JSON Pointer, with its leading slash (RFC 6901, section 3). */
export function pointerStep(key: string | number): string {
  return typeof key === "number" ? `/${key}` : `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

const MAX_VALUE_LENGTH = 200;

/** Formats a value for a message, as JSON of at most 200 characters. */
export function formatValue(value: unknown): string {
  return shortened(JSON.stringify(value) ?? String(value), MAX_VALUE_LENGTH);
}

/**
 * Cuts a text to `maxLength` UTF-16 code units. Never splits a surrogate pair, because strict JSON parsers
 * reject half of a pair.
 */
export function shortened(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** Describes the first reason in at most 200 characters, and says how many others there are. */
export function summaryOf([first, ...others]: readonly Reason[]): string {
  const { instancePath, message } = first!;
  const text = shortened(instancePath === "" ? message : `${instancePath} ${message}`, MAX_VALUE_LENGTH);
  return others.length === 0 ? text : `${text} (and ${others.length} more)`;
}

const MAX_LISTED_VALUES = 20;

export function formatValues(values: readonly unknown[]): string {
  const listed = values.slice(0, MAX_LISTED_VALUES).map(formatValue).join(", ");
  const others = values.length - MAX_LISTED_VALUES;
  return others <= 0 ? listed : `${listed} and ${others} more`;
}

/**
 * Returns whether arrays and objects are nested deeper than `limit`. Uses a loop, because recursion could
 * overflow the stack.
 */
export function isDeeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item !== "object" || item === null) continue;
      for (const child of Object.values(item))
        if (typeof child === "object" && child !== null) next.push(child);
    }
    level = next;
  }
  return false;
}
