/** What a keyword's value holds: one schema, a list or a map of them, `dependencies`' mix, or plain data. */
export type Holds = "schema" | "schemas" | "schemaMap" | "dependencies" | "data";

/**
 * Every keyword that a registered schema may use: the vocabularies of draft 2020-12, and the two older names that
 * its meta-schema still describes (`definitions`, `dependencies`). The order is the order of evaluation: cheap
 * assertions first, `unevaluated*` last, because they look at what the others have evaluated.
 */
export const KEYWORDS: ReadonlyMap<string, Holds> = new Map<string, Holds>([
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

/** Sorts the keywords of one schema object into the order in which they are evaluated. */
export function inOrderOfEvaluation(keywords: string[]): string[] {
  return keywords.sort((a, b) => (ORDER.get(a) ?? 0) - (ORDER.get(b) ?? 0));
}
