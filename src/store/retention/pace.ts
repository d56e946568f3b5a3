/** Adapts the size of steps of deletion, so that other writes wait for each only briefly, and run between two. */
import { setTimeout as sleep } from "node:timers/promises";
import { monotonicMs } from "../../kernel/clock.js";
import type { BatchedWrite, Engine, Transaction } from "../engine/engine.js";

/** A step aims at this time. Some take several times as long, and no other write should wait for more than 20 ms. */
const STEP_MS = 4;
const MAX_ROWS_PER_STEP = 500;
const FIRST_STEP = 16;
/** Pause after a step, as a multiple of its time: deletion takes at most a quarter of the writer's time. */
const PAUSE_FACTOR = 3;
/** The same if deletion is late: half of the writer's time. */
const URGENT_PAUSE_FACTOR = 1;

/** Deletes rows. Returns their number. */
type Work = (tx: Transaction) => Promise<number>;

/** Batched, because a batched write of one statement takes one round trip on SQLite. */
const STEPS: BatchedWrite<Work, number> = {
  async run(tx, steps) {
    const counts: number[] = [];
    for (const work of steps) counts.push(await work(tx));
    return counts;
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

  /** Runs a step of at most {@link size} rows as a transaction, adapts the size of the next one, and then pauses. Returns the number of rows. */
  async step(work: Work, { isUrgent = false } = {}): Promise<number> {
    let startedMs = 0;
    const timed: Work = (tx) => {
      startedMs = monotonicMs();
      return work(tx);
    };
    const rows = await this.engine.writeBatched(STEPS, timed);
    const tookMs = monotonicMs() - startedMs;
    // A step of fewer rows does not show how long a full one takes.
    const largest = rows < this.size ? 1 : 2;
    const factor = Math.min(Math.max(STEP_MS / tookMs, 1 / 4), largest);
    this.size = Math.min(Math.max(Math.round(this.size * factor), 1), MAX_ROWS_PER_STEP);
    const pauseMs = tookMs * (isUrgent ? URGENT_PAUSE_FACTOR : PAUSE_FACTOR);
    await sleep(pauseMs, undefined, { signal: this.stopping });
    return rows;
  }
}
