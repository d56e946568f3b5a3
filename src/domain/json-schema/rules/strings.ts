import { FORMATS } from "../formats/index.js";
import { codePoints, formatValue, pluralize } from "../values.js";
import { assertion, type RuleFactory } from "./rule-context.js";

/**
 * Rules for string keywords (JSON Schema 2020-12 validation, sections 6.3 and 7). A value that violates
 * `format` is invalid (docs/specification/schemas.md#formats).
 */
export const STRING_RULES: Record<string, RuleFactory> = {
  minLength: (limit: number) =>
    assertion(
      "minLength",
      (value) => typeof value !== "string" || (value.length >= limit && isLengthAtLeast(value, limit)),
      (value) => `must have at least ${pluralize(limit, "character")}, not ${codePoints(value as string)}`,
    ),
  maxLength: (limit: number) =>
    assertion(
      "maxLength",
      (value) => typeof value !== "string" || value.length <= limit || codePoints(value) <= limit,
      (value) => `must have at most ${pluralize(limit, "character")}, not ${codePoints(value as string)}`,
    ),
  pattern: (pattern: string, context) => {
    const matches = context.matcher(pattern);
    return assertion(
      "pattern",
      (value) => typeof value !== "string" || matches(value),
      `must match the pattern ${formatValue(pattern)}`,
    );
  },
  format: (name: string) => {
    const format = FORMATS.get(name);
    if (format === undefined) throw new Error(`unknown format ${name}`);
    const { type, test } = format;
    return assertion(
      "format",
      (value) => typeof value !== type || test(value as never),
      `must be a valid ${name}`,
    );
  },
};

function isLengthAtLeast(text: string, limit: number): boolean {
  return text.length >= 2 * limit || codePoints(text) >= limit;
}
