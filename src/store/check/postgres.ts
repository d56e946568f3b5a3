/** Sessions for `wireroom store check`: each statement is a read-only transaction without timeouts. */
import { Mutex } from "async-mutex";
import type { Session, SqlValue } from "../engine/engine.js";
import { assertMigrated, withDetachedPool } from "../engine/postgres/locked-read.js";
import type { Pool } from "../engine/postgres/pool.js";
import { PostgresTransaction } from "../engine/postgres/session.js";
import type { Sql } from "../engine/sql.js";
import type { CheckSessions } from "./index.js";

/**
 * For a statement about a range of rows, every join by an index reads little. The planner cannot know that,
 * because it estimates a generic range, and would read whole tables for a hash join.
 */
const BY_INDEX = ["enable_hashjoin", "enable_mergejoin", "enable_seqscan"];

/**
 * Runs `work` beside any daemons. Throws `StoreRefused` if the database cannot be reached or has another
 * schema version.
 */
export function withCheckSessions<Result>(
  databaseUrl: string,
  work: (sessions: CheckSessions) => Promise<Result>,
): Promise<Result> {
  return withDetachedPool(databaseUrl, async (pool) => {
    // A statement that waits for the only connection would fail after the time limit for a connection.
    const turns = new Mutex();
    const whole = new ReadOnlyStatements(pool, turns, []);
    await assertMigrated(whole);
    return work({ ranges: new ReadOnlyStatements(pool, turns, BY_INDEX), whole });
  });
}

/** Runs each statement in a transaction of its own, so that no snapshot holds back the vacuum. */
class ReadOnlyStatements implements Session {
  readonly engine = "postgres";

  constructor(
    private readonly pool: Pool,
    private readonly turns: Mutex,
    /** Settings of the planner that are off. */
    private readonly off: readonly string[],
  ) {}

  all<Row>(sql: Sql, params?: readonly SqlValue[]): Promise<Row[]> {
    return this.transaction((tx) => tx.all<Row>(sql, params));
  }

  get<Row>(sql: Sql, params?: readonly SqlValue[]): Promise<Row | undefined> {
    return this.transaction((tx) => tx.get<Row>(sql, params));
  }

  run(sql: Sql, params?: readonly SqlValue[]): Promise<{ changes: number }> {
    return this.transaction((tx) => tx.run(sql, params));
  }

  private transaction<Result>(work: (tx: PostgresTransaction) => Promise<Result>): Promise<Result> {
    return this.turns.runExclusive(() =>
      this.pool.use(async (lease) => {
        const tx = PostgresTransaction.begin(lease);
        try {
          tx.enqueue("SET TRANSACTION READ ONLY");
          for (const setting of this.off) tx.enqueue(`SET LOCAL ${setting} = off`);
          return await work(tx);
        } finally {
          await tx.rollback();
        }
      }),
    );
  }
}
