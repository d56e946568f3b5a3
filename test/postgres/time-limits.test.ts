/**
 * Time limits that the role of the daemon or its database has, as docs/scaling.md recommends for PgBouncer.
 */
import type pg from "pg";
import { afterEach, expect, it } from "vitest";
import { PostgresEngine } from "../../src/store/engine/postgres/index.js";
import { createSpace, expectOk, makeContacts, sendWire } from "../harness/api-helpers.js";
import { NO_LIMITS, startDaemon } from "../harness/daemon.js";
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

// [D19-claim]
it("a wire that another session keeps locked delays the claims of other wires, and fails only its own", async () => {
  const url = await sessions.database(createDatabase);
  const daemon = await startDaemon({ args: [...NO_LIMITS, "--database-url", `${url}?lock_timeout=1000`] });
  sessions.onClose(() => daemon.stop());
  const owner = await daemon.createAgent("owner");
  await createSpace(owner, "jobs", { root_rule: { allow_text: true, claimable: true } });
  const workers = [owner];
  for (const slug of ["ann", "ben", "cat"]) {
    const worker = await daemon.createAgent(slug);
    await makeContacts(owner, worker);
    await expectOk(owner.put("/spaces/jobs", { members: [{ handle: slug, role: "poster" }] }));
    workers.push(worker);
  }
  const wires = await Promise.all(workers.map((_, n) => sendWire(owner, "#jobs", { text: `job ${n}` })));
  const client = await sessions.connect(url);
  await client.query("BEGIN");
  await client.query("SELECT 1 FROM wires WHERE id = $1 FOR UPDATE", [wires[1]!.id]);
  const claims = workers.map((worker, n) => worker.put(`/wires/${wires[n]!.id}/claim`));
  expect((await Promise.all(claims)).map(({ status }) => status)).toEqual([200, 503, 200, 200]);
});
