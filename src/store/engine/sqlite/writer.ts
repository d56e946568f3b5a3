/**
 * Group commit for SQLite: writes that arrive during a commit share the next transaction and its fsync. A savepoint isolates
 * each write, so that a failing write does not affect other writes.
 */
import { monotonicMs } from "../../../kernel/clock.js";
import { type BatchedWrite, StoreUnavailable, type Transaction } from "../engine.js";
import type { EventBus } from "../events.js";
import { countTransaction, type StoreStatistics } from "../statistics.js";
import { WaitingCalls } from "../waiting-calls.js";
import type { Connection } from "./connection.js";
import { type Entry, type Job, JobQueue } from "./job-queue.js";
import { JobTransaction, SharedTransaction } from "./transaction.js";

/** Maximum jobs in a transaction, and maximum items in a job. Larger batches are not faster, and delay the first item. */
const MAX_BATCH = 256;

/** A transaction that takes longer is committed, so that jobs of other accounts get their turn. */
const MAX_TRANSACTION_MS = 20;

export class Writer {
  private readonly waiting = new WaitingCalls();
  /** Waiting batched writes by kind. With one count for all kinds, two kinds that take turns would look like a queue that never empties. */
  private readonly waitingBatched = new Map<BatchedWrite<never, unknown>, WaitingCalls>();
  private readonly queue = new JobQueue();
  /** For each kind of batched write, the queued job that can receive more items. */
  private readonly filling = new Map<BatchedWrite<never, unknown>, Job>();
  /** Work that needs the connection for itself. */
  private readonly exclusive: (() => Promise<void>)[] = [];
  private running: Promise<void> | undefined;
  private closed = false;
  /** Set after the disk has failed. Then nothing is written any more. */
  private failure: StoreUnavailable | undefined;
  /** Whether a transaction has failed because the database is unavailable. */
  isFailing = false;

  constructor(
    private readonly connection: Connection,
    private readonly events: EventBus,
    private readonly statistics: StoreStatistics,
  ) {}

  write<Result>(work: (tx: Transaction) => Promise<Result>, key?: string): Promise<Result> {
    const batch: BatchedWrite<undefined, Result> = { run: async (tx) => [await work(tx)] };
    return new Promise((resolve, reject) => {
      this.enqueue({
        key,
        batch,
        entries: [{ item: undefined, queuedAtMs: monotonicMs(), resolve, reject }],
        isBatched: false,
      });
    });
  }

