/** A database looked into, and one kept as it is, for work that takes as long as it takes. */
import type { ClientConfig } from "pg";
import { monotonicMs, SECOND } from "../../../kernel/clock.js";
import { type Session, StoreRefused, StoreUnavailable } from "../engine.js";
import { migrations } from "../migrations/index.js";
import { reasonOf } from "./advice.js";
import { Pool } from "./pool.js";
import { PostgresTransaction } from "./session.js";
import { DAEMON, readTarget } from "./url.js";

/** What the connection is called, so that nobody takes it for a daemon's. */
const NAME = "wireroom store copy";
/** How long connections of a daemon that has just ended may linger. */
const PATIENCE = 2 * SECOND;

/** Runs `work` in a transaction that changes nothing. Throws `StoreRefused` where the database cannot be reached. */
export async function lookInto<Result>(
  databaseUrl: string,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const pool = new Pool(patient(readTarget(databaseUrl).config), 1);
  let isConnected = false;
  try {
    return await pool.use(async (lent) => {
      isConnected = true;
      const tx = PostgresTransaction.begin(lent);
      try {
        return await work(tx);
      } finally {
        await tx.rollback();
      }
    });
  } catch (error) {
    if (isConnected || !(error instanceof StoreUnavailable)) throw error;
    const reason = reasonOf((error.cause as Error | undefined) ?? error);
    throw new StoreRefused(`cannot open the database: ${reason}`, { cause: error });
  } finally {
    await pool.close();
  }
}

/**
 * Runs `work` while nothing can change these tables: they are locked against writers, so each statement sees the same.
 * Throws `StoreRefused` where a daemon is connected, or the database is not of this version.
 */
export function holdDatabase<Result>(
  databaseUrl: string,
  tables: readonly string[],
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  return lookInto(databaseUrl, async (session) => {
    await assertMigrated(session);
    await assertNoDaemon(session);
    await session.run(`LOCK TABLE ${tables.join(", ")} IN SHARE MODE`);
    return work(session);
  });
}

function patient(config: ClientConfig): ClientConfig {
  const named = new URL(config.connectionString!);
  named.searchParams.set("application_name", NAME);
  return {
    ...config,
    connectionString: named.href,
    statement_timeout: 0,
    query_timeout: 0,
    idle_in_transaction_session_timeout: 0,
  };
}

async function assertMigrated(session: Session): Promise<void> {
  const table = await session.get<{ found: string | null }>(
    "SELECT to_regclass('migrations')::text AS found",
  );
  if (table!.found === null) throw new StoreRefused("the source is a database, but none of Wireroom's");
  const applied = await session.all<{ id: number }>("SELECT id FROM migrations ORDER BY id");
  const newest = migrations.at(-1)!.id;
  if (applied.some(({ id }) => id > newest))
    throw new StoreRefused("the source was changed by a newer version of Wireroom; update Wireroom");
  if (applied.length < migrations.length) {
    throw new StoreRefused(
      "the source was written by an older version of Wireroom; start the daemon of this version once, to bring it up to date",
    );
  }
}

async function assertNoDaemon(session: Session): Promise<void> {
  const deadline = monotonicMs() + PATIENCE;
  for (;;) {
    const row = await session.get<{ n: number }>(
      "SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND application_name = ?",
      [DAEMON],
    );
    if (row!.n === 0) return;
    if (monotonicMs() >= deadline) {
      throw new StoreRefused(
        `another daemon is running on the source (${row!.n} connections are open); stop every daemon, and start none on it again`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, SECOND / 4));
    // What a transaction has seen of the activity, it sees until its end.
    await session.get("SELECT pg_stat_clear_snapshot()");
  }
}
