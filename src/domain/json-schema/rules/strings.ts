import { FORMATS } from "../formats/index.js";
import { linearRegExp } from "../regex/index.js";
import { count, show } from "../values.js";
import { assertion, type RuleMaker } from "./site.js";

/** Validation, 6.3 and 7. Formats are asserted (decisions, section 7). */
export const STRING_RULES: Record<string, RuleMaker> = {
  minLength: (limit: number) =>
    assertion(
      "minLength",
      (value) => typeof value !== "string" || (value.length >= limit && isLengthAtLeast(value, limit)),
      (value) => `must have at least ${count(limit, "character")}, not ${codePoints(value as string)}`,
    ),
  maxLength: (limit: number) =>
    assertion(
      "maxLength",
      (value) => typeof value !== "string" || value.length <= limit || codePoints(value) <= limit,
      (value) => `must have at most ${count(limit, "character")}, not ${codePoints(value as string)}`,
    ),
  pattern: (pattern: string) => {
    const matches = linearRegExp(pattern);
    return assertion(
      "pattern",
      (value) => typeof value !== "string" || matches(value),
      `must match the pattern ${show(pattern)}`,
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

/** The length of a string is its number of characters (validation, 6.3.1): code points, not UTF-16 units. */
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
