/**
 * Counters that the store and the service update. They are plain numbers, which cost almost nothing and need
 * no metrics library.
 */
import { monotonicMs, SECOND, uptimeMs } from "../../kernel/clock.js";

/** Bucket bounds in seconds. A wait above 50 ms counts as a stall. */
const WAIT_BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
/** No batch is larger than the last bound. */
const BATCH_BOUNDS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

export class Distribution {
  /** The last bucket counts the values above all bounds. */
  readonly counts: number[];
  sum = 0;

  /** @param bounds upper bounds of the buckets, inclusive, in ascending order */
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

export interface ConnectionPool {
  readonly maxConnections: number;
  readonly usedConnections: number;
  readonly waitingCalls: number;
}

/** Calls that share a statement or transaction. */
type Calls = readonly { queuedAtMs: number }[];

/** Call it when the statement begins. */
export function countReads(statistics: StoreStatistics, calls: Calls): void {
  count(statistics, "read", calls, monotonicMs());
}

/** Call it right after the commit. */
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
    /** Seconds from a call to the start of its statement or transaction. */
    waitSeconds: { read: new Distribution(WAIT_BOUNDS), write: new Distribution(WAIT_BOUNDS) },
    batchSize: { read: new Distribution(BATCH_BOUNDS), write: new Distribution(BATCH_BOUNDS) },
    /** Seconds from the start of a transaction to the end of its commit. */
    transactionSeconds: new Distribution(WAIT_BOUNDS),
    caches: {
      inbox_ends: cache(),
      first_pages: cache(),
      credentials: cache(),
      predicted_rules: cache(),
      schema_documents: cache(),
    },
    /** Reads that succeeded although their checkpoint could not be stored. */
    unmovedCheckpoints: 0,
    /** Requests whose status was 500 or above. */
    failedRequests: 0,
    retention: {
      /** Seconds by which the deletion of the oldest expired wire is late. */
      lagSeconds: 0,
      deletedWires: 0,
    },
    /** Without the write-ahead log. Measured periodically. */
    databaseBytes: undefined as number | undefined,
    /** Undefined on PostgreSQL. */
    walBytes: undefined as number | undefined,
    /** Undefined on SQLite. */
    pools: undefined as Readonly<Record<"read" | "write", ConnectionPool>> | undefined,
    /** When the connection for change events last worked, by the monotonic clock; undefined on SQLite. */
    listenerSeenAtMs: undefined as number | undefined,
  };
}

/**
 * Measures how long a queue has not been empty. A queue that empties regularly only absorbs bursts, however
 * long it gets. A queue that never empties is overloaded (a standing queue, RFC 8289).
 */
export class WaitingCalls {
  private count = 0;
  private emptyAtMs = 0;
  /** Value of `emptyAtMs` that `putBack` restores. */
  private emptyBeforeMs = 0;

  add(calls = 1): void {
    if (this.count === 0) this.emptyAtMs = uptimeMs();
    this.count += calls;
  }

  remove(calls = 1): void {
    this.count -= calls;
    this.emptyBeforeMs = this.emptyAtMs;
  }

  /** Undoes the last `remove`. */
  putBack(calls: number): void {
    this.count += calls;
    this.emptyAtMs = this.emptyBeforeMs;
  }

  /** 0 if the queue is empty. Otherwise, at least the oldest call's waiting time. */
  get backlogMs(): number {
    return this.count === 0 ? 0 : uptimeMs() - this.emptyAtMs;
  }
}
