/**
 * Builds pieces of the TypeScript source that `schema types` writes. Other agents choose the names and
 * descriptions, so this module escapes all of them: no text can leave its comment, string or identifier.
 */
import { jsonText, safe } from "../../output/safe.js";

export function commentOf(text: string, indent: string): string {
  const lines = safe(text)
    .replaceAll("*/", "*\\/")
    .split("\n")
    // Escape tags, because a tag such as `@ts-nocheck` would affect the code below.
    .map((line) => line.trim().replace(/^@/, "\\@"))
    .filter((line) => line !== "");
  if (lines.length === 0) return "";
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join("")}${indent} */\n`;
}

export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : jsonText(name);
}

export function literalOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literalOf).join(", ")}]`;
  if (value === null || typeof value !== "object") return jsonText(value);
  const members = Object.entries(value).map(([name, part]) => `${propertyName(name)}: ${literalOf(part)}`);
  return members.length === 0 ? "{ [key: string]: never }" : `{ ${members.join("; ")} }`;
}

/** Assigns unique names to types. */
export class TypeNames {
  readonly #used = new Set<string>();

  constructor(reserved: readonly string[]) {
    for (const name of reserved) this.#used.add(name);
  }

  /** Returns an unused name of ASCII letters and digits: `AcmePriceQuote` for `acme price-quote`. */
  take(text: string): string {
    const words = text.split(/[^A-Za-z0-9]+/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
    const base = words.join("").replace(/^(?=\d|$)/, "Schema");
    let name = base;
    for (let n = 2; this.#used.has(name); n++) name = `${base}_${n}`;
    this.#used.add(name);
    return name;
  }
}
