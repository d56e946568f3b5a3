/** A PostgreSQL server that stops and starts again, or is read-only for a while, while a daemon uses it. */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectOk, sendWire } from "../harness/api-helpers.js";
import { type AgentClient, NO_LIMITS, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { expectError } from "../harness/envelope.js";
import { type EmbeddedServer, startEmbedded } from "../harness/postgres-server.js";

let server: EmbeddedServer;
let daemon: TestDaemon;
let alice: AgentClient;
let bob: AgentClient;
let carol: AgentClient;

beforeAll(async () => {
  server = await startEmbedded();
  daemon = await startDaemon({ args: [...NO_LIMITS, "--database-url", server.url] });
  [alice, bob, carol] = await Promise.all([
    daemon.createAgent("alice"),
    daemon.createAgent("bob"),
    daemon.createAgent("carol"),
  ]);
}, 180_000);
afterAll(async () => {
  await daemon.stop();
  await server.stopAndRemove();
});

const ready = async () => (await fetch(`${daemon.origin}/readyz`)).status;

describe("while PostgreSQL is stopped", () => {
  // [D2-unavailable] [D12-readyz]
  it("calls and /readyz return 503, and the daemon recovers after the restart", async () => {
    const before = await sendWire(alice, "bob", { text: "before" });
    const held = carol.get("/inbox?wait=60");
    await server.shutDown();
    for (const call of [
      alice.post("/wires", { to: "bob", text: "x" }),
      alice.get("/contacts"),
      alice.get("/inbox"),
    ]) {
      const reply = await call;
      expect(expectError(reply, "UNAVAILABLE").retry_after).toBe(1);
      expect(reply.headers.get("retry-after")).toBe("1");
    }
    expect(await ready()).toBe(503);
    expect((await fetch(`${daemon.origin}/healthz`)).status).toBe(200);
    expectError(await held, "UNAVAILABLE");
    await server.start();
    await expect.poll(ready, { timeout: 30_000 }).toBe(200);
    const after = await sendWire(alice, "bob", { text: "after" });
    const { wires } = await expectOk(bob.get("/inbox"));
    expect(wires.map(({ id }: { id: string }) => id)).toEqual([before.id, after.id]);
  });

  it("a long-poll that starts after the restart is notified", async () => {
    await expectOk(bob.get(`/inbox?cursor=${(await expectOk(bob.get("/inbox"))).next_cursor}`));
    const held = expectOk(bob.get("/inbox?wait=60"));
    await new Promise((resolve) => setTimeout(resolve, 300));
    const { id } = await sendWire(alice, "bob");
    expect((await held).wires).toMatchObject([{ id }]);
  });
});

describe("while PostgreSQL is read-only, as after it became a replica", () => {
  // [D2-unavailable]
  it("writes return 503, and all connections are replaced when it can be written again", async () => {
    const admin = new pg.Client({ connectionString: server.adminUrl });
    await admin.connect();
    const sessions = "FROM pg_stat_activity WHERE application_name = 'wireroom'";
    const write = async () => (await alice.put("/profile", { bio: "x" })).status;
    const load = (status: number) =>
      Promise.all(
        Array.from({ length: 20 }, async () => {
          expect(await write()).toBe(status);
          await expectOk(alice.get("/contacts"));
        }),
      );
    await admin.query("ALTER DATABASE wireroom SET default_transaction_read_only = on");
    await admin.query(`SELECT pg_terminate_backend(pid) ${sessions}`);
    // By then, the daemon tries to connect again.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await expect.poll(() => load(503), { timeout: 10_000 }).toBeDefined();
    // Its first statement, which locks a row, is one whose result is not awaited.
    expect((await alice.delete(`/wires/${alice.id}/claim?token=x`)).status).toBe(503);
    await admin.query("ALTER DATABASE wireroom RESET default_transaction_read_only");
    const { rows } = await admin.query<{ at: Date }>("SELECT clock_timestamp() AS at");
    await expect.poll(write, { timeout: 10_000 }).toBe(200);
    const oldSessions = async () => {
      await load(200);
      const counted = `SELECT count(*)::int AS n ${sessions} AND backend_start < $1`;
      return (await admin.query<{ n: number }>(counted, [rows[0]!.at])).rows[0]!.n;
    };
    await expect.poll(oldSessions, { timeout: 10_000 }).toBe(0);
    await admin.end();
  });
});
