/**
 * Queues of writes that wait for a transaction, used by both engines. A job is one write, or a batch of
 * writes that run together. Each write is settled exactly once: after the commit, the engine calls the
 * callback that `Job.run` returned; after a failure, it calls `reject`.
 */
import { monotonicMs } from "../../kernel/clock.js";
import { FairQueue } from "../../kernel/fair-queue.js";
import type { BatchedWrite, Transaction, WriteShare } from "./engine.js";
import { WaitingCalls } from "./statistics.js";

/** Larger batches are not faster, and they delay their first write. */
export const MAX_BATCH = 256;

/** Keeps a batch from occupying the database for long. A single write may be larger. */
const MAX_BATCH_CHARACTERS = 256 * 1024;

export interface Job {
  readonly calls: readonly { readonly queuedAtMs: number }[];
  /** Returns the callback that resolves the callers. */
  run(tx: Transaction): Promise<() => void>;
  reject(error: unknown): void;
  /** Returns one job per write, so that only the failing write is rejected. */
  split(): Job[];
}

export type JobQueue = Pick<WriteQueue<unknown, unknown>, "size" | "waiting" | "takeOne" | "takeBatch">;

interface Entry<Item, Result> {
  item: Item;
  share: WriteShare;
  queuedAtMs: number;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Accounts take turns, so one account's many or large writes delay another account's write by little more
 * than one write.
 */
class WriteQueue<Item, Result> {
  readonly waiting = new WaitingCalls();
  private readonly entries = new FairQueue<Entry<Item, Result>>(({ share }) => share.key);

  constructor(private readonly batch: BatchedWrite<Item, Result>) {}

  get size(): number {
    return this.entries.size;
  }

  add(item: Item, share: WriteShare = {}): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.entries.push({ item, share, queuedAtMs: monotonicMs(), resolve, reject });
      this.waiting.add();
    });
  }

  /** The caller must update `waiting` itself. */
  takeOne(): Job {
    return jobOf(this.batch, [this.entries.take()!]);
  }

  /** Updates `waiting`. A write that exceeds the size limit forms its own batch. */
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

/** Returns the callback that resolves the caller. */
type SingleWrite = (tx: Transaction) => Promise<() => void>;

export class WriteQueues {
  readonly singles = new WriteQueue<SingleWrite, () => void>({
    run: async (tx, [write]) => [await write!(tx)],
  });
  private readonly byBatch = new Map<object, JobQueue>();

  of<Item, Result>(batch: BatchedWrite<Item, Result>): WriteQueue<Item, Result> {
    const known = this.byBatch.get(batch);
    if (known instanceof WriteQueue) return known;
    const queue = new WriteQueue(batch);
    this.byBatch.set(batch, queue);
    return queue;
  }

  addSingle<Result>(work: (tx: Transaction) => Promise<Result>, share: WriteShare): Promise<Result> {
    return new Promise((resolve, reject) => {
      const write: SingleWrite = async (tx) => {
        const result = await work(tx);
        return () => resolve(result);
      };
      this.singles.add(write, share).then((settle) => settle(), reject);
    });
  }

  backlogMs(): number {
    // Measure each queue separately. A shared counter would not reach 0 while two queues alternate.
    let longestMs = this.singles.waiting.backlogMs;
    for (const { waiting } of this.byBatch.values()) longestMs = Math.max(longestMs, waiting.backlogMs);
    return longestMs;
  }
}
