import { LRUCache } from "lru-cache";
import { type JsonObject, ValidationStopped, type Validator } from "../../domain/json-schema/index.js";
import { monotonicMs } from "../../kernel/clock.js";
import { CompiledSchemas } from "./compiled-schemas.js";
import type { Candidate, Verdict } from "./protocol.js";
import { validateCandidates } from "./validate-candidates.js";

/** Size limits in characters. Validating smaller inputs is faster than sending the work to a thread. */
const MAX_DOCUMENT_LENGTH = 4 * 1024;
const MAX_PAYLOAD_LENGTH = 2 * 1024;
const MAX_CANDIDATES = 4;
const MAX_COMPILED_LENGTH = 256 * 1024;
/** Time budget on the event loop. A validation that exceeds it is stopped and repeated in a thread. */
const BUDGET_MS = 1;
/**
 * Number of consecutive timeouts after which a schema runs only in threads. A single timeout may be due to a
 * busy machine.
 */
const MAX_TIMEOUTS = 2;
const SLOW_MS = 60_000;
const MAX_SLOW_SCHEMAS = 10_000;
const MAX_TIMEOUT_COUNTERS = 1_000;
/** Schemas with patterns run in threads, because pattern matching is slow (although linear). */
const PATTERN = /"pattern(Properties)?":/;

/**
 * Validates small payloads against small schemas on the event loop, which is faster than sending them to a
 * thread. Stops a validation that exceeds its time budget.
 */
export class EventLoopValidator {
  /** Cache statistics of the compiled schemas. */
  readonly lookups = { hits: 0, misses: 0 };
  readonly #schemas = new CompiledSchemas(MAX_COMPILED_LENGTH);
  /** Documents that only threads validate, because the documents are too large or contain patterns. */
  readonly #unsuitable = new WeakSet<object>();
  readonly #slow = new LRUCache<string, true>({
    maxSize: MAX_SLOW_SCHEMAS,
    sizeCalculation: () => 1,
    ttl: SLOW_MS,
  });
  /** Consecutive timeouts by schema key. */
  readonly #timeouts = new Map<string, number>();

  /**
   * Returns the verdict, or undefined if a worker thread must validate the payload.
   * @param length the payload's length as JSON, in characters
   */
  validate(candidates: readonly Candidate[], payload: unknown, length: number): Verdict | undefined {
    if (length > MAX_PAYLOAD_LENGTH || candidates.length > MAX_CANDIDATES) return undefined;
    const deadlineMs = monotonicMs() + BUDGET_MS;
    let last: Candidate | undefined;
    const validatorOf = (candidate: Candidate) => {
      last = candidate;
      return this.#validatorOf(candidate);
    };
    try {
      const verdict = validateCandidates(candidates, validatorOf, payload, () => monotonicMs() > deadlineMs);
      if (this.#timeouts.size > 0) for (const { key } of candidates) this.#timeouts.delete(key);
      return verdict;
    } catch (error) {
      if (!(error instanceof ValidationStopped)) throw error;
      this.#countTimeout(last!.key);
      return undefined;
    }
  }

  #validatorOf({ key, document }: Candidate): Validator | undefined {
    if (this.#unsuitable.has(document) || this.#slow.has(key)) return undefined;
    const known = this.#schemas.get(key);
    if (known) {
      this.lookups.hits++;
      return known;
    }
    const text = JSON.stringify(document);
    if (text.length > MAX_DOCUMENT_LENGTH || PATTERN.test(text)) {
      this.#unsuitable.add(document);
      return undefined;
    }
    this.lookups.misses++;
    const validator = this.#schemas.compile(key, document as JsonObject);
    return validator;
  }

  #countTimeout(key: string): void {
    const timeouts = (this.#timeouts.get(key) ?? 0) + 1;
    this.#timeouts.delete(key);
    if (timeouts >= MAX_TIMEOUTS) {
      this.#slow.set(key, true);
      return;
    }
    if (this.#timeouts.size >= MAX_TIMEOUT_COUNTERS) this.#timeouts.clear();
    this.#timeouts.set(key, timeouts);
  }
}
