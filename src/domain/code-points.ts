/** A set of Unicode code points, as ascending ranges. The ranges neither overlap nor touch. */
export type CodePoints = readonly Range[];
/** A range of code points; both ends are included. */
export type Range = readonly [from: number, to: number];

export const LAST_CODE_POINT = 0x10ffff;

export function union(...sets: CodePoints[]): CodePoints {
  const ranges = sets.flat().sort((a, b) => a[0] - b[0]);
  const merged: [number, number][] = [];
  for (const [from, to] of ranges) {
    const last = merged.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

export function complement(set: CodePoints): CodePoints {
  const gaps: [number, number][] = [];
  let next = 0;
  for (const [from, to] of set) {
    if (from > next) gaps.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= LAST_CODE_POINT) gaps.push([next, LAST_CODE_POINT]);
  return gaps;
}

export const DIGITS: CodePoints = [[0x30, 0x39]];
/** The characters that `\w` matches (ECMA-262, WordCharacters). */
export const WORD_CHARACTERS: CodePoints = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
/**
 * The code points that `\s` matches (ECMA-262, WhiteSpace and LineTerminator). RE2's `\s` matches only five
 * ASCII characters.
 */
export const WHITE_SPACE: CodePoints = [
  [0x9, 0xd],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];
/** The characters that `.` does not match (ECMA-262, LineTerminator). */
export const LINE_TERMINATORS: CodePoints = [
  [0xa, 0xa],
  [0xd, 0xd],
  [0x2028, 0x2029],
];

const properties = new Map<string, CodePoints>();
const MAX_PROPERTIES = 200;

/**
 * Returns the code points that have a Unicode property, according to the JavaScript engine.
 * @param name the property as written in `\p{…}`
 */
export function unicodeProperty(name: string): CodePoints {
  const known = properties.get(name);
  if (known) return known;
  const ranges: [number, number][] = [];
  // `scalars()` leaves out the surrogates. All surrogates have the same properties, so testing one is enough.
  if (new RegExp(`^\\p{${name}}$`, "u").test("\ud800")) ranges.push([0xd800, 0xdfff]);
  for (const { 0: run, index } of scalars().matchAll(new RegExp(`\\p{${name}}+`, "gu"))) {
    const from = scalarAt(index);
    ranges.push([from, scalarAt(index + run.length - (run.codePointAt(run.length - 2)! > 0xffff ? 2 : 1))]);
  }
  const set = union(ranges);
  if (properties.size < MAX_PROPERTIES) properties.set(name, set);
  return set;
}

let allScalars: string | undefined;

function scalars(): string {
  if (allScalars === undefined) {
    const parts: string[] = [];
    for (let from = 0; from <= LAST_CODE_POINT; from += 0x800) {
      if (from === 0xd800) continue;
      parts.push(String.fromCodePoint(...Array.from({ length: 0x800 }, (_, i) => from + i)));
    }
    allScalars = parts.join("");
  }
  return allScalars;
}

function scalarAt(index: number): number {
  return scalars().codePointAt(index)!;
}
