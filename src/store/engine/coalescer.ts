/** Concurrent reads of one kind share a statement: what arrives while `width` of them run is the next. */
import type { BatchedRead, Session } from "./engine.js";

const MAX_BATCH = 128;

interface Entry {
  item: unknown;
  resolve: (result: never) => void;
  reject: (error: unknown) => void;
}

interface Queue {
  entries: Entry[];
  running: number;
}

export class Coalescer {
  private readonly queues = new Map<BatchedRead<never, unknown>, Queue>();

  constructor(
    private readonly session: Session,
    /** Statements of one kind that run at once. */
    private readonly width: number,
  ) {}

  read<Item, Result>(batch: BatchedRead<Item, Result>, item: Item): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const queue = this.queueOf(batch as BatchedRead<never, unknown>);
      queue.entries.push({ item, resolve, reject });
      if (queue.running >= this.width || queue.entries.length > 1) return;
      setImmediate(() => void this.drain(batch as BatchedRead<never, unknown>, queue));
    });
  }

  private queueOf(batch: BatchedRead<never, unknown>): Queue {
    let queue = this.queues.get(batch);
    if (!queue) {
      queue = { entries: [], running: 0 };
      this.queues.set(batch, queue);
    }
    return queue;
  }

  private async drain(batch: BatchedRead<never, unknown>, queue: Queue): Promise<void> {
    queue.running++;
    while (queue.entries.length > 0) {
      const entries = queue.entries.splice(0, MAX_BATCH);
      try {
        const results = await batch.run(this.session, entries.map((entry) => entry.item) as never[]);
        entries.forEach((entry, index) => void entry.resolve(results[index] as never));
      } catch (error) {
        for (const entry of entries) entry.reject(error);
      }
    }
    queue.running--;
  }
}
