/**
 * Checks a JSON value against a JSON Schema while the human types. Finds only common mistakes. The service
 * checks the full schema, including patterns and references, when the wire is sent.
 */
import { sentenceOf } from "../error-message.js";

type Schema = Record<string, unknown>;

/** Returns the first problem as a sentence, or undefined if there is none. */
export function problemOf(value: unknown, schema: unknown, path = "/payload"): string | undefined {
  const sentence = (message: string) => sentenceOf({ instancePath: path, message });
  if (!isObject(schema)) return schema === false ? sentence("is not allowed") : undefined;
  const problem =
    problemOfType(value, schema) ?? problemOfSize(value, schema) ?? problemOfKeys(value, schema);
  if (problem !== undefined) return sentence(problem);
  const inner = isObject(value) && isObject(schema.properties) ? schema.properties : {};
  const isUniform = schema.prefixItems === undefined && schema.items !== undefined;
  const nested: [string | number, unknown, unknown][] = isObject(value)
    ? Object.entries(value).flatMap(([key, each]) =>
        Object.hasOwn(inner, key) ? [[key, each, inner[key]]] : [],
      )
    : Array.isArray(value) && isUniform
      ? value.map((each, index) => [index, each, schema.items])
      : [];
  for (const [key, each, its] of nested) {
    const found = problemOf(each, its, `${path}/${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function problemOfType(value: unknown, schema: Schema): string | undefined {
  const types = [schema.type ?? []].flat() as string[];
  if (types.length > 0 && !types.some((type) => isOfType(value, type)))
    return `must be ${types.join(" or ")}`;
  const allowed = "const" in schema ? [schema.const] : (schema.enum as unknown[] | undefined);
  if (allowed && isPrimitive(value) && allowed.every(isPrimitive) && !allowed.includes(value))
    return `must be ${allowed.map((each) => JSON.stringify(each)).join(" or ")}`;
  return undefined;
}

function problemOfSize(value: unknown, schema: Schema): string | undefined {
  const [size, least, most] =
    typeof value === "number"
      ? [value, schema.minimum, schema.maximum]
      : typeof value === "string"
        ? [[...value].length, schema.minLength, schema.maxLength]
        : Array.isArray(value)
          ? [value.length, schema.minItems, schema.maxItems]
          : [];
  if (size === undefined) return undefined;
  const what = typeof value === "number" ? "must be" : "must have a length of";
  if (typeof least === "number" && size < least) return `${what} at least ${least}`;
  if (typeof most === "number" && size > most) return `${what} at most ${most}`;
  return undefined;
}

function problemOfKeys(value: unknown, schema: Schema): string | undefined {
  if (!isObject(value)) return undefined;
  const required = (schema.required as string[] | undefined) ?? [];
  const missing = required.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `needs the property ${JSON.stringify(missing)}`;
  if (schema.additionalProperties !== false || schema.patternProperties !== undefined) return undefined;
  const known = isObject(schema.properties) ? schema.properties : {};
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(known, name));
  return unknown === undefined ? undefined : `must not have the property ${JSON.stringify(unknown)}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isPrimitive(value: unknown): boolean {
  return value === null || typeof value !== "object";
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case "object":
      return isObject(value);
    case "array":
      return Array.isArray(value);
    case "null":
      return value === null;
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
