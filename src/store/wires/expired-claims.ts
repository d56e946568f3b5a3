/**
 * Wakes requests that wait for a claimable wire when one is open although no new wire has come: its claim has
 * expired, was given back or was ended, or a search skipped it while another daemon had locked it. Expiry
 * itself needs no timer, because every read compares times.
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
      // The database is out of reach. The next check tries again, and waiting requests end by themselves.
    } finally {
      this.watch();
    }
  }

  private async wakeIfOpen(space: number): Promise<void> {
    // Any age will do, because requests that wake search again. A new search would take a query per space.
    const unclaimedAfter = await this.unclaimed.after(space, Number.POSITIVE_INFINITY);
    // The request that is woken leaves out the wires that retention hides.
    const query = { space, floor: 0, unclaimedAfter, at: now() };
    if (await this.engine.readBatched(hasOpenWire, query)) this.notifier.wakeClaimer(space);
  }
}
