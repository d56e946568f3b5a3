/** Who is who: wires and knocks name handles and spaces by ids that nothing looks up, so names are gathered where ids are told. */
import type { Wireroom } from "../../sdk/src/index.js";
import type { Session } from "../session.js";

/** Pages of 100 that are looked through for names. */
const MOST_PAGES = 5;

export class Directory {
  readonly #handles = new Map<string, string>();
  readonly #spaces = new Map<string, string>();

  constructor(
    /** The handle that acts. */
    readonly own: { readonly id: string; readonly slug: string },
  ) {
    this.#handles.set(own.id, own.slug);
  }

  /** The bare slug of a handle; undefined where it is not known. */
  slugOf(id: string): string | undefined {
    return this.#handles.get(id);
  }

  /** `you`, `@bob`, or the end of the id: ids begin with a time, so their ends tell them apart. */
  handle(id: string): string {
    if (id === this.own.id) return "you";
    const slug = this.#handles.get(id);
    return slug === undefined ? `…${id.slice(-8)}` : `@${slug}`;
  }

  /** `#ops`, or the end of the id. */
  space(id: string): string {
    const slug = this.#spaces.get(id);
    return slug === undefined ? `space …${id.slice(-8)}` : `#${slug}`;
  }

  learn(id: string, slug: string): void {
    this.#handles.set(id, slug);
  }

  learnSpace(id: string, slug: string): void {
    this.#spaces.set(id, slug);
  }

  /** Asks for what can be known: spaces joined, contacts, and the other handles of the human who is signed in. */
  async gather(client: Wireroom, session: Session, signal: AbortSignal): Promise<void> {
    await Promise.allSettled([
      this.#gatherSpaces(client, signal),
      this.gatherContacts(client, signal),
      this.#gatherSiblings(session, signal),
    ]);
  }

  /** A knock and the contact that came of it are of one moment: the one names the id, the other the handle. */
  async gatherContacts(client: Wireroom, signal: AbortSignal): Promise<void> {
    const since = new Map<string, string[]>();
    for await (const contact of firstPages(client.contacts.listAll({ limit: 100 }, { signal })))
      since.set(contact.since, [...(since.get(contact.since) ?? []), contact.handle]);
    for (const direction of ["received", "sent"] as const) {
      const knocks = client.knocks.listAll({ direction, status: "accepted", limit: 100 }, { signal });
      for await (const { decided_at, from_handle_id, to_handle_id } of firstPages(knocks)) {
        const handles = since.get(decided_at ?? "");
        // Two contacts of one millisecond cannot be told apart.
        if (handles?.length === 1)
          this.learn(direction === "received" ? from_handle_id : to_handle_id, handles[0]!);
      }
    }
  }

  async #gatherSpaces(client: Wireroom, signal: AbortSignal): Promise<void> {
    for await (const { id, slug } of firstPages(client.spaces.listAll({ limit: 100 }, { signal })))
      this.learnSpace(id, slug);
  }

  async #gatherSiblings(session: Session, signal: AbortSignal): Promise<void> {
    const dashboard = await session.dashboard();
    const { handles } = await dashboard.handles.list({ signal, maxRetries: 0 });
    for (const { id, slug } of handles) this.learn(id, slug);
  }
}

async function* firstPages<Item>(items: AsyncGenerator<Item>): AsyncGenerator<Item> {
  let count = 0;
  for await (const item of items) {
    yield item;
    if (++count >= MOST_PAGES * 100) return;
  }
}
