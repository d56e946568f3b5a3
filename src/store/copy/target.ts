/** Opens the target database of a copy, which must be empty. */
import { parseSqliteUrl } from "../engine/database-url.js";
import { type Engine, type Session, StoreRefused } from "../engine/engine.js";
import { PostgresEngine } from "../engine/postgres/index.js";
import { withReadOnlyTransaction } from "../engine/postgres/locked-read.js";
import { isPostgresUrl } from "../engine/postgres/url.js";

import { fileSizeBytes } from "../engine/sqlite/files.js";
import { SqliteEngine } from "../engine/sqlite/index.js";
import { withReadOnlyConnection } from "../engine/sqlite/inspect.js";
import { postpone } from "./postponed.js";
import type { Table } from "./tables.js";
import { assertNoUnfinishedCopy, UNFINISHED_COPY } from "./unfinished-copy.js";

export interface CopyTarget {
  engine: Engine;
  /** Statements that create the indexes and keys that are missing while rows are copied. */
  postponed: readonly string[];
}

/**
 * Opens the target, creates its tables, and marks it as an unfinished copy. Throws `StoreRefused` and changes
 * nothing if it is not empty.
 * @param sourceName URL or path without credentials
 */
export async function openTarget(
  databaseUrl: string,
  tables: readonly Table[],
  sourceName: string,
): Promise<CopyTarget> {
  // Check before the migrations create tables in the target.
  await checkExisting(databaseUrl, (session) => assertEmpty(session, tables));
  const engine: Engine = isPostgresUrl(databaseUrl)
    ? await PostgresEngine.open(databaseUrl)
    : await SqliteEngine.open(parseSqliteUrl(databaseUrl));
  try {
    return await engine.write(async (tx) => {
      // A daemon that starts now also writes to `meta`. With this lock, either the copy finds the daemon's
      // row, or the daemon finds the unfinished copy.
      if (tx.engine === "postgres") await tx.run("LOCK TABLE meta IN SHARE ROW EXCLUSIVE MODE");
      await assertEmpty(tx, tables);
      await tx.run("INSERT INTO meta (name, value) VALUES (?, ?)", [UNFINISHED_COPY, sourceName]);
      return { engine, postponed: tx.engine === "postgres" ? await postpone(tx) : [] };
    });
  } catch (error) {
    await engine.close();
    throw error;
  }
}

async function checkExisting(databaseUrl: string, check: (session: Session) => Promise<void>): Promise<void> {
  if (isPostgresUrl(databaseUrl)) return withReadOnlyTransaction(databaseUrl, check);
  const file = parseSqliteUrl(databaseUrl);
  if (await fileSizeBytes(file)) await withReadOnlyConnection(file, check);
}

const TABLE_NAMES = {
  sqlite: "SELECT name FROM sqlite_schema WHERE type = 'table'",
  postgres: `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND pg_table_is_visible(oid)
    AND relnamespace <> 'pg_catalog'::regnamespace`,
};

async function assertEmpty(session: Session, tables: readonly Table[]): Promise<void> {
  const rows = await session.all<{ name: string }>(TABLE_NAMES);
  const names = new Set(rows.map(({ name }) => name));
  // A PostgreSQL database may contain tables of other programs, but a SQLite file must contain only
  // Wireroom's tables.
  if (session.engine === "sqlite" && names.size > 0 && !names.has("migrations"))
    throw new StoreRefused("the target is not a Wireroom database; name a new file");
  if (names.has("meta") && names.has("migrations")) await assertNoUnfinishedCopy(session);
  for (const { name } of tables) {
    if (!names.has(name) || !(await session.get(`SELECT 1 FROM ${name} LIMIT 1`))) continue;
    throw new StoreRefused(
      `the target is not empty: its table ${name} has rows; use an empty database, because a copy does not merge or replace data`,
    );
  }
}
