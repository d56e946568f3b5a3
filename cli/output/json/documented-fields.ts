/** Finds the fields that the API document names, because an optional field may be absent from all items. */
import { isObject, isPage, type JsonObject } from "./shape.js";

interface ObjectSchema {
  properties: Record<string, JsonObject>;
  required?: string[];
}

/** Returns the fields of all documented objects with the form of the items, or of an empty page's items. */
export function documentedFields(
  value: unknown,
  items: readonly JsonObject[],
  document: JsonObject,
): Set<string> {
  const schemas = allSchemas(document);
  const matching =
    isObject(value) && isPage(value)
      ? schemas.filter((schema) => fits(value, schema)).flatMap((schema) => itemsOf(schema, document))
      : schemas.filter((schema) => items.some((item) => fits(item, schema)));
  return new Set(matching.flatMap(({ properties }) => Object.keys(properties)));
}

export function fieldsOfResults(operation: string, document: JsonObject): Set<string> | undefined {
  const results = alternatives(resultOf(operation, document), document);
  if (results.length === 0) return undefined;
  const objects = results.flatMap((schema) =>
    Object.hasOwn(schema.properties, "next_cursor") ? itemsOf(schema, document) : [schema],
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

function fits(value: JsonObject, { properties, required = [] }: ObjectSchema): boolean {
  return (
    Object.keys(value).every((name) => Object.hasOwn(properties, name)) &&
    required.every((name) => Object.hasOwn(value, name))
  );
}

function allSchemas(place: unknown): ObjectSchema[] {
  if (Array.isArray(place)) return place.flatMap(allSchemas);
  if (!isObject(place)) return [];
  const below = Object.entries(place)
    .filter(([name]) => name !== "example" && name !== "examples")
    .flatMap(([, part]) => allSchemas(part));
  return isObject(place.properties) ? [place as unknown as ObjectSchema, ...below] : below;
}

/** Returns the schemas that a value of this schema may have, without those of its properties. */
function alternatives(schema: unknown, document: JsonObject): ObjectSchema[] {
  if (!isObject(schema)) return [];
  const { $ref, anyOf, properties } = schema;
  if (typeof $ref === "string") return alternatives(referenced($ref, document), document);
  if (Array.isArray(anyOf)) return anyOf.flatMap((each) => alternatives(each, document));
  return isObject(properties) ? [schema as unknown as ObjectSchema] : [];
}

function itemsOf({ properties }: ObjectSchema, document: JsonObject): ObjectSchema[] {
  return Object.values(properties).flatMap(({ items }) => alternatives(items, document));
}

function referenced(ref: string, document: JsonObject): unknown {
  return ref
    .split("/")
    .slice(1)
    .reduce<unknown>((part, name) => (isObject(part) ? part[name] : undefined), document);
}
