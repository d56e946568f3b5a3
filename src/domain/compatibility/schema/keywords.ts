/** How JSON Schema 2020-12 keywords are read: which hold subschemas, which assert nothing, which only help another. */

/** Keywords whose value is one subschema. */
export const SINGLE = [
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
export const LISTS = ["allOf", "anyOf", "oneOf", "prefixItems"] as const;

/** Keywords whose value maps names to subschemas and asserts something. */
export const MAPS = ["properties", "patternProperties", "dependentSchemas"] as const;

/** Keywords that only hold subschemas for `$ref`. */
export const DEFINITIONS = ["$defs", "definitions"] as const;

/** Keywords that no instance can break. */
export const ANNOTATIONS: ReadonlySet<string> = new Set([
  "$schema",
  "$id",
  "$anchor",
  "$dynamicAnchor",
  "$vocabulary",
  "$comment",
  "title",
  "description",
  "default",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
  "contentEncoding",
  "contentMediaType",
  "contentSchema",
  ...DEFINITIONS,
]);

/** Keywords that act only through a sibling: `then` and `else` through `if`, the bounds through `contains`. */
export const HELPERS: ReadonlySet<string> = new Set(["then", "else", "minContains", "maxContains"]);
