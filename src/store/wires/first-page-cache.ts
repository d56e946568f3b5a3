/**
 * Caches the first page of each feed until something in the space changes or retention hides another wire. On
 * PostgreSQL, the cache is disabled, because other daemons can also write.
 */
import type { Engine } from "../engine/engine.js";
import type { FeedPage } from "./feed.js";

const MAX_TOTAL_BYTES = 32 * 1024 * 1024;
/** Estimated memory of a page in addition to its JSON. */
const PAGE_OVERHEAD_BYTES = 1_000;
/** Pages differ by order, size, and whether they contain replies. */
const MAX_PAGES_PER_SPACE = 6;

/** Any change in the space discards the whole object. */
class CachedSpace {
  readonly pages = new Map<string, { page: FeedPage; floor: number }>();
  bytes = 0;
}

export class FirstPageCache {
  /** By space. The most recently loaded entry is last. */
  private readonly spaces = new Map<number, CachedSpace>();
  private readonly isEnabled: boolean;
  private bytes = 0;

  constructor(engine: Pick<Engine, "isSoleWriter" | "subscribe">) {
    this.isEnabled = engine.isSoleWriter;
    if (!this.isEnabled) return;
    engine.subscribe(["feed"], (event) => {
      if (event) this.remove(event.space);
      else for (const space of [...this.spaces.keys()]) this.remove(space);
    });
  }

  /** @param shape the page's order, filter and size */
  get(space: number, shape: string, floor: number): FeedPage | undefined {
    const cached = this.spaces.get(space)?.pages.get(shape);
    return cached?.floor === floor ? cached.page : undefined;
  }

  /**
   * Must be called before a page is read. The returned function caches the page, unless the space has changed
   * during the read.
   * @param floor highest primary key that retention hides in the space
   */
  beginLoad(space: number, shape: string, floor: number): (page: FeedPage) => void {
    if (!this.isEnabled) return () => undefined;
    const entry = this.spaces.get(space) ?? new CachedSpace();
    this.spaces.delete(space);
    this.spaces.set(space, entry);
    return (page) => {
      const replaced = entry.pages.get(shape);
      if (
        this.spaces.get(space) !== entry ||
        (entry.pages.size >= MAX_PAGES_PER_SPACE && !replaced) ||
        replaced?.floor === floor
      )
        return;
      const size = sizeOf(page) - (replaced ? sizeOf(replaced.page) : 0);
      entry.pages.set(shape, { page, floor });
      entry.bytes += size;
      this.bytes += size;
      while (this.bytes > MAX_TOTAL_BYTES) this.remove(this.spaces.keys().next().value!);
    };
  }

  private remove(space: number): void {
    this.bytes -= this.spaces.get(space)?.bytes ?? 0;
    this.spaces.delete(space);
  }
}

function sizeOf({ wires }: FeedPage): number {
  return (wires?.length ?? 0) + PAGE_OVERHEAD_BYTES;
}
