/**
 * Change events, which daemons that share a database send each other after a commit. Events wake long polls
 * and invalidate caches. This file defines the event types and each process's event bus. `notifier.ts` wakes
 * the long polls.
 */

/**
 * Topic `inbox` means a new inbox item. Topic `status` means that the handle was suspended, restored or
 * retired, that its API key was revoked, or that it lost a membership.
 */
export interface HandleEvent {
  topic: "inbox" | "status";
  handle: number;
  /** Primary key of the thread, if the new wire is a reply. */
  thread?: number;
  /** Primary key of the reply's sender. Older daemons do not set it. */
  sender?: number;
  /** Set only in the process that stored the wire. */
  wire?: { seq: number; doc: string };
}

/** Published when a wire in a space is added, removed or voted on. Other daemons receive only new wires. */
export interface FeedEvent {
  topic: "feed";
  space: number;
  isNewWire: boolean;
  /** Primary key of the thread, if the new wire is a reply. */
  thread?: number;
}

export interface ApprovalsEvent {
  topic: "approvals";
  account: number;
}

interface EventsByTopic {
  inbox: HandleEvent;
  status: HandleEvent;
  feed: FeedEvent;
  approvals: ApprovalsEvent;
}

type Topic = keyof EventsByTopic;
export type ChangeEvent = EventsByTopic[Topic];

/**
 * Encodes an event for NOTIFY: `inbox:42` for handle 42, or `inbox:42:97:8` for a reply by handle 8 in thread
 * 97.
 */
export function encodeEvent(event: ChangeEvent): string {
  if (event.topic === "approvals") return `approvals:${event.account}`;
  const [key, sender] = event.topic === "feed" ? [event.space] : [event.handle, event.sender];
  return [event.topic, key, event.thread, sender].filter((part) => part !== undefined).join(":");
}

/** Returns undefined for an unknown topic, which a newer daemon may send. */
export function decodeEvent(text: string): ChangeEvent | undefined {
  const [topic, ...numbers] = text.split(":");
  const [key = Number.NaN, thread, sender] = numbers.map(Number);
  const ofThread = thread === undefined ? {} : { thread };
  switch (topic) {
    case "inbox":
    case "status":
      return { topic, handle: key, ...ofThread, ...(sender === undefined ? {} : { sender }) };
    case "feed":
      return { topic, space: key, isNewWire: true, ...ofThread };
    case "approvals":
      return { topic, account: key };
  }
  return undefined;
}

/**
 * `undefined` means that events may have been lost, so the listener must discard all state built from events.
 */
export type EventListener<Event = ChangeEvent> = (event: Event | undefined) => void;

/** Calls listeners in the order in which they subscribed. */
export class EventBus {
  private readonly listeners = new Map<Topic, EventListener<never>[]>();

  subscribe<T extends Topic>(topics: readonly T[], listener: EventListener<EventsByTopic[T]>): void {
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
