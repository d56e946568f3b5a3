/**
 * Reads a database without timeouts, and can lock its tables. Used by `wireroom store copy` and `wireroom
 * store check`.
 */
import type { ClientConfig } from "pg";
import { monotonicMs, SECOND } from "../../../kernel/clock.js";
import { type Session, StoreRefused, StoreUnavailable } from "../engine.js";
import { migrations } from "../migrations/index.js";
import { describeConnectionError } from "./errors.js";
import { OLDER_VERSION } from "./migrate.js";
import { Pool } from "./pool.js";
import { PostgresTransaction } from "./session.js";
import { APPLICATION_NAME, liftTimeLimits, parsePostgresUrl, withoutTimeLimits } from "./url.js";

/** Differs from the daemon's name, so that `assertNoDaemon` does not count the copy's own connections. */
const COPY_APPLICATION_NAME = "wireroom store copy";
const DAEMON_EXIT_TIMEOUT_MS = 2 * SECOND;

/** Rolls the transaction back at the end. */
export function withReadOnlyTransaction<Result>(
  databaseUrl: string,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  return withDetachedPool(databaseUrl, (pool) =>
    pool.use(async (lease) => {
      const tx = PostgresTransaction.begin(lease);
      try {
        return await work(tx);
      } finally {
        await tx.rollback();
      }
    }),
  );
}

/** The pool has one connection and no timeouts. */
export async function withDetachedPool<Result>(
  databaseUrl: string,
  work: (pool: Pool) => Promise<Result>,
): Promise<Result> {
  const pool = new Pool(withoutTimeLimits(namedConfig(databaseUrl)), 1, liftTimeLimits);
  try {
    await pool.use(async () => undefined).catch(refuse);
    return await work(pool);
  } finally {
    await pool.close();
  }
}

function refuse(error: unknown): never {
  if (!(error instanceof StoreUnavailable)) throw error;
  const reason = describeConnectionError((error.cause as Error | undefined) ?? error);
  throw new StoreRefused(`cannot open the database: ${reason}`, { cause: error });
}

/**
 * Runs `work` while the tables are locked against writes, so that all statements see the same rows. Throws
 * `StoreRefused` if a daemon is connected, or if the database has another schema version.
 */
export function withTablesLocked<Result>(
  databaseUrl: string,
  tables: readonly string[],
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  return withReadOnlyTransaction(databaseUrl, async (session) => {
    await assertMigrated(session);
    await assertNoDaemon(session);
    await session.run(`LOCK TABLE ${tables.join(", ")} IN SHARE MODE`);
    return work(session);
  });
}

function namedConfig(databaseUrl: string): ClientConfig {
  const { config } = parsePostgresUrl(databaseUrl);
  const named = new URL(config.connectionString!);
  named.searchParams.set("application_name", COPY_APPLICATION_NAME);
  return { ...config, connectionString: named.href };
}

export async function assertMigrated(session: Session): Promise<void> {
  const table = await session.get<{ found: string | null }>(
    "SELECT to_regclass('migrations')::text AS found",
  );
  if (table!.found === null) throw new StoreRefused("the database is not a Wireroom database");
  const applied = await session.all<{ id: number }>("SELECT id FROM migrations ORDER BY id");
  const newest = migrations.at(-1)!.id;
  if (applied.some(({ id }) => id > newest))
    throw new StoreRefused("the database was changed by a newer version of Wireroom; update Wireroom");
  if (applied.length < migrations.length) throw new StoreRefused(OLDER_VERSION);
}

async function assertNoDaemon(session: Session): Promise<void> {
  const deadline = monotonicMs() + DAEMON_EXIT_TIMEOUT_MS;
  for (;;) {
    const row = await session.get<{ n: number }>(
      "SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND application_name = ?",
      [APPLICATION_NAME],
    );
    if (row!.n === 0) return;
    if (monotonicMs() >= deadline) {
      throw new StoreRefused(
        `another daemon is running on the source (${row!.n} connections are open); stop all daemons on it, and do not start them again`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, SECOND / 4));
    // Clear the snapshot, because the transaction would otherwise see the same state of pg_stat_activity
    // until its end.
    await session.get("SELECT pg_stat_clear_snapshot()");
  }
}
