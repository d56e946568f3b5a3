/** What daemons on one database tell each other, so that long-polls wake and caches do not go stale. */

/** Something that has been committed: an inbox has grown, or a key is in force no longer. */
export type News =
  /** @param handle pk of whose inbox it is */
  | { topic: "inbox"; handle: number }
  /** @param hash of the key */
  | { topic: "revoked"; hash: string };

/** News as one word, for their way between daemons. */
export function toText(news: News): string {
  return news.topic === "inbox" ? `inbox:${news.handle}` : `revoked:${news.hash}`;
}

/** `undefined` for news of a kind that is not known here: another daemon may be of a newer version. */
export function fromText(text: string): News | undefined {
  const [topic, subject = ""] = text.split(":");
  if (topic === "inbox") return { topic, handle: Number(subject) };
  return topic === "revoked" ? { topic, hash: subject } : undefined;
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
