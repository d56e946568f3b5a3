/** Remembers where the unclaimed wires of each space begin, so that a search skips finished wires. */
import { LRUCache } from "lru-cache";
import { now } from "../../kernel/clock.js";
import type { Engine } from "../engine/engine.js";
import { firstUnclaimed } from "./claims.js";

const MAX_SPACES = 1_000;
const MAX_AGE_MS = 250;

export class UnclaimedWires {
  private readonly found = new LRUCache<number, { after: Promise<number>; at: number }>({ max: MAX_SPACES });

  constructor(private readonly engine: Pick<Engine, "reader">) {}

  /**
   * Returns a primary key up to which every root wire of the space was claimed or removed. The key only
   * rises, because a wire keeps its row in `claims` until it is removed, and keys within a space increase in
   * commit order. So a stale key is still correct, but makes the search longer.
   */
  after(space: number, maxAgeMs = MAX_AGE_MS): Promise<number> {
    const at = now();
    const cached = this.found.get(space);
    if (cached && at >= cached.at && at < cached.at + maxAgeMs) return cached.after;
    const after = this.search(space, cached?.after);
    this.found.set(space, { after, at });
    after.catch(() => this.found.delete(space));
    return after;
  }

  private async search(space: number, earlier: Promise<number> | undefined): Promise<number> {
    const known = (await earlier?.catch(() => 0)) ?? 0;
    return firstUnclaimed(this.engine.reader, space, known);
  }
}
