import { LRUCache } from "lru-cache";
import { networksOf } from "../../../src/kernel/networks.js";

export interface SharesOptions {
  /** About the maximum number of events of all sources within `windowMs`. */
  total: number;
  /** Time in which the memory of an event fades to 37 %. */
  windowMs: number;
}

/** Maximum number of networks in memory. The least recently used one is forgotten. */
const MAX_NETWORKS = 50_000;

/**
 * Counts events by the networks of their sources. A network may use half of what the network around it has
 * left, and the widest ones half of what is left in all. What one has used fades, and who has used least may
 * use more first. So all get the same in the end, and something is left for a newcomer, however many networks
 * use all that they may.
 */
export class NetworkShares {
  private readonly used = new LRUCache<string, Use>({ maxSize: MAX_NETWORKS, sizeCalculation: () => 1 });
  private inAll: Use = { count: 0, at: 0 };

  constructor(
    private readonly options: SharesOptions,
    private readonly now: () => number,
  ) {}

  /** Counts an event, and returns 0, or the milliseconds until the networks have a share again. */
  take(source: string): number {
    const networks = networksOf(source);
    const waitMs = this.waitMs(networks);
    if (waitMs > 0) return waitMs;
    this.inAll = this.oneMore(this.inAll);
    for (const network of networks) this.used.set(network, this.oneMore(this.used.get(network)));
    return 0;
  }

  /** Returns the milliseconds until all networks may have one more event, if no other is counted. */
  private waitMs(networks: readonly string[]): number {
    let share = this.options.total;
    let load = this.countOf(this.inAll);
    let factor = 1;
    for (const network of networks) {
      // Half of what is left, `share - load`, less what the network itself has used.
      share /= 2;
      load = load / 2 + this.countOf(this.used.get(network));
      factor = Math.max(factor, load / (share - 1));
    }
    // All counts fade by the same factor.
    return Math.ceil(this.options.windowMs * Math.log(factor));
  }

  /** Returns what is left of a count by now. */
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
