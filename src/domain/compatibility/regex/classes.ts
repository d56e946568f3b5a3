/** The classes of a pattern, as the engines read them. */
import {
  type CodePoints,
  complement,
  DIGITS as DIGIT,
  SPACE as ECMA_SPACE,
  LAST,
  LINE_ENDS,
  type Range,
  union,
  WORD,
} from "../../code-points.js";

export { type CodePoints, complement, DIGIT, LAST, type Range, union, WORD };
export const ANY: CodePoints = [[0, LAST]];

/** How an engine reads the classes that engines differ on. */
export type Dialect = "ecma" | "re2";

/** `\s`: five characters in RE2, all white space and line ends of Unicode in ECMA-262. */
const SPACE: Record<Dialect, CodePoints> = {
  re2: [
    [0x09, 0x0a],
    [0x0c, 0x0d],
    [0x20, 0x20],
  ],
  ecma: ECMA_SPACE,
};

/** `.` leaves out the line feed in RE2, and three more line ends in ECMA-262. */
const LINE_END: Record<Dialect, CodePoints> = {
  re2: [[0x0a, 0x0a]],
  ecma: LINE_ENDS,
};

export const space = (dialect: Dialect): CodePoints => SPACE[dialect];
export const dot = (dialect: Dialect): CodePoints => complement(LINE_END[dialect]);

export function includes(ranges: CodePoints, point: number): boolean {
  return ranges.some(([from, to]) => from <= point && point <= to);
}
