/** Builds the messages about breaking changes. Each message states the change, and how to avoid the break. */

import { canonicalText, shortened } from "../json-schema/values.js";

const REMEDIES: Record<string, string> = {
  type: "allow every type that was allowed before",
  enum: "keep every value that was allowed before",
  const: "keep every value that was allowed before",
  multipleOf: "keep it or use a divisor of it",
  pattern: "keep the old pattern, or remove the keyword",
  format: "keep the old format, or remove the keyword",
  uniqueItems: "remove the keyword, because equal items were allowed before",
  contains: "accept every array that was allowed before, or lower minContains and raise maxContains",
  required: "make the property optional, because it was optional before",
  dependentRequired: "remove the dependency, because each property was allowed alone before",
  additionalProperties: "accept every property that was allowed before",
  propertyNames: "accept every name that was allowed before",
  anyOf: "accept every value that was allowed before in at least one branch",
  oneOf: "accept every value that was allowed before in exactly one branch",
  not: "do not exclude a value that was allowed before",
};

export function explain(keyword: string, value: unknown): string {
  const [, bound] = /(min|max)/i.exec(keyword) ?? [];
  const limit = bound && (/min/i.test(bound) ? "keep it or lower it" : "keep it or raise it");
  const remedy = REMEDIES[keyword] ?? limit ?? "accept every value that was allowed before";
  return `${keyword} ${shorten(value)} may reject instances that were valid before; ${remedy}`;
}

export function explainNewProperty(name: string): string {
  return (
    `instances that were valid before may have any value in the property ${shorten(name)}; accept any value here ({}), or register ` +
    'the schema under another subject. An object can get new properties if it has "additionalProperties": false from the start'
  );
}

export function explainDroppedProperty(name: string): string {
  return (
    `the property ${shorten(name)} was allowed before, and is rejected now; keep it in properties, where it may be optional, or ` +
    "register the schema under another subject"
  );
}

export const TOO_COMPLEX = "the schemas are too complex to compare; simplify them, or make smaller changes";
export const TOO_DEEP = "the schemas are nested too deeply to compare; flatten them to at most 400 levels";
export const REJECTS_ALL =
  "no value is accepted here, but some were before; accept every value that was allowed before";
export const DYNAMIC =
  "this $dynamicRef has several possible targets, so the versions cannot be compared; change only annotations, or use $ref";
export const WAS_DYNAMIC =
  "a $dynamicRef of the latest version has several possible targets, so the versions cannot be compared; change only annotations, or use another subject";

function shorten(value: unknown): string {
  return shortened(canonicalText(value), 60);
}
