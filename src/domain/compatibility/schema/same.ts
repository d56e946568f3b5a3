/** Compares schema documents by their text, and removes keywords from schemas. */

import { canonicalText, isObject } from "../../json-schema/values.js";
import { subschemas } from "./document.js";
import { PURE_ANNOTATIONS } from "./keywords.js";

/**
 * Returns whether two documents differ only in annotations and key order. They then accept the same values.
 */
export function isEqualButForAnnotations(one: unknown, other: unknown): boolean {
  return textOf(one) === textOf(other);
}

function textOf(document: unknown): string {
  return canonicalText(withoutKeywords(document, PURE_ANNOTATIONS));
}

/**
 * Returns a schema without these keywords, at any depth. Keeps properties and constants that have the same
 * names.
 */
export function withoutKeywords(schema: unknown, keywords: ReadonlySet<string>): unknown {
  if (!isObject(schema)) return schema;
  const bare = withoutPrototype(Object.entries(schema).filter(([keyword]) => !keywords.has(keyword)));
  for (const [keyword, key] of [...subschemas(schema), ...otherSubschemas(schema)]) {
    const value = schema[keyword!] as Record<string, unknown>;
    if (key === undefined) bare[keyword!] = withoutKeywords(value, keywords);
    else {
      if (bare[keyword!] === value)
        bare[keyword!] = Array.isArray(value) ? [...value] : withoutPrototype(Object.entries(value));
      (bare[keyword!] as Record<string, unknown>)[key] = withoutKeywords(value[key], keywords);
    }
  }
  return bare;
}

function otherSubschemas({ contentSchema }: Record<string, unknown>): string[][] {
  return isObject(contentSchema) ? [["contentSchema"]] : [];
}

/** Returns an object without a prototype, in which `__proto__` is an ordinary key. */
function withoutPrototype(entries: [string, unknown][]): Record<string, unknown> {
  return Object.assign(Object.create(null), Object.fromEntries(entries)) as Record<string, unknown>;
}
