/** Sets of code points as sorted, disjoint, inclusive ranges. */

export type Range = readonly [from: number, to: number];
export type CodePoints = readonly Range[];

export const LAST_CODE_POINT = 0x10ffff;
export const ANY: CodePoints = [[0, LAST_CODE_POINT]];

/** How an engine reads the classes that engines differ on. */
export type Dialect = "ecma" | "re2";

export const DIGIT: CodePoints = [[0x30, 0x39]];
export const WORD: CodePoints = normalize([
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
]);

/** `\s`: five characters in RE2, all white space and line ends of Unicode in ECMA-262. */
const SPACE: Record<Dialect, CodePoints> = {
  re2: [
    [0x09, 0x0a],
    [0x0c, 0x0d],
    [0x20, 0x20],
  ],
  ecma: [
    [0x09, 0x0d],
    [0x20, 0x20],
    [0xa0, 0xa0],
    [0x1680, 0x1680],
    [0x2000, 0x200a],
    [0x2028, 0x2029],
    [0x202f, 0x202f],
    [0x205f, 0x205f],
    [0x3000, 0x3000],
    [0xfeff, 0xfeff],
  ],
};

/** `.` leaves out the line feed in RE2, and three more line ends in ECMA-262. */
const LINE_END: Record<Dialect, CodePoints> = {
  re2: [[0x0a, 0x0a]],
  ecma: [
    [0x0a, 0x0a],
    [0x0d, 0x0d],
    [0x2028, 0x2029],
  ],
};

export const space = (dialect: Dialect): CodePoints => SPACE[dialect];
export const dot = (dialect: Dialect): CodePoints => complement(LINE_END[dialect]);

export function normalize(ranges: Iterable<Range>): CodePoints {
  const sorted = [...ranges].sort((a, b) => a[0] - b[0]);
  const merged: [number, number][] = [];
  for (const [from, to] of sorted) {
    const last = merged.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

export function complement(ranges: CodePoints): CodePoints {
  const rest: Range[] = [];
  let next = 0;
  for (const [from, to] of ranges) {
    if (from > next) rest.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= LAST_CODE_POINT) rest.push([next, LAST_CODE_POINT]);
  return rest;
}

export function includes(ranges: CodePoints, point: number): boolean {
  return ranges.some(([from, to]) => from <= point && point <= to);
}
