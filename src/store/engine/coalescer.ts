/**
 * Batches concurrent reads. While statements for one kind of read are running, new reads of this kind wait.
 * They then share the next statement.
 */
import { monotonicMs } from "../../kernel/clock.js";
import { type BatchedRead, type Session, StoreUnavailable } from "./engine.js";
import { countReads, type StoreStatistics, WaitingCalls } from "./statistics.js";

const MAX_BATCH = 128;

export class ReadCoalescer {
  /** Queues by kind of read. */
  private readonly queues = new Map<object, { readonly waiting: WaitingCalls }>();

  constructor(
    private readonly session: Session,
    private readonly maxConcurrent: number,
    private readonly statistics: StoreStatistics,
  ) {}

  read<Item, Result>(batch: BatchedRead<Item, Result>, item: Item): Promise<Result> {
    return this.queueOf(batch).add(item);
  }

  /** Returns the longest time in milliseconds for which a queue has not been empty. */
  backlogMs(): number {
    let longestMs = 0;
    for (const { waiting } of this.queues.values()) longestMs = Math.max(longestMs, waiting.backlogMs);
    return longestMs;
  }

  private queueOf<Item, Result>(batch: BatchedRead<Item, Result>): ReadQueue<Item, Result> {
    const known = this.queues.get(batch);
    if (known instanceof ReadQueue) return known;
    const queue = new ReadQueue(batch, this.session, this.maxConcurrent, this.statistics);
    this.queues.set(batch, queue);
    return queue;
  }
}

interface Entry<Item, Result> {
  item: Item;
  queuedAtMs: number;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

class ReadQueue<Item, Result> {
  readonly waiting = new WaitingCalls();
  private readonly entries: Entry<Item, Result>[] = [];
  private running = 0;

  constructor(
    private readonly batch: BatchedRead<Item, Result>,
    private readonly session: Session,
    private readonly maxConcurrent: number,
    private readonly statistics: StoreStatistics,
  ) {}

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.entries.push({ item, queuedAtMs: monotonicMs(), resolve, reject });
      this.waiting.add();
      if (this.running >= this.maxConcurrent || this.entries.length > 1) return;
      setImmediate(() => void this.drain());
    });
  }

  private async drain(): Promise<void> {
    if (this.running >= this.maxConcurrent) return;
    this.running++;
    while (this.entries.length > 0) {
      const entries = this.entries.splice(0, MAX_BATCH);
      countReads(this.statistics, entries);
      this.waiting.remove(entries.length);
      await this.run(entries);
    }
    this.running--;
  }

  /** If the batch fails, runs each item separately, so that one failing item does not affect others. */
  private async run(entries: readonly Entry<Item, Result>[]): Promise<void> {
    try {
      const items = entries.map(({ item }) => item);
      const results = await this.batch.run(this.session, items);
      for (const [n, { resolve }] of entries.entries()) resolve(results[n]!);
    } catch (error) {
      if (entries.length === 1 || error instanceof StoreUnavailable) {
        for (const { reject } of entries) reject(error);
      } else {
        for (const entry of entries) await this.run([entry]);
      }
    }
  }
}
