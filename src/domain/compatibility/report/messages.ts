/** Messages of reasons: what broke and how to keep it compatible. */

import { canonical } from "../json.js";

/** What would keep each keyword compatible. */
const REMEDIES: Record<string, string> = {
  type: "allow every type that was allowed",
  enum: "keep every value that was allowed",
  const: "keep every value that was allowed",
  minimum: "keep it or lower it",
  exclusiveMinimum: "keep it or lower it",
  maximum: "keep it or raise it",
  exclusiveMaximum: "keep it or raise it",
  multipleOf: "keep it or use a divisor of it",
  minLength: "keep it or lower it",
  maxLength: "keep it or raise it",
  pattern: "keep it, or use one that matches every string that was allowed",
  format: "keep the old format or drop the keyword",
  minItems: "keep it or lower it",
  maxItems: "keep it or raise it",
  uniqueItems: "drop the keyword: repeated items were allowed",
  contains: "accept what was allowed, or lower minContains and raise maxContains",
  minProperties: "keep it or lower it",
  maxProperties: "keep it or raise it",
  required: "make the property optional: it could be left out",
  dependentRequired: "drop the dependency: the properties could come alone",
  additionalProperties: "accept the properties that were allowed before",
  propertyNames: "accept every name that was allowed",
  anyOf: "cover everything that was allowed by its branches together",
  oneOf: "let exactly one branch accept everything that was allowed",
  not: "exclude nothing that was allowed",
};

const LONGEST = 60;

/** Why a keyword breaks instances. */
export function explain(keyword: string, value: unknown): string {
  const remedy = REMEDIES[keyword] ?? "accept everything that was allowed before";
  return `${keyword} ${short(value)} may refuse instances that were valid before: ${remedy}`;
}

/** Why the keyword that holds a subschema breaks instances. */
export function explainPart(keyword: string, name: string): string {
  return `${keyword} ${short(name)} may refuse values that were valid before: accept everything that was allowed there`;
}

export const TOO_COMPLEX =
  "the schemas are too complex to compare within bounds: simplify them or make smaller changes";
export const UNPROVEN =
  "not every instance that was valid before can be shown to stay valid: accept everything that was allowed before";
export const TOO_DEEP = "the schemas are nested too deep to compare: flatten them to at most 400 levels";
export const REFUSES_ALL =
  "nothing is accepted here, but something was before: accept everything that was allowed";
export const DYNAMIC = "$dynamicRef has several targets here and cannot be compared: use $ref";
export const CIRCULAR =
  "a $ref leads back to itself without entering a part of the instance: remove the circle";

function short(value: unknown): string {
  const text = canonical(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
