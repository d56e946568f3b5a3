/**
 * The interface that the two database engines, SQLite and PostgreSQL, implement. SQL statements use `?`
 * placeholders. Most statements run on both engines. `sql.ts` builds those that differ.
 */
import { SECOND } from "../../kernel/clock.js";
import type { ChangeEvent, EventBus } from "./events.js";
import type { BoundRows, EngineName, Sql } from "./sql.js";

/** A value for a `?` placeholder. Objects must be serialised to JSON first. */
export type SqlValue = string | number | null | Uint8Array | BoundRows;

export const MAX_READ_MS = 5 * SECOND;

/** Runs SQL statements. Both engines return integers as numbers, and booleans as 0 or 1. */
export interface Session {
  readonly engine: EngineName;
  all<Row>(sql: Sql, params?: readonly SqlValue[]): Promise<Row[]>;
  get<Row>(sql: Sql, params?: readonly SqlValue[]): Promise<Row | undefined>;
  run(sql: Sql, params?: readonly SqlValue[]): Promise<{ changes: number }>;
}

/**
 * Transactions lock rows of these tables in this order, which prevents deadlocks (docs/decisions/015). In
 * `identity_throttles`, the value itself is locked, because its row may not exist. In `approvals`, an
 * account's whole queue is locked.
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

/** After commit or rollback, its methods throw. */
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
   * Queues a write whose result is not needed. It runs with the next statement or with the commit, which
   * saves round trips on PostgreSQL. On SQLite, a transaction of one queued write needs no BEGIN and COMMIT.
   */
  enqueue(sql: Sql, params?: readonly SqlValue[]): void;
  /** Runs `effect` in this process after the commit, but not if the transaction fails. */
  afterCommit(effect: () => void): void;
  /** Publishes an event to all daemons on this database, including this one, after the commit. */
  publish(event: ChangeEvent): void;
}

/**
 * A write that many concurrent requests share in one transaction. `run` returns one result per item, in
 * order.
 */
export interface BatchedWrite<Item, Result> {
  run(tx: Transaction, items: readonly Item[]): Promise<Result[]>;
}

export interface WriteShare {
  /** The account that writes. Accounts take turns. */
  key?: string;
  /** Approximate number of characters to store and index. It limits how many writes share a batch. */
  characters?: number;
}

/**
 * A read that answers many concurrent requests with one statement. `run` returns one result per item, in
 * order.
 */
export interface BatchedRead<Item, Result> {
  run(session: Session, items: readonly Item[]): Promise<Result[]>;
}

export interface Engine {
  /** Runs reads. Throws `StatementTimeout` after {@link MAX_READ_MS}. */
  readonly reader: Session;
  /**
   * Runs full-text searches. Limits how many run at the same time, because they take much longer than other
   * reads. Throws `SearchTimeout` after {@link MAX_READ_MS}.
   */
  readonly searcher: Session;
  /**
   * Runs `work` in a transaction and resolves when the commit is durable. Runs `work` again after a conflict
   * with another transaction.
   * @param key the account that writes. Writes with the same key run one after another, and keys take turns,
   *   so that one account cannot occupy all connections.
   */
  write<Result>(work: (tx: Transaction) => Promise<Result>, key?: string): Promise<Result>;
  /**
   * Writes an item in a transaction that concurrent items of the same kind share. If this transaction fails,
   * retries each item separately.
   */
  writeBatched<Item, Result>(
    batch: BatchedWrite<Item, Result>,
    item: Item,
    share?: WriteShare,
  ): Promise<Result>;
  readBatched<Item, Result>(batch: BatchedRead<Item, Result>, item: Item): Promise<Result>;
  /**
   * True on SQLite: only this process writes, so no change event is lost, and a write's event is published
   * before its response is sent.
   */
  readonly isSoleWriter: boolean;
  /** Return the longest time in milliseconds for which a queue of reads or writes has not been empty. */
  readonly backlogMs: Readonly<Record<"read" | "write", () => number>>;
  /**
   * Whether a write has failed because the database is unavailable, for example because the disk is full.
   * Reset it only after a write that changed a row, because other writes succeed even on a full disk.
   */
  isWriteFailing: boolean;
  /** Resolves if the disk has failed. The process must then exit without closing the database. */
  readonly failed: Promise<StoreFailed>;
  /** Receives change events of all daemons on this database. */
  subscribe: EventBus["subscribe"];
  /**
   * Updates the marker file, which later shows whether the database has lost commits. Does nothing on
   * PostgreSQL.
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

export class StatementTimeout extends StoreUnavailable {
  override readonly name = "StatementTimeout";
}

/** Thrown if a search takes longer than {@link MAX_READ_MS}. The API reports UNAVAILABLE. */
export class SearchTimeout extends Error {
  override readonly name = "SearchTimeout";
}

/**
 * Thrown if a database page is damaged or the disk cannot read it. Other rows may still be readable. The API
 * reports UNAVAILABLE.
 */
export class StoreDamaged extends Error {
  override readonly name = "StoreDamaged";
}

/** Thrown if the disk has failed, so that recent writes may not be stored. The daemon must stop. */
export class StoreFailed extends StoreUnavailable {
  override readonly name = "StoreFailed";
}

/** A pino logger implements it. */
export interface StoreLog {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export const NO_LOG: StoreLog = { warn: () => undefined, error: () => undefined };

/** Thrown if the database is unusable until a human fixes a problem. The message says what to do. */
export class StoreRefused extends Error {
  override readonly name = "StoreRefused";
}
