/**
 * The kind of value that a JSON Schema keyword has: one schema, a list of schemas, a map of schemas, or data
 * without schemas. `dependencies` is a separate kind, because its map contains both schemas and lists of
 * property names.
 */
export type KeywordValueKind = "schema" | "schemas" | "schemaMap" | "dependencies" | "data";

/**
 * The keywords that a registered schema may use, in evaluation order. They are the draft 2020-12 keywords,
 * and the older `definitions` and `dependencies`, which the draft's meta-schema still describes. Cheap
 * assertions come first. The `unevaluated*` keywords come last, because they depend on the other keywords'
 * results.
 */
export const KEYWORDS: ReadonlyMap<string, KeywordValueKind> = new Map<string, KeywordValueKind>([
  ["$schema", "data"],
  ["$id", "data"],
  ["$anchor", "data"],
  ["$dynamicAnchor", "data"],
  ["$vocabulary", "data"],
  ["$comment", "data"],
  ["title", "data"],
  ["description", "data"],
  ["default", "data"],
  ["deprecated", "data"],
  ["readOnly", "data"],
  ["writeOnly", "data"],
  ["examples", "data"],
  ["contentEncoding", "data"],
  ["contentMediaType", "data"],
  ["contentSchema", "schema"],
  ["$defs", "schemaMap"],
  ["definitions", "schemaMap"],
  ["type", "data"],
  ["const", "data"],
  ["enum", "data"],
  ["minimum", "data"],
  ["maximum", "data"],
  ["exclusiveMinimum", "data"],
  ["exclusiveMaximum", "data"],
  ["multipleOf", "data"],
  ["minLength", "data"],
  ["maxLength", "data"],
  ["minItems", "data"],
  ["maxItems", "data"],
  ["minProperties", "data"],
  ["maxProperties", "data"],
  ["required", "data"],
  ["dependentRequired", "data"],
  ["minContains", "data"],
  ["maxContains", "data"],
  ["format", "data"],
  ["pattern", "data"],
  ["uniqueItems", "data"],
  ["properties", "schemaMap"],
  ["patternProperties", "schemaMap"],
  ["additionalProperties", "schema"],
  ["propertyNames", "schema"],
  ["prefixItems", "schemas"],
  ["items", "schema"],
  ["contains", "schema"],
  ["$ref", "data"],
  ["$dynamicRef", "data"],
  ["allOf", "schemas"],
  ["anyOf", "schemas"],
  ["oneOf", "schemas"],
  ["not", "schema"],
  ["if", "schema"],
  ["then", "schema"],
  ["else", "schema"],
  ["dependentSchemas", "schemaMap"],
  ["dependencies", "dependencies"],
  ["unevaluatedItems", "schema"],
  ["unevaluatedProperties", "schema"],
]);

const ORDER = new Map([...KEYWORDS.keys()].map((keyword, index) => [keyword, index]));

export function sortByEvaluationOrder(keywords: string[]): string[] {
  return keywords.sort((a, b) => (ORDER.get(a) ?? 0) - (ORDER.get(b) ?? 0));
}
