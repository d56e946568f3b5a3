/** Translates patterns of JSON Schema into the syntax of RE2. */

import { type AST, RegExpParser } from "@eslint-community/regexpp";
import {
  type CodePoints,
  complement,
  DIGITS,
  LAST,
  LINE_ENDS,
  property,
  SPACE,
  union,
  WORD,
} from "../../code-points.js";

/** A pattern that cannot be run; the message says why, and what can. */
export class PatternError extends Error {}

const NO_LOOK_AROUND =
  "look-around is not supported, because matching must take linear time: use allOf, anyOf or not with several patterns";
const NO_BACK_REFERENCE = "back-references are not supported, because matching must take linear time";
const NO_FLAGS = "flags inside of a pattern are not supported";
const TOO_DEEP = "it nests too deeply to run in linear time";
const MAX_REPEAT = 1000;
const REPEAT_LIMIT = `a repetition may count to ${MAX_REPEAT} at most: for lengths use minLength and maxLength`;

const parser = new RegExpParser();

/**
 * Writes a pattern of ECMA-262 with the `u` flag, the dialect that JSON Schema recommends (core, 6.4), in the syntax of
 * RE2, which differs in what `.`, `$`, `\s`, `\cX`, `\uHHHH`, `\p{…}` and `[^]` mean. Classes become explicit ranges, groups lose
 * their names and laziness is dropped: a test only asks whether there is a match.
 * @throws PatternError where the pattern is not of that dialect, or needs more than a linear-time engine can do.
 */
export function translate(pattern: string): string {
  try {
    new RegExp(pattern, "u"); // Its messages are the ones that authors of patterns know.
    return writeAlternatives(parser.parsePattern(pattern, 0, pattern.length, { unicode: true }));
  } catch (error) {
    if (error instanceof PatternError) throw error;
    if (error instanceof RangeError) throw new PatternError(TOO_DEEP);
    throw new PatternError((error as Error).message.replace(/^Invalid regular expression: /, ""));
  }
}

function writeAlternatives({ alternatives }: { alternatives: AST.Alternative[] }): string {
  return alternatives.map(({ elements }) => elements.map(writeElement).join("")).join("|");
}

function writeElement(element: AST.Element): string {
  switch (element.type) {
    case "Assertion":
      return writeAssertion(element);
    case "Backreference":
      throw new PatternError(NO_BACK_REFERENCE);
    case "CapturingGroup":
      return `(?:${writeAlternatives(element)})`;
    case "Group":
      if (element.modifiers) throw new PatternError(NO_FLAGS);
      return `(?:${writeAlternatives(element)})`;
    case "Quantifier":
      return writeElement(element.element) + writeQuantifier(element);
    case "Character":
      return writeCharacter(element.value);
    case "CharacterSet":
      return writeClass(codePointsOfSet(element));
    case "CharacterClass":
      return writeClass(codePointsOfClass(element as AST.ClassRangesCharacterClass));
    default:
      throw new Error(`${element.type} needs the v flag`);
  }
}

function writeAssertion(assertion: AST.Assertion): string {
  switch (assertion.kind) {
    case "start":
      return "\\A";
    case "end":
      return "\\z";
    case "word":
      return assertion.negate ? "\\B" : "\\b";
    default:
      throw new PatternError(NO_LOOK_AROUND);
  }
}

function writeQuantifier({ min, max }: AST.Quantifier): string {
  if (min > MAX_REPEAT || (max > MAX_REPEAT && max !== Number.POSITIVE_INFINITY)) {
    throw new PatternError(REPEAT_LIMIT);
  }
  if (min === max) return `{${min}}`;
  return `{${min},${max === Number.POSITIVE_INFINITY ? "" : max}}`;
}

function codePointsOfClass({ negate, elements }: AST.ClassRangesCharacterClass): CodePoints {
  const set = union(
    ...elements.map((element): CodePoints => {
      if (element.type === "Character") return [[element.value, element.value]];
      if (element.type === "CharacterClassRange") return [[element.min.value, element.max.value]];
      return codePointsOfSet(element);
    }),
  );
  return negate ? complement(set) : set;
}

function codePointsOfSet(set: AST.CharacterSet): CodePoints {
  if (set.kind === "any") return complement(LINE_ENDS);
  const found =
    set.kind === "property"
      ? property(set.value === null ? set.key : `${set.key}=${set.value}`)
      : { digit: DIGITS, space: SPACE, word: WORD }[set.kind];
  return set.negate ? complement(found) : found;
}

function writeCharacter(codePoint: number): string {
  const char = String.fromCodePoint(codePoint);
  return /^[A-Za-z0-9_]$/.test(char) ? char : hex(codePoint);
}

function writeClass(set: CodePoints): string {
  if (set.length === 0) return `[^${hex(0)}-${hex(LAST)}]`;
  return `[${set.map(([from, to]) => (from === to ? hex(from) : `${hex(from)}-${hex(to)}`)).join("")}]`;
}

function hex(codePoint: number): string {
  return `\\x{${codePoint.toString(16)}}`;
}
