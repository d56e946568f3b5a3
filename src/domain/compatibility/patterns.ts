/** What is known of patterns: which strings match, and whether a set of them leaves any string at all. */

import { RE2JS } from "re2js";
import type { Budget } from "./budget.js";
import { Automaton } from "./regex/automaton.js";
import type { Dialect } from "./regex/classes.js";
import { isEmpty, listWords } from "./regex/language.js";

/** Statements about one string. */
export interface StringFacts {
  patterns: { source: string; holds: boolean }[];
  excluded: string[];
  min: number;
  max: number;
}

/** Excluded words are ignored past this many: they matter only where a language is finite. */
const MAX_EXCLUDED = 32;
const MAX_PATTERNS = 12;

export class Patterns {
  private readonly automata = new Map<string, Automaton | undefined>();
  private readonly verdicts = new Map<string, boolean | undefined>();

  constructor(private readonly budget: Budget) {}

  /** Whether a string matches; undefined where the dialects disagree or the pattern cannot be run. */
  matches(source: string, text: string): boolean | undefined {
    const key = `${source.length} ${source}${text}`;
    this.budget.spend(1 + (key.length >> 6));
    if (this.verdicts.has(key)) return this.verdicts.get(key);
    this.budget.spend(text.length);
    const verdict = this.run(source, text);
    this.verdicts.set(key, verdict);
    return verdict;
  }

  /** True only if certainly no string fits. Patterns that are not analysed are left out, which can only add strings. */
  noneFits(facts: StringFacts): boolean {
    const excluded = facts.excluded.length > MAX_EXCLUDED ? [] : facts.excluded;
    const used = facts.patterns.slice(0, MAX_PATTERNS);
    const empty = (dialect: Dialect) => {
      const patterns = used.flatMap(({ source, holds }) => {
        const automaton = this.automaton(source, dialect);
        return automaton ? [{ automaton, holds }] : [];
      });
      return isEmpty({ ...facts, patterns, excluded }, this.budget);
    };
    const dialectal = used.some(({ source }) => this.automaton(source, "re2")?.dialectal);
    return empty("re2") && (!dialectal || empty("ecma"));
  }

  /** Every string that could fit, and perhaps more; undefined where they are too many to list. */
  list(facts: StringFacts, limit: number): string[] | undefined {
    const patterns = facts.patterns.slice(0, MAX_PATTERNS).flatMap(({ source, holds }) => {
      const automaton = this.automaton(source, "re2");
      return automaton && !automaton.dialectal ? [{ automaton, holds }] : [];
    });
    if (!patterns.some(({ holds }) => holds)) return undefined;
    return listWords({ ...facts, patterns, excluded: [] }, limit, this.budget);
  }

  private run(source: string, text: string): boolean | undefined {
    const automata = [this.automaton(source, "re2"), this.automaton(source, "ecma")];
    const [verdict, other] = automata.map((automaton) => automaton?.matches(text));
    if (verdict !== undefined || other !== undefined) return verdict === other ? verdict : undefined;
    try {
      return RE2JS.compile(source).matcher(text).find();
    } catch {
      return undefined;
    }
  }

  private automaton(source: string, dialect: Dialect): Automaton | undefined {
    const key = `${dialect} ${source}`;
    if (this.automata.has(key)) return this.automata.get(key);
    this.budget.spend(100 + source.length);
    const automaton = Automaton.of(source, dialect);
    this.automata.set(key, automaton);
    return automaton;
  }
}
