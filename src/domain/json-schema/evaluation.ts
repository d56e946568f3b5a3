import type { Reason } from "../../contract/errors.js";
import type { Resource } from "./document.js";

/** At most so many reasons are reported: more help nobody, and `allOf` can multiply them without end. */
export const MAX_REASONS = 100;

/** From this many steps on, verdicts are remembered: small schemas never pay for it, doubling `$ref`s never explode. */
const REMEMBER_AFTER = 2_000;
/** At most so many verdicts are remembered, which bounds the memory of one validation. */
const MAX_REMEMBERED = 200_000;

/** Steps after which a validation looks whether it is to stop: some microseconds. */
const LOOK_EVERY = 16;

/** Thrown to stop explaining once there are enough reasons. */
export class EnoughReasons extends Error {}

/** Thrown where a validation was to stop before its end. */
export class Stopped extends Error {}

/** The state of one validation. */
export class Run {
  readonly reasons: Reason[] = [];
  /** The dynamic scope (core, 7.1): the resources that evaluation has entered, outermost first. */
  readonly scope: Resource[] = [];
  steps = 0;
  remembered = 0;
  #verdicts = new Map<Node, Map<unknown, boolean>>();

  constructor(readonly isStopped: () => boolean) {}

  /** Counts a step. Throws `Stopped` where the validation is to stop. */
  step(): void {
    if (++this.steps % LOOK_EVERY === 0 && this.isStopped()) throw new Stopped();
  }

  report(instancePath: string, keyword: string, message: string): void {
    if (this.reasons.length >= MAX_REASONS) throw new EnoughReasons();
    this.reasons.push({ instancePath, keyword, message });
  }

  verdictsOf(node: Node): Map<unknown, boolean> {
    const known = this.#verdicts.get(node);
    if (known) return known;
    const verdicts = new Map<unknown, boolean>();
    this.#verdicts.set(node, verdicts);
    return verdicts;
  }
}

/** What has been evaluated of one object or array: the annotations that `unevaluated*` asks for (core, 11). */
export class Seen {
  everyProperty = false;
  readonly properties = new Set<string>();
  /** Items before this index. */
  items = 0;
  readonly contained = new Set<number>();

  add(other: Seen): void {
    this.everyProperty ||= other.everyProperty;
    for (const key of other.properties) this.properties.add(key);
    this.items = Math.max(this.items, other.items);
    for (const index of other.contained) this.contained.add(index);
  }
}

/** One keyword of one schema, ready to run. */
export interface Rule {
  /** Whether the value obeys; notes in `seen`, where given, what was evaluated of it. */
  accepts(run: Run, value: unknown, seen: Seen | undefined): boolean;
  /** Reports why the value does not obey; called only where `accepts` said no, and then reports at least once. */
  explain(run: Run, value: unknown, path: string, seen: Seen | undefined): void;
}

/**
 * One schema, ready to run. Verdict and explanation are two passes: the first stops at the first failure and collects
 * nothing; the second runs on invalid values only, goes into what is known to fail, and so never collects reasons that
 * a later `anyOf` branch would take back.
 */
export class Node {
  rules: Rule[] = [];
  /** `unevaluatedItems` and `unevaluatedProperties`, which run after all others. */
  last: Rule[] = [];
  /** Set where `$dynamicRef` makes the dynamic scope matter. */
  resource: Resource | undefined;
  /** Several references lead here and nothing outside can change the verdict, so it may be remembered. */
  shared = false;

  accepts(run: Run, value: unknown, seen?: Seen): boolean {
    run.step();
    if (!this.shared || seen !== undefined || run.steps < REMEMBER_AFTER)
      return this.#inScope(run, value, seen);
    const verdicts = run.verdictsOf(this);
    let verdict = verdicts.get(value);
    if (verdict === undefined) {
      verdict = this.#inScope(run, value, seen);
      if (run.remembered++ < MAX_REMEMBERED) verdicts.set(value, verdict);
    }
    return verdict;
  }

  explain(run: Run, value: unknown, path: string): void {
    const entered = this.#enter(run);
    const own = this.last.length > 0 ? new Seen() : undefined;
    const before = run.reasons.length;
    explainEach(this.rules, run, value, path, own);
    if (run.reasons.length === before) explainEach(this.last, run, value, path, own);
    if (entered) run.scope.pop();
  }

  #inScope(run: Run, value: unknown, seen: Seen | undefined): boolean {
    const entered = this.#enter(run);
    const verdict =
      this.last.length > 0 ? this.#withOwn(run, value, seen) : all(this.rules, run, value, seen);
    if (entered) run.scope.pop();
    return verdict;
  }

  /** `unevaluated*` looks at what its own schema has evaluated, not at what the schemas around it have. */
  #withOwn(run: Run, value: unknown, seen: Seen | undefined): boolean {
    const own = new Seen();
    const verdict = all(this.rules, run, value, own) && all(this.last, run, value, own);
    if (verdict) seen?.add(own);
    return verdict;
  }

  #enter(run: Run): boolean {
    if (this.resource === undefined || run.scope.at(-1) === this.resource) return false;
    run.scope.push(this.resource);
    return true;
  }
}

function all(rules: Rule[], run: Run, value: unknown, seen: Seen | undefined): boolean {
  for (const rule of rules) if (!rule.accepts(run, value, seen)) return false;
  return true;
}

function explainEach(rules: Rule[], run: Run, value: unknown, path: string, seen: Seen | undefined): void {
  for (const rule of rules) if (!rule.accepts(run, value, seen)) rule.explain(run, value, path, seen);
}
