import { onAbort } from "../abort.js";

/** Aborts with the caller's signal, or if no data arrives before the timeout. */
export class AttemptSignal {
  readonly #controller = new AbortController();
  readonly #removeListener: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param timeoutMs undefined for no limit */
  constructor(
    readonly timeoutMs: number | undefined,
    readonly caller: AbortSignal | undefined,
  ) {
    const abort = () => this.#controller.abort(caller?.reason);
    this.#removeListener = onAbort(caller, abort);
    this.restart();
    if (caller?.aborted) abort();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isTimedOut(): boolean {
    return this.signal.aborted && !this.caller?.aborted;
  }

  restart(): void {
    this.pause();
    if (this.timeoutMs !== undefined)
      this.#timer = setTimeout(() => this.#controller.abort(), this.timeoutMs);
  }

  /** Stops the timeout until `restart`. */
  pause(): void {
    clearTimeout(this.#timer);
  }

  dispose(): void {
    this.pause();
    this.#removeListener();
  }
}
