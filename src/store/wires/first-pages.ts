/**
 * A cache of the first pages of feeds, as many read the same one in a busy space. An event of the space (a wire added, removed or voted
 * on) invalidates its pages. They cannot be stale where this process alone writes, as the event comes before the answer of the write;
 * on PostgreSQL the cache stays empty.
 */
import type { Engine } from "../engine/engine.js";
import type { FeedPage } from "./pages.js";

/** Bytes that are remembered at most, and what a page takes beside its own. */
const KEPT = 32 * 1024 * 1024;
const OVERHEAD = 1_000;
/** Pages of one space: two orders, with and without replies, of some sizes. */
const KEPT_OF_SPACE = 6;

/** What is remembered of a space until something changes in it; another one is made then. */
class Space {
  readonly pages = new Map<string, FeedPage>();
  bytes = 0;
}

export class FirstPages {
  /** By space, the one that was last read from the database last. */
  private readonly spaces = new Map<number, Space>();
  private readonly isExact: boolean;
  private bytes = 0;

  constructor(engine: Pick<Engine, "isSoleWriter" | "subscribe">) {
    this.isExact = engine.isSoleWriter;
    if (!this.isExact) return;
    engine.subscribe(["feed"], (event) => {
      if (event) this.forget(event.space);
      else for (const space of [...this.spaces.keys()]) this.forget(space);
    });
  }

  /** @param shape which of the feed's pages, as any text */
  of(space: number, shape: string): FeedPage | undefined {
    return this.spaces.get(space)?.pages.get(shape);
  }

  /** Call before reading a page. Returns the function that takes the page; it is dropped if an event came meanwhile. */
  reading(space: number, shape: string): (page: FeedPage) => void {
    if (!this.isExact) return () => undefined;
    const before = this.spaces.get(space) ?? new Space();
    this.spaces.delete(space);
    this.spaces.set(space, before);
    return (page) => {
      if (this.spaces.get(space) !== before || before.pages.size >= KEPT_OF_SPACE || before.pages.has(shape))
        return;
      const size = page.wires.length + OVERHEAD;
      before.pages.set(shape, page);
      before.bytes += size;
      this.bytes += size;
      while (this.bytes > KEPT) this.forget(this.spaces.keys().next().value!);
    };
  }

  private forget(space: number): void {
    this.bytes -= this.spaces.get(space)?.bytes ?? 0;
    this.spaces.delete(space);
  }
}
