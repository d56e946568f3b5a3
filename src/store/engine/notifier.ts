/** Wakes held requests: those that wait for something new (docs/specification/reading.md#long-polls). */
import type { ChangeEvent, EventBus } from "./events.js";

/**
 * What a held request waits for, by primary keys. Any change of any of them wakes it.
 */
export interface Topics {
  /** Handle: a new item of its inbox, or a change of its status. */
  inbox?: number;
  /** Handle: it was suspended, restored or retired, one of its API keys was revoked, or it lost a membership. */
  status?: number;
  /** Space: a new wire. */
  space?: number;
  /** Primary key of the first wire of a thread: a new reply. */
  thread?: number;
  /** Account: a wire or knock was held for approval. */
  approvals?: number;
}

/** The subscription of one held request. */
export interface Subscription {
  /** Resolves at the next notification, after the timeout, when the signal aborts, or when `stop` is called. */
  wait(timeoutMs: number, signal: AbortSignal): Promise<void>;
  stop(): void;
}

type Waiters = Map<number, Set<() => void>>;

export class Notifier {
  private readonly waiting: Readonly<Record<keyof Topics, Waiters>> = {
    inbox: new Map(),
    status: new Map(),
    space: new Map(),
    thread: new Map(),
    approvals: new Map(),
  };
  /** Number of subscriptions, by account. */
  private readonly counts = new Map<number, number>();
  private subscriptions = 0;

  listenTo(events: Pick<EventBus, "subscribe">): void {
    events.subscribe(["inbox", "status", "feed", "approvals"], (event) => {
      if (event) this.handle(event);
      // Events may have been lost, so all held requests wake. Those without anything new wait again.
      else
        for (const waiters of Object.values(this.waiting))
          for (const key of [...waiters.keys()]) notify(waiters, key);
    });
  }

  /** Number of held requests. */
  get size(): number {
    return this.subscriptions;
  }

  /** Number of held requests of an account. */
  heldBy(account: number): number {
    return this.counts.get(account) ?? 0;
  }

  /** Returns whether a request waits for the inbox of this handle. */
  hasInboxWaiter(handle: number): boolean {
    return this.waiting.inbox.has(handle);
  }

  private count(account: number, change: 1 | -1): void {
    this.subscriptions += change;
    const count = this.heldBy(account) + change;
    if (count === 0) this.counts.delete(account);
    else this.counts.set(account, count);
  }

  private handle(event: ChangeEvent): void {
    const { inbox, status, space, thread, approvals } = this.waiting;
    switch (event.topic) {
      case "inbox":
        notify(inbox, event.handle);
        if (event.thread !== undefined) notify(thread, event.thread);
        break;
      case "status":
        notify(inbox, event.handle);
        notify(status, event.handle);
        break;
      case "feed":
        if (!event.isNewWire) break;
        notify(space, event.space);
        if (event.thread !== undefined) notify(thread, event.thread);
        break;
      case "approvals":
        notify(approvals, event.account);
    }
  }

  /**
   * Subscribes immediately, so a notification that arrives before `wait` is called is not lost.
   * @param account the account of the caller
   */
  subscribe(topics: Topics, account: number): Subscription {
    let isNotified = false;
    let isSubscribed = true;
    let wake = () => {};
    const onNotify = () => {
      isNotified = true;
      wake();
    };
    this.count(account, 1);
    for (const topic in topics) {
      const waiters = this.waiting[topic as keyof Topics];
      const key = topics[topic as keyof Topics]!;
      const ofKey = waiters.get(key);
      if (ofKey) ofKey.add(onNotify);
      else waiters.set(key, new Set([onNotify]));
    }
    const leave = () => {
      if (!isSubscribed) return;
      isSubscribed = false;
      this.count(account, -1);
      for (const topic in topics) {
        const waiters = this.waiting[topic as keyof Topics];
        const key = topics[topic as keyof Topics]!;
        const ofKey = waiters.get(key)!;
        ofKey.delete(onNotify);
        if (ofKey.size === 0) waiters.delete(key);
      }
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
        if (isNotified || signal.aborted) done();
      });
    return { wait, stop };
  }
}

function notify(waiters: Waiters, key: number): void {
  // A waiter that wakes leaves the set. Sets allow this during an iteration.
  const ofKey = waiters.get(key);
  if (ofKey) for (const wake of ofKey) wake();
}
