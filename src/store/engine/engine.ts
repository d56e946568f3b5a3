/**
 * The interface that the two database engines, SQLite and PostgreSQL, implement. SQL statements use `?`
 * placeholders. Most statements run on both engines. `sql.ts` builds those that differ.
 */
import { SECOND } from "../../kernel/clock.js";
import type { ChangeEvent, EventBus } from "./events.js";
import type { BoundRows, EngineName, Sql } from "./sql.js";

/** A value for a `?` placeholder. The caller must serialise objects to JSON first. */
export type SqlValue = string | number | null | Uint8Array | BoundRows;

/**
 * Time limit of one statement that reads outside a write. Even a search in a large space takes far less time.
 */
export const MAX_READ_MS = 5 * SECOND;

/** Runs SQL statements. Both engines return integers as numbers, and booleans as 0 or 1. */
export interface Session {
  readonly engine: EngineName;
  all<Row>(sql: Sql, params?: readonly SqlValue[]): Promise<Row[]>;
  get<Row>(sql: Sql, params?: readonly SqlValue[]): Promise<Row | undefined>;
  run(sql: Sql, params?: readonly SqlValue[]): Promise<{ changes: number }>;
}

/**
 * Tables whose rows a transaction can lock. All transactions lock them in this order, which prevents
 * deadlocks (docs/decisions/015). For `identity_throttles`, the lock is on the value itself, because the row
 * may not exist yet. For `approvals`, the value is the account whose approval queue is locked.
 */
export type Lockable =
  | "accounts"
  | "api_keys"
  | "handles"
  | "sign_ins"
  | "spaces"
  | "wires"
  | "knocks"
  | "identity_throttles"
  | "identity_requests"
  | "approvals";

/** An open database transaction. After commit or rollback, its methods throw. */
export interface Transaction extends Session {
  /**
   * Locks rows against writes by other daemons until the transaction ends. Skips rows that do not exist. Does
   * nothing on SQLite, because SQLite has a single writer.
   */
  lock(
    table: Lockable,
    column: "pk" | "id" | "slug" | "email" | "grant_id",
    values: readonly (string | number)[],
  ): Promise<void>;
  /**
   * Queues a write whose result is not needed. The write runs with the next statement or with the commit,
   * which saves round trips on PostgreSQL. On SQLite, a transaction that consists of one queued write needs
   * no BEGIN and COMMIT.
   */
  enqueue(sql: Sql, params?: readonly SqlValue[]): void;
  /**
   * Registers a callback that runs in this process after the commit. If the transaction fails, the callback
   * never runs.
   */
  afterCommit(effect: () => void): void;
  /** Publishes an event to all daemons on this database, including this one, after the commit. */
  publish(event: ChangeEvent): void;
}

/**
 * A kind of write that processes many concurrent requests in one transaction. `run` returns one result per
 * item, in the order of the items.
 */
export interface BatchedWrite<Item, Result> {
  run(tx: Transaction, items: readonly Item[]): Promise<Result[]>;
}

export interface WriteShare {
  /** The account that writes. The writer serves accounts in turn. */
  key?: string;
  /**
   * Approximate number of characters that the write stores and indexes. The sum of these numbers limits how
   * many writes share a batch.
   */
  characters?: number;
}

/**
 * A kind of read that answers many concurrent requests with one statement. `run` returns one result per item,
 * in the order of the items.
 */
export interface BatchedRead<Item, Result> {
  run(session: Session, items: readonly Item[]): Promise<Result[]>;
}

export interface Engine {
  /**
   * Runs reads. A statement that takes longer than {@link MAX_READ_MS} is stopped and throws
   * `StatementTimeout`.
   */
  readonly reader: Session;
  /**
   * Runs full-text searches, which can take much longer than other reads. Limits the number of concurrent
   * searches, so that other reads are not delayed. A search has the same time limit as other reads, and then
   * throws `SearchTimeout`.
   */
  readonly searcher: Session;
  /**
   * Runs `work` in a transaction and resolves when the commit is durable. After a conflict with another
   * transaction, runs `work` again from its beginning.
   * @param key the account that writes. Writes with the same key run one after another, and the keys take
   *   turns. So writes that lock the same rows wait in memory, and one account cannot occupy the database or
   *   all its connections.
   */
  write<Result>(work: (tx: Transaction) => Promise<Result>, key?: string): Promise<Result>;
  /**
   * Writes an item. Concurrent items of the same kind share a transaction, up to a maximum number and size.
   * If the shared transaction fails, each item is retried separately.
   */
  writeBatched<Item, Result>(
    batch: BatchedWrite<Item, Result>,
    item: Item,
    share?: WriteShare,
  ): Promise<Result>;
  readBatched<Item, Result>(batch: BatchedRead<Item, Result>, item: Item): Promise<Result>;
  /**
   * True if only this process writes to the database, as on SQLite. In this case, no change event is lost,
   * and a write's event is published before its response is sent.
   */
  readonly isSoleWriter: boolean;
  /**
   * Return the milliseconds since a queue of reads or writes was last empty. If several queues contain calls,
   * they return the longest time. They return 0 if all queues are empty.
   */
  readonly standingMs: Readonly<Record<"read" | "write", () => number>>;
  /**
   * Whether a write has failed because the database is unavailable, for example because the disk is full. A
   * caller may reset it to false only after a row was really written, because a statement that changes no row
   * succeeds even on a full disk.
   */
  isWriteFailing: boolean;
  /** Resolves if the database's disk has failed. The process must then exit without closing the database. */
  readonly failed: Promise<StoreFailed>;
  /** Subscribes to the change events of all daemons on this database. */
  subscribe: EventBus["subscribe"];
  /**
   * Updates the marker file beside the database. The marker later shows whether the database has lost
   * committed rows. Does nothing on PostgreSQL.
   */
  recordProgress(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Thrown if the database is unreachable, locked or closing, or if its disk is full. The API reports
 * UNAVAILABLE.
 */
export class StoreUnavailable extends Error {
  override readonly name: string = "StoreUnavailable";
}

/** Thrown if a statement was stopped because it took too long. The API reports UNAVAILABLE. */
export class StatementTimeout extends StoreUnavailable {
  override readonly name = "StatementTimeout";
}

/** Thrown if a search was stopped because it took too long. The API reports UNAVAILABLE. */
export class SearchTimeout extends Error {
  override readonly name = "SearchTimeout";
}

/**
 * Thrown if a database page is damaged or the disk cannot read it. SQLite reports both in the same way. Other
 * rows may still be readable. The API reports UNAVAILABLE.
 */
export class StoreDamaged extends Error {
  override readonly name = "StoreDamaged";
}

/** Thrown if the disk has failed, so that recent writes may not be stored. The daemon must stop. */
export class StoreFailed extends StoreUnavailable {
  override readonly name = "StoreFailed";
}

/** Receives warnings and errors from the store. A pino logger implements it. */
export interface StoreLog {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export const NO_LOG: StoreLog = { warn: () => undefined, error: () => undefined };

/**
 * Thrown if the database is unusable until the person who runs the daemon fixes a problem. The message says
 * what to do.
 */
export class StoreRefused extends Error {
  override readonly name = "StoreRefused";
}
