/**
 * Implements PostgreSQL sessions. `PooledSession` runs each statement on any pooled connection.
 * `PostgresTransaction` runs all statements on the same connection.
 */

import type { PoolClient, QueryConfig, QueryResult } from "pg";
import type { Lockable, Session, SqlValue, Transaction } from "../engine.js";
import type { ChangeEvent } from "../events.js";
import { inOneRoundTrip } from "../selects.js";
import { RowsParameter, type Sql } from "../sql.js";
import { isConnectionLost, toStoreError } from "./errors.js";
import type { Lease, Pool } from "./pool.js";
import { toQueryConfig } from "./statements.js";

/** Statements sent in the same event loop tick share a packet, which saves system calls. */
function sendQuery(client: PoolClient, query: QueryConfig): Promise<QueryResult> {
  const { stream } = client.connection;
  if (stream.writableCorked === 0) {
    stream.cork();
    process.nextTick(() => stream.uncork());
  }
  return client.query(query);
}

abstract class PostgresSession implements Session {
  readonly engine = "postgres";

  async all<Row>(sql: Sql, params?: readonly SqlValue[]): Promise<Row[]> {
    return (await this.query(sql, params)).rows as Row[];
  }

  async get<Row>(sql: Sql, params?: readonly SqlValue[]): Promise<Row | undefined> {
    return (await this.all<Row>(sql, params))[0];
  }

  async run(sql: Sql, params?: readonly SqlValue[]): Promise<{ changes: number }> {
    return { changes: (await this.query(sql, params)).rowCount ?? 0 };
  }

  protected abstract query(sql: Sql, params?: readonly SqlValue[]): Promise<QueryResult>;
}

export class PooledSession extends PostgresSession {
  constructor(private readonly pool: Pool) {
    super();
  }

  protected query(sql: Sql, params?: readonly SqlValue[]): Promise<QueryResult> {
    return this.pool.use(async (lease) => {
      try {
        return await sendQuery(lease.client, toQueryConfig(sql, params));
      } catch (error) {
        lease.isBroken = isConnectionLost(error);
        throw toStoreError(error);
      }
    });
  }
}

/**
 * A READ COMMITTED transaction: each statement sees what was committed before it, so reads after a lock are
 * current. Statements are sent without waiting for earlier results.
 */
export class PostgresTransaction extends PostgresSession implements Transaction {
  readonly effects: (() => void)[] = [];
  readonly events: ChangeEvent[] = [];
  /**
   * The first error. PostgreSQL rejects all later statements, even if the caller handled the error, and they
   * throw this one.
   */
  failure: unknown;
  private readonly queued: Promise<unknown>[] = [];
  private ended = false;

  private constructor(private readonly lease: Lease) {
    super();
  }

  static begin(lease: Lease): PostgresTransaction {
    const tx = new PostgresTransaction(lease);
    tx.query("BEGIN").catch(() => undefined);
    return tx;
  }

  enqueue(sql: Sql, params?: readonly SqlValue[]): void {
    const sent = this.query(sql, params);
    // Prevent an unhandled rejection. `commit` awaits the statement and throws its error.
    sent.catch(() => undefined);
    this.queued.push(sent);
  }

  async lock(table: Lockable, column: string, values: readonly (string | number)[]): Promise<void> {
    if (values.length === 0) return;
    const wanted = [...new Set(values)];
    if (table === "identity_throttles" || table === "approvals") {
      // Rows may not exist yet, so lock the values.
      const lockNames = wanted.map((value) => `${table} ${value}`).sort();
      for (const name of lockNames)
        await this.query("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", [name]);
      return;
    }
    const shape = new RowsParameter({ value: column === "pk" ? "integer" : "text" });
    // The order prevents deadlocks. NO KEY UPDATE does not block other transactions' foreign key checks.
    const order = table === "identity_requests" ? column : "pk";
    await this.query(
      `SELECT 1 FROM ${table} WHERE ${column} IN (SELECT value FROM ${shape.table("wanted").postgres})
       ORDER BY ${order} FOR NO KEY UPDATE`,
      [shape.bind(wanted.map((value) => [value]))],
    );
  }

  afterCommit(effect: () => void): void {
    this.effects.push(effect);
  }

  publish(event: ChangeEvent): void {
    // Other feed events only serve the feed cache, which is disabled on PostgreSQL.
    if (event.topic !== "feed" || event.isNewWire) this.events.push(event);
  }

  async commit(): Promise<void> {
    if (this.failure !== undefined) throw this.failure;
    await inOneRoundTrip(this.queued);
    await this.query("COMMIT");
    this.ended = true;
  }

  async rollback(): Promise<void> {
    if (!this.lease.isBroken) await this.query("ROLLBACK").catch(() => undefined);
    this.ended = true;
  }

  protected async query(sql: Sql, params?: readonly SqlValue[]): Promise<QueryResult> {
    if (this.ended) throw new Error("this transaction has ended");
    try {
      return await sendQuery(this.lease.client, toQueryConfig(sql, params));
    } catch (error) {
      if (isConnectionLost(error)) this.lease.isBroken = true;
      this.failure ??= toStoreError(error);
      throw this.failure;
    }
  }
}
