/**
 * Batches concurrent reads. While statements of one kind of read are running, new requests of that kind wait.
 * These requests then share the next statement.
 */
import { monotonicMs } from "../../kernel/clock.js";
import { type BatchedRead, type Session, StoreUnavailable } from "./engine.js";
import { countReads, type StoreStatistics } from "./statistics.js";
import { WaitingCalls } from "./waiting-calls.js";

const MAX_BATCH = 128;

interface Entry {
  item: unknown;
  queuedAtMs: number;
  resolve: (result: never) => void;
  reject: (error: unknown) => void;
}

interface Queue {
  waiting: WaitingCalls;
  entries: Entry[];
  running: number;
}

export class ReadCoalescer {
  private readonly queues = new Map<BatchedRead<never, unknown>, Queue>();

  constructor(
    private readonly session: Session,
    /** Maximum number of concurrent statements for each kind of read. */
    private readonly maxConcurrent: number,
    private readonly statistics: StoreStatistics,
  ) {}

  read<Item, Result>(batch: BatchedRead<Item, Result>, item: Item): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const queue = this.queueOf(batch as BatchedRead<never, unknown>);
      queue.entries.push({ item, queuedAtMs: monotonicMs(), resolve, reject });
      queue.waiting.add();
      if (queue.running >= this.maxConcurrent || queue.entries.length > 1) return;
      setImmediate(() => void this.drain(batch as BatchedRead<never, unknown>, queue));
    });
  }

  /** Milliseconds for which reads of any kind have been waiting without a pause. */
  standingMs(): number {
    let longestMs = 0;
    for (const { waiting } of this.queues.values()) longestMs = Math.max(longestMs, waiting.standingMs);
    return longestMs;
  }

  private queueOf(batch: BatchedRead<never, unknown>): Queue {
    let queue = this.queues.get(batch);
    if (!queue) {
      queue = { waiting: new WaitingCalls(), entries: [], running: 0 };
      this.queues.set(batch, queue);
    }
    return queue;
  }

  private async drain(batch: BatchedRead<never, unknown>, queue: Queue): Promise<void> {
    if (queue.running >= this.maxConcurrent) return;
    queue.running++;
    while (queue.entries.length > 0) {
      const entries = queue.entries.splice(0, MAX_BATCH);
      countReads(this.statistics, entries);
      queue.waiting.remove(entries.length);
      await this.run(batch, entries);
    }
    queue.running--;
  }

  /**
   * Runs a batch. If it fails, runs each of its items separately, so that a failing item does not affect
   * other reads.
   */
  private async run(batch: BatchedRead<never, unknown>, entries: Entry[]): Promise<void> {
    try {
      const results = await batch.run(this.session, entries.map((entry) => entry.item) as never[]);
      entries.forEach((entry, index) => void entry.resolve(results[index] as never));
    } catch (error) {
      const [only, ...others] = entries;
      if (others.length === 0 || error instanceof StoreUnavailable) {
        for (const entry of entries) entry.reject(error);
      } else {
        for (const entry of [only!, ...others]) await this.run(batch, [entry]);
      }
    }
  }
}
