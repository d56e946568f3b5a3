/** Translates JSON Schema patterns into the syntax of RE2, an engine that matches in linear time. */

import { type AST, RegExpParser } from "@eslint-community/regexpp";
import {
  type CodePoints,
  complement,
  DIGITS,
  LAST_CODE_POINT,
  LINE_TERMINATORS,
  unicodeProperty,
  union,
  WHITE_SPACE,
  WORD_CHARACTERS,
} from "../../code-points.js";

export class PatternError extends Error {}

const NO_LOOK_AROUND =
  "look-around is not supported, because matching must take linear time; use allOf, anyOf or not with several patterns";
const NO_BACK_REFERENCE = "back-references are not supported, because matching must take linear time";
const NO_FLAGS = "flags inside a pattern are not supported";
const TOO_DEEP = "it is nested too deeply";
const MAX_REPEAT = 1000;
const REPEAT_LIMIT = `a repetition count may be at most ${MAX_REPEAT}; for lengths, use minLength and maxLength`;

const parser = new RegExpParser();

/**
 * Translates a pattern to RE2 syntax. The pattern is an ECMA-262 expression with the `u` flag, as JSON Schema
 * recommends (JSON Schema 2020-12 core, section 6.4). Both syntaxes differ in the meaning of `.`, `$`, `\s`,
 * `\cX`, `\uHHHH`, `\p{…}` and `[^]`. Character classes become explicit ranges. Group names and laziness are
 * dropped, because they do not affect whether a text matches.
 * @throws PatternError if the pattern is invalid, or needs a feature that a linear-time engine lacks
 */
export function translate(pattern: string): string {
  try {
    new RegExp(pattern, "u"); // Its SyntaxError has a message that pattern authors know.
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
  if (set.kind === "any") return complement(LINE_TERMINATORS);
  const found =
    set.kind === "property"
      ? unicodeProperty(set.value === null ? set.key : `${set.key}=${set.value}`)
      : { digit: DIGITS, space: WHITE_SPACE, word: WORD_CHARACTERS }[set.kind];
  return set.negate ? complement(found) : found;
}

function writeCharacter(codePoint: number): string {
  const char = String.fromCodePoint(codePoint);
  return /^[A-Za-z0-9_]$/.test(char) ? char : hex(codePoint);
}

function writeClass(set: CodePoints): string {
  if (set.length === 0) return `[^${hex(0)}-${hex(LAST_CODE_POINT)}]`;
  return `[${set.map(([from, to]) => (from === to ? hex(from) : `${hex(from)}-${hex(to)}`)).join("")}]`;
}

function hex(codePoint: number): string {
  return `\\x{${codePoint.toString(16)}}`;
}
