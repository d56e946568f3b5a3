import { canonicalText, formatValue, formatValues, typeName } from "../values.js";
import { assertion, type RuleFactory } from "./rule-context.js";

const IS_TYPE: Record<string, (value: unknown) => boolean> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === "boolean",
  string: (value) => typeof value === "string",
  array: (value) => Array.isArray(value),
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  // `JSON.parse` reads 1e400 as Infinity, so the original number is lost. Such a value has no type.
  number: (value) => Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
};

/** Rules for keywords that apply to values of any type (JSON Schema 2020-12 validation, section 6.1). */
export const ANY_RULES: Record<string, RuleFactory> = {
  type: (type: string | string[]) => {
    const names = Array.isArray(type) ? type : [type];
    const tests = names.map((name) => IS_TYPE[name] ?? (() => false));
    const only = tests.length === 1 ? tests[0] : undefined;
    const holds = only ?? ((value: unknown) => tests.some((test) => test(value)));
    return assertion("type", holds, (value) => `must be ${names.join(" or ")}, not ${typeName(value)}`);
  },
  const: (expected: unknown) => {
    const holds = oneOf([expected]);
    return assertion("const", holds, `must be ${formatValue(expected)}`);
  },
  enum: (allowed: unknown[]) => assertion("enum", oneOf(allowed), `must be one of ${formatValues(allowed)}`),
};

function oneOf(allowed: unknown[]): (value: unknown) => boolean {
  const isPlain = (value: unknown) => typeof value !== "object" || value === null;
  const plain = new Set(allowed.filter(isPlain));
  const nested = new Set(allowed.filter((value) => !isPlain(value)).map(canonicalText));
  return (value) => (isPlain(value) ? plain.has(value) : nested.size > 0 && nested.has(canonicalText(value)));
}
