import { FORMATS } from "../formats/index.js";
import { formatValue, pluralize } from "../values.js";
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

/**
 * Returns the length of a string in code points, not UTF-16 code units (JSON Schema 2020-12 validation,
 * section 6.3.1).
 */
function codePoints(text: string): number {
  let length = text.length;
  for (let i = 0; i + 1 < text.length; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      length--;
      i++;
    }
  }
  return length;
}

function isLengthAtLeast(text: string, limit: number): boolean {
  return text.length >= 2 * limit || codePoints(text) >= limit;
}
