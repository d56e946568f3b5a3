/**
 * Delays what cannot be undone while the clock may be wrong: deletion by a clock that is ahead, and the
 * correction of times by one that is behind. A clock that is far from what the store last saw is believed
 * only after it has run for a while: time enough to correct it. The store keeps the last believed time,
 * because a daemon with a wrong clock stores other times, too, and may start again.
 */
import { DAY, HOUR, MINUTE, monotonicMs, now } from "../../kernel/clock.js";
import type { Engine } from "../engine/engine.js";
import { readMeta, writeMeta } from "../meta.js";

/** The name in `meta` of the last believed time. */
const BELIEVED = "deletion_clock";
/**
 * A clock may be ahead by this much, because the daemon may have been stopped for some time. A clock may be
 * behind by as much.
 */
const JUMP_MS = DAY;
/** Shorter than the hour within which hidden wires are deleted. */
const PROBATION_MS = 45 * MINUTE;
/** Shorter than the time between two sweeps. */
const STORE_INTERVAL_MS = HOUR / 2;

export class ClockGuard {
  /**
   * The doubted clock as its offset from the monotonic clock, and the monotonic time at which the probation
   * began.
   */
  private doubt: { offsetMs: number; sinceMs: number } | undefined;

  constructor(private readonly engine: Pick<Engine, "reader" | "write">) {}

  /** Returns whether rows may be deleted by a clock that says `at`, which must be the present time. */
  async isBelieved(at: number): Promise<boolean> {
    const last = await this.lastBelieved();
    if (!this.isPlausible(at, last)) return false;
    this.doubt = undefined;
    if (Math.abs(at - last) >= STORE_INTERVAL_MS) await this.store(at);
    return true;
  }

  /** Returns whether the clock says `at`, the present time, but may be far behind. */
  async mayBeBehind(at: number): Promise<boolean> {
    const last = await this.lastBelieved();
    // Also if the clock is not behind, because that ends a doubt.
    const isPlausible = this.isPlausible(at, last);
    return at < last && !isPlausible;
  }

  private isPlausible(at: number, last: number): boolean {
    if (Math.abs(at - last) <= JUMP_MS) {
      this.doubt = undefined;
      return true;
    }
    const offsetMs = at - monotonicMs();
    if (!this.doubt || Math.abs(offsetMs - this.doubt.offsetMs) > JUMP_MS)
      this.doubt = { offsetMs, sinceMs: monotonicMs() };
    return monotonicMs() - this.doubt.sinceMs >= PROBATION_MS;
  }

  private async lastBelieved(): Promise<number> {
    const { reader } = this.engine;
    const stored = await readMeta(reader, BELIEVED);
    if (stored !== undefined) return Number(stored);
    const { at } = (await reader.get<{ at: number }>(NEWEST_TIME))!;
    // A new store has nothing to lose.
    const last = at === 0 ? now() : at;
    await this.store(last);
    return last;
  }

  private async store(at: number): Promise<void> {
    await this.engine.write((tx) => writeMeta(tx, BELIEVED, String(at)), "retention");
  }
}

/**
 * The newest time that a daemon has stored; 0 in a new store. The last use of a key is stored to the minute.
 */
const NEWEST_TIME = `SELECT max(at) AS at FROM (
    SELECT coalesce(max(last_used_at), 0) AS at FROM api_keys
    UNION ALL SELECT coalesce(max(last_used_at), 0) FROM connections
    UNION ALL SELECT coalesce((SELECT at FROM audit ORDER BY pk DESC LIMIT 1), 0)
    UNION ALL SELECT coalesce((SELECT created_at FROM wires ORDER BY pk DESC LIMIT 1), 0)
  ) times`;
