/**
 * Wakes long polls, which are requests that wait for something new
 * (docs/specification/reading.md#long-polls).
 */
import type { ChangeEvent, EventBus } from "./events.js";

/** The changes that wake a long poll. Each value is a primary key unless noted. */
export interface Topics {
  /** A handle. The poll wakes on a new inbox item or a change of the handle's status. */
  inbox?: number;
  /**
   * A handle. The poll wakes if the handle is suspended, restored or retired, if its API key is revoked, or
   * if it loses a membership.
   */
  status?: number;
  /** A space. The poll wakes on a new wire. */
  space?: number;
  /** The first wire of a thread in a space. The poll wakes on a reply. */
  thread?: number;
  /** A key from {@link dmThread}. The poll wakes when the handle sends or receives a reply in the thread. */
  dmThread?: string;
  /** An account. The poll wakes when a wire or knock is held for approval. */
  approvals?: number;
  /** A space in which the request waits for a wire to claim. A new root wire wakes one of the requests. */
  claims?: number;
}

/** @param thread primary key of the thread's first wire */
export function dmThread(thread: number, handle: number): string {
  return `${thread} ${handle}`;
}

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
    claims: new Map(),
  };
  maxPerAccount = Number.POSITIVE_INFINITY;
  /** Subscriptions by account, oldest first. */
  private readonly byAccount = new Map<number, Set<Subscription>>();
  private subscriptions = 0;

  listenTo(events: Pick<EventBus, "subscribe">): void {
    events.subscribe(["inbox", "status", "feed", "approvals"], (event) => {
      if (event) this.handle(event);
      // Events may have been lost, so let all long polls read again.
      else
        for (const waiters of Object.values(this.waiting))
          for (const key of [...waiters.keys()]) notify(waiters, key);
    });
  }

  get size(): number {
    return this.subscriptions;
  }

  heldByKind(): Record<"inbox" | "feed" | "thread" | "approvals" | "claims", number> {
    const { inbox, space, thread, dmThread, approvals, claims } = this.waiting;
    return {
      inbox: sizeOf(inbox),
      feed: sizeOf(space),
      thread: sizeOf(thread) + sizeOf(dmThread),
      approvals: sizeOf(approvals),
      claims: sizeOf(claims),
    };
  }

  hasTooMany(account: number): boolean {
    return (this.byAccount.get(account)?.size ?? 0) > this.maxPerAccount;
  }

  /** Ends the oldest long poll of the account with the most long polls. Returns false if there is none. */
  giveOneUp(): boolean {
    const accounts = [...this.byAccount.values()].sort((one, other) => other.size - one.size);
    for (const subscriptions of accounts)
      for (const subscription of subscriptions) if (subscription.giveUp()) return true;
    return false;
  }

  hasInboxWaiter(handle: number): boolean {
    return this.waiting.inbox.has(handle);
  }

  /** Returns the spaces in which requests wait for a wire to claim. */
  spacesOfClaimers(): number[] {
    return [...this.waiting.claims.keys()] as number[];
  }

  /** Wakes the request that has waited longest for a wire to claim in the space. */
  wakeClaimer(space: number): void {
    const waiters = [...(this.waiting.claims.get(space) ?? [])];
    const first = waiters.find(({ isWaiting }) => isWaiting);
    // If all of them are searching at the moment, let each search again before it waits.
    for (const waiter of first ? [first] : waiters) waiter.notify();
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
        else this.wakeClaimer(event.space);
        break;
      case "approvals":
        notify(approvals, event.account);
    }
  }

  /** Subscribes at once, so that no change between this call and `wait` is lost. */
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

  /** Must be called exactly once for each subscription. */
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

/** Uses no closures, which saves memory when thousands of long polls wait. */
class Subscription {
  private isNotified = false;
  private isSubscribed = true;
  isGivenUp = false;
  private signal: HoldSignal | undefined;
  private timer: NodeJS.Timeout | undefined;
  private resolve: (() => void) | undefined;

  constructor(
    private readonly notifier: Notifier,
    readonly topics: Topics,
    readonly account: number,
  ) {}

  /** Resolves at a notification, at the timeout, or when the signal aborts. */
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

  get isWaiting(): boolean {
    return this.resolve !== undefined && this.isSubscribed;
  }

  notify(): void {
    this.isNotified = true;
    if (this.resolve) this.stop();
  }

  /** Ends the wait early. Returns false if the request is not waiting. */
  giveUp(): boolean {
    if (!this.resolve || !this.isSubscribed) return false;
    this.isGivenUp = true;
    this.stop();
    return true;
  }

  handleEvent(): void {
    this.stop();
  }

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
  // A notified subscription removes itself from the set. JavaScript allows this while the set is iterated.
  const ofKey = waiters.get(key);
  if (ofKey) for (const subscription of ofKey) subscription.notify();
}
