/** Adapts the size of steps of deletion, so that other writes wait for each only briefly, and run between two. */
import { monotonicMs } from "../../kernel/clock.js";
import type { Engine, Transaction } from "../engine/engine.js";

/** A step aims at this time. Some take several times as long, as when the search index is merged, and other writes may be delayed by 20 ms. */
const STEP_MS = 4;
const MAX_ROWS_PER_STEP = 500;
const FIRST_STEP = 16;
/** Pause after a step, as a multiple of its time: deletion takes at most a quarter of the writer's time. */
const PAUSE_FACTOR = 3;

export class Pace {
  /** Maximum number of rows in the next step. */
  size = FIRST_STEP;

  constructor(private readonly engine: Pick<Engine, "write">) {}

  /** Runs a step as a transaction, adapts the size of the next one, and then pauses. */
  async step<Result>(work: (tx: Transaction, limit: number) => Promise<Result>): Promise<Result> {
    const limit = this.size;
    let startedMs = 0;
    const result = await this.engine.write((tx) => {
      startedMs = monotonicMs();
      return work(tx, limit);
    }, "retention");
    const tookMs = monotonicMs() - startedMs;
    const factor = Math.min(Math.max(STEP_MS / tookMs, 1 / 4), 2);
    this.size = Math.min(Math.max(Math.round(limit * factor), 1), MAX_ROWS_PER_STEP);
    await new Promise((resolve) => setTimeout(resolve, tookMs * PAUSE_FACTOR).unref());
    return result;
  }
}
