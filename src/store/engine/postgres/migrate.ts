/** Numbered migrations, run once by whichever daemon comes first: each in one transaction with the row that records it. */
import pg from "pg";
import { now } from "../../../kernel/clock.js";
import { StoreRefused } from "../engine.js";
import { type Migration, migrations } from "../migrations/index.js";
import { toPostgres } from "./ddl.js";
import { assertOwnSession } from "./pooler.js";

/** Held while migrating. Any number will do that nobody else uses in this database. */
const LOCK = 7_747_474_701;

/** Brings the database up to date. Throws `StoreRefused` where a newer version has made changes that this one cannot live with. */
export async function migrate(config: pg.ClientConfig): Promise<void> {
  // Changing a large table, or waiting for a daemon that does, takes the time it takes.
  const patient = {
    ...config,
    statement_timeout: 0,
    lock_timeout: 0,
    query_timeout: 0,
    idle_in_transaction_session_timeout: 0,
  };
  const client = new pg.Client(patient);
  client.on("error", () => undefined);
  await client.connect();
  try {
    await assertUsable(client);
    await assertOwnSession(client, config);
    // Most starts find nothing to do, and then need no right to create anything.
    if ((await pending(client)).length === 0) return;
    await client.query(`SELECT pg_advisory_lock(${LOCK})`);
    for (const migration of await pending(client)) await run(client, migration);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** PostgreSQL 13 is the oldest that is maintained by anyone. */
const OLDEST = 13;

/** Gives the server's version. Throws `StoreRefused` where it is too old, or the database cannot hold every text. */
export async function assertUsable(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ number: string; version: string; encoding: string }>(
    `SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS version,
       current_setting('server_encoding') AS encoding`,
  );
  const { number, version, encoding } = rows[0]!;
  const major = Math.floor(Number(number) / 10_000);
  if (major < OLDEST)
    throw new StoreRefused(`the database is PostgreSQL ${major}; Wireroom needs ${OLDEST} or newer`);
  if (encoding !== "UTF8") {
    throw new StoreRefused(`the database has the encoding ${encoding}; create one with ENCODING 'UTF8'`);
  }
  return version;
}

/** Migrations that have not been run yet. Throws `StoreRefused` as `migrate` does. */
export async function pending(client: pg.Client): Promise<Migration[]> {
  const table = await client.query("SELECT to_regclass('migrations') AS found");
  if (table.rows[0]!.found === null) return [...migrations];
  const { rows } = await client.query<{ id: string; needs: string }>("SELECT id, needs FROM migrations");
  const applied = new Set(rows.map((row) => Number(row.id)));
  const newest = migrations.at(-1)!.id;
  const beyond = rows.filter((row) => Number(row.id) > newest && Number(row.needs) > newest);
  if (beyond.length > 0) {
    const ids = beyond.map((row) => row.id).join(", ");
    throw new StoreRefused(
      `the database was changed by a newer version of Wireroom (migration ${ids}); update Wireroom`,
    );
  }
  return migrations.filter((migration) => !applied.has(migration.id));
}

async function run(client: pg.Client, { id, name, sql, needs = 0 }: Migration): Promise<void> {
  await client.query("BEGIN");
  try {
    await client.query(
      "CREATE TABLE IF NOT EXISTS migrations (id bigint PRIMARY KEY, name text NOT NULL, applied_at bigint NOT NULL, needs bigint NOT NULL)",
    );
    for (const part of sql) await client.query(typeof part === "string" ? toPostgres(part) : part.postgres);
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
