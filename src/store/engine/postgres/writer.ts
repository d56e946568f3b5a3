/**
 * Runs concurrent write transactions on PostgreSQL. Concurrent items of the same kind of batched write share
 * a transaction.
 *
 * `write` runs a write in its own transaction, after earlier writes with the same key. `writeBatched` adds an
 * item to the queue of its kind. `drain` takes batches from that queue until it is empty; at most two batches
 * of a kind run at once. Both paths call `writeFor`. After a conflict it repeats `attempt`, which runs the
 * work again from its beginning in a new transaction.
 *
 * Invariants: a caller is resolved, and events are published, only after the commit. A connection returns to
 * the pool only after COMMIT or ROLLBACK. After `close`, no transaction begins.
 */
import { monotonicMs } from "../../../kernel/clock.js";
import { randomBelow } from "../../../kernel/ids.js";
import { KeyedMutex } from "../../../kernel/keyed-mutex.js";
import { type BatchedWrite, StoreUnavailable, type Transaction, type WriteShare } from "../engine.js";
import type { ChangeEvent } from "../events.js";
import { countTransaction, type StoreStatistics } from "../statistics.js";
import { type Job, type JobQueue, WriteQueues } from "../write-queue.js";
import { isConflict, isLockTimeout, isReadOnly } from "./errors.js";
import type { Pool } from "./pool.js";
import { PostgresTransaction } from "./session.js";

type Work<Result> = (tx: Transaction) => Promise<Result>;

/** Maximum number of attempts. A conflict in the last one is reported as `StoreUnavailable`. */
const MAX_ATTEMPTS = 10;
/** The random delay before a retry is at most this long. It doubles for each further retry. */
const BASE_RETRY_DELAY_MS = 4;
const MAX_RETRY_DELAY_MS = 250;

/** pg-pool's message if no connection became free in time. The server is still reachable. */
const BUSY_POOL = "timeout exceeded when trying to connect";

/** There are two, so that one batch can collect items while the other waits for the disk. */
const MAX_CONCURRENT_BATCHES = 2;

/** Used for the writes of a batch that has already waited for a lock. */
const SHORT_LOCK_TIMEOUT = "SET LOCAL lock_timeout = '250ms'";

type Calls = Job["calls"];

export class Writer {
  private readonly queues = new WriteQueues();
  /** Number of running batches for each queue. */
  private readonly running = new Map<JobQueue, number>();
  private readonly mutex = new KeyedMutex();
  private readonly inFlight = new Set<Promise<unknown>>();
  private closed = false;
  /** Whether a transaction has failed because the database is unavailable. */
  isFailing = false;
  /** Whether the server has refused a write because it is read-only. */
  private wasReadOnly = false;

  /**
   * @param publish sends a committed transaction's events to all daemons
   * @param onWritable called when writes succeed again after the server has refused them
   */
  constructor(
    private readonly pool: Pool,
    private readonly publish: (events: readonly ChangeEvent[]) => void,
    private readonly onWritable: () => void,
    private readonly statistics: StoreStatistics,
  ) {}

  write<Result>(work: Work<Result>, mutexKey?: string): Promise<Result> {
    return this.writeFor([{ queuedAtMs: monotonicMs() }], work, mutexKey);
  }

  private async writeFor<Result>(calls: Calls, work: Work<Result>, mutexKey?: string): Promise<Result> {
    if (this.closed) throw new StoreUnavailable("the store is closing");
    // Writes with the same key wait in memory. In the database, they could use up all connections.
    const done =
      mutexKey === undefined
        ? this.runWithRetry(calls, work)
        : this.mutex.run(mutexKey, () => this.runWithRetry(calls, work));
    this.inFlight.add(done);
    try {
      return await done;
    } finally {
      this.inFlight.delete(done);
    }
  }

  writeBatched<Item, Result>(
    batch: BatchedWrite<Item, Result>,
    item: Item,
    share?: WriteShare,
  ): Promise<Result> {
    const queue = this.queues.of(batch);
    const result = queue.add(item, share);
    // Wait one event loop iteration, so that other requests can join the batch.
    if (this.runningOf(queue) < MAX_CONCURRENT_BATCHES && queue.size === 1)
      setImmediate(() => void this.drain(queue));
    return result;
  }

  backlogMs(): number {
    return this.queues.backlogMs();
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.allSettled(this.inFlight);
  }

  private runningOf(queue: JobQueue): number {
    return this.running.get(queue) ?? 0;
  }

  private async drain(queue: JobQueue): Promise<void> {
    if (this.runningOf(queue) >= MAX_CONCURRENT_BATCHES) return;
    this.running.set(queue, this.runningOf(queue) + 1);
    while (queue.size > 0) {
      const job = queue.takeBatch();
      if (queue.size > 0) void this.drain(queue);
      await this.runJob(job).catch(async (error) => {
        const parts = job.split();
        const isLocked = isLockTimeout(error);
        if (parts.length === 1 || (error instanceof StoreUnavailable && !isLocked)) return job.reject(error);
        for (const part of parts) await this.runJob(part, isLocked).catch((reason) => part.reject(reason));
      });
    }
    this.running.set(queue, this.runningOf(queue) - 1);
  }

  private async runJob(job: Job, hasWaited = false): Promise<void> {
    const settle = await this.writeFor(job.calls, (tx) => {
      if (hasWaited) tx.enqueue(SHORT_LOCK_TIMEOUT);
      return job.run(tx);
    });
    settle();
  }

  private async runWithRetry<Result>(calls: Calls, work: Work<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.attempt(calls, work);
      } catch (error) {
        if (!isConflict(error)) throw error;
        if (attempt === MAX_ATTEMPTS)
          throw new StoreUnavailable("too many conflicts with other transactions", { cause: error });
      }
      const delayMs = randomBelow(Math.min(BASE_RETRY_DELAY_MS * 2 ** (attempt - 1), MAX_RETRY_DELAY_MS));
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }

  private async attempt<Result>(calls: Calls, work: Work<Result>): Promise<Result> {
    try {
      return await this.attemptWithConnection(calls, work);
    } catch (error) {
      this.isFailing ||= error instanceof StoreUnavailable && !error.message.includes(BUSY_POOL);
      throw error;
    }
  }

  private attemptWithConnection<Result>(calls: Calls, work: Work<Result>): Promise<Result> {
    return this.pool.use(async (lease) => {
      const startedMs = monotonicMs();
      const tx = PostgresTransaction.begin(lease);
      try {
        const result = await work(tx);
        await tx.commit();
        if (this.wasReadOnly) this.onWritable();
        this.wasReadOnly = false;
        countTransaction(this.statistics, calls, startedMs);
        for (const effect of tx.effects) effect();
        this.publish(tx.events);
        return result;
      } catch (error) {
        this.isFailing ||= error instanceof StoreUnavailable && !isConflict(tx.failure);
        if (isReadOnly(tx.failure)) {
          this.wasReadOnly = true;
          this.pool.replaceConnections();
        }
        await tx.rollback();
        throw isConflict(tx.failure) ? tx.failure : error;
      }
    });
  }
}
