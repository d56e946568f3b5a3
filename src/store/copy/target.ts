/** The database that a copy is made in: an empty one, or one that holds a part of the same copy. */
import { sqliteFile } from "../engine/database-url.js";
import { type Engine, type Session, StoreRefused } from "../engine/engine.js";
import { lookInto } from "../engine/postgres/hold.js";
import { PostgresEngine } from "../engine/postgres/index.js";
import { isPostgresUrl } from "../engine/postgres/url.js";
import { written } from "../engine/sql.js";
import { SqliteEngine } from "../engine/sqlite/index.js";
import { reading, sizeOf } from "../engine/sqlite/inspect.js";
import type { Table } from "./tables.js";
import { note, readUnfinished, type Unfinished } from "./unfinished.js";

export interface Target {
  engine: Engine;
  /** How far the copy is. */
  unfinished: Unfinished;
  isResumed: boolean;
}

/**
 * Opens the target, makes its tables, and notes in it that a copy is under way. Throws `StoreRefused`, and leaves it as it
 * is, where it holds anything but a part of a copy of the same service.
 */
export async function openTarget(
  databaseUrl: string,
  tables: readonly Table[],
  { source, service }: Pick<Unfinished, "source" | "service">,
): Promise<Target> {
  // Before anything is made in it.
  await looking(databaseUrl, (session) => assertFree(session, tables, service));
  const engine: Engine = isPostgresUrl(databaseUrl)
    ? await PostgresEngine.open(databaseUrl)
    : await SqliteEngine.open(sqliteFile(databaseUrl));
  try {
    return await engine.write(async (tx) => {
      // A daemon that starts now stores its first secret before, and is seen here, or waits, and sees the note.
      if (tx.engine === "postgres") await tx.run("LOCK TABLE meta IN SHARE ROW EXCLUSIVE MODE");
      await assertFree(tx, tables, service);
      const before = await readUnfinished(tx);
      const unfinished = before ?? { source, service, tables: {} };
      if (!before) await note(tx, unfinished);
      return { engine, unfinished, isResumed: before !== undefined };
    });
  } catch (error) {
    await engine.close();
    throw error;
  }
}

async function looking(databaseUrl: string, look: (session: Session) => Promise<void>): Promise<void> {
  if (isPostgresUrl(databaseUrl)) return lookInto(databaseUrl, look);
  const file = sqliteFile(databaseUrl);
  if (await sizeOf(file)) await reading(file, look);
}

const TABLE_NAMES = written((engine) =>
  engine === "sqlite"
    ? "SELECT name FROM sqlite_schema WHERE type = 'table'"
    : `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND pg_table_is_visible(oid)
       AND relnamespace <> 'pg_catalog'::regnamespace`,
);

/** Throws `StoreRefused` where there is anything else than a part of a copy of this service. */
async function assertFree(session: Session, tables: readonly Table[], service: string): Promise<void> {
  const rows = await session.all<{ name: string }>(TABLE_NAMES);
  const names = new Set(rows.map(({ name }) => name));
  // Others may have tables of their own on a server; a file is one program's.
  if (session.engine === "sqlite" && names.size > 0 && !names.has("migrations"))
    throw new StoreRefused("the target is a database, but none of Wireroom's; name a new file");
  if (names.has("meta") && names.has("migrations")) {
    const unfinished = await readUnfinished(session);
    if (unfinished?.service === service) return;
    if (unfinished) {
      throw new StoreRefused(
        `the target holds a part of a copy of another service, ${unfinished.source}; finish that one, or name an empty database`,
      );
    }
  }
  for (const { name } of tables) {
    if (!names.has(name) || !(await session.get(`SELECT 1 FROM ${name} LIMIT 1`))) continue;
    throw new StoreRefused(
      `the target is not empty: there are ${name} in it; name an empty database, since nothing is merged or replaced`,
    );
  }
}
