/** Keywords that do not restrict values, and schemas without some of their keywords. */

import { SchemaDocument } from "./document.js";
import { isObject, type JsonSchema } from "./values.js";

/** Removing these keywords changes neither the valid values nor the targets of references. */
export const PURE_ANNOTATIONS: ReadonlySet<string> = new Set([
  "$comment",
  "title",
  "description",
  "default",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
]);

export const DEFINITION_KEYWORDS: readonly string[] = ["$defs", "definitions"];

export const ANNOTATION_KEYWORDS: ReadonlySet<string> = new Set([
  ...PURE_ANNOTATIONS,
  "$schema",
  "$id",
  "$anchor",
  "$dynamicAnchor",
  "$vocabulary",
  "contentEncoding",
  "contentMediaType",
  "contentSchema",
  ...DEFINITION_KEYWORDS,
]);

/**
 * Returns a document without these keywords, at any depth. Keeps properties and constants that have the same
 * names.
 */
export function withoutKeywords(document: JsonSchema, keywords: ReadonlySet<string>): JsonSchema {
  const schemas = new Set<unknown>();
  for (const { schema } of new SchemaDocument(document).subschemas.values()) schemas.add(schema);
  const strip = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(strip);
    if (!isObject(value)) return value;
    const kept = Object.entries(value).filter(([key]) => !schemas.has(value) || !keywords.has(key));
    return Object.fromEntries(kept.map(([key, part]) => [key, strip(part)]));
  };
  return strip(document) as JsonSchema;
}
