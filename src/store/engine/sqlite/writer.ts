/**
 * Group commit: one connection writes, and whatever arrives during a commit is the next batch, which shares a transaction
 * and so an fsync. Jobs of a batch are isolated: one that fails leaves no trace.
 */
import {
  type BatchedWrite,
  type Session,
  type SqlValue,
  StoreUnavailable,
  type Transaction,
} from "../engine.js";
import type { ChangeEvent, EventBus } from "../events.js";
import { type Sql, textFor } from "../sql.js";
import type { Connection } from "./connection.js";

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
  /** Whether items that arrive later join it. */
  isBatched: boolean;
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
      this.enqueue({ batch, entries: [{ item: undefined, resolve, reject }], isBatched: false });
    });
  }

  writeBatched<Item, Result>(batch: BatchedWrite<Item, Result>, item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const entry = { item, resolve, reject };
      const filling = this.filling.get(batch);
      if (filling && filling.entries.length < MAX_BATCH) return filling.entries.push(entry);
      const job = { batch, entries: [entry], isBatched: true };
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
      // A job that holds a batch is mostly one statement, which SQLite commits by itself: an fsync each costs less than the
      // round trips of BEGIN and COMMIT.
      const transactions = jobs.every((job) => job.isBatched) ? jobs.map((job) => [job]) : [jobs];
      for (const shared of transactions) setImmediate(await this.commit(shared));
    }
    await new Promise<void>((resolve) => setImmediate(resolve));
  }

  /** Returns the callback that resolves the callers; run it on the next tick so that SQLite gets the next batch first. */
  private async commit(jobs: Job[]): Promise<() => void> {
    const shared = new SharedTransaction(this.connection, this.events);
    try {
      // A job that is alone reads without BEGIN: nobody else writes what it rests on before it does.
      if (jobs.length > 1 || !jobs[0]!.isBatched) await shared.begin();
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
    await shared.begin();
    for (const entry of entries) await perform({ batch, entries: [entry], isBatched: false }, shared);
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

/** The transaction that jobs share. */
class SharedTransaction {
  /** Effects of the jobs that succeeded, to run once the transaction is durable. */
  readonly onCommit: (() => void)[] = [];
  /** Whether a job has written something that must be kept when a later job fails. */
  hasWritten = false;
  private beginning: Promise<unknown> | undefined;

  constructor(
    readonly connection: Connection,
    readonly events: EventBus,
  ) {}

  get hasBegun(): boolean {
    return this.beginning !== undefined;
  }

  /** Begins the transaction unless it has begun. */
  async begin(): Promise<void> {
    this.beginning ??= this.connection.run("BEGIN IMMEDIATE");
    await this.beginning;
  }

  async commit(): Promise<void> {
    if (this.hasBegun) await this.connection.run("COMMIT");
  }

  async rollback(): Promise<void> {
    if (!this.hasBegun) return;
    await this.connection.run("ROLLBACK");
    this.beginning = undefined;
  }
}

interface Statement {
  sql: Sql;
  params: readonly SqlValue[] | undefined;
}

/**
 * A job's transaction. A failed job is undone by a savepoint, which is set before its first write and only if an earlier job
 * has written: otherwise the shared transaction is rolled back and begins anew.
 */
class JobTransaction implements Transaction {
  readonly engine = "sqlite";
  readonly effects: (() => void)[] = [];
  /** The error that ended the shared transaction, savepoints included, such as a full disk. */
  lost: StoreUnavailable | undefined;
  private readonly queued: Statement[] = [];
  private savepoint: Promise<unknown> | undefined;
  private writes = false;
  private ended = false;
  private readonly session: Session;

  constructor(private readonly shared: SharedTransaction) {
    this.session = shared.connection;
  }

  async all<Row>(sql: Sql, params?: readonly SqlValue[]): Promise<Row[]> {
    await this.prepareFor(sql);
    return this.watched(this.session.all<Row>(sql, params));
  }

  async get<Row>(sql: Sql, params?: readonly SqlValue[]): Promise<Row | undefined> {
    return (await this.all<Row>(sql, params))[0];
  }

  async run(sql: Sql, params?: readonly SqlValue[]): Promise<{ changes: number }> {
    await this.prepareFor(sql);
    return this.watched(this.session.run(sql, params));
  }

  enqueue(sql: Sql, params?: readonly SqlValue[]): void {
    this.assertUsable();
    this.queued.push({ sql, params });
  }

  /** There is one writer: nobody else can change anything until the transaction ends. */
  async lock(): Promise<void> {}

  afterCommit(effect: () => void): void {
    this.effects.push(effect);
  }

  publish(event: ChangeEvent): void {
    this.afterCommit(() => this.shared.events.publish(event));
  }

  /** Runs what is queued and ends the job. What it wrote is durable once the shared transaction is committed. */
  async finish(): Promise<void> {
    if (this.lost) throw this.lost;
    const [only, ...others] = this.queued;
    if (only && others.length === 0 && !this.shared.hasBegun) {
      await this.watched(this.session.run(only.sql, only.params));
    } else {
      await this.flush();
    }
    if (this.savepoint) await this.watched(this.session.run("RELEASE job"));
    if (this.writes) this.shared.hasWritten = true;
    this.ended = true;
  }

  async rollback(): Promise<void> {
    this.ended = true;
    if (this.savepoint) {
      await this.session.run("ROLLBACK TO job");
      await this.session.run("RELEASE job");
    } else if (this.writes) {
      await this.shared.rollback();
      await this.shared.begin();
    }
  }

  /** Ends the job of a transaction that is lost: there is nothing left to roll back to. */
  abandon(): void {
    this.ended = true;
  }

  /** Runs what is queued. */
  private async flush(): Promise<void> {
    for (const { sql, params } of this.queued.splice(0)) await this.run(sql, params);
  }

  private assertUsable(): void {
    if (this.ended) throw new Error("this transaction has ended");
    if (this.lost) throw this.lost;
  }

  private async prepareFor(sql: Sql): Promise<void> {
    this.assertUsable();
    if (this.queued.length > 0) await this.flush();
    if (/^\s*SELECT\b/.test(textFor("sqlite", sql))) return;
    this.writes = true;
    await this.shared.begin();
    if (!this.shared.hasWritten) return;
    this.savepoint ??= this.watched(this.session.run("SAVEPOINT job"));
    await this.savepoint;
  }

  private async watched<Result>(statement: Promise<Result>): Promise<Result> {
    try {
      return await statement;
    } catch (error) {
      if (error instanceof StoreUnavailable) this.lost = error;
      throw error;
    }
  }
}
