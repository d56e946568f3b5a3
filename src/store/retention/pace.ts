/**
 * Adapts the size of steps of deletion, so that other writes wait for each only briefly, and run between two.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { monotonicMs } from "../../kernel/clock.js";
import type { BatchedWrite, Engine, Transaction } from "../engine/engine.js";

interface Speed {
  /**
   * A step aims at this time. Some take several times as long, and no other write should wait for more than
   * 50 ms.
   */
  stepMs: number;
  /**
   * Rows that a step has at least. Under load, its result waits for the event loop for longer than SQLite
   * took, so that ever smaller steps would follow. SQLite deletes a wire in about 0.1 ms.
   */
  leastRows: number;
  /** Time for other writes between two steps, as a multiple of the step's time. */
  pauseFactor: number;
}

/** Deletion takes at most a quarter of the writer's time. */
const NORMAL: Speed = { stepMs: 4, leastRows: 32, pauseFactor: 3 };
/** The same if deletion is late: half of the writer's time. */
const URGENT: Speed = { stepMs: 12, leastRows: 96, pauseFactor: 1 };
const MAX_ROWS_PER_STEP = 500;
const FIRST_STEP = 16;
/**
 * A step that takes longer is slow itself, for example on a slow disk, and the next one may have fewer rows
 * than `leastRows`.
 */
const SLOW_MS = 200;

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

  /**
   * Runs a step of at most {@link size} rows as a transaction, adapts the size of the next one, and then
   * pauses. Returns the number of rows.
   */
  async step(work: Work, { isUrgent = false } = {}): Promise<number> {
    const { stepMs, leastRows, pauseFactor } = isUrgent ? URGENT : NORMAL;
    const queuedMs = monotonicMs();
    let startedMs = queuedMs;
    const timed: Work = (tx) => {
      startedMs = monotonicMs();
      return work(tx);
    };
    const rows = await this.engine.writeBatched(STEPS, timed);
    const tookMs = monotonicMs() - startedMs;
    // A step of fewer rows does not show how long a full one takes.
    const largest = rows < this.size ? 1 : 2;
    const factor = Math.min(Math.max(stepMs / tookMs, 1 / 4), largest);
    const least = tookMs < SLOW_MS ? Math.min(leastRows, this.size * largest) : 1;
    this.size = Math.min(Math.max(Math.round(this.size * factor), least), MAX_ROWS_PER_STEP);
    // Other writes also ran while the step waited for its turn.
    const pauseMs = tookMs * pauseFactor - (startedMs - queuedMs);
    await sleep(Math.max(pauseMs, 0), undefined, { signal: this.stopping });
    return rows;
  }
}
