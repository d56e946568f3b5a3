import { monotonicMs } from "../../kernel/clock.js";

/** So many keys at most; those added longest ago are forgotten first. */
const MAX_KEYS = 10_000;

/** A set of strings, each of which is forgotten some time after it was last added. */
export class RecentKeys {
  /** When each was added, in the order of adding. */
  readonly #added = new Map<string, number>();

  /** @param lifetime in milliseconds */
  constructor(readonly lifetime: number) {}

  has(key: string): boolean {
    const added = this.#added.get(key);
    if (added === undefined) return false;
    if (monotonicMs() - added <= this.lifetime) return true;
    this.#added.delete(key);
    return false;
  }

  add(key: string): void {
    this.#added.delete(key);
    this.#added.set(key, monotonicMs());
    if (this.#added.size <= MAX_KEYS) return;
    const [oldest] = this.#added.keys();
    if (oldest !== undefined) this.#added.delete(oldest);
  }
}
