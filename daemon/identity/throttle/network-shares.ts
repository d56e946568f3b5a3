import { LRUCache } from "lru-cache";
import { networksOf } from "../../../src/kernel/networks.js";

export interface SharesOptions {
  /** Approximate maximum number of events from all sources within `windowMs`. */
  total: number;
  /** Time in which an event's weight decays to 37 %. */
  windowMs: number;
}

/** Maximum number of networks in memory. The least recently used network is evicted. */
const MAX_NETWORKS = 50_000;

/**
 * Counts events by the networks that contain their sources. A network may use half of the free capacity of
 * the network that contains it, and the widest networks may use half of the total free capacity. Some
 * capacity therefore always stays free for a new network. Counts decay over time. The network with the lowest
 * count gets capacity first, so all networks converge to equal shares.
 */
export class NetworkShares {
  private readonly used = new LRUCache<string, Use>({ maxSize: MAX_NETWORKS, sizeCalculation: () => 1 });
  private inAll: Use = { count: 0, at: 0 };

  constructor(
    private readonly options: SharesOptions,
    private readonly now: () => number,
  ) {}

  /** Counts an event and returns 0. If a share is used up, returns the milliseconds to wait instead. */
  take(source: string): number {
    const networks = networksOf(source);
    const waitMs = this.waitMs(networks);
    if (waitMs > 0) return waitMs;
    this.inAll = this.oneMore(this.inAll);
    for (const network of networks) this.used.set(network, this.oneMore(this.used.get(network)));
    return 0;
  }

  /**
   * Returns the milliseconds until all networks may have another event, if no other events occur until then.
   */
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

  /** Returns a count's current value, after decay. */
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
