/** Converts regular expressions to finite automata over code points, using the library `refa`. */

import { CharSet, type Concatenation, JS, NFA, visitAst } from "refa";

/**
 * In the automaton, two characters after the last code point stand for the anchors `^` and `$`.
 * `resolveAnchors` removes them.
 */
const LAST_CODE_POINT = 0x10ffff;
const START = LAST_CODE_POINT + 1;
const END = LAST_CODE_POINT + 2;

export const ANY_CODE_POINT = CharSet.all(LAST_CODE_POINT);
const ANCHORS: Record<string, CharSet> = {
  "^": CharSet.fromCharacter(END, START),
  $: CharSet.fromCharacter(END, END),
};

/**
 * Maximum size of a pattern's automaton. Larger automata are not analysed. Transitions need their own limit,
 * because a pattern such as `(a?b?c?…)` has one for each pair of states.
 */
const MAX_STATES = 750;
const MAX_TRANSITIONS = 10_000;

/**
 * Converts a regular expression (ECMA-262, `u` flag) to an automaton that accepts exactly the strings in
 * which the expression matches. Returns undefined if the expression is too large, or uses look-around, word
 * boundaries or back-references.
 */
export function parseAutomaton(source: string): NFA | undefined {
  const states = new NFA.LimitedNodeFactory(MAX_STATES);
  try {
    const { expression } = JS.Parser.fromLiteral({ source, flags: "u" }).parse({ assertions: "unknown" });
    visitAst(expression, {
      onConcatenationEnter: writeAnchors,
      onCharacterClassEnter(node) {
        node.characters = node.characters.resize(END);
      },
    });
    const automaton = NFA.fromRegex(expression, { maxCharacter: END }, {}, states);
    const anyText = NFA.fromCharSet(ANY_CODE_POINT.resize(END));
    anyText.quantify(0, Number.POSITIVE_INFINITY);
    automaton.prepend(anyText, states);
    automaton.append(anyText, states);
    return countTransitions(automaton) > MAX_TRANSITIONS ? undefined : resolveAnchors(automaton);
  } catch {
    // The pattern has a syntax error or an unsupported assertion, or exceeds a limit of `refa`.
    return undefined;
  }
}

/**
 * Replaces the anchors `^` and `$`, which the parser returns as unknown elements, with the two special
 * characters that stand for them.
 */
function writeAnchors(concatenation: Concatenation): void {
  concatenation.elements = concatenation.elements.map((element) => {
    const characters = element.type === "Unknown" ? ANCHORS[element.id] : undefined;
    return characters ? { type: "CharacterClass", characters, parent: concatenation } : element;
  });
}

/**
 * Replaces the anchors' special characters with their effect: `^` matches before the first character, and `$`
 * after the last. Both match in the empty string.
 */
function resolveAnchors(anchored: NFA): NFA {
  const [start, end] = [ANCHORS["^"], ANCHORS.$] as [CharSet, CharSet];
  const builder = new NFA.Builder(NFA.nodeFactory);
  const copies = new Map([...anchored.nodes()].map((node) => [node, builder.createNode()]));
  const copyTransitions = (from: NFA.Node, to: NFA.Node) => {
    for (const [target, characters] of from.out) {
      const read = characters.resize(LAST_CODE_POINT);
      if (!read.isEmpty) builder.linkNodes(to, copies.get(target) as NFA.Node, read);
    }
  };
  const acceptsAfter = (node: NFA.Node, letters: CharSet) =>
    [...reachable(node, letters)].some((state) => anchored.finals.has(state));
  for (const node of reachable(anchored.initial, start)) copyTransitions(node, builder.initial);
  if (acceptsAfter(anchored.initial, start.union(end))) builder.makeFinal(builder.initial);
  for (const [node, copy] of copies) {
    copyTransitions(node, copy);
    if (acceptsAfter(node, end)) builder.makeFinal(copy);
  }
  const resolved = NFA.fromBuilder(builder, { maxCharacter: LAST_CODE_POINT });
  resolved.removeUnreachable();
  return resolved;
}

function countTransitions(automaton: NFA): number {
  let count = 0;
  for (const { out } of automaton.nodes()) count += out.size;
  return count;
}

function reachable(from: NFA.Node, letters: CharSet): Set<NFA.Node> {
  const found = new Set([from]);
  for (const node of found) {
    for (const [to, characters] of node.out) if (!characters.isDisjointWith(letters)) found.add(to);
  }
  return found;
}
