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

/** A database: a snapshot reader, and one writer whose concurrent transactions share a commit. */
export interface Engine {
  readonly reader: Session;
  /** Runs `work` alone in a transaction; resolves once it is durable. `work` may be run again after a conflict. */
  write<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}
