/** The strings that satisfy a set of patterns, negated patterns, excluded words and length bounds. */

import { CharSet, DFA, FAIterators, type NFA, TooManyNodesError, type TransitionIterator, Words } from "refa";
import type { Budget } from "../budget.js";
import { ANY_CODE_POINT } from "./automaton.js";

export interface Language {
  patterns: { automaton: NFA; holds: boolean }[];
  excluded: readonly string[];
  /** Bounds on the length in code points. */
  min: number;
  max: number;
}

/** An automaton whose states are made when they are visited. */
type Lazy = TransitionIterator<unknown>;

/** States of one automaton after which the search is given up. */
const MAX_STATES = 4000;

const UNBOUNDED = { min: 0, max: Number.POSITIVE_INFINITY };
const maxCharacter = ANY_CODE_POINT.maximum;

/** True only if the language is certainly empty. */
export function isEmpty(language: Language, budget: Budget): boolean {
  const accepts = (automaton: Lazy) =>
    FAIterators.canReachFinal(FAIterators.mapOut(automaton, (transitions) => transitions.keys()));
  // Without the bounds first: the counter of a large bound alone would pass the limit.
  return (
    withinLimits(
      () =>
        !accepts(lazily({ ...language, ...UNBOUNDED }, budget)) ||
        (isBounded(language) && !accepts(lazily(language, budget))),
    ) === true
  );
}

/** Every word of the language; undefined where there are more than `limit`, or the search is given up. */
export function listWords(language: Language, limit: number, budget: Budget): string[] | undefined {
  return withinLimits(() => {
    const states = new DFA.LimitedNodeFactory(MAX_STATES);
    const automaton = DFA.fromTransitionIterator(lazily(language, budget), { maxCharacter }, states);
    automaton.removeUnreachable();
    if (!automaton.isFinite) return undefined;
    const words: string[] = [];
    for (const word of automaton.words()) {
      budget.spend(1 + word.length);
      if (words.push(String.fromCodePoint(...word)) > limit) return undefined;
    }
    return words;
  });
}

function withinLimits<T>(search: () => T): T | undefined {
  try {
    return search();
  } catch (error) {
    if (error instanceof TooManyNodesError) return undefined;
    throw error;
  }
}

const isBounded = ({ min, max }: Language) => min > UNBOUNDED.min || max < UNBOUNDED.max;

/** The intersection of all that a language asks for. Negated patterns, which may have the most states, come last. */
function lazily(language: Language, budget: Budget): Lazy {
  const { patterns, excluded } = language;
  const parts: Lazy[] = [];
  if (isBounded(language) || patterns.every(({ holds }) => !holds)) parts.push(lengths(language));
  for (const { automaton, holds } of patterns) if (holds) parts.push(automaton.transitionIterator() as Lazy);
  if (excluded.length > 0) {
    const words = DFA.fromWords(excluded.map(Words.fromStringToUnicode), { maxCharacter });
    parts.push(complement(words.transitionIterator(), budget));
  }
  for (const { automaton, holds } of patterns) {
    if (!holds) parts.push(complement(automaton.transitionIterator(), budget));
  }
  return parts.reduce((left, right) => {
    const states = new FAIterators.MapFABuilder(MAX_STATES);
    return charged(FAIterators.intersection(states, left, right) as Lazy, budget);
  });
}

/** The strings of `min` to `max` characters. */
function lengths({ min, max }: { min: number; max: number }): Lazy {
  const last = max === Number.POSITIVE_INFINITY ? min : max;
  const none = new Map<number, CharSet>();
  const counter: TransitionIterator<number> = {
    initial: 0,
    getOut: (length) => (length >= max ? none : new Map([[Math.min(length + 1, last), ANY_CODE_POINT]])),
    isFinal: (length) => length >= min,
  };
  return counter as Lazy;
}

/** The strings that an automaton does not accept. */
function complement<State>(automaton: TransitionIterator<State>, budget: Budget): Lazy {
  const states = new FAIterators.MapFABuilder(MAX_STATES);
  const deterministic = FAIterators.makeDeterministic(states, charged(automaton, budget));
  // Stands for all states that the deterministic automaton leaves out, from which it accepts nothing.
  const dead = states.createNode();
  states.linkNodes(dead, dead, ANY_CODE_POINT);
  return {
    initial: deterministic.initial,
    getOut(state: typeof dead) {
      if (state === dead) return state;
      const rest = CharSet.empty(maxCharacter)
        .union(...deterministic.getOut(state).values())
        .negate();
      if (!rest.isEmpty) states.linkNodes(state, dead, rest);
      return state;
    },
    isFinal: (state: typeof dead) => !states.isFinal(state),
  } as Lazy;
}

/** Takes the work of each visit off the budget. */
function charged<State>(automaton: TransitionIterator<State>, budget: Budget): TransitionIterator<State> {
  const { getOut, stableOut } = automaton;
  const visit = (state: State) => {
    const transitions = getOut(state);
    budget.spend(1 + transitions.size);
    return transitions;
  };
  return FAIterators.withGetOut(automaton, visit, stableOut);
}
