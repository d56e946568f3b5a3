/** Statements on connections. */
import type { PoolClient, QueryConfig, QueryResult } from "pg";
import type { Lockable, Session, SqlValue, Transaction } from "../engine.js";
import type { ChangeEvent, HandleEvent } from "../events.js";
import { RowsOf, type Sql, together } from "../sql.js";
import { isLost, translated } from "./errors.js";
import type { Lent, Pool } from "./pool.js";
import { statement } from "./statements.js";

/** Asks the server. What is asked in one turn of the event loop goes to it in one packet: each is a call of the system. */
function ask(client: PoolClient, query: QueryConfig): Promise<QueryResult> {
  const { stream } = client.connection;
  if (stream.writableCorked === 0) {
    stream.cork();
    process.nextTick(() => stream.uncork());
  }
  return client.query(query);
}

/** Each statement on whichever connection is free. */
export class PooledSession implements Session {
  readonly engine = "postgres";

  constructor(private readonly pool: Pool) {}

  async all<Row>(sql: Sql, params?: readonly SqlValue[]): Promise<Row[]> {
    return (await this.query(sql, params)).rows as Row[];
  }

  async get<Row>(sql: Sql, params?: readonly SqlValue[]): Promise<Row | undefined> {
    return (await this.all<Row>(sql, params))[0];
  }

  async run(sql: Sql, params?: readonly SqlValue[]): Promise<{ changes: number }> {
    return { changes: (await this.query(sql, params)).rowCount ?? 0 };
  }

  private query(sql: Sql, params?: readonly SqlValue[]): Promise<QueryResult> {
    return this.pool.use(async (lent) => {
      try {
        return await ask(lent.client, statement(sql, params));
      } catch (error) {
        lent.lost = isLost(error);
        throw translated(error);
      }
    });
  }
}

/**
 * One transaction on one connection, READ COMMITTED: each statement sees what is committed when it begins, so what is
 * read after a lock is up to date. Statements are sent without waiting for those before; the server takes them in order.
 */
export class PostgresTransaction implements Transaction {
  readonly engine = "postgres";
  readonly effects: (() => void)[] = [];
  readonly events: HandleEvent[] = [];
  /** The first error of a statement: after it PostgreSQL takes no more, whatever was made of it. */
  failure: unknown;
  private readonly queued: Promise<unknown>[] = [];
  private ended = false;

  private constructor(private readonly lent: Lent) {}

  /** Begins without waiting for the answer: it comes before that of the first statement. */
  static begin(lent: Lent): PostgresTransaction {
    const tx = new PostgresTransaction(lent);
    tx.send("BEGIN").catch(() => undefined);
    return tx;
  }

  async all<Row>(sql: Sql, params?: readonly SqlValue[]): Promise<Row[]> {
    return (await this.send(sql, params)).rows as Row[];
  }

  async get<Row>(sql: Sql, params?: readonly SqlValue[]): Promise<Row | undefined> {
    return (await this.all<Row>(sql, params))[0];
  }

  async run(sql: Sql, params?: readonly SqlValue[]): Promise<{ changes: number }> {
    return { changes: (await this.send(sql, params)).rowCount ?? 0 };
  }

  enqueue(sql: Sql, params?: readonly SqlValue[]): void {
    const sent = this.send(sql, params);
    // Awaited before the commit.
    sent.catch(() => undefined);
    this.queued.push(sent);
  }

  async lock(table: Lockable, column: string, values: readonly (string | number)[]): Promise<void> {
    if (values.length === 0) return;
    const wanted = [...new Set(values)];
    if (table === "identity_throttles") {
      // Ids that may not be stored yet have no row to lock.
      const names = wanted.map((value) => `${table} ${value}`).sort();
      for (const name of names)
        await this.send("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", [name]);
      return;
    }
    const shape = new RowsOf({ value: column === "pk" ? "integer" : "text" });
    // In one order everywhere, so that two who lock some of the same rows do not wait for each other. NO KEY: foreign keys
    // may still be checked against them.
    const order = table === "identity_sign_ups" ? column : "pk";
    await this.send(
      `SELECT 1 FROM ${table} WHERE ${column} IN (SELECT value FROM ${shape.as("postgres", "wanted")})
       ORDER BY ${order} FOR NO KEY UPDATE`,
      [shape.bind(wanted.map((value) => [value]))],
    );
  }

  afterCommit(effect: () => void): void {
    this.effects.push(effect);
  }

  publish(event: ChangeEvent): void {
    // Feeds are remembered only where one daemon is alone.
    if (event.topic !== "feed") this.events.push(event);
  }

  /** Resolves once it is durable. */
  async commit(): Promise<void> {
    if (this.failure !== undefined) throw this.failure;
    await together(this.queued);
    await this.send("COMMIT");
    this.ended = true;
  }

  /** Undoes everything; the connection can be used again, or is marked as lost. */
  async rollback(): Promise<void> {
    if (!this.lent.lost) await this.send("ROLLBACK").catch(() => undefined);
    this.ended = true;
  }

  private async send(sql: Sql, params?: readonly SqlValue[]): Promise<QueryResult> {
    if (this.ended) throw new Error("this transaction has ended");
    try {
      return await ask(this.lent.client, statement(sql, params));
    } catch (error) {
      if (isLost(error)) this.lent.lost = true;
      const known = translated(error);
      this.failure ??= known;
      throw known;
    }
  }
}
