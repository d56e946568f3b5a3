/** What daemons on one database tell each other, so that long-polls wake and caches do not go stale. */

/**
 * Something that has been committed and is about a handle (its pk): its inbox has grown, or its standing has changed: a
 * key of it was revoked, or it was suspended, restored or retired.
 */
export interface HandleNews {
  topic: "inbox" | "standing";
  handle: number;
  /** The wire by which its inbox has grown, as JSON, and its number there. Not told to other daemons. */
  wire?: { seq: number; doc: string };
}

/** A wire of a space (its pk) was added, removed or voted on. Nobody has to hear of it from another daemon. */
export interface FeedNews {
  topic: "feed";
  space: number;
}

export type News = HandleNews | FeedNews;

/** News as one word, for their way between daemons. */
export function toText({ topic, handle }: HandleNews): string {
  return `${topic}:${handle}`;
}

/** `undefined` for news of a kind that is not known here: another daemon may be of a newer version. */
export function fromText(text: string): HandleNews | undefined {
  const [topic, handle] = text.split(":");
  return topic === "inbox" || topic === "standing" ? { topic, handle: Number(handle) } : undefined;
}

/** Hears news. `undefined` says that some may have been missed: whatever rests on them is to be looked up again. */
export type NewsListener = (news: News | undefined) => void;

/** Hands news on to those in this process who listen. */
export class NewsDesk {
  private readonly listeners: NewsListener[] = [];

  add(listener: NewsListener): void {
    this.listeners.push(listener);
  }

  publish(news: News | undefined): void {
    for (const listener of this.listeners) listener(news);
  }
}
