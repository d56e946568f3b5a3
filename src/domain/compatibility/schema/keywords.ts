/**
 * Groups JSON Schema 2020-12 keywords: with subschemas, without assertions, or with an effect only on other
 * keywords.
 */

/** Keywords whose value is one subschema. */
export const SUBSCHEMA_KEYWORDS = [
  "not",
  "if",
  "then",
  "else",
  "items",
  "contains",
  "additionalProperties",
  "propertyNames",
  "unevaluatedItems",
  "unevaluatedProperties",
] as const;

/** Keywords whose value is a list of subschemas. */
export const SUBSCHEMA_LIST_KEYWORDS = ["allOf", "anyOf", "oneOf", "prefixItems"] as const;

/**
 * Keywords with assertions whose value maps names to subschemas. `dependencies` can also map a name to a list
 * of names.
 */
export const SUBSCHEMA_MAP_KEYWORDS = [
  "properties",
  "patternProperties",
  "dependentSchemas",
  "dependencies",
] as const;

/** Keywords that only define subschemas as targets for `$ref`. */
export const DEFINITION_KEYWORDS = ["$defs", "definitions"] as const;

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

/** Keywords that assert nothing: every value satisfies them. */
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
 * Keywords that only modify another keyword: `then` and `else` modify `if`, and the two bounds modify
 * `contains`.
 */
export const MODIFIER_KEYWORDS: ReadonlySet<string> = new Set(["then", "else", "minContains", "maxContains"]);
