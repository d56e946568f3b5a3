/** Rewrites patterns that the service does not accept into equivalent patterns that it accepts. */
import { type AST, RegExpParser, visitRegExpAST } from "@eslint-community/regexpp";
import { linearRegExp, PatternError } from "../regex/index.js";
import type { JsonObject } from "../values.js";

/** Patterns that replace one pattern: a text must match every pattern in `all` and no pattern in `none`. */
export interface EquivalentPatterns {
  all: string[];
  none: string[];
}

const parser = new RegExpParser();

export function equivalentPatterns(pattern: string): EquivalentPatterns | undefined {
  if (isAccepted(pattern)) return { all: [pattern], none: [] };
  const parsed = parse(pattern, true);
  const found = parsed ? withoutLookAround(parsed) : withUnicodeFlag(pattern);
  return found && [...found.all, ...found.none].every(isAccepted) ? found : undefined;
}

/** Returns schemas that together accept the texts that the patterns accept, and all values of other types. */
export function conditionsOf({ all, none }: EquivalentPatterns): JsonObject[] {
  return [
    ...all.map((pattern) => ({ pattern })),
    // Without `type`, the inner schema would accept all values of other types, so `not` would reject them.
    ...none.map((pattern) => ({ not: { type: "string", pattern } })),
  ];
}

export function matches({ all, none }: EquivalentPatterns, text: string): boolean {
  const isMatch = (pattern: string) => linearRegExp(pattern).test(text);
  return all.every(isMatch) && !none.some(isMatch);
}

function isAccepted(pattern: string): boolean {
  try {
    linearRegExp(pattern);
    return true;
  } catch (error) {
    if (error instanceof PatternError) return false;
    throw error;
  }
}

function parse(pattern: string, unicode: boolean): AST.Pattern | undefined {
  try {
    return parser.parsePattern(pattern, 0, pattern.length, { unicode });
  } catch {
    return undefined;
  }
}

/**
 * Replaces look-aheads at a fixed position, and look-behinds before a final `$`, with separate patterns. In
 * `^ab(?!c)d`, the look-ahead is always at position 2, so a text must match `^abd` but not `^ab(?:c)`.
 */
function withoutLookAround({ alternatives: [only, ...others] }: AST.Pattern): EquivalentPatterns | undefined {
  if (!only || others.length > 0) return undefined;
  const { elements } = only;
  const excluded = excludedLiteral(elements);
  if (excluded !== undefined) return { all: ["^.*$"], none: [excluded] };
  const kept: string[] = [];
  const found: EquivalentPatterns = { all: [], none: [] };
  let isFixed = isEdge(elements[0], "start");
  for (const [index, element] of elements.entries()) {
    if (element.type !== "Assertion" || (element.kind !== "lookahead" && element.kind !== "lookbehind")) {
      kept.push(element.raw);
      isFixed &&= index === 0 || isOneCharacter(element);
      continue;
    }
    const inside = `(?:${element.alternatives.map(({ raw }) => raw).join("|")})`;
    const list = element.negate ? found.none : found.all;
    if (element.kind === "lookahead" && isFixed) list.push(kept.join("") + inside);
    else if (element.kind === "lookbehind" && index === elements.length - 2 && isEdge(elements.at(-1), "end"))
      list.push(`${inside}$`);
    else return undefined;
  }
  found.all.unshift(kept.join(""));
  return found;
}

/**
 * Returns the texts that `^((?!text1|text2).)*$` excludes, joined by `|`. Returns undefined for patterns of
 * any other form.
 */
function excludedLiteral([start, repeated, end, ...others]: AST.Element[]): string | undefined {
  if (!isEdge(start, "start") || !isEdge(end, "end") || others.length > 0) return undefined;
  if (repeated?.type !== "Quantifier" || repeated.min > 0 || repeated.max < Number.POSITIVE_INFINITY) return;
  const { element: group } = repeated;
  if (group.type !== "CapturingGroup" && group.type !== "Group") return undefined;
  const [not, any, ...more] = group.alternatives.length === 1 ? group.alternatives[0]!.elements : [];
  if (more.length > 0 || any?.type !== "CharacterSet" || any.kind !== "any") return undefined;
  if (not?.type !== "Assertion" || not.kind !== "lookahead" || !not.negate) return undefined;
  const isLiteral = ({ elements }: AST.Alternative) => elements.length > 0 && elements.every(isOneCharacter);
  return not.alternatives.every(isLiteral) ? not.alternatives.map(({ raw }) => raw).join("|") : undefined;
}

function isEdge(element: AST.Element | undefined, kind: "start" | "end"): boolean {
  return element?.type === "Assertion" && element.kind === kind;
}

function isOneCharacter({ type }: AST.Element): boolean {
  return type === "Character" || type === "CharacterSet" || type === "CharacterClass";
}

/**
 * Changes the escapes of punctuation as the `u` flag requires. Without the flag, `\_` may stand for `_`, and
 * `{` for itself. Escaped letters stay unchanged, because the author of `\Z` probably does not mean `Z`.
 */
function withUnicodeFlag(pattern: string): EquivalentPatterns | undefined {
  const parsed = parse(pattern, false);
  if (!parsed) return undefined;
  let rewritten = "";
  let end = 0;
  visitRegExpAST(parsed, {
    onCharacterEnter({ start, raw, value, parent }) {
      if (!/^\\?[!-/:-@[-`{-~]$/.test(raw)) return;
      const char = String.fromCharCode(value);
      const mustEscape =
        /[$(-+./?[-^{-}]/.test(char) || (char === "-" && parent.type.startsWith("CharacterClass"));
      rewritten += pattern.slice(end, start) + (mustEscape ? `\\${char}` : char);
      end = start + raw.length;
    },
  });
  return { all: [rewritten + pattern.slice(end)], none: [] };
}
