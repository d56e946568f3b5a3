/**
 * Analyses languages. A language is a set of strings, defined by patterns, negated patterns, excluded strings
 * and length bounds.
 */

import { CharSet, DFA, FAIterators, type NFA, TooManyNodesError, type TransitionIterator, Words } from "refa";
import type { Budget } from "../budget.js";
import { ANY_CODE_POINT } from "./automaton.js";

export interface Language {
  patterns: { automaton: NFA; holds: boolean }[];
  excluded: readonly string[];
  /** In code points. */
  min: number;
  max: number;
}

/** An automaton that creates each state only when a search visits it. */
type Lazy = TransitionIterator<unknown>;

/** Maximum number of states of one automaton. A search that needs more is aborted. */
const MAX_STATES = 4000;

const UNBOUNDED = { min: 0, max: Number.POSITIVE_INFINITY };
const maxCharacter = ANY_CODE_POINT.maximum;

/** Returns true only if it is proven that the language contains no string. */
export function isEmpty(language: Language, budget: Budget): boolean {
  const accepts = (automaton: Lazy) =>
    FAIterators.canReachFinal(FAIterators.mapOut(automaton, (transitions) => transitions.keys()));
  // Check without the length bounds first, because a large bound alone would exceed the state limit.
  return (
    withinLimits(
      () =>
        !accepts(lazily({ ...language, ...UNBOUNDED }, budget)) ||
        (isBounded(language) && !accepts(lazily(language, budget))),
    ) === true
  );
}

/**
 * Lists every string of the language. Returns undefined if there are more than `limit`, or if the search was
 * aborted.
 */
export function listStringsOf(language: Language, limit: number, budget: Budget): string[] | undefined {
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

/** Negated patterns come last, because their automata can have the most states. */
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

function complement<State>(automaton: TransitionIterator<State>, budget: Budget): Lazy {
  const states = new FAIterators.MapFABuilder(MAX_STATES);
  const deterministic = FAIterators.makeDeterministic(states, charged(automaton, budget));
  // `makeDeterministic` omits all states from which nothing can be accepted. The state `dead` stands for
  // them.
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

function charged<State>(automaton: TransitionIterator<State>, budget: Budget): TransitionIterator<State> {
  const { getOut, stableOut } = automaton;
  const visit = (state: State) => {
    const transitions = getOut(state);
    budget.spend(1 + transitions.size);
    return transitions;
  };
  return FAIterators.withGetOut(automaton, visit, stableOut);
}
