/**
 * Opens the target database of a copy. It must be empty or contain an interrupted copy of the same service.
 */
import { parseSqliteUrl } from "../engine/database-url.js";
import { type Engine, type Session, StoreRefused } from "../engine/engine.js";
import { PostgresEngine } from "../engine/postgres/index.js";
import { withReadOnlyTransaction } from "../engine/postgres/locked-read.js";
import { isPostgresUrl } from "../engine/postgres/url.js";

import { fileSizeBytes } from "../engine/sqlite/files.js";
import { SqliteEngine } from "../engine/sqlite/index.js";
import { withReadOnlyConnection } from "../engine/sqlite/inspect.js";
import { type CopyState, insertCopyState, readCopyState } from "./copy-state.js";
import { postpone } from "./postponed.js";
import { serviceFingerprint } from "./source.js";
import type { Table } from "./tables.js";

export interface CopyTarget {
  engine: Engine;
  state: CopyState;
  isResumed: boolean;
}

/**
 * Opens the target, creates its tables, and marks it as an unfinished copy. Throws `StoreRefused` and changes
 * nothing if it contains anything except an interrupted copy of this service.
 */
export async function openTarget(
  databaseUrl: string,
  tables: readonly Table[],
  { source, service }: Pick<CopyState, "source" | "service">,
): Promise<CopyTarget> {
  // Check before the migrations create tables in the target.
  await checkExisting(databaseUrl, (session) => assertEmptyOrResumable(session, tables, service));
  const engine: Engine = isPostgresUrl(databaseUrl)
    ? await PostgresEngine.open(databaseUrl)
    : await SqliteEngine.open(parseSqliteUrl(databaseUrl));
  try {
    return await engine.write(async (tx) => {
      // A daemon that starts now also writes to `meta`. With this lock, either the copy finds the daemon's
      // row, or the daemon finds the unfinished copy.
      if (tx.engine === "postgres") await tx.run("LOCK TABLE meta IN SHARE ROW EXCLUSIVE MODE");
      await assertEmptyOrResumable(tx, tables, service);
      const before = await readCopyState(tx);
      if (before) return { engine, state: before, isResumed: true };
      const postponed = tx.engine === "postgres" ? await postpone(tx) : [];
      const state = { source, service, tables: {}, postponed };
      await insertCopyState(tx, state);
      return { engine, state, isResumed: false };
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

async function assertEmptyOrResumable(
  session: Session,
  tables: readonly Table[],
  service: string,
): Promise<void> {
  const rows = await session.all<{ name: string }>(TABLE_NAMES);
  const names = new Set(rows.map(({ name }) => name));
  // A PostgreSQL database may contain tables of other programs, but a SQLite file must contain only
  // Wireroom's tables.
  if (session.engine === "sqlite" && names.size > 0 && !names.has("migrations"))
    throw new StoreRefused("the target is not a Wireroom database; name a new file");
  if (names.has("meta") && names.has("migrations")) {
    const unfinished = await readCopyState(session);
    if (unfinished?.service === service) return;
    if (unfinished) {
      throw new StoreRefused(
        `the target contains a part of a copy of another service, ${unfinished.source}; finish that copy, or use an empty database`,
      );
    }
  }
  for (const { name } of tables) {
    if (!names.has(name) || !(await session.get(`SELECT 1 FROM ${name} LIMIT 1`))) continue;
    if (names.has("meta") && (await serviceFingerprint(session)) === service)
      throw new StoreRefused(
        "the target already contains this service, such as a copy that has finished; start a daemon on it, or use an empty database",
      );
    throw new StoreRefused(
      `the target is not empty: its table ${name} has rows; use an empty database, because a copy does not merge or replace data`,
    );
  }
}
