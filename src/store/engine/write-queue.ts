/**
 * The writes that wait for a transaction. Both engines take jobs from these queues: a job is what runs at
 * once in a transaction, one write or many of a batch. Each write is settled once: `Job.run` returns the
 * callback that resolves its callers, which the engine calls after the commit, or the engine calls `reject`.
 */
import { monotonicMs } from "../../kernel/clock.js";
import { FairQueue } from "../../kernel/fair-queue.js";
import type { BatchedWrite, Transaction, WriteShare } from "./engine.js";
import { WaitingCalls } from "./waiting-calls.js";

/** Maximum number of writes in a transaction. Larger batches are not faster, and delay the first write. */
export const MAX_BATCH = 256;

/**
 * Maximum size of the writes in a batch, if there is more than one. SQLite stores and indexes this many
 * characters in 10 to 20 ms.
 */
export const MAX_BATCH_CHARACTERS = 256 * 1024;

/** Writes that run at once. */
export interface Job {
  readonly calls: readonly { readonly queuedAtMs: number }[];
  /** Returns the callback that resolves the callers. */
  run(tx: Transaction): Promise<() => void>;
  reject(error: unknown): void;
  /** Returns a job for each of the writes, so that only a failing one is rejected. */
  split(): Job[];
}

/** A queue as the engine sees it, which knows neither the items nor the results of the writes. */
export type JobQueue = Pick<WriteQueue<unknown, unknown>, "size" | "waiting" | "takeOne" | "takeBatch">;

interface Entry<Item, Result> {
  item: Item;
  share: WriteShare;
  /** Monotonic time of the call. */
  queuedAtMs: number;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * The writes of one kind that wait for a transaction. Accounts take turns, so that the many or large writes
 * of one account delay a write of another by little more than one of them.
 */
export class WriteQueue<Item, Result> {
  readonly waiting = new WaitingCalls();
  private readonly entries = new FairQueue<Entry<Item, Result>>(({ share }) => share.key);

  constructor(private readonly batch: BatchedWrite<Item, Result>) {}

  get size(): number {
    return this.entries.size;
  }

  /** Queues a write. Returns a promise for its result. */
  add(item: Item, share: WriteShare = {}): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.entries.push({ item, share, queuedAtMs: monotonicMs(), resolve, reject });
      this.waiting.add();
    });
  }

  /** Removes and returns the next write. The caller counts that it no longer waits. */
  takeOne(): Job {
    return jobOf(this.batch, [this.entries.take()!]);
  }

  /**
   * Removes and returns the writes of the next batch, which may wait no longer. A write that is too large is
   * a batch of its own.
   */
  takeBatch(): Job {
    const taken: Entry<Item, Result>[] = [];
    let characters = 0;
    const fits = ({ share }: Entry<Item, Result>) =>
      taken.length === 0 || characters + (share.characters ?? 0) <= MAX_BATCH_CHARACTERS;
    while (taken.length < MAX_BATCH) {
      const entry = this.entries.take(fits);
      if (!entry) break;
      taken.push(entry);
      characters += entry.share.characters ?? 0;
    }
    this.waiting.remove(taken.length);
    return jobOf(this.batch, taken);
  }
}

function jobOf<Item, Result>(
  batch: BatchedWrite<Item, Result>,
  entries: readonly Entry<Item, Result>[],
): Job {
  return {
    calls: entries,
    async run(tx) {
      const results = await batch.run(
        tx,
        entries.map(({ item }) => item),
      );
      return () => {
        for (const [n, { resolve }] of entries.entries()) resolve(results[n]!);
      };
    },
    reject(error) {
      for (const entry of entries) entry.reject(error);
    },
    split: () => entries.map((entry) => jobOf(batch, [entry])),
  };
}

/** A write that is not batched. It returns the callback that resolves its caller. */
type SingleWrite = (tx: Transaction) => Promise<() => void>;

/** The queues of an engine: one for each kind of batched write, and one for all other writes together. */
export class WriteQueues {
  /** Writes that are not batched. Each of them runs separately. */
  readonly singles = new WriteQueue<SingleWrite, () => void>({
    run: async (tx, [write]) => [await write!(tx)],
  });
  private readonly byBatch = new Map<object, JobQueue>();

  /** Returns the queue of a kind of write. */
  of<Item, Result>(batch: BatchedWrite<Item, Result>): WriteQueue<Item, Result> {
    const known = this.byBatch.get(batch);
    if (known instanceof WriteQueue) return known;
    const queue = new WriteQueue(batch);
    this.byBatch.set(batch, queue);
    return queue;
  }

  /** Queues a write that is not batched. */
  addSingle<Result>(work: (tx: Transaction) => Promise<Result>, share: WriteShare): Promise<Result> {
    return new Promise((resolve, reject) => {
      const write: SingleWrite = async (tx) => {
        const result = await work(tx);
        return () => resolve(result);
      };
      this.singles.add(write, share).then((settle) => settle(), reject);
    });
  }

  /** Milliseconds for which writes of any kind have been waiting without a pause. */
  standingMs(): number {
    // With one count for all kinds, two kinds that take turns would look like a queue that never empties.
    let longestMs = this.singles.waiting.standingMs;
    for (const { waiting } of this.byBatch.values()) longestMs = Math.max(longestMs, waiting.standingMs);
    return longestMs;
  }
}
