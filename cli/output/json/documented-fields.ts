/** Finds the fields that the API document names for a response, because an optional field may be absent from all its items. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { isObject, isPage, type JsonObject } from "./shape.js";

interface ObjectSchema {
  properties: Record<string, JsonObject>;
  required?: string[];
}

/** Returns the fields of all documented objects whose form the items have, or whose form the items of an empty page have. */
export function documentedFields(value: unknown, items: readonly JsonObject[]): Set<string> {
  const document = readDocument();
  const schemas = allSchemas(document);
  const matching =
    isObject(value) && isPage(value)
      ? schemas
          .filter((schema) => fits(value, schema))
          .flatMap(({ properties }) => Object.values(properties))
          .flatMap(({ items: each }) => alternatives(each, document))
      : schemas.filter((schema) => items.some((item) => fits(item, schema)));
  return new Set(matching.flatMap(({ properties }) => Object.keys(properties)));
}

function readDocument(): JsonObject {
  const root = dirname(createRequire(import.meta.url).resolve("#package.json"));
  return JSON.parse(readFileSync(join(root, "docs/openapi.json"), "utf8")) as JsonObject;
}

/** Returns whether an object has only properties of the schema, and all those that are required. */
function fits(value: JsonObject, { properties, required = [] }: ObjectSchema): boolean {
  return (
    Object.keys(value).every((name) => Object.hasOwn(properties, name)) &&
    required.every((name) => Object.hasOwn(value, name))
  );
}

/** Returns the schemas of all objects that the document contains. */
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

function referenced(ref: string, document: JsonObject): unknown {
  return ref
    .split("/")
    .slice(1)
    .reduce<unknown>((part, name) => (isObject(part) ? part[name] : undefined), document);
}
