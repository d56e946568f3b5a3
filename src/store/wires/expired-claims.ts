/**
 * Wakes requests that wait for a claimable wire when one has become open without a new wire: its claim has
 * expired, was given back or was ended. Expiry itself needs no timer, because every read compares times.
 */
import { now } from "../../kernel/clock.js";
import type { Engine } from "../engine/engine.js";
import type { Notifier } from "../engine/notifier.js";
import { spacesWithOpenClaims } from "./claims.js";

const INTERVAL_MS = 1_000;

/** Runs while requests wait: one query for all spaces of this daemon, once a second. */
export class ExpiredClaims {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly engine: Pick<Engine, "reader">,
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
      const open = await spacesWithOpenClaims(this.engine.reader, spaces, now());
      for (const space of open) this.notifier.wakeClaimer(space);
    } catch {
      // The database is out of reach. The next check tries again, and waiting requests end by themselves.
    } finally {
      this.watch();
    }
  }
}
