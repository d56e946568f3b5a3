/**
 * The interface that both database engines implement: SQLite and PostgreSQL. SQL statements use `?`
 * placeholders. Most statements run on both engines, and `sql.ts` builds those that differ.
 */
import { SECOND } from "../../kernel/clock.js";
import type { ChangeEvent, EventBus } from "./events.js";
import type { BoundRows, EngineName, Sql } from "./sql.js";

/** A value for a `?` placeholder. Callers must serialise objects to JSON text. */
export type SqlValue = string | number | null | Uint8Array | BoundRows;

/**
 * Maximum time of one statement that reads outside of a write. A search of 32 words in a space of 100,000
 * wires, all of which match, takes 0.2 s, and a page takes milliseconds.
 */
export const MAX_READ_MS = 5 * SECOND;

/** Runs SQL statements. Both engines return integers as numbers and booleans as 0 and 1. */
export interface Session {
  readonly engine: EngineName;
  all<Row>(sql: Sql, params?: readonly SqlValue[]): Promise<Row[]>;
  get<Row>(sql: Sql, params?: readonly SqlValue[]): Promise<Row | undefined>;
  run(sql: Sql, params?: readonly SqlValue[]): Promise<{ changes: number }>;
}

/**
 * Tables whose rows a transaction can lock, in this order (docs/decisions/015). For `identity_throttles`, the
 * value itself is locked, so that a row that does not exist yet can be locked too. For `approvals`, the value
 * is the account whose queue is locked.
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

/** An open database transaction. Its methods throw after it has been committed or rolled back. */
export interface Transaction extends Session {
  /**
   * Locks rows against writes by other daemons until the transaction ends. Rows that do not exist are
   * skipped. On SQLite this does nothing, because SQLite has a single writer.
   */
  lock(
    table: Lockable,
    column: "pk" | "id" | "slug" | "email" | "grant_id",
    values: readonly (string | number)[],
  ): Promise<void>;
  /**
   * Queues a write whose result is not needed. The write runs with the next statement or with the commit.
   * This saves round trips on PostgreSQL. On SQLite, a single write needs no BEGIN and COMMIT.
   */
  enqueue(sql: Sql, params?: readonly SqlValue[]): void;
  /**
   * Registers a callback that runs in this process after the commit. The callback is dropped if the
   * transaction fails.
   */
  afterCommit(effect: () => void): void;
  /** Publishes an event to all daemons on this database, including this one, after the commit. */
  publish(event: ChangeEvent): void;
}

/**
 * A kind of write that handles many concurrent requests in one transaction. `run` returns one result per
 * item, in order.
 */
export interface BatchedWrite<Item, Result> {
  run(tx: Transaction, items: readonly Item[]): Promise<Result[]>;
}

/** Whose a write is, and how large. */
export interface WriteShare {
  /** The account that writes. Accounts take turns. */
  key?: string;
  /**
   * Approximate number of characters that the write stores and indexes. A batch of several writes is bounded
   * by their sum.
   */
  characters?: number;
}

/**
 * A kind of read that serves many concurrent requests with one statement. `run` returns one result per item,
 * in order.
 */
export interface BatchedRead<Item, Result> {
  run(session: Session, items: readonly Item[]): Promise<Result[]>;
}

export interface Engine {
  /** Runs each statement for at most {@link MAX_READ_MS}. Throws `StatementTimeout` after that time. */
  readonly reader: Session;
  /**
   * Runs full-text searches, which can take much longer than other reads: few at a time, on connections that
   * other reads do not wait for, and for as long as the reader at most. Throws `SearchTimeout` after that
   * time.
   */
  readonly searcher: Session;
  /**
   * Runs `work` in a transaction and resolves when the commit is durable. After a conflict, `work` runs
   * again.
   * @param key the account that writes. Writes with the same key run one after another, and take turns with
   *   those of other keys.
   * So those that lock the same rows wait in memory, and one account can occupy neither the database nor its
   * connections.
   */
  write<Result>(work: (tx: Transaction) => Promise<Result>, key?: string): Promise<Result>;
  /**
   * Writes an item. Concurrent items of the same kind share one transaction, up to a number and a size. If
   * the transaction fails, each item is retried separately.
   */
  writeBatched<Item, Result>(
    batch: BatchedWrite<Item, Result>,
    item: Item,
    share?: WriteShare,
  ): Promise<Result>;
  /** Reads an item. Concurrent reads of the same kind share one SQL statement. */
  readBatched<Item, Result>(batch: BatchedRead<Item, Result>, item: Item): Promise<Result>;
  /**
   * True if only this process writes to the database, as on SQLite. Then no change event is lost, and the
   * event of a write is published before its response is sent.
   */
  readonly isSoleWriter: boolean;
  /** Milliseconds for which calls have been waiting for the database without a pause; 0 if none waits. */
  readonly standingMs: Readonly<Record<"read" | "write", () => number>>;
  /**
   * Whether a write has failed because the database is unavailable, such as on a full disk. The caller that
   * sees a row written sets it to false: a statement that changes no row succeeds on a full disk, too.
   */
  isWriteFailing: boolean;
  /**
   * Resolves if the disk of the database has failed. The process must then end without closing the database.
   */
  readonly failed: Promise<StoreFailed>;
  /** Subscribes to the change events of all daemons on this database. */
  subscribe: EventBus["subscribe"];
  /** Records outside of the database that it exists and how far it has come. Does nothing on PostgreSQL. */
  recordProgress(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Thrown if the database is unreachable, locked or closing, or if its disk is full. The API reports it as
 * UNAVAILABLE.
 */
export class StoreUnavailable extends Error {
  override readonly name: string = "StoreUnavailable";
}

/** Thrown if a statement took too long and was stopped. The API reports it as UNAVAILABLE. */
export class StatementTimeout extends StoreUnavailable {
  override readonly name = "StatementTimeout";
}

/** Thrown if a search took too long and was stopped. The API reports it as UNAVAILABLE. */
export class SearchTimeout extends Error {
  override readonly name = "SearchTimeout";
}

/**
 * Thrown if a page of the database is damaged, or if the disk cannot read it, which SQLite reports in the
 * same way. Other rows can still be read. The API reports it as UNAVAILABLE.
 */
export class StoreDamaged extends Error {
  override readonly name = "StoreDamaged";
}

/** Thrown if the disk has failed, so that nothing that was written may be on it. The daemon must stop. */
export class StoreFailed extends StoreUnavailable {
  override readonly name = "StoreFailed";
}

/** Receives what the store reports while it runs. A logger of pino is one. */
export interface StoreLog {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export const NO_LOG: StoreLog = { warn: () => undefined, error: () => undefined };

/**
 * Thrown if the database cannot be used until the person who runs the daemon fixes a problem. The message
 * states what to do.
 */
export class StoreRefused extends Error {
  override readonly name = "StoreRefused";
}
