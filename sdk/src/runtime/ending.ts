/** What ends an attempt before its time: the caller's signal, or that nothing came for too long. */
export class Ending {
  readonly #ending = new AbortController();
  readonly #stop = () => this.#ending.abort(this.caller?.reason);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param timeout milliseconds, running from now on; undefined for no limit */
  constructor(
    readonly timeout: number | undefined,
    readonly caller: AbortSignal | undefined,
  ) {
    caller?.addEventListener("abort", this.#stop, { once: true });
    this.restart();
  }

  /** Aborts with the attempt. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Whether the time ran out. */
  get isLate(): boolean {
    return this.signal.aborted && !this.caller?.aborted;
  }

  /** The time runs anew. */
  restart(): void {
    this.pause();
    if (this.timeout !== undefined) this.#timer = setTimeout(() => this.#ending.abort(), this.timeout);
  }

  /** No time runs, until `restart`. */
  pause(): void {
    clearTimeout(this.#timer);
  }

  /** The attempt is over: nothing of it stays behind. */
  done(): void {
    this.pause();
    this.caller?.removeEventListener("abort", this.#stop);
  }
}
