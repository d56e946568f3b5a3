/**
 * Applies numbered migrations to PostgreSQL. An advisory lock ensures that only one daemon migrates at a
 * time.
 */
import pg from "pg";
import { monotonicMs, now } from "../../../kernel/clock.js";
import { type StoreLog, StoreRefused } from "../engine.js";
import { logMigrations, type Migration, migrations } from "../migrations/index.js";
import { assertSessionPooling } from "./pooler.js";
import { liftTimeLimits, withoutTimeLimits } from "./url.js";

/** Id of the advisory lock: an arbitrary number that no other program should use in this database. */
const ADVISORY_LOCK_ID = 7_747_474_701;
/** Error message for a database with pending migrations. */
export const OLDER_VERSION =
  "the database was written by an older version of Wireroom; start the daemon of this version once, which migrates it";

/**
 * Applies all pending migrations. Throws `StoreRefused` if a newer version of Wireroom made incompatible
 * changes.
 */
export async function migrate(config: pg.ClientConfig, log: StoreLog): Promise<void> {
  // No time limits: migrating a large table can take long, and so can waiting for another daemon that
  // migrates.
  const client = new pg.Client(withoutTimeLimits(config));
  client.on("error", () => undefined);
  await client.connect();
  try {
    await assertSupportedServer(client);
    await assertSessionPooling(client, config);
    await liftTimeLimits(client);
    // Return early if no migrations are pending, so that the database user then needs no right to create
    // tables.
    if ((await pendingMigrations(client)).length === 0) return;
    await client.query(`SELECT pg_advisory_lock(${ADVISORY_LOCK_ID})`);
    const startMs = monotonicMs();
    const pending = await pendingMigrations(client);
    for (const migration of pending) await applyMigration(client, migration);
    logMigrations(log, pending, startMs);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The oldest supported version of PostgreSQL (docs/specification/running.md). */
const OLDEST_SUPPORTED_MAJOR = 13;

/**
 * Returns the server version. Throws `StoreRefused` if the server is too old or its encoding is not UTF-8.
 */
export async function assertSupportedServer(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ number: string; version: string; encoding: string }>(
    `SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS version,
       current_setting('server_encoding') AS encoding`,
  );
  const { number, version, encoding } = rows[0]!;
  const major = Math.floor(Number(number) / 10_000);
  if (major < OLDEST_SUPPORTED_MAJOR)
    throw new StoreRefused(
      `the database is PostgreSQL ${major}; Wireroom needs ${OLDEST_SUPPORTED_MAJOR} or newer`,
    );
  if (encoding !== "UTF8") {
    throw new StoreRefused(`the database has the encoding ${encoding}; create one with ENCODING 'UTF8'`);
  }
  return version;
}

/**
 * Returns the pending migrations. Throws `StoreRefused` if a newer version of Wireroom made incompatible
 * changes.
 */
export async function pendingMigrations(client: pg.Client): Promise<Migration[]> {
  const table = await client.query("SELECT to_regclass('migrations') AS found");
  if (table.rows[0]!.found === null) return [...migrations];
  const { rows } = await client.query<{ id: string; needs: string }>("SELECT id, needs FROM migrations");
  const applied = new Set(rows.map((row) => Number(row.id)));
  const newest = migrations.at(-1)!.id;
  const incompatible = rows.filter((row) => Number(row.id) > newest && Number(row.needs) > newest);
  if (incompatible.length > 0) {
    const ids = incompatible.map((row) => row.id).join(", ");
    throw new StoreRefused(
      `the database was changed by a newer version of Wireroom (migration ${ids}); update Wireroom`,
    );
  }
  return migrations.filter((migration) => !applied.has(migration.id));
}

async function applyMigration(client: pg.Client, { id, name, sql, needs = 0 }: Migration): Promise<void> {
  await client.query("BEGIN");
  try {
    await client.query(
      "CREATE TABLE IF NOT EXISTS migrations (id bigint PRIMARY KEY, name text NOT NULL, applied_at bigint NOT NULL, needs bigint NOT NULL)",
    );
    const statements = sql.flatMap((part) =>
      typeof part === "string" ? toPostgresDdl(part) : (part.postgres ?? []),
    );
    for (const statement of statements) await client.query(statement);
    await client.query("INSERT INTO migrations (id, name, applied_at, needs) VALUES ($1, $2, $3, $4)", [
      id,
      name,
      now(),
      needs,
    ]);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

/**
 * Translates a migration's SQLite DDL to PostgreSQL: types, identity columns and table options. Text columns
 * get the collation "C", so that both engines compare text by code points.
 */
function toPostgresDdl(ddl: string): string {
  return ddl
    .replace(/\bpk INTEGER PRIMARY KEY\b/g, "pk bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY")
    .replace(/\bINTEGER\b/g, "bigint")
    .replace(/\bTEXT\b/g, 'text COLLATE "C"')
    .replace(/\bBLOB\b/g, "bytea")
    .replace(/\)\s*(STRICT|WITHOUT ROWID)(\s*,\s*(STRICT|WITHOUT ROWID))*\s*$/, ")");
}
