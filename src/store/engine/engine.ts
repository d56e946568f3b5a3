/**
 * What the rest of the store needs of a database engine. SQL is written once with `?` placeholders; where engines
 * differ (full text, rows as a parameter) it comes from `sql.ts`.
 */
import type { ChangeEvent, EventBus } from "./events.js";
import type { EngineName, Rows, Sql } from "./sql.js";

/** A value that can be bound to a `?`. Objects are bound as JSON text by the caller, never by the driver. */
export type SqlValue = string | number | null | Uint8Array | Rows;

/** Runs statements. Integers come back as numbers; booleans are stored as 0 and 1, and come back so. */
export interface Session {
  /** Which engine it is, for the few statements that are put together as they are needed. */
  readonly engine: EngineName;
  all<Row>(sql: Sql, params?: readonly SqlValue[]): Promise<Row[]>;
  get<Row>(sql: Sql, params?: readonly SqlValue[]): Promise<Row | undefined>;
  run(sql: Sql, params?: readonly SqlValue[]): Promise<{ changes: number }>;
}

/** What is locked (docs/decisions/015 says in which order). Of throttles also ids that are not stored yet. */
export type Lockable =
  | "accounts"
  | "api_keys"
  | "handles"
  | "spaces"
  | "wires"
  | "knocks"
  | "identity_sign_ups"
  | "identity_throttles";

/** A session inside a transaction: all of it is committed, or none. Using it after it has ended throws. */
export interface Transaction extends Session {
  /**
   * Holds rows until the transaction ends, so that what is read of them from here on stays true: other daemons wait.
   * An engine with one writer has nothing to do. Rows that do not exist are passed over.
   */
  lock(
    table: Lockable,
    column: "pk" | "id" | "slug" | "email",
    values: readonly (string | number)[],
  ): Promise<void>;
  /**
   * Queues a statement that writes, whose result nobody waits for. It runs before the next statement of the transaction, or at
   * its end: there PostgreSQL takes what is queued in one round trip, and SQLite commits a single statement by itself, which
   * spares BEGIN and COMMIT.
   */
  enqueue(sql: Sql, params?: readonly SqlValue[]): void;
  /** Registers what must happen here once the transaction is durable; it is dropped when the transaction fails. */
  afterCommit(effect: () => void): void;
  /** Tells every daemon on this database, this one included, once the transaction is durable. */
  publish(event: ChangeEvent): void;
}

/** Many concurrent requests of one kind, answered by one run in one transaction. Results stand in the items' order. */
export interface BatchedWrite<Item, Result> {
  run(tx: Transaction, items: readonly Item[]): Promise<Result[]>;
}

/** Many concurrent reads of one kind, answered by one statement. Results stand in the items' order. */
export interface BatchedRead<Item, Result> {
  run(session: Session, items: readonly Item[]): Promise<Result[]>;
}

/** A database: a reader, and a writer whose concurrent transactions share commits where the engine gains by it. */
export interface Engine {
  readonly reader: Session;
  /**
   * Runs `work` in a transaction of its own; resolves once it is durable. `work` may be run again after a conflict.
   * @param turn writes of one turn would lock the same: where they would wait for each other, they do so in a queue
   */
  write<Result>(work: (tx: Transaction) => Promise<Result>, turn?: string): Promise<Result>;
  /** As `write`, but items that arrive together are handed to one `run`. A failing batch is retried item by item. */
  writeBatched<Item, Result>(batch: BatchedWrite<Item, Result>, item: Item): Promise<Result>;
  /** Reads with whatever other items of the same kind arrive while the previous batch runs. */
  readBatched<Item, Result>(batch: BatchedRead<Item, Result>, item: Item): Promise<Result>;
  /** Whether no other process writes: events of a write then come before its answer, and none is missed. */
  readonly isSoleWriter: boolean;
  /** Calls for the events of any daemon on this database. */
  subscribe: EventBus["subscribe"];
  close(): Promise<void>;
}

/** The database cannot serve now: it is away, its disk is full, it is locked, or it is closing. Answered as UNAVAILABLE. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}

/** The database cannot be opened as it is; the message says what to do. */
export class StoreRefused extends Error {
  override readonly name = "StoreRefused";
}
