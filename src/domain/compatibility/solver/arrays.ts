/** Whether literals about one array contradict each other. */

import type { Formula, Literal } from "../formula/formula.js";
import type { Json } from "../json.js";
import { MAX_VALUES, type Solver } from "./solver.js";

const END = Number.POSITIVE_INFINITY;

/** Positions that are checked one by one; constraints that distinguish more are not analysed. */
const MAX_POSITIONS = 100;

/** Arrays up to this length are listed. */
const MAX_LISTED_ITEMS = 8;

/** A constraint on the items at `from <= index < to`. */
interface Span {
  from: number;
  to: number;
  item: Formula;
}

interface Count {
  count: number;
  item: Formula;
}

export function arrayIsUnsatisfiable(solver: Solver, literals: readonly Literal[]): boolean {
  return new ArrayFacts(solver, literals).isUnsatisfiable();
}

/** The constraints of a branch on the item at a position. */
export function itemAt(solver: Solver, literals: readonly Literal[], position: number): Formula[] {
  return new ArrayFacts(solver, literals).goal(position);
}

/** Every array that could fit, and perhaps more; undefined where they are too many to list. */
export function listArrays(solver: Solver, literals: readonly Literal[]): Json[] | undefined {
  return new ArrayFacts(solver, literals).list();
}

class ArrayFacts {
  private min = 0;
  private max = END;
  private readonly every: Span[] = [];
  private readonly some: Span[] = [];
  private readonly atLeast: Count[] = [];
  private readonly atMost: Count[] = [];
  private unique: boolean | undefined;
  /** Positions before this have constraints of their own; from here on all have the same. */
  private readonly rest: number;

  constructor(
    private readonly solver: Solver,
    literals: readonly Literal[],
  ) {
    for (const { constraint } of literals) {
      if (constraint.op === "minSize") this.min = Math.max(this.min, constraint.size);
      if (constraint.op === "maxSize") this.max = Math.min(this.max, constraint.size);
      if (constraint.op === "everyItem") this.every.push(constraint);
      if (constraint.op === "someItem") this.some.push(constraint);
      if (constraint.op === "atLeast") this.atLeast.push(constraint);
      if (constraint.op === "atMost") this.atMost.push(constraint);
      if (constraint.op === "unique") this.unique = constraint.holds;
    }
    const edges = [...this.every, ...this.some].flatMap(({ from, to }) => [from, to]);
    this.rest = Math.max(0, ...edges.filter((edge) => edge !== END));
  }

  isUnsatisfiable(): boolean {
    for (const { count } of this.atLeast) this.min = Math.max(this.min, count);
    if (this.unique === false) this.min = Math.max(this.min, 2);
    if (this.min > this.max) return true;
    if (this.rest > MAX_POSITIONS) return false;
    let changed: boolean | undefined = true;
    while (changed) {
      this.capLength();
      if (this.min > this.max) return true;
      changed = this.pinOne();
    }
    if (changed === undefined) return true;
    return this.countsClash() || this.uniquenessClashes();
  }

  /** The constraints on the item at a position; `rest` represents all further ones. */
  goal(position: number): Formula[] {
    this.solver.budget.spend(this.every.length >> 2);
    return this.every.filter(({ from, to }) => from <= position && position < to).map(({ item }) => item);
  }

  private positions(): number[] {
    const last = Math.min(this.rest, this.max - 1);
    return Array.from({ length: last + 1 }, (_, position) => position);
  }

  private feasible(position: number, ...more: Formula[]): boolean {
    return !this.solver.isUnsatisfiable([...this.goal(position), ...more]);
  }

  /** The array ends before the first position that nothing fits. */
  private capLength(): void {
    const first = this.positions().find((position) => !this.feasible(position));
    if (first !== undefined) this.max = Math.min(this.max, first);
  }

