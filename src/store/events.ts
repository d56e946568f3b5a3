/** Change events: what daemons on one database tell each other, so that long-polls wake and caches do not go stale. */

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
