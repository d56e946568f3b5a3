/**
 * The first pages of feeds, as long as nothing has changed in them: in a busy space many read the same one. Only where no other daemon
 * writes is that exact, as news of a change then comes before whoever made it has an answer.
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

  /** To be called before a page is read. What it gives takes the page, which is remembered unless news came meanwhile. */
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