  /** Narrows the positions of required items. True: progress. Undefined: a required item has no position. */
  private pinOne(): boolean | undefined {
    for (const span of this.some) {
      const { from, to, item } = span;
      const places = this.positions().filter(
        (position) =>
          (position === this.rest ? to > position : from <= position && position < to) &&
          this.feasible(position, item),
      );
      const [first, ...others] = places;
      if (first === undefined) return undefined;
      if (this.min < first + 1) {
        this.min = first + 1;
        return true;
      }
      if (others.length === 0 && first < this.rest && !this.goal(first).includes(item)) {
        this.every.push({ from: first, to: first + 1, item });
        return true;
      }
    }
    return false;
  }

  /** How many items can be, or (with `must`) have to be, where `test` is true of the position. */
  private tally(length: number, test: (position: number) => boolean): number {
    let count = 0;
    for (let position = 0; position < Math.min(this.rest, length); position++) if (test(position)) count++;
    return length > this.rest && test(this.rest) ? count + (length - this.rest) : count;
  }

  private countsClash(): boolean {
    const { formulas } = this.solver;
    const required = [...this.atLeast, ...this.some.map(({ item }) => ({ count: 1, item }))];
    for (const { count, item } of this.atMost) {
      const forced = this.tally(this.min, (position) => !this.feasible(position, formulas.not(item)));
      if (forced > count) return true;
    }
    for (const { count, item } of required) {
      if (this.room([item]) < count) return true;
      for (const limit of this.atMost) {
        const left = count - limit.count;
        if (left > 0 && this.room([item, formulas.not(limit.item)]) < left) return true;
      }
    }
    return this.disjointOverflow(required);
  }

  /** The number of items that can satisfy the formulas. */
  private room(items: Formula[]): number {
    return this.tally(this.max, (position) => this.feasible(position, ...items));
  }

  /** Whether two disjoint kinds of required items exceed the length together. */
  private disjointOverflow(required: Count[]): boolean {
    if (this.max === END) return false;
    return required.some((a, i) =>
      required.slice(i + 1).some((b) => a.count + b.count > this.max && this.room([a.item, b.item]) === 0),
    );
  }

  private uniquenessClashes(): boolean {
    if (this.unique === undefined) return false;
    return this.unique ? this.tooFewValues() : !this.canRepeat();
  }

  /** Unique items need as many different values as there are items. */
  private tooFewValues(): boolean {
    const lists = this.firstPositions().flatMap(
      (position) => this.solver.enumerate(this.goal(position)) ?? [],
    );
    lists.sort((a, b) => a.size - b.size);
    const values = new Set<string>();
    for (const [index, list] of lists.entries()) {
      for (const text of list.keys()) values.add(text);
      if (values.size <= index) return true;
    }
    return this.atLeast.some(({ count, item }) => {
      const fitting = this.solver.enumerate([item]);
      return fitting !== undefined && fitting.size < count;
    });
  }

  /** The positions that every array has, with `rest` for further ones, as many as can matter. */
  private firstPositions(): number[] {
    const length = Math.min(this.min, this.rest + MAX_VALUES + 1);
    return Array.from({ length }, (_, position) => Math.min(position, this.rest));
  }

  list(): Json[] | undefined {
    this.capLength();
    if (this.max > MAX_LISTED_ITEMS) return undefined;
    let arrays: Json[][] = [[]];
    const found: Json[][] = this.min === 0 ? [[]] : [];
    for (let position = 0; position < this.max; position++) {
      const values = this.solver.enumerate(this.goal(Math.min(position, this.rest)));
      if (!values || values.size * arrays.length > MAX_VALUES) return undefined;
      arrays = arrays.flatMap((array) => [...values.values()].map((value) => [...array, value]));
      if (position + 1 >= this.min) found.push(...arrays);
    }
    return found;
  }

  /** Whether two items could be equal. */
  private canRepeat(): boolean {
    const positions = this.positions();
    if (this.max > this.rest + 1 && this.feasible(this.rest)) return true;
    return positions.some((a) => positions.some((b) => b > a && this.feasible(a, ...this.goal(b))));
  }
}
