/**
 * Group commit: one connection writes, and whatever arrives during a commit is the next batch, which shares a transaction
 * and so an fsync. Jobs of a batch are isolated: one that fails leaves no trace.
 */
import { type BatchedWrite, StoreUnavailable, type Transaction } from "../engine.js";
import type { EventBus } from "../events.js";
import type { Connection } from "./connection.js";
import { JobTransaction, SharedTransaction } from "./job-transaction.js";

/** Most jobs in a transaction, and most items in a job; more gains nothing and delays the first of them. */
const MAX_BATCH = 256;

interface Entry {
  item: unknown;
  resolve: (result: never) => void;
  reject: (error: unknown) => void;
}

/** Items for one run of a `BatchedWrite`. */
interface Job {
  batch: BatchedWrite<never, unknown>;
  entries: Entry[];
}

export class Writer {
  private queue: Job[] = [];
  /** Queued jobs that items of the same kind join. */
  private readonly filling = new Map<BatchedWrite<never, unknown>, Job>();
  private running: Promise<void> | undefined;
  private closed = false;

  constructor(
    private readonly connection: Connection,
    private readonly events: EventBus,
  ) {}

  write<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const batch: BatchedWrite<undefined, Result> = { run: async (tx) => [await work(tx)] };
    return new Promise((resolve, reject) => {
      this.enqueue({ batch, entries: [{ item: undefined, resolve, reject }] });
    });
  }

  writeBatched<Item, Result>(batch: BatchedWrite<Item, Result>, item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const entry = { item, resolve, reject };
      const filling = this.filling.get(batch);
      if (filling && filling.entries.length < MAX_BATCH) return filling.entries.push(entry);
      const job = { batch, entries: [entry] };
      this.filling.set(batch, job);
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
      for (const { reject } of job.entries) reject(new StoreUnavailable("the store is closing"));
      return;
    }
    this.queue.push(job);
    this.start();
  }

  private start(): void {
    if (this.running || this.queue.length === 0) return;
    // Waits a turn of the event loop, so that requests read from other sockets in this turn join the batch.
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
      for (const { batch } of jobs) this.filling.delete(batch);
      setImmediate(await this.commit(jobs));
    }
    await new Promise<void>((resolve) => setImmediate(resolve));
  }

  /** Returns the callback that resolves the callers; run it on the next tick so that SQLite gets the next batch first. */
  private async commit(jobs: Job[]): Promise<() => void> {
    const shared = new SharedTransaction(this.connection, this.events);
    try {
      await shared.begin();
      for (const job of jobs) await perform(job, shared);
      await shared.commit();
    } catch (error) {
      await shared.rollback().catch(() => undefined);
      return () => {
        for (const { entries } of jobs) for (const { reject } of entries) reject(error);
      };
    }
    return () => {
      for (const effect of shared.onCommit) effect();
    };
  }
}

/** Runs a job; one that fails is tried again item by item. Throws what ends the whole transaction. */
async function perform({ batch, entries }: Job, shared: SharedTransaction): Promise<void> {
  try {
    await attempt(batch, entries, shared);
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    if (entries.length === 1) return entries[0]!.reject(error);
    for (const entry of entries) await perform({ batch, entries: [entry] }, shared);
  }
}

/** Runs items together; leaves nothing of them where it throws. */
async function attempt(
  batch: BatchedWrite<never, unknown>,
  entries: readonly Entry[],
  shared: SharedTransaction,
): Promise<void> {
  const tx = new JobTransaction(shared);
  try {
    const results = await batch.run(tx, entries.map(({ item }) => item) as never[]);
    await tx.finish();
    shared.onCommit.push(...tx.effects, () => {
      entries.forEach(({ resolve }, n) => void resolve(results[n] as never));
    });
  } catch (error) {
    // A full disk or an I/O error ends the whole transaction in SQLite, savepoints included: the batch fails with it,
    // whatever the work made of the error.
    const lost = tx.lost ?? (error instanceof StoreUnavailable ? error : undefined);
    if (lost) {
      tx.abandon();
      throw lost;
    }
    await tx.rollback();
    throw error;
  }
}
