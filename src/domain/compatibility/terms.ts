/**
 * Statements about one JSON value. Equal statements are the same object, so their ids are enough to compare
 * them.
 */

import { canonicalText, type Json, type JsonType } from "../json-schema/values.js";
import type { Budget } from "./budget.js";
import type { SchemaNode } from "./document.js";

export type Term = { readonly id: number } & Statement;

type Statement =
  /** May hold, and so may its opposite. */
  | { readonly kind: "unknown" }
  /** An empty `all` is true, and an empty `any` is false. */
  | { readonly kind: "all" | "any"; readonly members: readonly Term[] }
  /** The value is valid under a schema, or under one keyword of it. `holds: false` is the opposite. */
  | {
      readonly kind: "claim";
      readonly node: SchemaNode;
      readonly keyword: string | undefined;
      readonly holds: boolean;
    }
  /** A condition on values of one type. `holds: false` is the opposite. */
  | { readonly kind: "fact"; readonly condition: Condition; readonly holds: boolean };

export type Group = Extract<Term, { kind: "all" | "any" }>;
export type Claim = Extract<Term, { kind: "claim" }>;
export type Fact = Extract<Term, { kind: "fact" }>;

type Condition =
  | { rule: "enum"; values: ReadonlyMap<string, Json> }
  /** A keyword without subschemas, such as `minimum` or `pattern`. */
  | { rule: "keyword"; name: string; value: unknown }
  /** Every item whose index satisfies `from <= index < to` satisfies `item`. */
  | { rule: "items"; from: number; to: number; item: Term }
  | { rule: "contains"; atLeast: number; item: Term }
  /** Every property whose name satisfies `names` has a value that satisfies `value`. */
  | { rule: "properties"; names: Term; value: Term };

/** Answers the questions of the array and object rules about items and properties. */
export interface Solver {
  readonly terms: Terms;
  /** Returns true only if no value of these types satisfies all terms. */
  isImpossible(goal: Iterable<Term>, types?: readonly JsonType[]): boolean;
  /** Returns values that include all that satisfy the terms, by text; undefined if there may be too many. */
  list(goal: readonly Term[]): ReadonlyMap<string, Json> | undefined;
  /** Returns false only if the value does not satisfy the term. */
  mayHold(term: Term, value: Json): boolean;
}

export class Terms {
  private readonly made = new Map<string, Term>();
  private readonly negations = new Map<number, Term>();
  private readonly schemaIds = new Map<string, number>();
  readonly true: Term;
  readonly false: Term;
  readonly unknown: Term;

  constructor(readonly budget: Budget) {
    this.true = this.make("all", { kind: "all", members: [] });
    this.false = this.make("any", { kind: "any", members: [] });
    this.unknown = this.make("unknown", { kind: "unknown" });
  }

  all(members: Iterable<Term>): Term {
    return this.group("all", members);
  }

  any(members: Iterable<Term>): Term {
    return this.group("any", members);
  }

  not(term: Term): Term {
    const negation = this.negations.get(term.id) ?? this.negate(term);
    this.negations.set(term.id, negation);
    return negation;
  }

  /** Negates the members of groups, so that only claims and facts have a negation. */
  private negate(term: Term): Term {
    if (term.kind === "unknown") return term;
    if (term.kind === "claim") return this.claim(term.node, term.keyword, !term.holds);
    if (term.kind === "fact") return this.fact(term.condition, !term.holds);
    const members = term.members.map((member) => this.not(member));
    return term.kind === "all" ? this.any(members) : this.all(members);
  }

  claim(node: SchemaNode, keyword?: string, holds = true): Term {
    if (typeof node.schema === "boolean") return node.schema === holds ? this.true : this.false;
    const schemaId = this.schemaIds.get(node.key) ?? this.schemaIds.size;
    this.schemaIds.set(node.key, schemaId);
    return this.make(`claim ${schemaId} ${keyword} ${holds}`, { kind: "claim", node, keyword, holds });
  }

  keyword(name: string, value: unknown): Term {
    return this.fact({ rule: "keyword", name, value });
  }

  enum(values: readonly Json[]): Term {
    if (values.length === 0) return this.false;
    return this.fact({ rule: "enum", values: new Map(values.map((value) => [canonicalText(value), value])) });
  }

  items(from: number, to: number, item: Term): Term {
    if (item === this.true || from >= to) return this.true;
    return item === this.false
      ? this.keyword("maxItems", from)
      : this.fact({ rule: "items", from, to, item });
  }

  contains(atLeast: number, item: Term): Term {
    if (atLeast <= 0) return this.true;
    if (atLeast > 1) return this.fact({ rule: "contains", atLeast, item });
    return this.not(this.items(0, Number.POSITIVE_INFINITY, this.not(item)));
  }

  properties(names: Term, value: Term): Term {
    if (names === this.false || value === this.true) return this.true;
    return this.fact({ rule: "properties", names, value });
  }

  hasProperty(name: string): Term {
    return this.not(this.properties(this.enum([name]), this.false));
  }

  private fact(condition: Condition, holds = true): Term {
    const parts = Object.values(condition).map((part: unknown) => {
      if (part instanceof Map) return [...part.keys()].sort().join();
      return typeof part === "object" ? `#${(part as Term).id}` : canonicalText(part);
    });
    return this.make(`${parts.join(" ")} ${holds}`, { kind: "fact", condition, holds });
  }

  private group(kind: "all" | "any", terms: Iterable<Term>): Term {
    const members = new Map<number, Term>();
    for (const term of terms) {
      if (term === (kind === "all" ? this.false : this.true)) return term;
      for (const member of term.kind === kind ? term.members : [term]) members.set(member.id, member);
    }
    const sorted = [...members.values()].sort((a, b) => a.id - b.id);
    if (sorted.length === 1) return sorted[0]!;
    if (kind === "any" && members.has(this.unknown.id)) return this.unknown;
    this.budget.spend(sorted.length);
    return this.make([kind, ...sorted.map(({ id }) => id)].join(" "), { kind, members: sorted });
  }

  private make(key: string, statement: Statement): Term {
    const known = this.made.get(key);
    if (known) return known;
    this.budget.spend();
    const made = { id: this.made.size, ...statement };
    this.made.set(key, made);
    return made;
  }
}
