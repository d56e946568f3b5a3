/** Generates doc comments from the contract's descriptions, limits and examples. */
import type { Json } from "./names.js";

const WIDTH = 100;

/** Returns a doc comment with these paragraphs. Wraps the text, except in an `@example`. */
export function docComment(paragraphs: readonly (string | undefined)[], indent = ""): string {
  const lines = paragraphs
    .filter((paragraph) => paragraph !== undefined && paragraph !== "")
    .flatMap((paragraph, index) => [...(index > 0 ? [""] : []), ...wrap(paragraph as string)])
    .map((line) => line.replaceAll("*/", "*\\/"));
  if (lines.length === 0) return "";
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`;
}

function wrap(text: string): string[] {
  if (text.startsWith("@example")) return text.split("\n");
  const lines = [""];
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1)!;
    if (line === "") lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

export function fieldComment(schema: Json, indent: string): string {
  const description = schema.description as string | undefined;
  const example = (schema.examples as unknown[] | undefined)?.[0];
  return docComment([description, limitsOf(schema), exampleOf(example)], indent);
}

function exampleOf(example: unknown): string | undefined {
  if (example === undefined || JSON.stringify(example) === "[]") return undefined;
  return `@example ${JSON.stringify(example)}`;
}

function limitsOf(schema: Json): string | undefined {
  const limits = [
    range(schema.minLength, schema.maxLength, "characters"),
    range(schema.minimum, schema.maximum, ""),
    range(schema.minItems, schema.maxItems, "items"),
    schema.format === undefined ? "" : `format ${schema.format}`,
    schema.pattern === undefined ? "" : `pattern \`${schema.pattern}\``,
  ].filter((limit) => limit !== "");
  return limits.length === 0 ? undefined : `Limits: ${limits.join("; ")}.`;
}

function range(from: unknown, to: unknown, unit: string): string {
  const of = unit && ` ${unit}`;
  if (from !== undefined && to !== undefined) return `${from} to ${to}${of}`;
  if (from !== undefined) return `at least ${from}${of}`;
  return to === undefined ? "" : `at most ${to}${of}`;
}
