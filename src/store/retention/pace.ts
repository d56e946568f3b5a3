/** Runs deletions in small steps, so that other writes wait for each only briefly, and run between two. */
import { setTimeout as sleep } from "node:timers/promises";
import { monotonicMs } from "../../kernel/clock.js";
import type { BatchedWrite, Engine, Transaction } from "../engine/engine.js";

interface Speed {
  /** Maximum number of rows in a step. SQLite deletes a wire in about 0.1 ms. */
  rows: number;
  /** Time for other writes between two steps, as a multiple of the step's time. */
  pauseFactor: number;
}

/** Deletion takes at most a quarter of the writer's time. */
const NORMAL: Speed = { rows: 32, pauseFactor: 3 };
/** If deletion is late, it takes half of the writer's time. */
const URGENT: Speed = { rows: 96, pauseFactor: 1 };

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
  /** Whether deletion is late. */
  isUrgent = false;

  /** @param stopping ends a pause, which then throws an `AbortError` */
  constructor(
    private readonly engine: Pick<Engine, "writeBatched">,
    private readonly stopping: AbortSignal,
  ) {}

  /** Maximum number of rows in the next step. */
  get size(): number {
    return this.speed.rows;
  }

  /** Runs a transaction of at most {@link size} rows, and then pauses. Returns the number of rows. */
  async step(work: Work): Promise<number> {
    const queuedMs = monotonicMs();
    let startedMs = queuedMs;
    const timed: Work = (tx) => {
      startedMs = monotonicMs();
      return work(tx);
    };
    const rows = await this.engine.writeBatched(STEPS, timed);
    const tookMs = monotonicMs() - startedMs;
    // Other writes also ran while the step waited for its turn.
    const pauseMs = tookMs * this.speed.pauseFactor - (startedMs - queuedMs);
    await sleep(Math.max(pauseMs, 0), undefined, { signal: this.stopping });
    return rows;
  }

  private get speed(): Speed {
    return this.isUrgent ? URGENT : NORMAL;
  }
}
