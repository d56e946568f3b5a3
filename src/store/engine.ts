/**
 * What the rest of the store needs of a database engine. SQL is written once with `?` placeholders; only full text,
 * batching and locks differ between engines.
 */

/** A value that can be bound to a `?`. Objects are bound as JSON text by the caller, never by the driver. */
export type SqlValue = string | number | null | Uint8Array;

/** Runs statements. Integers come back as numbers; booleans are stored as 0 and 1. */
export interface Session {
  all<Row>(sql: string, params?: readonly SqlValue[]): Promise<Row[]>;
  get<Row>(sql: string, params?: readonly SqlValue[]): Promise<Row | undefined>;
  run(sql: string, params?: readonly SqlValue[]): Promise<{ changes: number }>;
}

/** A session inside a transaction: all of it is committed, or none. Using it after it has ended throws. */
export interface Transaction extends Session {
  /** Registers what must happen once the transaction is durable; it is dropped when the transaction fails. */
  afterCommit(effect: () => void): void;
}

/** Many concurrent requests of one kind, answered by one run in one transaction. Results stand in the items' order. */
export interface BatchedWrite<Item, Result> {
  run(tx: Transaction, items: readonly Item[]): Promise<Result[]>;
}

/** Many concurrent reads of one kind, answered by one statement. Results stand in the items' order. */
export interface BatchedRead<Item, Result> {
  run(session: Session, items: readonly Item[]): Promise<Result[]>;
}

/** A database: a reader, and one writer whose concurrent transactions share a commit. */
export interface Engine {
  readonly reader: Session;
  /** Runs `work` in a transaction of its own; resolves once it is durable. `work` may be run again after a conflict. */
  write<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  /** As `write`, but items that arrive together are handed to one `run`. A failing batch is retried item by item. */
  writeBatched<Item, Result>(batch: BatchedWrite<Item, Result>, item: Item): Promise<Result>;
  /** Reads with whatever other items of the same kind arrive while the previous batch runs. */
  readBatched<Item, Result>(batch: BatchedRead<Item, Result>, item: Item): Promise<Result>;
  close(): Promise<void>;
}

/** The database cannot serve now: the disk is full, it is locked, or it is closing. Answered as UNAVAILABLE. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}

/** The database cannot be opened as it is; the message says what to do. */
export class StoreRefused extends Error {
  override readonly name = "StoreRefused";
}
