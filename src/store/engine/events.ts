/**
 * Change events: what daemons on one database tell each other, so that long-polls wake and caches do not go stale; the bus that
 * hands them on, and the notifier that wakes long-polls.
 */

/**
 * A committed change that concerns a handle (its pk): its inbox has grown, or its standing has changed: a key of it was revoked, or
 * it was suspended, restored or retired.
 */
export interface HandleEvent {
  topic: "inbox" | "standing";
  handle: number;
  /** The wire by which its inbox has grown, as JSON, and its number there. Other daemons do not get it. */
  wire?: { seq: number; doc: string };
}

/** A wire of a space (its pk) was added, removed or voted on. Other daemons do not get it. */
export interface FeedEvent {
  topic: "feed";
  space: number;
}

export type ChangeEvent = HandleEvent | FeedEvent;
type Topic = ChangeEvent["topic"];

/** An event as one word, for its way to other daemons. */
export function toText({ topic, handle }: HandleEvent): string {
  return `${topic}:${handle}`;
}

/** `undefined` for an unknown topic: another daemon may be of a newer version. */
export function fromText(text: string): HandleEvent | undefined {
  const [topic, handle] = text.split(":");
  return topic === "inbox" || topic === "standing" ? { topic, handle: Number(handle) } : undefined;
}

/** Takes events of its topics. `undefined` says that some may have been missed: what rests on them must be read again. */
export type EventListener<Event = ChangeEvent> = (event: Event | undefined) => void;

/** Hands events to the listeners in this process, in the order of their subscriptions. */
export class EventBus {
  private readonly listeners = new Map<Topic, EventListener<never>[]>();

  subscribe<T extends Topic>(
    topics: readonly T[],
    listener: EventListener<T extends "feed" ? FeedEvent : HandleEvent>,
  ): void {
    for (const topic of topics) {
      const listeners = this.listeners.get(topic);
      if (listeners) listeners.push(listener);
      else this.listeners.set(topic, [listener]);
    }
  }

  publish(event: ChangeEvent | undefined): void {
    if (event) for (const listener of this.listeners.get(event.topic) ?? []) listener(event as never);
    else for (const listener of new Set([...this.listeners.values()].flat())) listener(undefined);
  }
}

/** A long-poll's subscription to an inbox. */
export interface Subscription {
  /** Resolves at the next notification, when the time is up, when the signal is aborted, or with `stop`. */
  wait(timeoutMs: number, signal: AbortSignal): Promise<void>;
  stop(): void;
}

/** Wakes the long-polls of an inbox once something new in it is durable. */
export class InboxNotifier {
  private readonly waiting = new Map<number, Set<() => void>>();

  /** Notifies of events from here on. */
  listenTo(events: Pick<EventBus, "subscribe">): void {
    // Also where the standing has changed: requests that are held under a revoked key end.
    events.subscribe(["inbox", "standing"], (event) => {
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
