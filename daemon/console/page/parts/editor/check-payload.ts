/**
 * Checks a JSON value against a JSON Schema while the human types. Finds only common mistakes. The service
 * checks the full schema, including patterns and references, when the wire is sent.
 */
type Schema = Record<string, unknown>;

/** Returns the first problem as `path: reason`, or undefined if there is none. */
export function problemOf(value: unknown, schema: unknown, path = ""): string | undefined {
  if (!isObject(schema)) return schema === false ? `${path || "/"}: is not allowed` : undefined;
  return (
    ofType(value, schema, path) ??
    ofRange(value, schema, path) ??
    ofObject(value, schema, path) ??
    ofItems(value, schema, path)
  );
}

function ofType(value: unknown, schema: Schema, path: string): string | undefined {
  const at = path || "/";
  const types = [schema.type ?? []].flat() as string[];
  if (types.length > 0 && !types.some((type) => isOfType(value, type)))
    return `${at}: must be ${types.join(" or ")}`;
  const allowed = "const" in schema ? [schema.const] : (schema.enum as unknown[] | undefined);
  if (allowed && isPrimitive(value) && allowed.every(isPrimitive) && !allowed.includes(value))
    return `${at}: must be ${allowed.map((each) => JSON.stringify(each)).join(" or ")}`;
  return undefined;
}

function ofRange(value: unknown, schema: Schema, path: string): string | undefined {
  const [size, least, most] =
    typeof value === "number"
      ? [value, schema.minimum, schema.maximum]
      : typeof value === "string"
        ? [[...value].length, schema.minLength, schema.maxLength]
        : Array.isArray(value)
          ? [value.length, schema.minItems, schema.maxItems]
          : [];
  if (size === undefined) return undefined;
  const what = typeof value === "number" ? "must be" : "its length must be";
  if (typeof least === "number" && size < least) return `${path || "/"}: ${what} at least ${least}`;
  if (typeof most === "number" && size > most) return `${path || "/"}: ${what} at most ${most}`;
  return undefined;
}

function ofObject(value: unknown, schema: Schema, path: string): string | undefined {
  if (!isObject(value)) return undefined;
  const properties = isObject(schema.properties) ? schema.properties : {};
  const missing = ((schema.required as string[] | undefined) ?? []).find(
    (name) => !Object.hasOwn(value, name),
  );
  if (missing !== undefined) return `${path || "/"}: needs the property ${JSON.stringify(missing)}`;
  for (const [name, each] of Object.entries(value)) {
    if (Object.hasOwn(properties, name)) {
      const problem = problemOf(each, properties[name], `${path}/${name}`);
      if (problem !== undefined) return problem;
    } else if (schema.additionalProperties === false && schema.patternProperties === undefined) {
      return `${path || "/"}: must not have the property ${JSON.stringify(name)}`;
    }
  }
  return undefined;
}

function ofItems(value: unknown, schema: Schema, path: string): string | undefined {
  if (!Array.isArray(value) || schema.prefixItems !== undefined || schema.items === undefined)
    return undefined;
  for (const [index, each] of value.entries()) {
    const problem = problemOf(each, schema.items, `${path}/${index}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
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
