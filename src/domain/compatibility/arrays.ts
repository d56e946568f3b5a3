/** Rules for arrays: length, the items at each position, how many items match, and uniqueness. */

import { sizesOf } from "./sizes.js";
import type { Fact, Solver, Term } from "./terms.js";

const END = Number.POSITIVE_INFINITY;

/** Maximum number of positions with conditions of their own. */
const MAX_POSITIONS = 100;

/** A condition on every item, or on some item, whose index satisfies `from <= index < to`. */
type Span = { from: number; to: number; item: Term };
type Count = { count: number; item: Term };

export class ArrayFacts {
  private min: number;
  private max: number;
  private readonly every: Span[] = [];
  private readonly some: Span[] = [];
  private readonly atLeast: Count[] = [];
  private readonly atMost: Count[] = [];
  private readonly unique: boolean | undefined;
  /** Index from which on all positions have the same conditions. */
  private readonly rest: number;

  constructor(
    private readonly solver: Solver,
    facts: readonly Fact[],
  ) {
    ({ min: this.min, max: this.max } = sizesOf(facts));
    for (const { condition, holds } of facts) {
      if (condition.rule === "keyword" && condition.name === "uniqueItems") this.unique = holds;
      if (condition.rule === "items" && holds) this.every.push(condition);
      if (condition.rule === "items" && !holds)
        this.some.push({ ...condition, item: solver.terms.not(condition.item) });
      if (condition.rule !== "contains") continue;
      const { atLeast, item } = condition;
      if (holds) this.some.push({ from: 0, to: END, item });
      (holds ? this.atLeast : this.atMost).push({ count: holds ? atLeast : atLeast - 1, item });
    }
    this.min = Math.max(this.min, this.unique === false ? 2 : 0, ...this.atLeast.map(({ count }) => count));
    const edges = [...this.every, ...this.some].flatMap(({ from, to }) => [from, to]);
    this.rest = Math.max(0, ...edges.filter((edge) => edge !== END));
  }

  isImpossible(): boolean {
    if (this.rest > MAX_POSITIONS) return this.min > this.max;
    const firstBad = this.positions().find((position) => !this.fits(position));
    this.max = Math.min(this.max, firstBad ?? END);
    for (const { from, to, item } of this.some) {
      const inside = this.positions().filter((position) => from <= position && position < to);
      const [first, ...others] = inside.filter((position) => this.fits(position, item));
      if (first === undefined) return true;
      this.min = Math.max(this.min, first + 1);
      if (others.length === 0 && first < this.rest) this.every.push({ from: first, to: first + 1, item });
    }
    return this.min > this.max || this.hasWrongCount() || (this.unique === true && this.hasTooFewValues());
  }

  /** Returns the conditions on the item at a position. */
  itemAt(position: number): Term[] {
    this.solver.terms.budget.spend(this.every.length >> 2);
    return this.every.filter(({ from, to }) => from <= position && position < to).map(({ item }) => item);
  }

  private positions(): number[] {
    return Array.from({ length: Math.min(this.rest, this.max - 1) + 1 }, (_, position) => position);
  }

  private fits(position: number, ...more: Term[]): boolean {
    return !this.solver.isImpossible([...this.itemAt(position), ...more]);
  }

  private hasWrongCount(): boolean {
    const { terms } = this.solver;
    return this.atMost.some((most) =>
      this.atLeast.some(
        (least) => least.count > most.count && this.solver.isImpossible([least.item, terms.not(most.item)]),
      ),
    );
  }

  /** Returns true if items that must all differ have too few possible values. */
  private hasTooFewValues(): boolean {
    const length = Math.min(this.min, this.rest + MAX_POSITIONS);
    const lists = Array.from({ length }, (_, at) => this.solver.list(this.itemAt(Math.min(at, this.rest))));
    const known = lists.filter((list) => list !== undefined).sort((a, b) => a.size - b.size);
    const values = new Set<string>();
    const isTooMany = known.some((list, index) => {
      this.solver.terms.budget.spend(list.size);
      for (const text of list.keys()) values.add(text);
      return values.size <= index;
    });
    const isTooFew = ({ count, item }: Count) => (this.solver.list([item])?.size ?? END) < count;
    return isTooMany || this.atLeast.some(isTooFew);
  }
}
