/** Runs deletions in small steps with pauses, so that other writes wait only briefly. */
import { setTimeout as sleep } from "node:timers/promises";
import { monotonicMs } from "../../kernel/clock.js";
import type { BatchedWrite, Engine, Transaction } from "../engine/engine.js";

interface Speed {
  rows: number;
  /** The pause is this multiple of the step's duration. Other writes run in the pause. */
  pauseFactor: number;
}

/** The usual speed, which takes at most a quarter of the writer's time. */
const NORMAL: Speed = { rows: 32, pauseFactor: 3 };
/** The speed if deletion is late. It takes up to half of the writer's time. */
const URGENT: Speed = { rows: 96, pauseFactor: 1 };

type Work = (tx: Transaction) => Promise<number>;

/** These writes are batched, because SQLite runs a batched write of one statement in one round trip. */
const STEPS: BatchedWrite<Work, number> = {
  async run(tx, steps) {
    const counts: number[] = [];
    for (const work of steps) counts.push(await work(tx));
    return counts;
  },
};

export class Pace {
  isUrgent = false;

  /** @param stopping aborts a pause, which then throws an `AbortError` */
  constructor(
    private readonly engine: Pick<Engine, "writeBatched">,
    private readonly stopping: AbortSignal,
  ) {}

  get size(): number {
    return this.speed.rows;
  }

  /** Runs `work`, which must delete at most {@link size} rows, and then pauses. Returns the row count. */
  async step(work: Work): Promise<number> {
    const queuedMs = monotonicMs();
    let startedMs = queuedMs;
    const timed: Work = (tx) => {
      startedMs = monotonicMs();
      return work(tx);
    };
    const rows = await this.engine.writeBatched(STEPS, timed);
    const tookMs = monotonicMs() - startedMs;
    // Other writes already ran while the step waited in the queue.
    const pauseMs = tookMs * this.speed.pauseFactor - (startedMs - queuedMs);
    await sleep(Math.max(pauseMs, 0), undefined, { signal: this.stopping });
    return rows;
  }

  private get speed(): Speed {
    return this.isUrgent ? URGENT : NORMAL;
  }
}
