/** Fetches what the right-hand pane shows: the thread of what is selected, or a search. */
import type { InboxItem, Wire, Wireroom } from "../../../sdk/src/index.js";
import { sleep } from "../../clock.js";
import { type Placed, threadTree } from "../../output/show/thread.js";
import type { Entry } from "./items.js";
import { layoutOf } from "./layout.js";
import type { InboxState } from "./state.js";
import { broughtIntoView, type Thread } from "./thread.js";
import { threadContent } from "./thread-content.js";

/** Milliseconds that a selection must stand before its thread is fetched: whoever scrolls on wants another. */
const SETTLED = 60;
const PAGE = 100;

export interface ThreadPaneOwner {
  state(): InboxState;
  show(thread: Thread | undefined): void;
  fail(error: unknown): void;
}

export class ThreadPane {
  /** Threads seen, by id, so that going back shows them at once. */
  readonly #seen = new Map<string, Thread>();
  #fetching = new AbortController();
  /** What is fetched: the wire that the pane follows. */
  #wire: string | undefined;

  constructor(
    private readonly client: Wireroom,
    private readonly owner: ThreadPaneOwner,
  ) {}

  stop(): void {
    this.#fetching.abort();
  }

  /** Shows the thread of an item of the list. */
  follow(item: InboxItem | undefined): void {
    const wire =
      item?.kind === "wire"
        ? item.wire.id
        : item?.kind === "tombstone_notice"
          ? item.notice.wire_id
          : undefined;
    const id =
      item?.kind === "wire"
        ? item.wire.thread_id
        : item?.kind === "tombstone_notice"
          ? item.notice.thread_id
          : "";
    const seen = this.#seen.get(id);
    this.owner.show(seen && this.#at(seen, wire));
    this.#fetch(wire, SETTLED);
  }

  /** Fetches the shown thread again. @param select the wire to select then; by default the one that is */
  reload(wire: string | undefined, select = wire): void {
    if (wire !== undefined) this.#fetch(wire, 0, select);
  }

  /** Fetches the shown thread again where one of these belongs to it. */
  newsOf(entries: readonly Entry[]): void {
    const { thread } = this.owner.state();
    const concerns = entries.some(({ item }) => {
      if (item.kind === "knock") return false;
      return (item.kind === "wire" ? item.wire.thread_id : item.notice.thread_id) === thread?.id;
    });
    if (concerns && thread) this.#fetch(this.#wire, 0, thread.placed[thread.selected]?.wire.id);
  }

  /** Shows the wires of a space that a search finds. Throws what the service refuses. */
  async search(slug: string, q: string): Promise<void> {
    const signal = this.#begin(undefined);
    const { wires, next_cursor } = await this.client.spaces.search({ slug, q, limit: PAGE }, { signal });
    const placed = wires.map((wire): Placed => ({ wire, depth: 0 }));
    const title = `#${slug}: ${q}`;
    this.owner.show({ id: title, title, placed, next: next_cursor, selected: 0, top: 0 });
    this.#more = async (cursor) => {
      const page = await this.client.spaces.search({ slug, q, cursor, limit: PAGE });
      return [page.wires.map((wire) => ({ wire, depth: 0 })), page.next_cursor, true];
    };
  }

  /** Adds the next page to what is shown. */
  async more(): Promise<void> {
    const { thread } = this.owner.state();
    if (!thread?.next) return;
    const [placed, next, isAppended] = await this.#more(thread.next);
    const wires = [...thread.placed, ...placed];
    this.owner.show({
      ...thread,
      placed: isAppended ? wires : threadTree(wires.map(({ wire }) => wire)),
      next,
    });
  }

  #more: (cursor: string) => Promise<[Placed[], string | null, boolean]> = async () => [[], null, true];

  #begin(wire: string | undefined): AbortSignal {
    this.#fetching.abort();
    this.#fetching = new AbortController();
    this.#wire = wire;
    return this.#fetching.signal;
  }

  #fetch(wire: string | undefined, delay: number, select = wire): void {
    const signal = this.#begin(wire);
    if (wire !== undefined) void this.#load(wire, select, delay, signal);
  }

  async #load(id: string, select: string | undefined, delay: number, signal: AbortSignal): Promise<void> {
    await sleep(delay, signal);
    if (signal.aborted) return;
    try {
      const page = await this.client.threads.get({ id, limit: PAGE }, { signal, maxRetries: 1 });
      if (signal.aborted) return;
      this.#more = async (cursor) => {
        const { wires, next_cursor } = await this.client.threads.get({ id, cursor, limit: PAGE });
        return [wires.map((wire) => ({ wire, depth: 0 })), next_cursor, false];
      };
      const thread = this.#threadOf(page.wires, page.next_cursor);
      this.#seen.set(thread.id, thread);
      this.owner.show(this.#at(thread, select));
    } catch (error) {
      if (!signal.aborted) this.owner.fail(error);
    }
  }

  #threadOf(wires: readonly Wire[], next: string | null): Thread {
    const before = this.owner.state().thread;
    const id = wires[0]!.thread_id;
    const top = before?.id === id ? before.top : 0;
    return { id, title: "Thread", placed: threadTree(wires), next, selected: 0, top };
  }

  /** With this wire selected and on the screen. */
  #at(thread: Thread, wire: string | undefined): Thread {
    const { me, size } = this.owner.state();
    const selected = Math.max(
      0,
      thread.placed.findIndex((each) => each.wire.id === wire),
    );
    const { threadText, rows } = layoutOf(size);
    const extent = threadContent(thread.placed, { me, width: threadText, now: 0 });
    return { ...thread, ...broughtIntoView({ selected, top: thread.top }, extent, rows) };
  }
}
