/** A replica that is promoted without the last commits of the lost server: readers have cursors of lost items. */
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createSpace, expectOk } from "../harness/api-helpers.js";
import { type Body, NO_LIMITS, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { type PostgresProxy, startPostgresProxy } from "../harness/postgres-proxy.js";
import { type EmbeddedServer, startEmbedded, startReplica } from "../harness/postgres-server.js";

const SETTINGS = ["fsync=off", "wal_level=replica", "max_wal_senders=4", "checkpoint_timeout=1h"];
/** PostgreSQL skips up to 32 values of a sequence after a crash, so fewer lost wires could not be confused. */
const LOST = 40;

const servers: EmbeddedServer[] = [];
let address: PostgresProxy;
let daemon: TestDaemon;

beforeAll(async () => {
  servers.push(await startEmbedded(SETTINGS));
  address = await startPostgresProxy(servers[0]!.url);
  daemon = await startDaemon({ args: [...NO_LIMITS, "--database-url", address.url] });
}, 180_000);
afterAll(async () => {
  await daemon.stop();
  await address.close();
  for (const server of servers) await server.stopAndRemove();
});

async function runOn({ adminUrl }: EmbeddedServer, sql: string): Promise<Record<string, unknown>> {
  const admin = new pg.Client(adminUrl);
  await admin.connect();
  const { rows } = await admin.query(sql);
  await admin.end();
  return rows[0];
}

/** Gives the replica so much to write that its first checkpoint, which the promotion begins, takes minutes. */
async function delayCheckpoint(primary: EmbeddedServer, replica: EmbeddedServer): Promise<void> {
  await runOn(primary, "CREATE TABLE filler AS SELECT repeat('x', 1000) FROM generate_series(1, 20000)");
  const { lsn } = await runOn(primary, "SELECT pg_current_wal_lsn() AS lsn");
  const hasReplayed = `SELECT pg_last_wal_replay_lsn() >= '${lsn}' AS yes`;
  while (!(await runOn(replica, hasReplayed)).yes) await new Promise((resolve) => setTimeout(resolve, 50));
}

// [D5-restored]
it("a daemon that starts right after a replica was promoted recognises cursors from before", async () => {
  const alice = await daemon.createAgent("alice");
  await createSpace(alice, "ops");
  const send = (text: string) => expectOk(alice.post("/wires", { to: "#ops", text }), 201);
  const read = (cursor = "") =>
    expectOk(alice.get(`/spaces/ops/wires?order=oldest&wait=0&limit=100${cursor && `&cursor=${cursor}`}`));
  await send("kept");

  const [lost] = servers;
  const link = await startPostgresProxy(lost!.adminUrl);
  let replica!: EmbeddedServer;
  await daemon.restart(async () => {
    replica = await startReplica(lost!, link.url, SETTINGS);
    servers.push(replica);
  });
  await delayCheckpoint(lost!, replica);
  await link.close();
  for (let n = 0; n < LOST; n++) await send(`lost ${n}`);
  const { next_cursor } = await read();

  await daemon.restart(async () => {
    await lost!.crash("SIGQUIT");
    await runOn(replica, "SELECT pg_promote()");
    address.switchTo(replica.url);
  });
  await send("new");
  const { wires } = await read(next_cursor);
  expect(wires.map(({ text_body }: Body) => text_body)).toEqual(["new"]);
}, 180_000);
