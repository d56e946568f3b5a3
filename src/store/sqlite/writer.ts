/**
 * Group commit: one connection writes, whatever arrives during a commit is the next batch, and a batch shares one
 * transaction and so one fsync. Jobs in a batch are isolated: one that fails leaves no trace. The first that writes needs no
 * savepoint for it, as the transaction itself can begin anew; and one that is alone and writes a single statement needs no
 * BEGIN and COMMIT around it, each of which is a journey to SQLite's thread and back.
 */
import { type BatchedWrite, StoreUnavailable, type Transaction } from "../engine.js";
import type { NewsDesk } from "../news.js";
import type { Connection } from "./connection.js";
import { Batch, JobTransaction } from "./job-transaction.js";

/** Most jobs in one transaction; larger ones gain nothing and delay the first of them. */
const MAX_BATCH = 256;

type Work<Result> = (tx: Transaction) => Promise<Result>;

interface Job {
  /** Runs in the transaction; gives what to call once it is durable. */
  perform(batch: Batch): Promise<void>;
  fail(error: unknown): void;
}

export class Writer {
  private queue: Job[] = [];
  private readonly pending = new Map<BatchedWrite<unknown, unknown>, MergedJob<unknown, unknown>>();
  private running: Promise<void> | undefined;
  private closed = false;

  constructor(
    private readonly connection: Connection,
    private readonly news: NewsDesk,
  ) {}

  write<Result>(work: Work<Result>): Promise<Result> {
    return new Promise((resolve, reject) => this.enqueue(new SingleJob(work, resolve, reject)));
  }

  writeBatched<Item, Result>(batch: BatchedWrite<Item, Result>, item: Item): Promise<Result> {
    const key = batch as BatchedWrite<unknown, unknown>;
    return new Promise<Result>((resolve, reject) => {
      const entry = { item, resolve: resolve as (result: unknown) => void, reject };
      const waiting = this.pending.get(key);
      if (waiting && waiting.entries.length < MAX_BATCH) return waiting.entries.push(entry);
      const job = new MergedJob(key, [entry]);
      this.pending.set(key, job);
      this.enqueue(job);
    });
  }

  /** Runs `work` between transactions, on the bare connection. */
  async exclusively(work: (connection: Connection) => Promise<void>): Promise<void> {
    while (this.running) await this.running;
    this.running = work(this.connection).finally(() => {
      this.running = undefined;
      this.start();
    });
    return this.running;
  }

  /** Waits for what is under way; later writes are refused. */
  async close(): Promise<void> {
    this.closed = true;
    while (this.running) await this.running;
  }

  private enqueue(job: Job): void {
    if (this.closed) {
      job.fail(new StoreUnavailable("the store is closing"));
      return;
    }
    this.queue.push(job);
    this.start();
  }

  private start(): void {
    if (this.running || this.queue.length === 0) return;
    // One turn of the event loop, so that requests read from other sockets in this turn join the batch.
    this.running = new Promise<void>((resolve) => setImmediate(resolve))
      .then(() => this.drain())
      .finally(() => {
        this.running = undefined;
        this.start();
      });
  }

  private async drain(): Promise<void> {
    while (this.queue.length > 0) {
      const jobs = this.queue.splice(0, MAX_BATCH);
      for (const [key, job] of this.pending) if (jobs.includes(job)) this.pending.delete(key);
      for (const shared of transactions(jobs)) setImmediate(await this.commit(shared));
    }
    await new Promise<void>((resolve) => setImmediate(resolve));
  }

  /**
   * Gives what settles the jobs, to be called in the next turn: what waits meanwhile goes to SQLite's thread first, which then works
   * while answers are written.
   */
  private async commit(jobs: Job[]): Promise<() => void> {
    const batch = new Batch(this.connection, this.news);
    try {
      // What a batched job reads, nobody changes before it writes: all that it is about is written here alone.
      if (jobs.length > 1 || !(jobs[0] instanceof MergedJob)) await batch.begin();
      for (const job of jobs) await job.perform(batch);
      await batch.commit();
    } catch (error) {
      await batch.rollback().catch(() => undefined);
      return () => {
        for (const job of jobs) job.fail(error);
      };
    }
    return () => {
      for (const settle of batch.onCommit) settle();
    };
  }
}

/**
 * Which jobs share a transaction. Those that are batched already go by themselves, as most are one statement: a second fsync takes
 * less than the journeys of BEGIN and COMMIT, and a post needs not wait for checkpoints that are moved.
 */
function transactions(jobs: Job[]): Job[][] {
  return jobs.every((job) => job instanceof MergedJob) ? jobs.map((job) => [job]) : [jobs];
}

/** Runs `work` so that nothing of it stays where it fails. What isolates it is set when it first writes: most refusals need none. */
async function isolated<Result>(
  batch: Batch,
  work: Work<Result>,
): Promise<{ result: Result; effects: (() => void)[] }> {
  const tx = new JobTransaction(batch);
  try {
    const result = await work(tx);
    await tx.release();
    return { result, effects: tx.effects };
  } catch (error) {
    // A full disk or an I/O error ends the whole transaction in SQLite, savepoints included: the batch fails with it,
    // whatever `work` made of the error.
    const lost = tx.lost ?? (error instanceof StoreUnavailable ? error : undefined);
    if (lost) throw tx.abandon(lost);
    await tx.rollback();
    throw error;
  }
}

class SingleJob<Result> implements Job {
  private done = false;

  constructor(
    private readonly work: Work<Result>,
    private readonly resolve: (result: Result) => void,
    private readonly reject: (error: unknown) => void,
  ) {}

  async perform(batch: Batch): Promise<void> {
    try {
      const { result, effects } = await isolated(batch, this.work);
      batch.onCommit.push(...effects, () => this.resolve(result));
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      this.fail(error);
    }
  }

  fail(error: unknown): void {
    if (!this.done) this.reject(error);
    this.done = true;
  }
}

interface Entry<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

class MergedJob<Item, Result> implements Job {
  constructor(
    private readonly batched: BatchedWrite<Item, Result>,
    readonly entries: Entry<Item, Result>[],
  ) {}

  async perform(batch: Batch): Promise<void> {
    try {
      await this.performTogether(batch, this.entries);
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      // Now that there are several, they are committed together or not at all.
      await batch.begin();
      for (const entry of this.entries) {
        await this.performTogether(batch, [entry]).catch((reason) => {
          if (reason instanceof StoreUnavailable) throw reason;
          entry.reject(reason);
        });
      }
    }
  }

  private async performTogether(batch: Batch, entries: Entry<Item, Result>[]): Promise<void> {
    const items = entries.map((entry) => entry.item);
    const { result, effects } = await isolated(batch, (tx) => this.batched.run(tx, items));
    batch.onCommit.push(...effects, () => {
      entries.forEach((entry, index) => void entry.resolve(result[index] as Result));
    });
  }

  fail(error: unknown): void {
    for (const entry of this.entries) entry.reject(error);
  }
}
