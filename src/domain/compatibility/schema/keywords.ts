/**
 * Groups JSON Schema 2020-12 keywords: with subschemas, without assertions, or with an effect only on other
 * keywords.
 */

import { KEYWORDS, type KeywordValueKind } from "../../json-schema/keywords.js";

export const DEFINITION_KEYWORDS: readonly string[] = ["$defs", "definitions"];

function keywordsWith(...kinds: KeywordValueKind[]): string[] {
  return [...KEYWORDS].flatMap(([keyword, kind]) => (kinds.includes(kind) ? [keyword] : []));
}

/** Keywords whose value is one subschema. Excludes `contentSchema`, because it does not restrict values. */
export const SUBSCHEMA_KEYWORDS = keywordsWith("schema").filter((keyword) => keyword !== "contentSchema");

export const SUBSCHEMA_LIST_KEYWORDS = keywordsWith("schemas");

/**
 * Keywords whose value maps names to subschemas. Excludes `$defs` and `definitions`, because they do not
 * restrict values. `dependencies` can also map a name to a list of names.
 */
export const SUBSCHEMA_MAP_KEYWORDS = keywordsWith("schemaMap", "dependencies").filter(
  (keyword) => !DEFINITION_KEYWORDS.includes(keyword),
);

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
 * Keywords that only modify another keyword: `then` and `else` modify `if`, and `minContains` and
 * `maxContains` modify `contains`.
 */
export const MODIFIER_KEYWORDS: ReadonlySet<string> = new Set(["then", "else", "minContains", "maxContains"]);
