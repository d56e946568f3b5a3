/** A set of Unicode code points: ascending ranges, both ends included, that neither overlap nor touch. */
export type CodePoints = readonly Range[];
/** Both ends included. */
export type Range = readonly [from: number, to: number];

export const LAST = 0x10ffff;

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
  if (next <= LAST) gaps.push([next, LAST]);
  return gaps;
}

export const DIGITS: CodePoints = [[0x30, 0x39]];
/** `\w` (ECMA-262, WordCharacters). */
export const WORD: CodePoints = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
/** `\s` (ECMA-262, WhiteSpace and LineTerminator): more than RE2's, which knows five ASCII characters. */
export const SPACE: CodePoints = [
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
/** What `.` does not match (ECMA-262, LineTerminator). */
export const LINE_ENDS: CodePoints = [
  [0xa, 0xa],
  [0xd, 0xd],
  [0x2028, 0x2029],
];

const properties = new Map<string, CodePoints>();
const MAX_PROPERTIES = 200;

/** The code points of a Unicode property, as `\p{…}` names it, from the tables of the JavaScript engine itself. */
export function property(name: string): CodePoints {
  const known = properties.get(name);
  if (known) return known;
  const ranges: [number, number][] = [];
  // No string holds the surrogates alone between others, so these are asked for by themselves.
  if (new RegExp(`^\\p{${name}}$`, "u").test("\ud800")) ranges.push([0xd800, 0xdfff]);
  for (const { 0: run, index } of scalars().matchAll(new RegExp(`\\p{${name}}+`, "gu"))) {
    const from = scalarAt(index);
    ranges.push([from, scalarAt(index + run.length - (run.codePointAt(run.length - 2)! > 0xffff ? 2 : 1))]);
  }
  const set = union(ranges);
  if (properties.size < MAX_PROPERTIES) properties.set(name, set);
  return set;
}

let everything: string | undefined;

/** Every code point but the surrogates, in order. */
function scalars(): string {
  if (everything === undefined) {
    const parts: string[] = [];
    for (let from = 0; from <= LAST; from += 0x800) {
      if (from === 0xd800) continue;
      parts.push(String.fromCodePoint(...Array.from({ length: 0x800 }, (_, i) => from + i)));
    }
    everything = parts.join("");
  }
  return everything;
}

function scalarAt(index: number): number {
  return scalars().codePointAt(index)!;
}
