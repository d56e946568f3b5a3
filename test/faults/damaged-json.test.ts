import { beforeAll, describe, expect, it } from "vitest";
import { createSpace, expectOk, sendWire } from "../harness/api-helpers.js";
import { type AgentClient, type Body, NO_LIMITS_FEW_LOGS } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { withDatabase } from "../harness/database.js";
import { jsonRpcToolCaller } from "../harness/mcp.js";

const { daemon, alice, bob, carol } = await daemonFixture(["alice", "bob", "carol"], {
  args: NO_LIMITS_FEW_LOGS,
});
let root: Body;
let direct: Body;
let found: Body;

beforeAll(async () => {
  await createSpace(alice, "ops");
  root = await sendWire(alice, "#ops", { text: "a needle" });
  const ofAgent = new Map<AgentClient, Body>();
  for (const agent of [alice, bob, carol])
    ofAgent.set(agent, await sendWire(agent, agent.slug, { text: "a needle" }));
  direct = ofAgent.get(alice)!;
  found = await sendWire(bob, "alice", { text: "another needle" });
  await daemon.kill();
  await withDatabase(daemon.dataDir, async (db) => {
    const noJson = `replace(doc, '"text_body":"', '"text_body":!')`;
    await db.run(`UPDATE wires SET doc = ${noJson} WHERE id IN ('${root.id}', '${direct.id}')`);
    const noUtf8 = "CAST(replace(CAST(doc AS BLOB), x'6e6565', x'6eff65') AS TEXT)";
    await db.run(`UPDATE wires SET doc = ${noUtf8} WHERE id = '${ofAgent.get(bob)!.id}'`);
  });
  await daemon.restart();
});

// [D12-damaged-json]
describe("a stored wire that the disk has changed", () => {
  const reads: Record<string, () => string> = {
    "an inbox": () => "/inbox",
    "a wire": () => `/wires/${direct.id}`,
    "a thread": () => `/threads/${root.id}`,
    "a feed": () => "/spaces/ops/wires",
    "a feed by votes": () => "/spaces/ops/wires?order=top",
    "a search": () => "/spaces/ops/search?q=needle",
  };
  for (const [name, path] of Object.entries(reads)) {
    it(`is no JSON: ${name} with it is 500`, async () => {
      expect(await alice.get(path())).toMatchObject({ status: 500, body: { code: "INTERNAL" } });
    });
  }

  // [D5-search-messages]
  it("is no JSON: a search of direct messages finds the others", async () => {
    const { wires } = await expectOk(alice.get("/wires/search?q=needle"));
    expect(wires.map(({ id }: Body) => id)).toEqual([found.id]);
    await expect.poll(() => daemon.log()).toMatch(new RegExp(`"wires":"${direct.id}"`));
  });

  it("is no JSON: an MCP result with it is an error", async () => {
    const result = await jsonRpcToolCaller(daemon, alice).call("read_inbox");
    expect(result).toMatchObject({ isError: true, body: { code: "INTERNAL" } });
  });

  it("is no UTF-8: an inbox with it is 500", async () => {
    expect(await bob.get("/inbox")).toMatchObject({ status: 500, body: { code: "INTERNAL" } });
  });

  it("is named in the log, and others are read as before", async () => {
    expect((await expectOk(carol.get("/inbox"))).wires).toHaveLength(1);
    await expect.poll(() => daemon.log()).toMatch(/"level":50.*stored JSON is damaged/);
    await expect.poll(() => daemon.log()).toMatch(new RegExp(`"wires":"[^"]*${direct.id}`));
  });
});
