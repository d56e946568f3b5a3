/** Wakes held requests: those that wait for something new (docs/specification/reading.md#long-polls). */
import type { ChangeEvent, EventBus } from "./events.js";

/**
 * What a held request waits for, by primary keys. Any change of any of them wakes it.
 */
export interface Topics {
  /** Handle: a new item of its inbox, or a change of its status. */
  inbox?: number;
  /**
   * Handle: it was suspended, restored or retired, one of its API keys was revoked, or it lost a membership.
   */
  status?: number;
  /** Space: a new wire. */
  space?: number;
  /** Primary key of the first wire of a thread of a space: a new reply. */
  thread?: number;
  /**
   * A thread of direct messages as a handle sees it, from {@link dmThread}: a new reply that the handle sent
   * or received.
   */
  dmThread?: string;
  /** Account: a wire or knock was held for approval. */
  approvals?: number;
}

/** @param thread primary key of the first wire */
export function dmThread(thread: number, handle: number): string {
  return `${thread} ${handle}`;
}

/** Ends a wait. The part of `AbortSignal` that a held request needs. */
export interface HoldSignal {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: { handleEvent(): void }): void;
  removeEventListener(type: "abort", listener: { handleEvent(): void }): void;
}

type Waiters = Map<number | string, Set<Subscription>>;

export class Notifier {
  private readonly waiting: Readonly<Record<keyof Topics, Waiters>> = {
    inbox: new Map(),
    status: new Map(),
    space: new Map(),
    thread: new Map(),
    dmThread: new Map(),
    approvals: new Map(),
  };
  /** Maximum number of held requests of one account. The daemon sets it to a share of its connections. */
  maxPerAccount = Number.POSITIVE_INFINITY;
  /** The subscriptions of each account, oldest first. */
  private readonly byAccount = new Map<number, Set<Subscription>>();
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

  /** Number of held requests by what they wait for. */
  heldByKind(): Record<"inbox" | "feed" | "thread" | "approvals", number> {
    const { inbox, space, thread, dmThread, approvals } = this.waiting;
    return {
      inbox: sizeOf(inbox),
      feed: sizeOf(space),
      thread: sizeOf(thread) + sizeOf(dmThread),
      approvals: sizeOf(approvals),
    };
  }

  /** Returns whether an account has more held requests than one may have. */
  hasTooMany(account: number): boolean {
    return (this.byAccount.get(account)?.size ?? 0) > this.maxPerAccount;
  }

  /**
   * Ends the oldest wait of the account with the most held requests, which then get a response as after their
   * time. Returns false if no request waits.
   */
  giveOneUp(): boolean {
    const accounts = [...this.byAccount.values()].sort((one, other) => other.size - one.size);
    for (const subscriptions of accounts)
      for (const subscription of subscriptions) if (subscription.giveUp()) return true;
    return false;
  }

  /** Returns whether a request waits for the inbox of this handle. */
  hasInboxWaiter(handle: number): boolean {
    return this.waiting.inbox.has(handle);
  }

  private handle(event: ChangeEvent): void {
    const { inbox, status, space, thread, dmThread: dms, approvals } = this.waiting;
    switch (event.topic) {
      case "inbox":
        notify(inbox, event.handle);
        if (event.thread === undefined) break;
        notify(dms, dmThread(event.thread, event.handle));
        if (event.sender !== undefined) notify(dms, dmThread(event.thread, event.sender));
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
    const subscription = new Subscription(this, topics, account);
    this.subscriptions++;
    const ofAccount = this.byAccount.get(account);
    if (ofAccount) ofAccount.add(subscription);
    else this.byAccount.set(account, new Set([subscription]));
    for (const topic in topics) {
      const waiters = this.waiting[topic as keyof Topics];
      const key = topics[topic as keyof Topics]!;
      const ofKey = waiters.get(key);
      if (ofKey) ofKey.add(subscription);
      else waiters.set(key, new Set([subscription]));
    }
    return subscription;
  }

  /** Removes a subscription. Called once for each. */
  remove(subscription: Subscription): void {
    const { topics, account } = subscription;
    this.subscriptions--;
    const ofAccount = this.byAccount.get(account)!;
    ofAccount.delete(subscription);
    if (ofAccount.size === 0) this.byAccount.delete(account);
    for (const topic in topics) {
      const waiters = this.waiting[topic as keyof Topics];
      const key = topics[topic as keyof Topics]!;
      const ofKey = waiters.get(key)!;
      ofKey.delete(subscription);
      if (ofKey.size === 0) waiters.delete(key);
    }
  }
}

/** The subscription of one held request. It has no closures, because thousands of requests may be held. */
export class Subscription {
  private isNotified = false;
  private isSubscribed = true;
  /** Whether the request gets its response although its time is not over. */
  isGivenUp = false;
  private signal: HoldSignal | undefined;
  private timer: NodeJS.Timeout | undefined;
  private resolve: (() => void) | undefined;

  constructor(
    private readonly notifier: Notifier,
    readonly topics: Topics,
    readonly account: number,
  ) {}

  /**
   * Resolves at the next notification, after the timeout, when the signal aborts, or when `stop` is called.
   */
  wait(timeoutMs: number, signal: HoldSignal): Promise<void> {
    if (this.isNotified || signal.aborted) {
      this.stop();
      return Promise.resolve();
    }
    this.signal = signal;
    this.timer = setTimeout(stop, timeoutMs, this);
    signal.addEventListener("abort", this);
    return new Promise((resolve) => {
      this.resolve = resolve;
    });
  }

  notify(): void {
    this.isNotified = true;
    if (this.resolve) this.stop();
  }

  /** Ends the wait of the request for good. Returns false if it does not wait. */
  giveUp(): boolean {
    if (!this.resolve || !this.isSubscribed) return false;
    this.isGivenUp = true;
    this.stop();
    return true;
  }

  /** Called when the signal aborts. */
  handleEvent(): void {
    this.stop();
  }

  /** Ends the wait and the subscription. */
  stop(): void {
    if (!this.isSubscribed) return;
    this.isSubscribed = false;
    this.notifier.remove(this);
    clearTimeout(this.timer);
    this.signal?.removeEventListener("abort", this);
    this.resolve?.();
  }
}

function stop(subscription: Subscription): void {
  subscription.stop();
}

function sizeOf(waiters: Waiters): number {
  let size = 0;
  for (const ofKey of waiters.values()) size += ofKey.size;
  return size;
}

function notify(waiters: Waiters, key: number | string): void {
  // A subscription that is notified leaves the set. Sets allow this during an iteration.
  const ofKey = waiters.get(key);
  if (ofKey) for (const subscription of ofKey) subscription.notify();
}
