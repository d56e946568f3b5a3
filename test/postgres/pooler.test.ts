/** PgBouncer between daemons and PostgreSQL. These tests are skipped if PgBouncer is not installed. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PostgresEngine } from "../../src/store/engine/postgres/index.js";
import { expectOk, sendWire } from "../harness/api-helpers.js";
import { startDaemon, type TestDaemon } from "../harness/daemon.js";
import { hasPgBouncer, IGNORED_PARAMETERS, type PgBouncer, startPgBouncer } from "../harness/pgbouncer.js";
import { type EmbeddedServer, startEmbedded } from "../harness/postgres-server.js";

const HAS_PGBOUNCER = hasPgBouncer();
if (!HAS_PGBOUNCER) process.stderr.write("the tests of poolers are skipped: pgbouncer is not installed\n");

let server: EmbeddedServer;
const poolers: PgBouncer[] = [];

/** Starts PgBouncer with these settings. Returns the URL of the database through it. */
async function startPooler(settings: Record<string, string>): Promise<string> {
  const pooler = await startPgBouncer(server.url, settings);
  poolers.push(pooler);
  return pooler.url;
}

describe.skipIf(!HAS_PGBOUNCER)("a daemon behind PgBouncer", () => {
  beforeAll(async () => {
    server = await startEmbedded();
  }, 180_000);
  afterAll(async () => {
    for (const pooler of poolers) await pooler.killAndRemove();
    await server.stopAndRemove();
  });

  const refusal = (url: string) => expect(PostgresEngine.open(url)).rejects;

  it("serves in session pooling mode", async () => {
    const url = await startPooler({ pool_mode: "session", ignore_startup_parameters: IGNORED_PARAMETERS });
    const daemons: TestDaemon[] = [];
    for (let n = 0; n < 2; n++) daemons.push(await startDaemon({ args: ["--database-url", url] }));
    const [one, other] = daemons as [TestDaemon, TestDaemon];
    const [alice, bob] = [await one.createAgent("alice"), await one.createAgent("bob")];
    const waiting = expectOk(other.client(bob.key).get("/inbox?wait=20"));
    await new Promise((resolve) => setTimeout(resolve, 500));
    const { id } = await sendWire(alice, "bob");
    expect((await waiting).wires).toMatchObject([{ id }]);
    for (const daemon of daemons) await daemon.stop();
  });

  it("does not start in transaction pooling mode", async () => {
    const url = await startPooler({
      pool_mode: "transaction",
      ignore_startup_parameters: IGNORED_PARAMETERS,
    });
    await refusal(url).toThrow(/transaction mode.*pool_mode = session/);
  });

  it("does not start with the default settings, and names the required ones", async () => {
    const started = performance.now();
    await refusal(await startPooler({})).toThrow(`ignore_startup_parameters = ${IGNORED_PARAMETERS}`);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
