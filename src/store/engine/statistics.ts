/**
 * Figures that the store and the service count while they run. They are plain numbers, so that counting costs
 * next to nothing and this layer needs no library of metrics.
 */

import { monotonicMs, SECOND } from "../../kernel/clock.js";

/** Upper bounds of the buckets of a wait, in seconds. A stall is a wait of more than 50 ms. */
const WAIT_BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
/** Upper bounds of the buckets of a batch. No batch is larger than the last one. */
const BATCH_BOUNDS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** A histogram. */
export class Distribution {
  /** Number of values in each bucket. The last bucket, which is above all bounds, has no upper bound. */
  readonly counts: number[];
  sum = 0;

  /** @param bounds upper bounds of the buckets, smallest first; a value that equals a bound is below it */
  constructor(readonly bounds: readonly number[]) {
    this.counts = new Array<number>(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    const { bounds, counts } = this;
    let bucket = 0;
    while (bucket < bounds.length && value > bounds[bucket]!) bucket++;
    counts[bucket]!++;
    this.sum += value;
  }
}

export interface CacheCounts {
  hits: number;
  misses: number;
}

export function countLookup(cache: CacheCounts, found: unknown): void {
  if (found === undefined) cache.misses++;
  else cache.hits++;
}

/** A pool of connections to PostgreSQL. */
export interface ConnectionPool {
  readonly maxConnections: number;
  readonly usedConnections: number;
  /** Number of calls that wait for a connection. */
  readonly waitingCalls: number;
}

/** Calls that share a statement or a transaction. */
type Calls = readonly { queuedAtMs: number }[];

/** Counts reads that share a statement, which begins now. */
export function countReads(statistics: StoreStatistics, calls: Calls): void {
  count(statistics, "read", calls, monotonicMs());
}

/** Counts writes that shared a transaction, which is committed now. */
export function countTransaction(statistics: StoreStatistics, calls: Calls, startedMs: number): void {
  statistics.transactionSeconds.observe((monotonicMs() - startedMs) / SECOND);
  count(statistics, "write", calls, startedMs);
}

function count(
  { batchSize, waitSeconds }: StoreStatistics,
  kind: "read" | "write",
  calls: Calls,
  startedMs: number,
): void {
  batchSize[kind].observe(calls.length);
  for (const { queuedAtMs } of calls) waitSeconds[kind].observe((startedMs - queuedAtMs) / SECOND);
}

export type StoreStatistics = ReturnType<typeof createStatistics>;

export function createStatistics() {
  const cache = (): CacheCounts => ({ hits: 0, misses: 0 });
  return {
    /** Seconds between a call of the store and the start of its transaction or statement. */
    waitSeconds: { read: new Distribution(WAIT_BOUNDS), write: new Distribution(WAIT_BOUNDS) },
    /** Number of calls that shared a statement or a transaction. */
    batchSize: { read: new Distribution(BATCH_BOUNDS), write: new Distribution(BATCH_BOUNDS) },
    /** Seconds between the start of a write transaction and the end of its commit. */
    transactionSeconds: new Distribution(WAIT_BOUNDS),
    caches: {
      inbox_ends: cache(),
      first_pages: cache(),
      credentials: cache(),
      predicted_rules: cache(),
      schema_documents: cache(),
    },
    /** Number of reads that succeeded although their checkpoint could not be stored. */
    unmovedCheckpoints: 0,
    retention: {
      /**
       * How long ago the oldest wire that must be deleted became old enough, in seconds. 0 if there is none.
       */
      lagSeconds: 0,
      /** Number of wires that this daemon has deleted because of their age. */
      deletedWires: 0,
    },
    /** Size of the database without its log, measured from time to time. */
    databaseBytes: undefined as number | undefined,
    /** Size of SQLite's write-ahead log. Undefined on PostgreSQL. */
    walBytes: undefined as number | undefined,
    /** Undefined on SQLite. */
    pools: undefined as Readonly<Record<"read" | "write", ConnectionPool>> | undefined,
    /**
     * Monotonic time at which the connection that receives events of other daemons last worked. Undefined on
     * SQLite.
     */
    listenerSeenAtMs: undefined as number | undefined,
  };
}
