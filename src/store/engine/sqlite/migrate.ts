/** Numbered migrations, each in one transaction with the row that records it. */
import { now } from "../../../kernel/clock.js";
import { StoreRefused } from "../engine.js";
import { migrations } from "../migrations/index.js";
import { textFor } from "../sql.js";
import type { Connection } from "./connection.js";

/** Brings the database up to date. Throws `StoreRefused` where a newer version wrote it. */
export async function migrate(connection: Connection, file: string): Promise<void> {
  await connection.exec(
    "CREATE TABLE IF NOT EXISTS migrations (id INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT",
  );
  const applied = await appliedTo(connection, file);
  for (const migration of migrations) {
    if (applied.has(migration.id)) continue;
    await connection.exec("BEGIN IMMEDIATE");
    try {
      for (const statement of migration.sql) await connection.exec(textFor("sqlite", statement));
      await connection.run("INSERT INTO migrations (id, name, applied_at) VALUES (?, ?, ?)", [
        migration.id,
        migration.name,
        now(),
      ]);
      await connection.exec("COMMIT");
    } catch (error) {
      await connection.exec("ROLLBACK").catch(() => undefined);
      throw error;
    }
  }
}

/** Throws `StoreRefused` unless the database is just as this version knows it. */
export async function assertMigrated(connection: Connection, file: string): Promise<void> {
  const tables = await connection.all("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'");
  const applied = tables.length > 0 ? await appliedTo(connection, file) : new Set();
  if (applied.size === migrations.length) return;
  throw new StoreRefused(
    `${file} was written by an older version of Wireroom; start the daemon of this version once, to bring it up to date`,
  );
}

/** Ids of the migrations that were applied. Throws `StoreRefused` where one is not known. */
async function appliedTo(connection: Connection, file: string): Promise<Set<number>> {
  const rows = await connection.all<{ id: number }>("SELECT id FROM migrations ORDER BY id");
  const known = new Set(migrations.map((migration) => migration.id));
  const newer = rows.filter((row) => !known.has(row.id));
  if (newer.length === 0) return new Set(rows.map((row) => row.id));
  const ids = newer.map((row) => row.id).join(", ");
  throw new StoreRefused(
    `${file} was written by a newer version of Wireroom (migration ${ids}); update Wireroom, or restore a backup`,
  );
}
