/** From `--field value …` to the input of an operation. */
import type { CatalogueEntry, CatalogueField, FieldType } from "../../../sdk/src/operations.js";
import { Failure } from "../../failure.js";
import { jsonOf } from "../../input/values.js";
import { nearest } from "./nearest.js";

export type Input = Record<string, unknown>;

/** Values of each flag in order; true stands for a flag without a value. */
export type Given = ReadonlyMap<string, readonly (string | true)[]>;

/** Reads `--name value`, `--name=value` and `--name`; a field's `_` may be written as `-`. */
export function parseFlags(words: readonly string[]): Given {
  const given = new Map<string, (string | true)[]>();
  for (let i = 0; i < words.length; i++) {
    const [, name, value] = /^--([^=]+)(?:=([\s\S]*))?$/.exec(words[i]!) ?? [];
    if (name === undefined)
      throw new Failure(
        "USAGE",
        `${JSON.stringify(words[i])} belongs to no field: fields are given as --field value`,
      );
    const next = words[i + 1];
    const takesNext = value === undefined && next !== undefined && !next.startsWith("--");
    const field = name.replaceAll("-", "_");
    given.set(field, [...(given.get(field) ?? []), value ?? (takesNext ? next : true)]);
    if (takesNext) i++;
  }
  return given;
}

/**
 * The input: what `--input` gives, and over it the single fields, each read by its type. Throws a `Failure` for a field
 * that there is not, for a value that is none of its type, and for a required field that is missing.
 */
export async function inputOf(
  { id, fields }: CatalogueEntry,
  given: Given,
  whole: string | undefined,
  stdin: NodeJS.ReadStream,
): Promise<Input> {
  const input = whole === undefined ? {} : objectOf(await jsonOf(whole, "--input", stdin));
  for (const [name, values] of given) {
    const field = fields[name];
    if (!field) throw unknownField(id, name, Object.keys(fields));
    input[name] = await readValue(name, field, values, stdin);
  }
  const missing = Object.keys(fields).filter((name) => fields[name]!.required && input[name] === undefined);
  if (missing.length > 0)
    throw new Failure("USAGE", `${id} needs ${missing.map((name) => `--${name}`).join(", ")}`, [
      `See: wireroom call ${id} --help`,
    ]);
  return input;
}

function objectOf(value: unknown): Input {
  if (value !== null && typeof value === "object" && !Array.isArray(value)) return { ...value };
  throw new Failure("USAGE", "--input must be a JSON object with the fields of the operation");
}

function unknownField(id: string, name: string, names: readonly string[]): Failure {
  const meant = nearest(name, names);
  return new Failure("USAGE", `${id} has no field ${JSON.stringify(name)}`, [
    ...(meant ? [`Did you mean --${meant}?`] : []),
    names.length === 0 ? "It takes none." : `It has: ${names.map((each) => `--${each}`).join(", ")}`,
  ]);
}

/** The type that a value is read by; undefined for any JSON. */
export function typeOf({ type }: CatalogueField): FieldType | undefined {
  return typeof type === "string" ? type : type?.find((one) => one !== "null");
}

async function readValue(
  name: string,
  field: CatalogueField,
  values: readonly (string | true)[],
  stdin: NodeJS.ReadStream,
): Promise<unknown> {
  const type = typeOf(field);
  if (type === "array") return arrayOf(name, field, values, stdin);
  if (values.length > 1) throw new Failure("USAGE", `--${name} is given twice, and takes one value`);
  const value = values[0]!;
  if (type === "boolean") return booleanOf(name, value);
  const text = textOf(name, value);
  if (type === "string") return text;
  if (type === "integer" || type === "number") return numberOf(name, text);
  return jsonOf(text, `--${name}`, stdin);
}

/** As one JSON array, or item by item where the items are strings: `--tags a --tags b`. */
async function arrayOf(
  name: string,
  { items }: CatalogueField,
  values: readonly (string | true)[],
  stdin: NodeJS.ReadStream,
): Promise<unknown> {
  const texts = values.map((value) => textOf(name, value));
  const isJson = texts.length === 1 && /^(\s*\[|@|-$)/.test(texts[0]!);
  if (items?.type === "string" && !isJson) return texts;
  if (texts.length > 1) throw new Failure("USAGE", `--${name} is given twice, and takes one JSON array`);
  return jsonOf(texts[0]!, `--${name}`, stdin);
}

function textOf(name: string, value: string | true): string {
  if (value !== true) return value;
  throw new Failure("USAGE", `--${name} needs a value; one that begins with -- is given as --${name}=VALUE`);
}

function booleanOf(name: string, value: string | true): boolean {
  if (value === true || value === "true") return true;
  if (value === "false") return false;
  throw new Failure("USAGE", `--${name} must be true or false, not ${JSON.stringify(value)}`);
}

function numberOf(name: string, text: string): number {
  const number = Number(text);
  if (text.trim() !== "" && Number.isFinite(number)) return number;
  throw new Failure("USAGE", `--${name} must be a number, not ${JSON.stringify(text)}`);
}
