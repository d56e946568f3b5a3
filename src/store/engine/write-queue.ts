import { monotonicMs } from "../../kernel/clock.js";
import { FairQueue } from "../../kernel/fair-queue.js";
import type { WriteShare } from "./engine.js";
import { WaitingCalls } from "./waiting-calls.js";

/** Maximum number of writes in a transaction. Larger batches are not faster, and delay the first write. */
export const MAX_BATCH = 256;

/**
 * Maximum size of the writes in a batch, if there is more than one. SQLite stores and indexes this many
 * characters in 10 to 20 ms.
 */
export const MAX_BATCH_CHARACTERS = 256 * 1024;

export interface Entry {
  item: unknown;
  share: WriteShare;
  /** Monotonic time of the call. */
  queuedAtMs: number;
  resolve: (result: never) => void;
  reject: (error: unknown) => void;
}

/**
 * The writes of one kind that wait for a transaction. Accounts take turns, so that the many or large writes
 * of one account delay a write of another by little more than one of them.
 */
export class WriteQueue {
  readonly waiting = new WaitingCalls();
  private readonly entries = new FairQueue<Entry>(({ share }) => share.key);

  get size(): number {
    return this.entries.size;
  }

  /** Queues a write. Returns a promise for its result. */
  add<Result>(item: unknown, share: WriteShare = {}): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.entries.push({ item, share, queuedAtMs: monotonicMs(), resolve, reject });
      this.waiting.add();
    });
  }

  /** Removes and returns the next write. The caller counts that it no longer waits. */
  takeOne(): Entry {
    return this.entries.take()!;
  }

  /**
   * Removes and returns the writes of the next batch, which may wait no longer. A write that is too large is
   * a batch of its own.
   */
  takeBatch(): Entry[] {
    const batch: Entry[] = [];
    let characters = 0;
    const fits = ({ share }: Entry) =>
      batch.length === 0 || characters + (share.characters ?? 0) <= MAX_BATCH_CHARACTERS;
    while (batch.length < MAX_BATCH) {
      const entry = this.entries.take(fits);
      if (!entry) break;
      batch.push(entry);
      characters += entry.share.characters ?? 0;
    }
    this.waiting.remove(batch.length);
    return batch;
  }
}
