/**
 * Delays irreversible steps while the clock may be wrong: deletions if it is ahead, and corrections of times
 * if it is behind. If the clock differs much from the last trusted time, the guard trusts it only after a
 * probation period, in which somebody can set the clock right. The last trusted time is stored, because other
 * stored times may come from a wrong clock.
 */
import { DAY, HOUR, MINUTE, monotonicMs, now } from "../../kernel/clock.js";
import type { Engine } from "../engine/engine.js";
import { readMeta, writeMeta } from "../engine/meta.js";

const LAST_TRUSTED = "deletion_clock";
/** If the clock differs from the last trusted time by no more than this, it is trusted at once. */
const JUMP_MS = DAY;
/** It is less than an hour, because hidden wires must be deleted within an hour. */
const PROBATION_MS = 45 * MINUTE;
/** Minimum time between two updates of the stored time. It is shorter than the time between two sweeps. */
const STORE_INTERVAL_MS = HOUR / 2;

export class ClockGuard {
  /** Set during probation: the clock's offset from the monotonic clock, and since when it has this offset. */
  private doubt: { offsetMs: number; sinceMs: number } | undefined;

  constructor(private readonly engine: Pick<Engine, "reader" | "write">) {}

  async isTrusted(at: number): Promise<boolean> {
    const last = await this.lastTrusted();
    if (!this.isPlausible(at, last)) return false;
    this.doubt = undefined;
    if (Math.abs(at - last) >= STORE_INTERVAL_MS) await this.store(at);
    return true;
  }

  /**
   * Returns whether the clock may be far behind.
   * @param at the clock's current time
   */
  async mayBeBehind(at: number): Promise<boolean> {
    const last = await this.lastTrusted();
    // Call this even if the clock is not behind, because it also ends a probation period.
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

  private async lastTrusted(): Promise<number> {
    const { reader } = this.engine;
    const stored = await readMeta(reader, LAST_TRUSTED);
    if (stored !== undefined) return Number(stored);
    const { at } = (await reader.get<{ at: number }>(NEWEST_TIME))!;
    // A new database has no rows that a wrong clock could delete.
    const last = at === 0 ? now() : at;
    await this.store(last);
    return last;
  }

  private async store(at: number): Promise<void> {
    await this.engine.write((tx) => writeMeta(tx, LAST_TRUSTED, String(at)), "retention");
  }
}

const NEWEST_TIME = `SELECT max(at) AS at FROM (
    SELECT coalesce(max(last_used_at), 0) AS at FROM api_keys
    UNION ALL SELECT coalesce(max(last_used_at), 0) FROM connections
    UNION ALL SELECT coalesce((SELECT at FROM audit ORDER BY pk DESC LIMIT 1), 0)
    UNION ALL SELECT coalesce((SELECT created_at FROM wires ORDER BY pk DESC LIMIT 1), 0)
  ) times`;
