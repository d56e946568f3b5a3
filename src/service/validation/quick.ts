import { LRUCache } from "lru-cache";
import { type JsonObject, Stopped, type Validator } from "../../domain/json-schema/index.js";
import { monotonicMs } from "../../kernel/clock.js";
import { CompiledSchemas } from "./compiled-schemas.js";
import { judge } from "./judge.js";
import type { Candidate, Verdict } from "./protocol.js";

/** Characters of a document and of a payload, and candidates, up to which asking a thread costs more than the work itself. */
const MAX_DOCUMENT = 4 * 1024;
const MAX_PAYLOAD = 2 * 1024;
const MAX_CANDIDATES = 4;
/** Characters of all documents that are kept compiled: some hundreds of the usual size. */
const MAX_COMPILED = 256 * 1024;
/** Milliseconds after which a validation is left to a thread. */
const BUDGET = 1;
/** Times in succession that one is stopped before its schema is left alone: the first may be the machine's doing. */
const STRIKES = 2;
/** How long it is left alone. */
const REST_MS = 60_000;
const MAX_SLOW = 10_000;
/** Schemas that are remembered as stopped the last time. */
const MAX_STRUCK = 1_000;
/** Patterns run in linear time, but with a large factor. */
const PATTERN = /"pattern(Properties)?":/;

/**
 * Validates small payloads under small schemas on the event loop: most take some microseconds, and asking a thread takes sixty.
 * What such a schema can do in the time between two looks at the clock is linear in the payload, so others notice nothing.
 */
export class QuickValidator {
  readonly #schemas = new CompiledSchemas(MAX_COMPILED);
  /** Documents that are not for here: too large, or with patterns. */
  readonly #unfit = new WeakSet<object>();
  readonly #slow = new LRUCache<string, true>({ max: MAX_SLOW, ttl: REST_MS });
  readonly #strikes = new Map<string, number>();

  /** None where it is for a thread to say. @param size characters of the payload as JSON */
  validate(candidates: readonly Candidate[], payload: unknown, size: number): Verdict | undefined {
    if (size > MAX_PAYLOAD || candidates.length > MAX_CANDIDATES) return undefined;
    const until = monotonicMs() + BUDGET;
    let last: Candidate | undefined;
    const validatorOf = (candidate: Candidate) => {
      last = candidate;
      return this.#validatorOf(candidate);
    };
    try {
      const verdict = judge(candidates, validatorOf, payload, () => monotonicMs() > until);
      if (this.#strikes.size > 0) for (const { key } of candidates) this.#strikes.delete(key);
      return verdict;
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      this.#strike(last!.key);
      return undefined;
    }
  }

  #validatorOf({ key, document }: Candidate): Validator | undefined {
    if (this.#unfit.has(document) || this.#slow.has(key)) return undefined;
    const known = this.#schemas.get(key);
    if (known) return known;
    const text = JSON.stringify(document);
    if (text.length > MAX_DOCUMENT || PATTERN.test(text)) {
      this.#unfit.add(document);
      return undefined;
    }
    const validator = this.#schemas.compile(key, document as JsonObject);
    this.#schemas.takeDropped();
    return validator;
  }

  #strike(key: string): void {
    const strikes = (this.#strikes.get(key) ?? 0) + 1;
    this.#strikes.delete(key);
    if (strikes >= STRIKES) {
      this.#slow.set(key, true);
      return;
    }
    if (this.#strikes.size >= MAX_STRUCK) this.#strikes.clear();
    this.#strikes.set(key, strikes);
  }
}
