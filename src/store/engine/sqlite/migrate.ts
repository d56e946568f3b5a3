/**
 * Applies numbered migrations to a SQLite file. Each migration runs in its own transaction, which also
 * inserts the migration's row in `migrations`.
 */
import { monotonicMs, now } from "../../../kernel/clock.js";
import { StoreDamaged, type StoreLog, StoreRefused } from "../engine.js";
import { logMigrations, migrations, sqliteStatements } from "../migrations/index.js";
import type { Connection } from "./connection.js";
import { refusalOfDamage } from "./errors.js";
import { withReadOnlyConnection } from "./inspect.js";

const NO_WAY_BACK =
  "; earlier versions cannot use this database any more, so only a backup from before leads back to them";

/** Throws `StoreRefused` if a newer version of Wireroom migrated the file. */
export async function migrate(connection: Connection, file: string, log: StoreLog): Promise<void> {
  const startMs = monotonicMs();
  await connection.exec(
    "CREATE TABLE IF NOT EXISTS migrations (id INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT",
  );
  const applied = await readApplied(connection, file);
  const pending = migrations.filter(({ id }) => !applied.has(id));
  for (const migration of pending) {
    await connection.exec("BEGIN IMMEDIATE");
    try {
      for (const statement of sqliteStatements(migration)) await connection.exec(statement);
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
  logMigrations(log, pending, startMs, NO_WAY_BACK);
}

/**
 * Throws `StoreRefused` if the file is damaged or contains another program's tables. Leaves the file
 * unchanged.
 */
export async function assertOwnOrEmpty(file: string): Promise<void> {
  await withReadOnlyConnection(file, async (connection) => {
    const rows = await connection.all<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table'",
    );
    const names = new Set(rows.map(({ name }) => name));
    const isOwn = names.has("migrations") && (names.has("meta") || names.size === 1);
    if (names.size > 0 && !isOwn)
      throw new StoreRefused(`${file} is not a Wireroom database; choose another file`);
  }).catch((error: Error) => {
    throw error.cause instanceof StoreDamaged ? refusalOfDamage(file, error.cause) : error;
  });
}

export async function assertMigrated(connection: Connection, file: string): Promise<void> {
  const tables = await connection.all("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'");
  const applied = tables.length > 0 ? await readApplied(connection, file) : new Set();
  if (applied.size === migrations.length) return;
  throw new StoreRefused(
    `${file} was written by an older version of Wireroom; start the daemon of this version once, which migrates it`,
  );
}

/** Throws `StoreRefused` if this version does not know one of the migrations. */
async function readApplied(connection: Connection, file: string): Promise<Set<number>> {
  const rows = await connection.all<{ id: number }>("SELECT id FROM migrations ORDER BY id");
  const known = new Set(migrations.map((migration) => migration.id));
  const newer = rows.filter((row) => !known.has(row.id));
  if (newer.length === 0) return new Set(rows.map((row) => row.id));
  const ids = newer.map((row) => row.id).join(", ");
  throw new StoreRefused(
    `${file} was written by a newer version of Wireroom (migration ${ids}); update Wireroom, or restore a backup`,
  );
}
