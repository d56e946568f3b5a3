export interface Ear {
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
  stop(): void;
}

/** Wakes long-polls: who waits for an inbox is rung once something in it is durable. */
export class InboxBell {
  private readonly waiting = new Map<number, Set<() => void>>();

  /** How many long-polls are held at present. */
  get size(): number {
    let size = 0;
    for (const set of this.waiting.values()) size += set.size;
    return size;
  }

  /** Whether a long-poll of this handle is held. */
  isAwaited(handle: number): boolean {
    return this.waiting.has(handle);
  }

  /** Rings for a handle. */
  ring(handle: number): void {
    const set = this.waiting.get(handle);
    if (!set) return;
    this.waiting.delete(handle);
    for (const wake of set) wake();
  }

  /** Rings for everyone: those for whom there is nothing new wait on. */
  ringAll(): void {
    for (const handle of [...this.waiting.keys()]) this.ring(handle);
  }

  /** Listens from now on: what rings before `wait` is called is not lost. `stop` ends the waiting, too. */
  listen(handle: number): Ear {
    let rung = false;
    let wake = () => {};
    const onRing = () => {
      rung = true;
      wake();
    };
    const set = this.waiting.get(handle) ?? new Set();
    this.waiting.set(handle, set.add(onRing));
    const leave = () => {
      set.delete(onRing);
      if (set.size === 0 && this.waiting.get(handle) === set) this.waiting.delete(handle);
    };
    const stop = () => {
      leave();
      wake();
    };
    const wait = (milliseconds: number, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer);
          signal.removeEventListener("abort", done);
          leave();
          resolve();
        };
        const timer = setTimeout(done, milliseconds);
        signal.addEventListener("abort", done);
        wake = done;
        if (rung || signal.aborted) done();
      });
    return { wait, stop };
  }
}
