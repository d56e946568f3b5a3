/** Adapts the size of steps of deletion, so that other writes wait for each only briefly, and run between two. */
import { setTimeout as sleep } from "node:timers/promises";
import { monotonicMs } from "../../kernel/clock.js";
import type { BatchedWrite, Engine, Transaction } from "../engine/engine.js";

/** A step aims at this time. Some take several times as long, as when the search index is merged, and other writes may be delayed by 20 ms. */
const STEP_MS = 4;
const MAX_ROWS_PER_STEP = 500;
const FIRST_STEP = 16;
/** Pause after a step, as a multiple of its time: deletion takes at most a quarter of the writer's time. */
const PAUSE_FACTOR = 3;
/** The same if deletion is late: half of the writer's time. */
const URGENT_PAUSE_FACTOR = 1;

type Work = (tx: Transaction) => Promise<unknown>;

/** Batched, because a batched write of one statement takes one round trip on SQLite. */
const STEPS: BatchedWrite<Work, unknown> = {
  async run(tx, steps) {
    const results: unknown[] = [];
    for (const work of steps) results.push(await work(tx));
    return results;
  },
};

export class Pace {
  /** Maximum number of rows in the next step. */
  size = FIRST_STEP;

  /** @param stopping ends a pause, which then throws an `AbortError` */
  constructor(
    private readonly engine: Pick<Engine, "writeBatched">,
    private readonly stopping: AbortSignal,
  ) {}

  /** Runs a step of at most {@link size} rows as a transaction, adapts the size of the next one, and then pauses. */
  async step<Result>(work: (tx: Transaction) => Promise<Result>, { isUrgent = false } = {}): Promise<Result> {
    let startedMs = 0;
    const timed: Work = (tx) => {
      startedMs = monotonicMs();
      return work(tx);
    };
    const result = await this.engine.writeBatched(STEPS, timed);
    const tookMs = monotonicMs() - startedMs;
    const factor = Math.min(Math.max(STEP_MS / tookMs, 1 / 4), 2);
    this.size = Math.min(Math.max(Math.round(this.size * factor), 1), MAX_ROWS_PER_STEP);
    const pauseMs = tookMs * (isUrgent ? URGENT_PAUSE_FACTOR : PAUSE_FACTOR);
    await sleep(pauseMs, undefined, { signal: this.stopping });
    return result as Result;
  }
}