  writeBatched<Item, Result>(batch: BatchedWrite<Item, Result>, item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const entry = { item, queuedAtMs: monotonicMs(), resolve, reject };
      const filling = this.filling.get(batch);
      if (filling && filling.entries.length < MAX_BATCH) {
        this.waitingLike(filling).add();
        return filling.entries.push(entry);
      }
      const job = { key: batch, batch, entries: [entry], isBatched: true };
      if (!this.closed) this.filling.set(batch, job);
      this.enqueue(job);
    });
  }

  /** Runs `work` on the writer's connection after the running transaction, before the writes that wait. */
  runExclusively(work: (connection: Connection) => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.exclusive.push(() => work(this.connection).then(resolve, reject));
      this.start();
    });
  }

  /** Rejects new writes, and waits for running writes. */
  async close(): Promise<void> {
    this.closed = true;
    while (this.running) await this.running;
  }

  /** Rejects all writes that have not started, and all later ones. */
  fail(failure: StoreUnavailable): void {
    this.failure = failure;
    this.isFailing = true;
  }

  private enqueue(job: Job): void {
    if (this.closed) {
      rejectAll([job], new StoreUnavailable("the store is closing"));
      return;
    }
    this.queue.push(job);
    this.waitingLike(job).add(job.entries.length);
    this.start();
  }

  private waitingLike({ isBatched, batch }: Job): WaitingCalls {
    if (!isBatched) return this.waiting;
    let waiting = this.waitingBatched.get(batch);
    if (!waiting) {
      waiting = new WaitingCalls();
      this.waitingBatched.set(batch, waiting);
    }
    return waiting;
  }

  /** Milliseconds for which writes have been waiting without a pause. */
  standingMs(): number {
    let longestMs = this.waiting.standingMs;
    for (const { standingMs } of this.waitingBatched.values()) longestMs = Math.max(longestMs, standingMs);
    return longestMs;
  }

  private get isIdle(): boolean {
    return this.queue.isEmpty && this.exclusive.length === 0;
  }

  private start(): void {
    if (this.running || this.isIdle) return;
    // Waits one event loop turn, so that requests from other sockets can join the batch.
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
      const jobs = this.queue.take(MAX_BATCH);
      for (const { batch } of jobs) this.filling.delete(batch);
      // A batched job is usually one statement in autocommit mode. Its own fsync costs less than the round trips of
      // BEGIN and COMMIT, so batched jobs do not share a transaction.
      const transactions = jobs.every((job) => job.isBatched) ? jobs.map((job) => [job]) : [jobs];
      for (const shared of transactions) {
        for (const job of shared) this.waitingLike(job).remove(job.entries.length);
        setImmediate(await this.commit(shared));
      }
    }
    await new Promise<void>((resolve) => setImmediate(resolve));
  }

  /**
   * Commits the jobs, or the first of them if they take too long. The returned callback resolves the callers' promises. It must
   * run later, so that SQLite receives the next batch first.
   */
  private async commit(jobs: Job[]): Promise<() => void> {
    const { failure } = this;
    if (failure) return () => rejectAll(jobs, failure);
    const shared = new SharedTransaction(this.connection, this.events);
    const startedMs = monotonicMs();
    try {
      // A single batched job needs no BEGIN before its reads, because no other job can write between its statements.
      if (jobs.length > 1 || !jobs[0]!.isBatched) await shared.begin();
      for (const [n, job] of jobs.entries()) {
        if (n > 0 && monotonicMs() - startedMs > MAX_TRANSACTION_MS) {
          const later = jobs.splice(n);
          this.queue.putBack(later, jobs);
          for (const job of later) this.waitingLike(job).putBack(job.entries.length);
          break;
        }
        await runJob(job, shared);
      }
      await shared.commit();
      const calls = jobs.length === 1 ? jobs[0]!.entries : jobs.flatMap((job) => job.entries);
      countTransaction(this.statistics, calls, startedMs);
    } catch (error) {
      this.isFailing = true;
      await shared.rollback().catch(() => undefined);
      return () => rejectAll(jobs, error);
    }
    return () => {
      for (const effect of shared.onCommit) effect();
    };
  }
}

function rejectAll(jobs: readonly Job[], error: unknown): void {
  for (const { entries } of jobs) for (const { reject } of entries) reject(error);
}

/** Runs a job. If the job fails, runs each of its items separately. Throws only errors that end the whole transaction. */
async function runJob({ batch, entries }: Job, shared: SharedTransaction): Promise<void> {
  try {
    await runItems(batch, entries, shared);
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    if (entries.length === 1) return entries[0]!.reject(error);
    await shared.begin();
    for (const entry of entries)
      await runJob({ key: batch, batch, entries: [entry], isBatched: false }, shared);
  }
}

/** Runs items as one job. If the job fails, rolls back their writes and throws. */
async function runItems(
  batch: BatchedWrite<never, unknown>,
  entries: readonly Entry[],
  shared: SharedTransaction,
): Promise<void> {
  const tx = new JobTransaction(shared);
  try {
    const results = await batch.run(tx, entries.map(({ item }) => item) as never[]);
    await tx.finish();
    for (const effect of tx.effects) shared.onCommit.push(effect);
    shared.onCommit.push(() => {
      entries.forEach(({ resolve }, n) => void resolve(results[n] as never));
    });
  } catch (error) {
    // After a full disk or an I/O error, SQLite rolls back the whole transaction, including savepoints. The batch fails
    // even if the job has caught the error.
    const fatalError = tx.fatalError ?? (error instanceof StoreUnavailable ? error : undefined);
    if (fatalError) {
      tx.endWithoutRollback();
      throw fatalError;
    }
    await tx.rollback();
    throw error;
  }
}
