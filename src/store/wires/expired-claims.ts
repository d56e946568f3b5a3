/**
 * Wakes requests that wait for a wire to claim, if an older wire is open: its claim has expired, was given
 * back or was ended, or a search skipped it while another daemon had locked it. Expiry itself needs no timer,
 * because every read compares times.
 */
import { now } from "../../kernel/clock.js";
import type { Engine } from "../engine/engine.js";
import type { Notifier } from "../engine/notifier.js";
import { hasOpenWire } from "./claims.js";
import type { UnclaimedWires } from "./unclaimed.js";

const INTERVAL_MS = 1_000;

/** Runs while requests wait: one query for all spaces of this daemon, once a second. */
export class ExpiredClaims {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly engine: Pick<Engine, "readBatched">,
    private readonly unclaimed: UnclaimedWires,
    private readonly notifier: Notifier,
  ) {}

  watch(): void {
    this.timer ??= setTimeout(() => void this.check(), INTERVAL_MS).unref();
  }

  private async check(): Promise<void> {
    this.timer = undefined;
    const spaces = this.notifier.spacesOfClaimers();
    if (spaces.length === 0) return;
    try {
      await Promise.all(spaces.map((space) => this.wakeIfOpen(space)));
    } catch {
      // The database is unavailable. The next check tries again, and waiting requests time out.
    } finally {
      this.watch();
    }
  }

  private async wakeIfOpen(space: number): Promise<void> {
    // A stale value is good enough, because a woken request searches again. A fresh one costs a query.
    const unclaimedAfter = await this.unclaimed.after(space, Number.POSITIVE_INFINITY);
    // Use no floor, because the woken request itself leaves out wires that retention hides.
    const query = { space, floor: 0, unclaimedAfter, at: now() };
    if (await this.engine.readBatched(hasOpenWire, query)) this.notifier.wakeClaimer(space);
  }
}
