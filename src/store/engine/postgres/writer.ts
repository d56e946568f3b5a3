/**
 * Writes: each in a transaction of its own, many at once, and those of one kind that arrive together in one. What
 * conflicts with another is run again as a whole.
 */
import { randomBelow } from "../../../kernel/ids.js";
import { KeyedMutex } from "../../../kernel/keyed-mutex.js";
import { type BatchedWrite, StoreUnavailable, type Transaction } from "../engine.js";
import type { HandleEvent } from "../events.js";
import { isConflict } from "./errors.js";
import type { Pool } from "./pool.js";
import { PostgresTransaction } from "./session.js";

type Work<Result> = (tx: Transaction) => Promise<Result>;

/** Times that work is run before its conflict is answered as unavailable. Rows are locked in one order, so few need a second. */
const MAX_ATTEMPTS = 10;
/** Longest pause in milliseconds before the second attempt; it doubles from then on. */
const PAUSE = 4;
const LONGEST_PAUSE = 250;

/** Most items in one transaction. */
const MAX_BATCH = 256;
/** Batches of one kind under way at once: while one waits for the disk, the next one is filled and sent. */
const LANES = 2;

interface Entry {
  item: unknown;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

interface Queue {
  entries: Entry[];
  running: number;
}

export class Writer {
  private readonly queues = new Map<BatchedWrite<unknown, unknown>, Queue>();
  private readonly mutex = new KeyedMutex();
  private readonly underWay = new Set<Promise<unknown>>();
  private closed = false;

  /** @param publish tells all daemons, once what it is about is durable */
  constructor(
    private readonly pool: Pool,
    private readonly publish: (events: readonly HandleEvent[]) => void,
  ) {}

  async write<Result>(work: Work<Result>, turn?: string): Promise<Result> {
    if (this.closed) throw new StoreUnavailable("the store is closing");
    // Not on connections, all of which those that wait for one lock would hold, to the harm of everyone else.
    const done = turn === undefined ? this.settled(work) : this.mutex.run(turn, () => this.settled(work));
    this.underWay.add(done);
    try {
      return await done;
    } finally {
      this.underWay.delete(done);
    }
  }

  writeBatched<Item, Result>(batch: BatchedWrite<Item, Result>, item: Item): Promise<Result> {
    const key = batch as BatchedWrite<unknown, unknown>;
    return new Promise<Result>((resolve, reject) => {
      let queue = this.queues.get(key);
      if (!queue) {
        queue = { entries: [], running: 0 };
        this.queues.set(key, queue);
      }
      const filling = queue;
      filling.entries.push({ item, resolve: resolve as (result: unknown) => void, reject });
      if (filling.running >= LANES || filling.entries.length > 1) return;
      // One turn of the event loop, so that requests read from other sockets in this turn join the batch.
      setImmediate(() => void this.drain(key, filling));
    });
  }

  /** Waits for what is under way; later writes are refused. */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.allSettled(this.underWay);
  }

  private async drain(batch: BatchedWrite<unknown, unknown>, queue: Queue): Promise<void> {
    if (queue.running >= LANES) return;
    queue.running++;
    while (queue.entries.length > 0) {
      const entries = queue.entries.splice(0, MAX_BATCH);
      await this.together(batch, entries).catch(async (error) => {
        if (entries.length === 1 || error instanceof StoreUnavailable) {
          for (const entry of entries) entry.reject(error);
        } else {
          // One of them spoils it for all: each by itself, so that it fails alone.
          for (const entry of entries) await this.together(batch, [entry]).catch(entry.reject);
        }
      });
    }
    queue.running--;
  }

  private async together(batch: BatchedWrite<unknown, unknown>, entries: Entry[]): Promise<void> {
    const items = entries.map((entry) => entry.item);
    const results = await this.write((tx) => batch.run(tx, items));
    entries.forEach((entry, index) => void entry.resolve(results[index]));
  }

  private async settled<Result>(work: Work<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.attempt(work);
      } catch (error) {
        if (!isConflict(error)) throw error;
        if (attempt === MAX_ATTEMPTS) throw new StoreUnavailable("too many conflicts", { cause: error });
      }
      const pause = randomBelow(Math.min(PAUSE * 2 ** (attempt - 1), LONGEST_PAUSE));
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  private attempt<Result>(work: Work<Result>): Promise<Result> {
    return this.pool.use(async (lent) => {
      const tx = PostgresTransaction.begin(lent);
      try {
        const result = await work(tx);
        await tx.commit();
        for (const effect of tx.effects) effect();
        this.publish(tx.events);
        return result;
      } catch (error) {
        await tx.rollback();
        throw isConflict(tx.failure) ? tx.failure : error;
      }
    });
  }
}
