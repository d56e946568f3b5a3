import type { Reason } from "../../contract/errors.js";
import type { Resource } from "./document.js";
import { ReasonList } from "./reason-list.js";

/**
 * Number of steps after which verdicts are cached. Without the cache, a validation in which each `$ref`
 * doubles the work might never finish. Short validations are faster without the cache.
 */
const CACHE_AFTER_STEPS = 2_000;
const MAX_CACHED_VERDICTS = 200_000;

const STOP_CHECK_INTERVAL = 16;

export class TooManyReasons extends Error {}

export class ValidationStopped extends Error {}

export class ValidationRun {
  readonly #list = new ReasonList();
  /**
   * The schema resources that validation has entered, outermost first. JSON Schema calls them the dynamic
   * scope (JSON Schema 2020-12 core, section 7.1).
   */
  readonly scope: Resource[] = [];
  steps = 0;
  cachedVerdicts = 0;
  #verdicts = new Map<SchemaNode, Map<unknown, boolean>>();
  readonly #explained = new Map<SchemaNode, Map<string, Set<unknown>>>();

  constructor(readonly shouldStop: () => boolean) {}

  get reasons(): Reason[] {
    return this.#list.reasons;
  }

  step(): void {
    if (++this.steps % STOP_CHECK_INTERVAL === 0 && this.shouldStop()) throw new ValidationStopped();
  }

  report(instancePath: string, keyword: string, message: string): void {
    if (!this.#list.add({ instancePath, keyword, message })) throw new TooManyReasons();
  }

  /**
   * Returns true only on the first call for a schema, a path and a value, so that each schema is explained
   * once. References can lead to the same schema exponentially often. All property names of an object have
   * the same path.
   */
  beginExplaining(node: SchemaNode, path: string, value: unknown): boolean {
    const paths = this.#explained.get(node) ?? new Map<string, Set<unknown>>();
    const values = paths.get(path) ?? new Set();
    if (values.has(value)) return false;
    this.#explained.set(node, paths.set(path, values.add(value)));
    return true;
  }

  verdictsOf(node: SchemaNode): Map<unknown, boolean> {
    const known = this.#verdicts.get(node);
    if (known) return known;
    const verdicts = new Map<unknown, boolean>();
    this.#verdicts.set(node, verdicts);
    return verdicts;
  }
}

/**
 * The properties or items that keywords have already evaluated in one value. The `unevaluated*` keywords skip
 * them (JSON Schema 2020-12 core, section 11).
 */
export class EvaluatedParts {
  everyProperty = false;
  readonly properties = new Set<string>();
  items = 0;
  readonly contained = new Set<number>();

  add(other: EvaluatedParts): void {
    this.everyProperty ||= other.everyProperty;
    for (const key of other.properties) this.properties.add(key);
    this.items = Math.max(this.items, other.items);
    for (const index of other.contained) this.contained.add(index);
  }
}

export interface Rule {
  /**
   * Returns whether the keyword accepts the value. If `evaluated` is set, adds the properties or items that
   * the keyword evaluates.
   */
  accepts(run: ValidationRun, value: unknown, evaluated: EvaluatedParts | undefined): boolean;
  /**
   * Reports at least one reason why the keyword rejects the value. Call it only after `accepts` has returned
   * false.
   */
  explain(run: ValidationRun, value: unknown, path: string, evaluated: EvaluatedParts | undefined): void;
}

/**
 * A compiled schema. `accepts` decides whether a value is valid, and stops at the first failure. `explain`
 * runs only for invalid values, and collects reasons from the failed keywords. So a failed `anyOf` branch is
 * not reported if another branch accepts the value.
 */
export class SchemaNode {
  rules: Rule[] = [];
  /** The rules of `unevaluatedItems` and `unevaluatedProperties`, which must run after all other rules. */
  lastRules: Rule[] = [];
  /**
   * The resource that contains this schema. Set only if the document has a `$dynamicRef`, whose target
   * depends on the resources that validation has entered.
   */
  resource: Resource | undefined;
  /**
   * Whether verdicts are cached: true if several references lead to this schema, and its verdict depends only
   * on the value.
   */
  cachesVerdicts = false;

  accepts(run: ValidationRun, value: unknown, evaluated?: EvaluatedParts): boolean {
    run.step();
    if (!this.cachesVerdicts || evaluated !== undefined || run.steps < CACHE_AFTER_STEPS)
      return this.#acceptsInScope(run, value, evaluated);
    const verdicts = run.verdictsOf(this);
    let verdict = verdicts.get(value);
    if (verdict === undefined) {
      verdict = this.#acceptsInScope(run, value, evaluated);
      if (run.cachedVerdicts++ < MAX_CACHED_VERDICTS) verdicts.set(value, verdict);
    }
    return verdict;
  }

  explain(run: ValidationRun, value: unknown, path: string): void {
    if (!run.beginExplaining(this, path, value)) return;
    const entered = this.#enter(run);
    const own = this.lastRules.length > 0 ? new EvaluatedParts() : undefined;
    const isRejected = explainEach(this.rules, run, value, path, own);
    if (!isRejected) explainEach(this.lastRules, run, value, path, own);
    if (entered) run.scope.pop();
  }

  #acceptsInScope(run: ValidationRun, value: unknown, evaluated: EvaluatedParts | undefined): boolean {
    const entered = this.#enter(run);
    const verdict =
      this.lastRules.length > 0
        ? this.#acceptsWithOwnParts(run, value, evaluated)
        : all(this.rules, run, value, evaluated);
    if (entered) run.scope.pop();
    return verdict;
  }

  /**
   * Records evaluated parts separately, because `unevaluated*` keywords ignore the keywords of surrounding
   * schemas.
   */
  #acceptsWithOwnParts(run: ValidationRun, value: unknown, evaluated: EvaluatedParts | undefined): boolean {
    const own = new EvaluatedParts();
    const verdict = all(this.rules, run, value, own) && all(this.lastRules, run, value, own);
    if (verdict) evaluated?.add(own);
    return verdict;
  }

  #enter(run: ValidationRun): boolean {
    if (this.resource === undefined || run.scope.at(-1) === this.resource) return false;
    run.scope.push(this.resource);
    return true;
  }
}

function all(
  rules: Rule[],
  run: ValidationRun,
  value: unknown,
  evaluated: EvaluatedParts | undefined,
): boolean {
  for (const rule of rules) if (!rule.accepts(run, value, evaluated)) return false;
  return true;
}

/** Reports why rules reject the value. Returns whether any rule does. */
function explainEach(
  rules: Rule[],
  run: ValidationRun,
  value: unknown,
  path: string,
  evaluated: EvaluatedParts | undefined,
): boolean {
  let isRejected = false;
  for (const rule of rules) {
    if (rule.accepts(run, value, evaluated)) continue;
    isRejected = true;
    rule.explain(run, value, path, evaluated);
  }
  return isRejected;
}
