/**
 * Change events, which daemons on one database send each other after a commit. The events wake held requests
 * and invalidate caches. This file contains the event types and the event bus of a process. `notifier.ts`
 * wakes held requests.
 */

/**
 * A committed change of one handle. Topic `inbox`: an item was appended to its inbox. Topic `status`: the
 * handle was suspended, restored or retired, one of its API keys was revoked, or it lost a membership.
 */
export interface HandleEvent {
  topic: "inbox" | "status";
  handle: number;
  /** The thread of the wire that was appended, if the wire is a reply. */
  thread?: number;
  /** The sender of the reply. Daemons of earlier versions do not send it. */
  sender?: number;
  /**
   * The wire that was appended: its inbox sequence number and its JSON. Other daemons do not receive this
   * field.
   */
  wire?: { seq: number; doc: string };
}

/**
 * Published when a wire of a space was added, removed or voted on. Other daemons receive only added wires.
 */
export interface FeedEvent {
  topic: "feed";
  space: number;
  isNewWire: boolean;
  /** The thread of the new wire, if it is a reply. */
  thread?: number;
}

/** Published when a wire or knock of an account was held for approval. */
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
 * Encodes an event for NOTIFY, without spaces: `inbox:42`, or `inbox:42:97:8` for a reply of handle 8 in
 * thread 97.
 */
export function encodeEvent(event: ChangeEvent): string {
  if (event.topic === "approvals") return `approvals:${event.account}`;
  const [key, sender] = event.topic === "feed" ? [event.space] : [event.handle, event.sender];
  return [event.topic, key, event.thread, sender].filter((part) => part !== undefined).join(":");
}

/** Decodes an event. Returns `undefined` for an unknown topic, which a newer daemon may send. */
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
 * Receives an event, or `undefined` if events may have been lost. After `undefined`, state that was built
 * from events is invalid.
 */
export type EventListener<Event = ChangeEvent> = (event: Event | undefined) => void;

/** The event bus of one process. Listeners are called in the order in which they subscribed. */
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
