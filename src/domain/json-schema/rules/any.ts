import { canonical, show, showList, typeName } from "../values.js";
import { assertion, type RuleMaker } from "./site.js";

const IS_TYPE: Record<string, (value: unknown) => boolean> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === "boolean",
  string: (value) => typeof value === "string",
  array: (value) => Array.isArray(value),
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  // 1e400 is read as Infinity, which is not the number that was written: it is of no type.
  number: (value) => Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
};

/** Validation, 6.1: what applies to a value of any type. */
export const ANY_RULES: Record<string, RuleMaker> = {
  type: (type: string | string[]) => {
    const names = Array.isArray(type) ? type : [type];
    const tests = names.map((name) => IS_TYPE[name] ?? (() => false));
    const only = tests.length === 1 ? tests[0] : undefined;
    const holds = only ?? ((value: unknown) => tests.some((test) => test(value)));
    return assertion("type", holds, (value) => `must be ${names.join(" or ")}, not ${typeName(value)}`);
  },
  const: (expected: unknown) => {
    const holds = oneOf([expected]);
    return assertion("const", holds, `must be ${show(expected)}`);
  },
  enum: (allowed: unknown[]) => assertion("enum", oneOf(allowed), `must be one of ${showList(allowed)}`),
};

function oneOf(allowed: unknown[]): (value: unknown) => boolean {
  const isPlain = (value: unknown) => typeof value !== "object" || value === null;
  const plain = new Set(allowed.filter(isPlain));
  const nested = new Set(allowed.filter((value) => !isPlain(value)).map(canonical));
  return (value) => (isPlain(value) ? plain.has(value) : nested.size > 0 && nested.has(canonical(value)));
}
