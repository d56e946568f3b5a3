/**
 * Reads MCP tools' arguments according to their schemas (docs/specification/agent-operations.md#arguments).
 * MCP hosts differ: some send a value for every argument, and some send each value as text.
 */
import { invalid, type WireroomError } from "../../src/contract/errors.js";
import { JsonError, parseJson } from "../../src/kernel/strict-json.js";

export type Arguments = Record<string, unknown>;

interface Schema {
  type?: string | readonly string[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
}

/**
 * Returns the fields without optional ones that count as absent, such as null or an empty list. Throws
 * VALIDATION_ERROR if the text of an object or array is not valid JSON.
 */
export function readFields(
  { properties = {}, required = [] }: Schema,
  fields: Readonly<Arguments>,
  path: readonly string[] = [],
): Arguments {
  // Without a prototype, a field named `__proto__` is rejected like any other unknown field.
  const read = Object.create(null) as Arguments;
  for (const [name, value] of Object.entries(fields)) {
    if (!Object.hasOwn(properties, name)) {
      read[name] = value;
      continue;
    }
    const present = readValue(properties[name]!, value, [...path, name]);
    if (present !== undefined || required.includes(name)) read[name] = present ?? value;
  }
  return read;
}

/**
 * Returns undefined for a value that counts as absent: null, "", an empty list, or an object of such values.
 */
function readValue(schema: Schema, given: unknown, path: readonly string[]): unknown {
  const types = [schema.type].flat();
  const isText = typeof given === "string" && schema.type !== undefined && !types.includes("string");
  const value = isText ? valueOfText(given, path) : given;
  if (value === null || value === "") return undefined;
  if (Array.isArray(value)) {
    const { items } = schema;
    if (!items) return value;
    if (value.length === 0) return undefined;
    return value.map((item, index) => readValue(items, item, [...path, String(index)]) ?? item);
  }
  if (typeof value !== "object" || !schema.properties) return value;
  const fields = readFields(schema, value as Arguments, path);
  return Object.values(fields).every((field) => field === null || field === "") ? undefined : fields;
}

/** Returns the value of a JSON text. Returns other text unchanged, so that validation rejects it. */
function valueOfText(text: string, path: readonly string[]): unknown {
  if (/^\s*[{[]/.test(text)) return parseArgument(text, path);
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonError) return text;
    throw error;
  }
}

/** Parses an argument as strictly as a request body. Throws VALIDATION_ERROR if it is invalid. */
export function parseArgument(text: string, path: readonly string[]): unknown {
  try {
    return parseJson(text, -path.length, "the text");
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw argumentError(`/${path.join("/")}${error.pointer}`, "json", error.message);
  }
}

export function argumentError(instancePath: string, keyword: string, message: string): WireroomError {
  return invalid({ instancePath, keyword, message });
}
