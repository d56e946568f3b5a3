/**
 * Finds the result fields that the API document lists. The results alone do not show all fields, because an
 * optional field may be absent from every item.
 */
export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

interface ObjectSchema {
  properties: Record<string, JsonObject>;
}

/** Returns the fields of an operation's results or page items, or undefined for an undocumented operation. */
export function documentedFields(operation: string, document: JsonObject): Set<string> | undefined {
  const results = alternatives(resultOf(operation, document), document);
  if (results.length === 0) return undefined;
  const objects = results.flatMap((schema) =>
    Object.hasOwn(schema.properties, "next_cursor")
      ? Object.values(schema.properties).flatMap(({ items }) => alternatives(items, document))
      : [schema],
  );
  return new Set(objects.flatMap(({ properties }) => Object.keys(properties)));
}

function resultOf(operation: string, { paths }: JsonObject): unknown {
  const operations = Object.values(paths as JsonObject).flatMap((path) => Object.values(path as JsonObject));
  const found = operations.filter(isObject).find(({ operationId }) => operationId === operation);
  const responses = found?.responses as Record<string, JsonObject> | undefined;
  const { content } = responses?.["200"] ?? responses?.["201"] ?? {};
  return isObject(content) ? (Object.values(content)[0] as JsonObject).schema : undefined;
}

function alternatives(schema: unknown, document: JsonObject): ObjectSchema[] {
  if (!isObject(schema)) return [];
  const { $ref, anyOf, items, properties } = schema;
  if (typeof $ref === "string") return alternatives(referenced($ref, document), document);
  if (Array.isArray(anyOf)) return anyOf.flatMap((each) => alternatives(each, document));
  if (items !== undefined) return alternatives(items, document);
  return isObject(properties) ? [schema as unknown as ObjectSchema] : [];
}

function referenced(ref: string, document: JsonObject): unknown {
  return ref
    .split("/")
    .slice(1)
    .reduce<unknown>((part, name) => (isObject(part) ? part[name] : undefined), document);
}
