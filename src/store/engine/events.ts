/**
 * Change events, which daemons on one database send each other after a commit. The events wake long-polls and invalidate
 * caches. This file contains the event types, the event bus of a process, and the notifier that wakes long-polls.
 */

/**
 * A committed change of one handle. Topic `inbox`: an item was appended to its inbox. Topic `status`: the handle was
 * suspended, restored or retired, or one of its API keys was revoked.
 */
export interface HandleEvent {
  topic: "inbox" | "status";
  handle: number;
  /** The wire that was appended: its inbox sequence number and its JSON. Other daemons do not receive this field. */
  wire?: { seq: number; doc: string };
}

/** Published when a wire of a space was added, removed or voted on. Only this process receives the event. */
export interface FeedEvent {
  topic: "feed";
  space: number;
}

export type ChangeEvent = HandleEvent | FeedEvent;
type Topic = ChangeEvent["topic"];

/** Encodes an event for NOTIFY, without spaces: `inbox:42`. */
export function encodeEvent({ topic, handle }: HandleEvent): string {
  return `${topic}:${handle}`;
}

/** Decodes an event. Returns `undefined` for an unknown topic, which a newer daemon may send. */
export function decodeEvent(text: string): HandleEvent | undefined {
  const [topic, handle] = text.split(":");
  return topic === "inbox" || topic === "status" ? { topic, handle: Number(handle) } : undefined;
}

/**
 * Receives an event, or `undefined` if events may have been lost. After `undefined`, state that was built from events is
 * invalid.
 */
export type EventListener<Event = ChangeEvent> = (event: Event | undefined) => void;

/** The event bus of one process. Listeners are called in the order in which they subscribed. */
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

/** The subscription of one long-poll to the changes of an inbox. */
export interface Subscription {
  /** Resolves at the next notification, after the timeout, when the signal aborts, or when `stop` is called. */
  wait(timeoutMs: number, signal: AbortSignal): Promise<void>;
  stop(): void;
}

/** Wakes the long-polls of a handle after its inbox or its status has changed. */
export class InboxNotifier {
  private readonly waiting = new Map<number, Set<() => void>>();

  listenTo(events: Pick<EventBus, "subscribe">): void {
    // An event of the topic `status` also wakes a long-poll, so that it can end if its API key was revoked.
    events.subscribe(["inbox", "status"], (event) => {
      if (event) this.notify(event.handle);
      // Events may have been lost, so all long-polls wake. A long-poll without new items waits again.
      else for (const handle of [...this.waiting.keys()]) this.notify(handle);
    });
  }

  get size(): number {
    let size = 0;
    for (const set of this.waiting.values()) size += set.size;
    return size;
  }

  hasWaiter(handle: number): boolean {
    return this.waiting.has(handle);
  }

  private notify(handle: number): void {
    const waiting = this.waiting.get(handle);
    if (!waiting) return;
    this.waiting.delete(handle);
    for (const wake of waiting) wake();
  }

  /** Subscribes immediately, so a notification that arrives before `wait` is called is not lost. */
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
