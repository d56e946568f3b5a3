/**
 * Remembers when each handle last began to read its inbox, to the minute
 * (docs/specification/sending.md#last-pull). The first read of a handle in a minute is saved within a second,
 * together with those of other handles. Reads do not wait for it.
 */
import { LRUCache } from "lru-cache";
import { isoTime, MINUTE, now, SECOND } from "../../kernel/clock.js";
import type { Engine } from "../../store/engine/engine.js";
import { savePulls } from "../../store/inbox/checkpoints.js";
import { LastUses } from "../pipeline/last-uses.js";

const MAX_HANDLES = 20_000;

export class InboxPulls {
  /** The latest minute of each handle. The database may have a later one from another daemon. */
  private readonly minutes = new LRUCache<number, number>({ maxSize: MAX_HANDLES, sizeCalculation: () => 1 });
  private readonly unsaved: LastUses;
  private readonly timer: NodeJS.Timeout;

  constructor(engine: Engine) {
    this.unsaved = new LastUses((pulls) => engine.write((tx) => savePulls(tx, pulls)));
    this.timer = setInterval(() => void this.save(), SECOND).unref();
  }

  record(handle: number): void {
    const minute = currentMinute();
    if (this.minutes.get(handle) === minute) return;
    this.minutes.set(handle, minute);
    this.unsaved.record(handle, minute);
  }

  /** @param saved the time in the database; null if it has none */
  lastPullAt(handle: number, saved: number | null): string | null {
    const latest = Math.max(saved ?? 0, this.minutes.get(handle) ?? 0);
    // The clock may have been set back after the pull.
    return latest === 0 ? null : isoTime(Math.min(latest, currentMinute()));
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.save();
  }

  /** If the database cannot be written, a later call saves the pulls. */
  private async save(): Promise<void> {
    await this.unsaved.save().catch(() => undefined);
  }
}

function currentMinute(): number {
  const at = now();
  return at - (at % MINUTE);
}
