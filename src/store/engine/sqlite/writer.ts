/**
 * Group commit for SQLite: writes that arrive during a commit share the next transaction and its fsync.
 *
 * A write waits in a queue, runs in a job, and is settled after the commit. Each kind of batched write has a
 * queue, and all unbatched writes share one queue. The writer serves the queues in turn, and each queue
 * serves its accounts in turn. A queue's turn is one transaction: one batch, or unbatched writes one after
 * another.
 *
 * `write` and `writeBatched` queue a write and call `start`, which begins `drain` unless it is running.
 * `drain` calls `commit` for each queue in turn until all queues are empty. `commit` calls `runJob` for each
 * job. A failed job is rolled back alone, and its writes are then retried one by one.
 *
 * Invariants: at most one transaction is open. A caller is resolved only after its commit is durable, and
 * rejected only after its writes are rolled back. After the disk has failed, nothing is written.
 */
import { monotonicMs } from "../../../kernel/clock.js";
import { type BatchedWrite, StoreUnavailable, type Transaction, type WriteShare } from "../engine.js";
import type { EventBus } from "../events.js";
import { countTransaction, type StoreStatistics } from "../statistics.js";
import { type Job, type JobQueue, MAX_BATCH, WriteQueues } from "../write-queue.js";
import type { Connection } from "./connection.js";
import { JobTransaction, SharedTransaction } from "./transaction.js";

/**
 * After this time, a transaction accepts no more unbatched writes, so that other accounts need not wait long.
 */
const MAX_TRANSACTION_MS = 20;

export class Writer {
  private readonly queues = new WriteQueues();
  /** Queues with waiting writes. The first queue is next. */
  private readonly turns = new Set<JobQueue>();
  private readonly exclusive: (() => Promise<void>)[] = [];
  private running: Promise<void> | undefined;
  private closed = false;
  /** Set after the disk has failed; nothing is written any more. */
  private failure: StoreUnavailable | undefined;
  /** Whether a transaction failed because the database is unavailable. */
  isFailing = false;

  constructor(
    private readonly connection: Connection,
    private readonly events: EventBus,
    private readonly statistics: StoreStatistics,
  ) {}

  write<Result>(work: (tx: Transaction) => Promise<Result>, key?: string): Promise<Result> {
    if (this.closed) return Promise.reject(new StoreUnavailable("the store is closing"));
    const result = this.queues.addSingle(work, key === undefined ? {} : { key });
    this.giveTurn(this.queues.singles);
    return result;
  }

  writeBatched<Item, Result>(
    batch: BatchedWrite<Item, Result>,
    item: Item,
    share?: WriteShare,
  ): Promise<Result> {
    if (this.closed) return Promise.reject(new StoreUnavailable("the store is closing"));
    const queue = this.queues.of(batch);
    const result = queue.add(item, share);
    this.giveTurn(queue);
    return result;
  }

  /** Runs `work` after the running transaction and before all waiting writes. */
  runExclusively(work: (connection: Connection) => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.exclusive.push(() => work(this.connection).then(resolve, reject));
      this.start();
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    while (this.running) await this.running;
  }

  fail(failure: StoreUnavailable): void {
    this.failure = failure;
    this.isFailing = true;
  }

  backlogMs(): number {
    return this.queues.backlogMs();
  }

  private get isIdle(): boolean {
    return this.turns.size === 0 && this.exclusive.length === 0;
  }

  private giveTurn(queue: JobQueue): void {
    this.turns.add(queue);
    this.start();
  }

  private start(): void {
    if (this.running || this.isIdle) return;
    // Wait one event loop iteration, so that other requests can join the batch.
    this.running = new Promise<void>((resolve) => setImmediate(resolve))
      .then(() => this.drain())
      .finally(() => {
        this.running = undefined;
        this.start();
      });
  }

  private async drain(): Promise<void> {
    while (!this.isIdle) {
      await this.exclusive.shift()?.();
      const [queue] = this.turns;
      if (!queue) continue;
      this.turns.delete(queue);
      setImmediate(await this.commit(queue));
      if (queue.size > 0) this.turns.add(queue);
    }
    await new Promise<void>((resolve) => setImmediate(resolve));
  }

  /**
   * Returns the callback that settles the callers. Run it later, so that SQLite receives the next batch
   * first.
   */
  private async commit(queue: JobQueue): Promise<() => void> {
    const { failure } = this;
    if (failure) {
      const job = queue.takeBatch();
      return () => job.reject(failure);
    }
    const shared = new SharedTransaction(this.connection, this.events);
    const startedMs = monotonicMs();
    const jobs: Job[] = [];
    try {
      if (queue === this.queues.singles) await runSingles(queue, jobs, shared, startedMs);
      else {
        jobs.push(queue.takeBatch());
        await runJob(jobs[0]!, shared);
      }
      await shared.commit();
      const calls = jobs.flatMap((job) => job.calls);
      countTransaction(this.statistics, calls, startedMs);
    } catch (error) {
      this.isFailing = true;
      await shared.rollback().catch(() => undefined);
      return () => {
        for (const job of jobs) job.reject(error);
      };
    }
    return () => {
      for (const effect of shared.onCommit) effect();
    };
  }
}

/**
 * Runs waiting writes until the transaction has taken too long, and adds them to `jobs`. Before it throws, it
 * adds all waiting writes, so that the caller can reject them.
 */
async function runSingles(
  queue: JobQueue,
  jobs: Job[],
  shared: SharedTransaction,
  startedMs: number,
): Promise<void> {
  let waiting = Math.min(queue.size, MAX_BATCH);
  queue.waiting.remove(waiting);
  try {
    await shared.begin();
    while (waiting > 0) {
      if (jobs.length > 0 && monotonicMs() - startedMs > MAX_TRANSACTION_MS)
        return queue.waiting.putBack(waiting);
      const job = queue.takeOne();
      waiting--;
      jobs.push(job);
      await runJob(job, shared);
    }
  } catch (error) {
    while (waiting-- > 0) jobs.push(queue.takeOne());
    throw error;
  }
}

/**
 * If the job fails, runs each of its writes separately. Throws only errors that end the whole transaction.
 */
async function runJob(job: Job, shared: SharedTransaction): Promise<void> {
  try {
    await runAtOnce(job, shared);
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    const parts = job.split();
    if (parts.length === 1) return job.reject(error);
    await shared.begin();
    for (const part of parts) await runJob(part, shared);
  }
}

async function runAtOnce(job: Job, shared: SharedTransaction): Promise<void> {
  const tx = new JobTransaction(shared);
  try {
    const settle = await job.run(tx);
    await tx.finish();
    shared.onCommit.push(...tx.effects, settle);
  } catch (error) {
    // After a full disk or an I/O error, SQLite rolls back the whole transaction, so the job fails even if
    // `run` has caught the error.
    const fatalError = tx.fatalError ?? (error instanceof StoreUnavailable ? error : undefined);
    if (fatalError) {
      tx.endWithoutRollback();
      throw fatalError;
    }
    await tx.rollback();
    throw error;
  }
}
