/**
 * Loads the nouns of a view while it is open: all nouns once, then the current noun at intervals, and any
 * noun on request. A new request for a noun replaces the running request, so responses never arrive out of
 * order.
 */
import { setMaxListeners } from "node:events";
import { WireroomError } from "../../../sdk/src/api.js";
import { sleep } from "../../clock.js";
import type { AnyNoun } from "./noun.js";

/**
 * Error codes after which the human must sign in again. The daemon returns `FORBIDDEN` for an expired ID
 * token (docs/specification/identity.md#credentials).
 */
const SIGN_IN_ERRORS = new Set(["FORBIDDEN", "UNAUTHORIZED", "NO_CREDENTIALS", "SIGN_IN_FAILED"]);

const INTERVALS_MS = { reachable: 5_000, unreachable: 1_000 };

export interface LoaderEvents {
  loaded(noun: AnyNoun, items: readonly unknown[]): void;
  failed(noun: AnyNoun, error: unknown): void;
  /** Called after each request. `isReachable` is false if the daemon did not answer. */
  answered(isReachable: boolean): void;
  /** Called after the sign-in has expired. The loader has already stopped. */
  ended(error: unknown): void;
}

export class Loader {
  readonly #stop = new AbortController();
  /** Running requests, by the noun's id. */
  readonly #requests = new Map<string, AbortController>();
  #isReachable = true;

  /** @param intervalsMs other delays, for tests */
  constructor(
    private readonly nouns: readonly AnyNoun[],
    private readonly getCurrent: () => AnyNoun,
    private readonly events: LoaderEvents,
    private readonly intervalsMs = INTERVALS_MS,
  ) {}

  async run(): Promise<void> {
    const { signal } = this.#stop;
    // Load the handles first, because the other nouns show their slugs.
    const isFirst = ({ id }: AnyNoun) => id === "handles";
    await Promise.all(this.nouns.filter(isFirst).map((noun) => this.reload(noun)));
    if (!signal.aborted)
      await Promise.all(this.nouns.filter((noun) => !isFirst(noun)).map((noun) => this.reload(noun)));
    while (!signal.aborted) {
      const { reachable, unreachable } = this.intervalsMs;
      const intervalMs = this.getCurrent().intervalMs ?? reachable;
      await sleep(this.#isReachable ? intervalMs : unreachable, signal);
      if (!signal.aborted) await this.reload(this.getCurrent(), true);
    }
  }

  stop(): void {
    this.#stop.abort();
  }

  /** Aborts an earlier request for this noun, because its older response could arrive later. */
  async reload(noun: AnyNoun, mayWait = false): Promise<void> {
    this.#requests.get(noun.id)?.abort();
    const request = new AbortController();
    this.#requests.set(noun.id, request);
    const signal = AbortSignal.any([this.#stop.signal, request.signal]);
    // A noun may send one request per handle, and each adds a listener. Node would warn about the 11th.
    setMaxListeners(0, signal);
    try {
      const items = await noun.load(signal, mayWait);
      if (signal.aborted) return;
      this.events.loaded(noun, items);
      this.#answered(true);
    } catch (error) {
      if (!signal.aborted) this.#fail(noun, error);
    }
  }

  #fail(noun: AnyNoun, error: unknown): void {
    const status = error instanceof WireroomError ? (error.status ?? 503) : 0;
    // A daemon that is overloaded or shuts down counts as unreachable, so that the rows stay.
    const isReachable = status !== 429 && status <= 500;
    if (status > 0) this.#answered(isReachable);
    if (!isReachable) return;
    if (!noun.needsAgent && SIGN_IN_ERRORS.has((error as { code?: string }).code ?? "")) {
      this.stop();
      this.events.ended(error);
    } else this.events.failed(noun, error);
  }

  #answered(isReachable: boolean): void {
    this.#isReachable = isReachable;
    this.events.answered(isReachable);
  }
}
