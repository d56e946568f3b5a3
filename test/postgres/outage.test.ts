/** A PostgreSQL server of its own, which goes away and comes back while a daemon runs on it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentClient, NO_LIMITS, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { expectError } from "../harness/envelope.js";
import { type EmbeddedServer, startEmbedded } from "../harness/postgres-server.js";
import { ok, send } from "../harness/talk.js";

let server: EmbeddedServer;
let daemon: TestDaemon;
let alice: AgentClient;
let bob: AgentClient;
let carol: AgentClient;

beforeAll(async () => {
  server = await startEmbedded();
  daemon = await startDaemon({ args: [...NO_LIMITS, "--database-url", server.url] });
  [alice, bob, carol] = await Promise.all([
    daemon.agent("alice"),
    daemon.agent("bob"),
    daemon.agent("carol"),
  ]);
}, 180_000);
afterAll(async () => {
  await daemon.stop();
  await server.stop();
});

const ready = async () => (await fetch(`${daemon.origin}/readyz`)).status;

describe("while PostgreSQL is away", () => {
  it("calls answer 503 with retry_after, /readyz 503, and all is well again by itself [D2-unavailable] [D12-readyz]", async () => {
    const before = await send(alice, "bob", { text: "before" });
    const held = carol.get("/inbox?wait=60");
    await server.halt();
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
    const after = await send(alice, "bob", { text: "after" });
    const { wires } = await ok(bob.get("/inbox"));
    expect(wires.map(({ id }: { id: string }) => id)).toEqual([before.id, after.id]);
  });

  it("a long-poll begun afterwards wakes again", async () => {
    await ok(bob.get(`/inbox?cursor=${(await ok(bob.get("/inbox"))).next_cursor}`));
    const held = ok(bob.get("/inbox?wait=60"));
    await new Promise((resolve) => setTimeout(resolve, 300));
    const { id } = await send(alice, "bob");
    expect((await held).wires).toMatchObject([{ id }]);
  });
});
