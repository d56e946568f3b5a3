/** Patterns as nondeterministic automata, searching unanchored as `pattern` does. */

import { ANY, type CodePoints, type Dialect, includes } from "./classes.js";
import { type Expression, parse } from "./parse.js";

/** An edge that takes no character; a guarded one passes only at the start or the end of the string. */
interface Jump {
  to: number;
  guard?: "start" | "end";
}

interface State {
  jumps: Jump[];
  steps: { points: CodePoints; to: number }[];
}

/** A set of states, sorted. */
export type States = readonly number[];

/** Patterns that grow past this many states are not analysed. */
const MAX_STATES = 1500;

export class Automaton {
  private readonly states: State[] = [];
  private readonly accepting: number;
  private readonly entry: number;
  readonly dialectal: boolean;
  private tooLarge = false;

  private constructor(expression: Expression, dialectal: boolean) {
    this.dialectal = dialectal;
    this.accepting = this.state();
    this.loop(this.accepting);
    this.entry = this.build(expression, this.accepting);
    const search = this.state();
    this.loop(search);
    this.jump(search, this.entry);
    this.entry = search;
  }

  /** The automaton of a pattern; undefined where the pattern is outside what is analysed. */
  static of(source: string, dialect: Dialect): Automaton | undefined {
    const parsed = parse(source, dialect);
    if (!parsed) return undefined;
    const automaton = new Automaton(parsed.expression, parsed.dialectal);
    return automaton.tooLarge ? undefined : automaton;
  }

  /** The states before the first character. */
  start(): States {
    return this.closure([this.entry], true, false);
  }

  /** The states after one more character. */
  step(states: States, point: number): States {
    const next: number[] = [];
    for (const at of states) {
      for (const { points, to } of (this.states[at] as State).steps)
        if (includes(points, point)) next.push(to);
    }
    return this.closure(next, false, false);
  }

  /** Whether a string that ends in these states matches. */
  accepts(states: States, atStart: boolean): boolean {
    return states.includes(this.accepting) || this.closure(states, atStart, true).includes(this.accepting);
  }

  matches(text: string): boolean {
    let states = this.start();
    let atStart = true;
    for (const char of text) {
      states = this.step(states, char.codePointAt(0) as number);
      atStart = false;
    }
    return this.accepts(states, atStart);
  }

  /** Whether every longer string matches too. */
  isCertain(states: States): boolean {
    return states.includes(this.accepting);
  }

  /** Every class that a step asks for. */
  *classes(): Generator<CodePoints> {
    for (const { steps } of this.states) for (const { points } of steps) yield points;
  }

  private closure(from: readonly number[], atStart: boolean, atEnd: boolean): States {
    const found = new Set(from);
    for (const at of found) {
      for (const { to, guard } of (this.states[at] as State).jumps) {
        if (guard === undefined || (guard === "start" ? atStart : atEnd)) found.add(to);
      }
    }
    return [...found].sort((a, b) => a - b);
  }

  /** Builds the states of an expression that go on to `exit`; gives the entry. */
  private build(expression: Expression, exit: number): number {
    if (this.tooLarge || this.states.length > MAX_STATES) {
      this.tooLarge = true;
      return exit;
    }
    switch (expression.kind) {
      case "class": {
        const state = this.state();
        (this.states[state] as State).steps.push({ points: expression.points, to: exit });
        return state;
      }
      case "start":
      case "end": {
        const state = this.state();
        this.jump(state, exit, expression.kind);
        return state;
      }
      case "sequence":
        return expression.parts.reduceRight((next, part) => this.build(part, next), exit);
      case "choice": {
        const state = this.state();
        for (const part of expression.parts) this.jump(state, this.build(part, exit));
        return state;
      }
      case "repeat":
        return this.repeat(expression.part, expression.min, expression.max, exit);
    }
  }

  private repeat(part: Expression, min: number, max: number, exit: number): number {
    let entry = exit;
    if (max === Number.POSITIVE_INFINITY) {
      entry = this.state();
      this.jump(entry, exit);
      this.jump(entry, this.build(part, entry));
    } else {
      for (let i = min; i < max && !this.tooLarge; i++) {
        const optional = this.state();
        this.jump(optional, exit);
        this.jump(optional, this.build(part, entry));
        entry = optional;
      }
    }
    for (let i = 0; i < min && !this.tooLarge; i++) entry = this.build(part, entry);
    return entry;
  }

  private state(): number {
    return this.states.push({ jumps: [], steps: [] }) - 1;
  }

  private jump(from: number, to: number, guard?: "start" | "end"): void {
    (this.states[from] as State).jumps.push(guard ? { to, guard } : { to });
  }

  private loop(at: number): void {
    (this.states[at] as State).steps.push({ points: ANY, to: at });
  }
}
