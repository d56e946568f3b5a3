import { LRUCache } from "lru-cache";
import { networksOf } from "../../../src/kernel/networks.js";

export interface SharesOptions {
  /** Approximate limit on events from all sources within `windowMs`. */
  total: number;
  /** Time in which an event's weight decays to 37 %. */
  windowMs: number;
}

const MAX_NETWORKS = 50_000;

/**
 * Limits events by network. A network may use half of the free capacity of the next wider network. The widest
 * networks may use half of all free capacity. Some capacity therefore always stays free for a new network.
 * Counts decay over time, and networks with low counts get capacity first, so shares become equal.
 */
export class NetworkShares {
  private readonly used = new LRUCache<string, Use>({ maxSize: MAX_NETWORKS, sizeCalculation: () => 1 });
  private inAll: Use = { count: 0, at: 0 };

  constructor(
    private readonly options: SharesOptions,
    private readonly now: () => number,
  ) {}

  /** Returns 0 and counts the event, or returns the milliseconds to wait because a share is used up. */
  take(source: string): number {
    const networks = networksOf(source);
    const waitMs = this.waitMs(networks);
    if (waitMs > 0) return waitMs;
    this.inAll = this.oneMore(this.inAll);
    for (const network of networks) this.used.set(network, this.oneMore(this.used.get(network)));
    return 0;
  }

  /** Returns the milliseconds until all networks may have another event, if there are no other events. */
  private waitMs(networks: readonly string[]): number {
    let share = this.options.total;
    let load = this.countOf(this.inAll);
    let factor = 1;
    for (const network of networks) {
      // After these lines, `share - load` is the network's free capacity: half of the wider network's free
      // capacity, minus what the network has used.
      share /= 2;
      load = load / 2 + this.countOf(this.used.get(network));
      factor = Math.max(factor, load / (share - 1));
    }
    // All counts decay by the same factor.
    return Math.ceil(this.options.windowMs * Math.log(factor));
  }

  private countOf(use: Use | undefined): number {
    if (use === undefined) return 0;
    return use.count * Math.exp(-Math.max(0, this.now() - use.at) / this.options.windowMs);
  }

  private oneMore(use: Use | undefined): Use {
    return { count: this.countOf(use) + 1, at: this.now() };
  }
}

interface Use {
  count: number;
  at: number;
}
