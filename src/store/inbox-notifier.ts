import type { Engine } from "./engine.js";

/** A long-poll's subscription to an inbox. */
export interface Subscription {
  /** Resolves at the next notification, when the time is up, when the signal is aborted, or with `stop`. */
  wait(timeoutMs: number, signal: AbortSignal): Promise<void>;
  stop(): void;
}

/** Wakes the long-polls of an inbox once something new in it is durable. */
export class InboxNotifier {
  private readonly waiting = new Map<number, Set<() => void>>();

  /** Notifies of the engine's events from here on. */
  listenTo(engine: Pick<Engine, "subscribe">): void {
    // Also where the standing has changed: requests that are held under a revoked key end.
    engine.subscribe(["inbox", "standing"], (event) => {
      if (event) this.notify(event.handle);
      // Events may have been missed; long-polls for which nothing is new wait on.
      else for (const handle of [...this.waiting.keys()]) this.notify(handle);
    });
  }

  /** Number of held long-polls. */
  get size(): number {
    let size = 0;
    for (const set of this.waiting.values()) size += set.size;
    return size;
  }

  /** Whether a long-poll of this handle is held. */
  isAwaited(handle: number): boolean {
    return this.waiting.has(handle);
  }

  private notify(handle: number): void {
    const waiting = this.waiting.get(handle);
    if (!waiting) return;
    this.waiting.delete(handle);
    for (const wake of waiting) wake();
  }

  /** Subscribes from now on: a notification before `wait` is called is not lost. */
  subscribe(handle: number): Subscription {
    let notified = false;
    let wake = () => {};
    const onNotify = () => {
      notified = true;
      wake();
    };
    const waiting = this.waiting.get(handle) ?? new Set();
    this.waiting.set(handle, waiting.add(onNotify));
    const leave = () => {
      waiting.delete(onNotify);
      if (waiting.size === 0 && this.waiting.get(handle) === waiting) this.waiting.delete(handle);
    };
    const stop = () => {
      leave();
      wake();
    };
    const wait = (timeoutMs: number, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer);
          signal.removeEventListener("abort", done);
          leave();
          resolve();
        };
        const timer = setTimeout(done, timeoutMs);
        signal.addEventListener("abort", done);
        wake = done;
        if (notified || signal.aborted) done();
      });
    return { wait, stop };
  }
}
