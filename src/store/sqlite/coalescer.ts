/** Concurrent reads of one kind share a statement: what arrives while one runs is the next. */
import type { BatchedRead, Session } from "../engine.js";

const MAX_BATCH = 128;

interface Entry {
  item: unknown;
  resolve: (result: never) => void;
  reject: (error: unknown) => void;
}

export class Coalescer {
  private readonly queues = new Map<BatchedRead<never, unknown>, Entry[]>();

  constructor(private readonly session: Session) {}

  read<Item, Result>(batch: BatchedRead<Item, Result>, item: Item): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const entry = { item, resolve, reject };
      const queue = this.queues.get(batch);
      if (queue) return queue.push(entry);
      const started: Entry[] = [entry];
      this.queues.set(batch, started);
      setImmediate(() => void this.drain(batch as BatchedRead<never, unknown>, started));
    });
  }

  private async drain(batch: BatchedRead<never, unknown>, queue: Entry[]): Promise<void> {
    while (queue.length > 0) {
      const entries = queue.splice(0, MAX_BATCH);
      try {
        const results = await batch.run(this.session, entries.map((entry) => entry.item) as never[]);
        entries.forEach((entry, index) => void entry.resolve(results[index] as never));
      } catch (error) {
        for (const entry of entries) entry.reject(error);
      }
    }
    this.queues.delete(batch);
  }
}
