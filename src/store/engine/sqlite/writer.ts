/**
 * Group commit for SQLite: writes that arrive during a commit share the next transaction and its fsync. A
 * savepoint isolates each write, so that a failing write does not affect other writes.
 *
 * Each kind of batched write has a queue, and so have all other writes together. The queues take turns, and
 * so do the accounts in each. A turn is a transaction.
 */
import { monotonicMs } from "../../../kernel/clock.js";
import { type BatchedWrite, StoreUnavailable, type Transaction, type WriteShare } from "../engine.js";
import type { EventBus } from "../events.js";
import { countTransaction, type StoreStatistics } from "../statistics.js";
import { type Entry, MAX_BATCH, WriteQueue } from "../write-queue.js";
import type { Connection } from "./connection.js";
import { JobTransaction, SharedTransaction } from "./transaction.js";

/** A transaction takes no further write after this time, so that other accounts get their turn. */
const MAX_TRANSACTION_MS = 20;

type AnyBatch = BatchedWrite<never, unknown>;

/** Writes that are not batched. Each of them runs separately. */
const SINGLE: BatchedWrite<(tx: Transaction) => Promise<unknown>, unknown> = {
  run: async (tx, [work]) => [await work!(tx)],
};

export class Writer {
  private readonly queues = new Map<AnyBatch, WriteQueue>();
  /** The kinds of the writes that wait. The one whose turn is next comes first. */
  private readonly turns = new Set<AnyBatch>();
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
    return this.enqueue(SINGLE, work, key === undefined ? {} : { key });
  }

  writeBatched<Item, Result>(
    batch: BatchedWrite<Item, Result>,
    item: Item,
    share?: WriteShare,
  ): Promise<Result> {
    return this.enqueue(batch, item, share);
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

  private enqueue<Result>(batch: AnyBatch, item: unknown, share?: WriteShare): Promise<Result> {
    if (this.closed) return Promise.reject(new StoreUnavailable("the store is closing"));
    let queue = this.queues.get(batch);
    if (!queue) {
      queue = new WriteQueue();
      this.queues.set(batch, queue);
    }
    const result = queue.add<Result>(item, share);
    this.turns.add(batch);
    this.start();
    return result;
  }

  /** Milliseconds for which writes have been waiting without a pause. */
  standingMs(): number {
    let longestMs = 0;
    // With one count for all kinds, two kinds that take turns would look like a queue that never empties.
    for (const { waiting } of this.queues.values()) longestMs = Math.max(longestMs, waiting.standingMs);
    return longestMs;
  }

  private get isIdle(): boolean {
    return this.turns.size === 0 && this.exclusive.length === 0;
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
      const [batch] = this.turns;
      if (!batch) continue;
      const queue = this.queues.get(batch)!;
      this.turns.delete(batch);
      setImmediate(await this.commit(batch, queue));
      if (queue.size > 0) this.turns.add(batch);
    }
    await new Promise<void>((resolve) => setImmediate(resolve));
  }

  /**
   * Commits writes of a queue. The returned callback resolves the callers' promises. It must run later, so
   * that SQLite receives the next batch first.
   */
  private async commit(batch: AnyBatch, queue: WriteQueue): Promise<() => void> {
    const { failure } = this;
    const entries = batch === SINGLE && !failure ? [] : queue.takeBatch();
    if (failure) return () => rejectAll(entries, failure);
    const shared = new SharedTransaction(this.connection, this.events);
    const startedMs = monotonicMs();
    try {
      if (batch === SINGLE) await runSingles(queue, entries, shared, startedMs);
      else await runBatch(batch, entries, shared);
      await shared.commit();
      countTransaction(this.statistics, entries, startedMs);
    } catch (error) {
      this.isFailing = true;
      await shared.rollback().catch(() => undefined);
      return () => rejectAll(entries, error);
    }
    return () => {
      for (const effect of shared.onCommit) effect();
    };
  }
}

function rejectAll(entries: readonly Entry[], error: unknown): void {
  for (const { reject } of entries) reject(error);
}

/**
 * Runs the single writes that wait now, until the transaction takes too long. Adds those to `entries` that it
 * has run, or all of them if it throws.
 */
async function runSingles(
  queue: WriteQueue,
  entries: Entry[],
  shared: SharedTransaction,
  startedMs: number,
): Promise<void> {
  let waiting = Math.min(queue.size, MAX_BATCH);
  queue.waiting.remove(waiting);
  try {
    await shared.begin();
    while (waiting > 0) {
      if (entries.length > 0 && monotonicMs() - startedMs > MAX_TRANSACTION_MS)
        return queue.waiting.putBack(waiting);
      const entry = queue.takeOne();
      waiting--;
      entries.push(entry);
      await runBatch(SINGLE, [entry], shared);
    }
  } catch (error) {
    while (waiting-- > 0) entries.push(queue.takeOne());
    throw error;
  }
}

/**
 * Runs a batch. If it fails, runs each of its items separately. Throws only errors that end the whole
 * transaction.
 */
async function runBatch(
  batch: AnyBatch,
  entries: readonly Entry[],
  shared: SharedTransaction,
): Promise<void> {
  try {
    await runItems(batch, entries, shared);
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    if (entries.length === 1) return entries[0]!.reject(error);
    await shared.begin();
    for (const entry of entries) await runBatch(batch, [entry], shared);
  }
}

/** Runs items at once. If this fails, rolls back their writes and throws. */
async function runItems(
  batch: AnyBatch,
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
    // After a full disk or an I/O error, SQLite rolls back the whole transaction, including savepoints. The
    // batch fails even if `run` has caught the error.
    const fatalError = tx.fatalError ?? (error instanceof StoreUnavailable ? error : undefined);
    if (fatalError) {
      tx.endWithoutRollback();
      throw fatalError;
    }
    await tx.rollback();
    throw error;
  }
}
