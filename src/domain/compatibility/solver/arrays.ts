/** Checks whether constraints on one array contradict each other, as in `{minItems: 2, maxItems: 1}`. */

import type { Json } from "../../json-schema/values.js";
import type { Formula, Literal } from "../formula/formula.js";
import { MAX_VALUES, type Solver } from "./solver.js";

const END = Number.POSITIVE_INFINITY;

/**
 * Maximum number of array positions that are checked one by one. Constraints on later positions are not
 * analysed.
 */
const MAX_POSITIONS = 100;

const MAX_LISTED_ITEMS = 8;

/** A condition on the array items whose index satisfies `from <= index < to`. */
interface Span {
  from: number;
  to: number;
  item: Formula;
}

interface Count {
  count: number;
  item: Formula;
}

export class ArrayFacts {
  private min = 0;
  private max = END;
  private readonly every: Span[] = [];
  private readonly some: Span[] = [];
  private readonly atLeast: Count[] = [];
  private readonly atMost: Count[] = [];
  private unique: boolean | undefined;
  /**
   * Positions before this index can each have their own constraints. All other positions have the same
   * constraints.
   */
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
      this.limitLength();
      if (this.min > this.max) return true;
      changed = this.placeRequiredItem();
    }
    if (changed === undefined) return true;
    return this.countsContradict() || this.uniquenessContradicts();
  }

  /** Returns the conditions on the item at a position. */
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

  private limitLength(): void {
    const first = this.positions().find((position) => !this.feasible(position));
    if (first !== undefined) this.max = Math.min(this.max, first);
  }

  /**
   * Determines where required items can be. Returns true if this added a constraint, otherwise false. Returns
   * undefined if a required item fits at no position.
   */
  private placeRequiredItem(): boolean | undefined {
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

  private countPositions(length: number, test: (position: number) => boolean): number {
    let count = 0;
    for (let position = 0; position < Math.min(this.rest, length); position++) if (test(position)) count++;
    return length > this.rest && test(this.rest) ? count + (length - this.rest) : count;
  }

  private countsContradict(): boolean {
    const { formulas } = this.solver;
    const required = [...this.atLeast, ...this.some.map(({ item }) => ({ count: 1, item }))];
    for (const { count, item } of this.atMost) {
      const forced = this.countPositions(
        this.min,
        (position) => !this.feasible(position, formulas.not(item)),
      );
      if (forced > count) return true;
    }
    for (const { count, item } of required) {
      if (this.countPossible([item]) < count) return true;
      for (const limit of this.atMost) {
        const left = count - limit.count;
        if (left > 0 && this.countPossible([item, formulas.not(limit.item)]) < left) return true;
      }
    }
    return this.disjointOverflow(required);
  }

  private countPossible(items: Formula[]): number {
    return this.countPositions(this.max, (position) => this.feasible(position, ...items));
  }

  private disjointOverflow(required: Count[]): boolean {
    if (this.max === END) return false;
    return required.some((a, i) =>
      required
        .slice(i + 1)
        .some((b) => a.count + b.count > this.max && this.countPossible([a.item, b.item]) === 0),
    );
  }

  private uniquenessContradicts(): boolean {
    if (this.unique === undefined) return false;
    return this.unique ? this.tooFewValues() : !this.canRepeat();
  }

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

  /**
   * Returns the positions that every array must fill, up to a limit. The position `rest` stands for all
   * later positions.
   */
  private firstPositions(): number[] {
    const length = Math.min(this.min, this.rest + MAX_VALUES + 1);
    return Array.from({ length }, (_, position) => Math.min(position, this.rest));
  }

  /**
   * Returns a list that contains every array that satisfies the constraints. The list may also contain other
   * arrays. Returns undefined if it would be too long.
   */
  list(): Json[] | undefined {
    this.limitLength();
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

  private canRepeat(): boolean {
    const positions = this.positions();
    if (this.max > this.rest + 1 && this.feasible(this.rest)) return true;
    return positions.some((a) => positions.some((b) => b > a && this.feasible(a, ...this.goal(b))));
  }
}
