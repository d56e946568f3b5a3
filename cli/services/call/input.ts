/** Converts flags of the form `--field value` to an operation's input. */
import { similarHint } from "../../../daemon/closest-word.js";
import type { CatalogueEntry, CatalogueField, FieldType } from "../../../sdk/src/operations.js";
import { Failure } from "../../failure.js";
import { readJson } from "../../input/values.js";
import { isJsonObject, type JsonObject } from "../../json-object.js";

/** A flag without a value has the value true. */
export type FlagValues = ReadonlyMap<string, readonly (string | true)[]>;

/** Parses `--name value`, `--name=value` and `--name`. Treats `-` and `_` in names as equal. */
export function parseFieldFlags(words: readonly string[]): FlagValues {
  const flags = new Map<string, (string | true)[]>();
  for (let i = 0; i < words.length; i++) {
    const [, name, value] = /^--([^=]+)(?:=([\s\S]*))?$/.exec(words[i]!) ?? [];
    if (name === undefined)
      throw new Failure("USAGE", `unexpected ${JSON.stringify(words[i])}: pass fields as --field value`);
    const next = words[i + 1];
    const takesNext = value === undefined && next !== undefined && !next.startsWith("--");
    const field = name.replaceAll("-", "_");
    flags.set(field, [...(flags.get(field) ?? []), value ?? (takesNext ? next : true)]);
    if (takesNext) i++;
  }
  return flags;
}

export async function operationInput(
  { id, fields }: CatalogueEntry,
  flags: FlagValues,
  whole: string | undefined,
  stdin: NodeJS.ReadStream,
): Promise<JsonObject> {
  const input = whole === undefined ? {} : objectOf(await readJson(whole, "--input", stdin, 0));
  for (const [name, values] of flags) {
    const field = fields[name];
    if (!field) throw unknownField(id, name, Object.keys(fields));
    input[name] = await readValue(name, field, values, stdin);
  }
  const missing = Object.keys(fields).filter((name) => fields[name]!.required && input[name] === undefined);
  if (missing.length > 0)
    throw new Failure("USAGE", `${id} requires ${missing.map((name) => `--${name}`).join(", ")}`, [
      `List the fields: wireroom call ${id} --help`,
    ]);
  return input;
}

function objectOf(value: unknown): JsonObject {
  if (isJsonObject(value)) return value;
  throw new Failure("USAGE", "--input must be a JSON object with the fields of the operation");
}

function unknownField(id: string, name: string, names: readonly string[]): Failure {
  return new Failure("USAGE", `${id} has no field ${JSON.stringify(name)}`, [
    ...similarHint(name, names, "--"),
    names.length === 0 ? "It has no fields." : `Its fields: ${names.map((each) => `--${each}`).join(", ")}`,
  ]);
}

/** Returns the type that the field's values must have. Returns undefined if the field accepts any JSON. */
export function fieldType({ type }: CatalogueField): FieldType | undefined {
  return typeof type === "string" ? type : type?.find((one) => one !== "null");
}

async function readValue(
  name: string,
  field: CatalogueField,
  values: readonly (string | true)[],
  stdin: NodeJS.ReadStream,
): Promise<unknown> {
  const type = fieldType(field);
  if (type === "array") return arrayOf(name, field, values, stdin);
  if (values.length > 1) throw new Failure("USAGE", `--${name} accepts one value, but was passed twice`);
  const value = values[0]!;
  if (type === "boolean") return booleanOf(name, value);
  const text = textOf(name, value);
  if (type === "string") return text;
  if (type === "integer" || type === "number") return numberOf(name, text);
  return readJson(text, `--${name}`, stdin);
}

async function arrayOf(
  name: string,
  { items }: CatalogueField,
  values: readonly (string | true)[],
  stdin: NodeJS.ReadStream,
): Promise<unknown> {
  const texts = values.map((value) => textOf(name, value));
  const isJson = texts.length === 1 && /^(\s*\[|@|-$)/.test(texts[0]!);
  if (items?.type === "string" && !isJson) return texts;
  if (texts.length > 1) throw new Failure("USAGE", `--${name} accepts one JSON array, but was passed twice`);
  return readJson(texts[0]!, `--${name}`, stdin);
}

function textOf(name: string, value: string | true): string {
  if (value !== true) return value;
  throw new Failure(
    "USAGE",
    `--${name} requires a value; for a value that starts with --, use --${name}=VALUE`,
  );
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
