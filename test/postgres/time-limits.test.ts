/**
 * Time limits that the role of the daemon or its database has, as docs/scaling.md recommends for PgBouncer.
 */
import type pg from "pg";
import { afterEach, expect, it } from "vitest";
import { PostgresEngine } from "../../src/store/engine/postgres/index.js";
import { runInProcess } from "../harness/in-process.js";
import { createDatabase, createEmptyDatabase } from "../harness/postgres-server.js";
import { ServerSessions, waitingFor } from "../harness/server-sessions.js";

const sessions = new ServerSessions();
afterEach(() => sessions.close());

/** Sets limits of the database for new sessions, as a role can. */
async function limitTimes(client: pg.Client, url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  for (const setting of ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"])
    await client.query(`ALTER DATABASE ${name} SET ${setting} = '300ms'`);
}

it("migrations have no time limit, whatever limits the role has", async () => {
  const url = await sessions.database(createEmptyDatabase);
  const client = await sessions.connect(url);
  await limitTimes(client, url);
  await client.query("SELECT pg_advisory_lock(7747474701)");
  const opened = PostgresEngine.open(url);
  opened.catch(() => undefined);
  await expect.poll(() => waitingFor("advisory", client), { timeout: 20_000 }).toHaveLength(1);
  const before = await waitingFor("advisory", client);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(await waitingFor("advisory", client)).toEqual(before);
  await client.query("SELECT pg_advisory_unlock(7747474701)");
  await (await opened).close();
});

// [C-store-check]
it("store check has no time limit, whatever limits the role has", async () => {
  const url = await sessions.database(createDatabase);
  const client = await sessions.connect(url);
  const observer = await sessions.connect(url);
  await client.query("INSERT INTO meta (name, value) VALUES ('cursor_secret', repeat('0', 64))");
  await limitTimes(client, url);
  await client.query("BEGIN; LOCK TABLE wires IN ACCESS EXCLUSIVE MODE");
  const checked = runInProcess(["store", "check", "--database-url", url]);
  await expect.poll(() => waitingFor("relation", observer), { timeout: 20_000 }).toHaveLength(1);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  await client.query("COMMIT");
  expect(await checked).toMatchObject({ code: 0 });
});
