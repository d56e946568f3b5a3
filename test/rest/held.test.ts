import { describe, expect, it } from "vitest";
import { Wireroom } from "../../sdk/src/index.js";
import {
  createSpace,
  expectOk,
  expectRefused,
  readWire,
  schemaRequiring,
  sendKnock,
  sendWire,
} from "../harness/api-helpers.js";
import { type AgentClient, type Body, startDaemon } from "../harness/daemon.js";
import { withDatabase } from "../harness/database.js";
import {
  decideApproval,
  egressFixture,
  findApproval,
  listApprovals,
  sendHeldWire,
  setEgressPolicy,
} from "../harness/egress.js";
import { jsonRpcToolCaller } from "../harness/mcp.js";

const { daemon, bob, carol } = await egressFixture();
let handles = 0;

/** Creates an agent whose egress policy requires the approval of its human. */
async function newAgentUnderApproval(policy: Record<string, unknown> = {}): Promise<AgentClient> {
  const agent = await daemon.createAgent(`a-${handles++}`);
  await setEgressPolicy(agent, { mode: "approval", ...policy });
  return agent;
}

describe("a wire under an approval policy, to a target on neither list", () => {
  // [D9-held-wire]
  it("is held: the response is 202 with status held", async () => {
    const agent = await newAgentUnderApproval();
    for (const to of ["bob", "@bob", "#ops"]) {
      const held = await sendHeldWire(agent, to);
      expect(held).toEqual({
        id: expect.any(String),
        uri: `${daemon.base}/wires/${held.id}`,
        thread_id: held.id,
        status: "held",
      });
    }
    expect((await listApprovals(agent)).map(({ target }) => target)).toEqual(["#ops", "@bob", "@bob"]);
  });

  // [D9-held-wire] [D9-egress-deny]
  it("is sent to a target on the allow list, and blocked for a target on the deny list", async () => {
    const agent = await newAgentUnderApproval({ allow: ["@bob"], deny: ["@carol"] });
    expect(await sendWire(agent, "bob")).not.toHaveProperty("status");
    await expectRefused(agent.post("/wires", { to: "carol", text: "x" }), "EGRESS_BLOCKED");
    expect(await listApprovals(agent)).toEqual([]);
  });

  // [D9-held-wire]
  it("keeps the thread of the wire that it replies to", async () => {
    const agent = await newAgentUnderApproval();
    const root = await sendWire(bob, agent.slug);
    const held = await sendHeldWire(agent, "bob", { text: "re", reply_to: root.uri });
    expect(held.thread_id).toBe(root.id);
    expect(await readWire(agent, held)).toMatchObject({ reply_to: root.id, thread_id: root.id });
  });

  // [D9-held-sender]
  it("is readable by its sender with its status, by id and by URI", async () => {
    const agent = await newAgentUnderApproval();
    const reply_rule = { allow_text: true };
    const held = await sendHeldWire(agent, "bob", {
      text: "a\u0000b",
      payload: { n: [1, null] },
      reply_rule,
    });
    const wire = await readWire(agent, held);
    expect(wire).toEqual({
      id: held.id,
      sender_id: agent.id,
      recipient_id: bob.id,
      space_id: null,
      sender: agent.slug,
      recipient: "bob",
      space: null,
      text_body: "a\u0000b",
      payload: { n: [1, null] },
      schema_ref: null,
      reply_to: null,
      thread_id: held.id,
      reply_rule: { allow_text: true, accepted_schemas: [], votable: false },
      tombstone: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      origin: { sent_by: "agent", approved: false, relation: "stranger" },
      hops: 0,
      mentions: [],
      status: "held",
    });
    expect(await expectOk(agent.get(`/wires/${encodeURIComponent(held.uri)}`))).toEqual(wire);
  });

  // [D9-held-unseen]
  it("is not visible to any other handle", async () => {
    const agent = await newAgentUnderApproval();
    const root = await sendWire(bob, "#ops", { text: "before it" });
    const [dm, post] = [
      await sendHeldWire(agent, "carol", { text: "zebra" }),
      await sendHeldWire(agent, "#ops", { text: "zebra", reply_to: root.id }),
    ];
    const sibling = await daemon.createAgent(`a-${handles++}`, {}, agent.slug);
    for (const { id } of [dm, post]) {
      for (const other of [carol, bob, sibling]) {
        expect(await expectRefused(other.get(`/wires/${id}`), "NOT_FOUND")).toEqual(
          await expectRefused(other.get("/wires/no-such-wire"), "NOT_FOUND"),
        );
        await expectRefused(other.delete(`/wires/${id}`), "NOT_FOUND");
      }
      await expectRefused(bob.delete(`/spaces/ops/wires/${id}`), "NOT_FOUND");
      await expectRefused(agent.get(`/threads/${id}`), "NOT_FOUND");
    }
    expect((await expectOk(carol.get("/inbox"))).wires).toEqual([]);
    expect((await expectOk(agent.get(`/threads/${root.id}`))).wires).toHaveLength(1);
    const feed = (await expectOk(agent.get("/spaces/ops/wires"))).wires;
    expect(feed.map(({ id }: Body) => id)).not.toContain(post.id);
    expect((await expectOk(agent.get("/spaces/ops/search?q=zebra"))).wires).toEqual([]);
  });

  // [D9-held-unseen]
  it("cannot be replied to or voted on, not even by its sender", async () => {
    const agent = await newAgentUnderApproval({ allow: ["#ops"] });
    const held = await sendHeldWire(agent, "carol");
    await expectRefused(agent.post("/wires", { to: "#ops", text: "x", reply_to: held.id }), "NOT_FOUND");
    await expectRefused(carol.post("/wires", { to: agent.slug, text: "x", reply_to: held.id }), "NOT_FOUND");
    await expectRefused(agent.put(`/wires/${held.id}/vote`), "NOT_FOUND");
  });

  // [D9-held-wire]
  it("does not accept the knock that it answers", async () => {
    const [agent, knocker] = [await newAgentUnderApproval(), await daemon.createAgent(`a-${handles++}`)];
    await sendKnock(knocker, agent.slug);
    const held = await sendHeldWire(agent, knocker.slug);
    expect((await expectOk(agent.get("/knocks"))).knocks).toMatchObject([{ status: "pending" }]);
    await decideApproval(agent, held);
    expect((await expectOk(agent.get("/knocks"))).knocks).toMatchObject([{ status: "accepted" }]);
    expect((await expectOk(knocker.get("/contacts"))).contacts).toMatchObject([{ handle: agent.slug }]);
  });

  // [D9-held-checks]
  it("must pass every other check before it is held", async () => {
    const agent = await newAgentUnderApproval();
    const inbox_rule = { allow_text: false, inline_schema: schemaRequiring({ n: "number" }) };
    const strict = await daemon.createAgent(`a-${handles++}`, { inbox_rule });
    const shut = await daemon.createAgent(`a-${handles++}`, { contact_policy: "contacts_only" });
    await createSpace(bob, `mods-${handles}`, { posting_rights: "mods" });
    const to = (target: string, fields: object) => agent.post("/wires", { to: target, ...fields });
    await expectRefused(to("bob", {}), "VALIDATION_ERROR");
    await expectRefused(to("no-such-handle", { text: "x" }), "NOT_FOUND");
    await expectRefused(to(shut.slug, { text: "x" }), "KNOCK_REQUIRED");
    await expectRefused(to(`#mods-${handles}`, { text: "x" }), "POSTING_DENIED");
    await expectRefused(to(strict.slug, { text: "x" }), "POSTING_DENIED");
    await expectRefused(to(strict.slug, { payload: { n: "x" } }), "SCHEMA_VALIDATION_FAILED");
    await expectOk(to(strict.slug, { payload: { n: 1 } }), 202);
    expect(await listApprovals(agent)).toHaveLength(1);
  });

  // [D9-held-replay]
  it("returns the same 202 when it is repeated with its idempotency key, even after it was sent", async () => {
    const agent = await newAgentUnderApproval();
    const repeatRequest = () =>
      agent.post("/wires", { to: "bob", text: "once" }, { "Idempotency-Key": "once" });
    const replies = await Promise.all(Array.from({ length: 10 }, repeatRequest));
    expect(new Set(replies.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
    expect(replies[0]!.status).toBe(202);
    expect(await listApprovals(agent)).toHaveLength(1);
    await decideApproval(agent, replies[0]!.body);
    expect(await repeatRequest()).toMatchObject({ status: 202, body: replies[0]!.body });
  });

  // [D9-held-policy]
  it("stays held when the policy changes to open", async () => {
    const agent = await newAgentUnderApproval();
    const held = await sendHeldWire(agent, "bob");
    await setEgressPolicy(agent, { mode: "open" });
    await sendWire(agent, "bob", { text: "after it" });
    expect(await readWire(agent, held)).toMatchObject({ status: "held" });
    expect((await decideApproval(agent, held)).error).toBeNull();
  });

  // [D9-held-wire]
  it("is still held after a restart", async () => {
    const agent = await newAgentUnderApproval();
    const held = await sendHeldWire(agent, "bob");
    const before = await readWire(agent, held);
    await daemon.kill();
    await daemon.restart();
    expect(await readWire(agent, held)).toEqual(before);
  });
});

describe("the sender of a held wire", () => {
  // [D9-held-withdrawn]
  it("can delete it, which withdraws it and erases its content", async () => {
    const agent = await newAgentUnderApproval();
    const held = await sendHeldWire(agent, "bob", { text: "a regret", payload: "a regret" });
    const gone = await expectOk(agent.delete(`/wires/${held.id}`));
    expect(gone).toEqual({ id: held.id, tombstone: { removed_by: "sender", at: expect.any(String) } });
    expect(await expectOk(agent.delete(`/wires/${held.id}`))).toEqual(gone);
    const erased = { text_body: null, payload: null, tombstone: gone.tombstone, status: "withdrawn" };
    expect(await readWire(agent, held)).toMatchObject(erased);
    const approval = await findApproval(agent, held);
    expect(approval).toMatchObject({ status: "withdrawn", wire: erased, decided_at: gone.tombstone.at });
    for (const status of ["approved", "rejected"]) {
      await expectRefused(agent.owner.put(`/approvals/${approval.id}`, { status }), "VALIDATION_ERROR");
    }
    expect((await expectOk(bob.get("/inbox?limit=100"))).tombstone_notices).toEqual([]);
    const rows = await withDatabase(daemon.dataDir, (db) =>
      db.all("SELECT pk FROM approvals WHERE doc LIKE '%a regret%'"),
    );
    expect(rows).toEqual([]);
  });

  // [D9-held-withdrawn]
  it("can erase a rejected wire, whose decision stays", async () => {
    const agent = await newAgentUnderApproval();
    const held = await sendHeldWire(agent, "bob");
    await decideApproval(agent, held, { status: "rejected" });
    await expectOk(agent.delete(`/wires/${held.id}`));
    expect(await readWire(agent, held)).toMatchObject({ text_body: null, status: "rejected" });
    expect(await findApproval(agent, held)).toMatchObject({ status: "rejected" });
  });

  // [D9-held-withdrawn]
  it("can erase a wire that could not be sent, with the reasons that quote it", async () => {
    const [agent, reader] = [await newAgentUnderApproval(), await daemon.createAgent(`a-${handles++}`)];
    const held = await sendHeldWire(agent, reader.slug, { payload: { "secret-name": 1 } });
    const inline_schema = { type: "object", additionalProperties: false };
    await expectOk(reader.put("/profile", { inbox_rule: { allow_text: true, inline_schema } }));
    await decideApproval(agent, held);
    const failed = await findApproval(agent, held);
    expect(JSON.stringify(failed.error)).toContain("secret-name");
    await expectOk(agent.delete(`/wires/${held.id}`));
    const erased = await findApproval(agent, held);
    expect(erased.error).toEqual({ code: failed.error.code, message: expect.stringContaining("deleted") });
    expect(JSON.stringify(erased)).not.toContain("secret-name");
  });

  // [D9-approved]
  it("can delete it after it was sent, like any other wire", async () => {
    const [agent, reader] = [await newAgentUnderApproval(), await daemon.createAgent(`a-${handles++}`)];
    const held = await sendHeldWire(agent, reader.slug, { text: "sent after all" });
    await decideApproval(agent, held);
    await expectOk(agent.delete(`/wires/${held.id}`));
    expect((await expectOk(reader.get("/inbox"))).tombstone_notices).toMatchObject([{ wire_id: held.id }]);
    expect((await findApproval(agent, held)).wire).toMatchObject({ text_body: null });
  });
});

describe("a knock under an approval policy", () => {
  // [D9-held-knock]
  it("is held: the response is 202 with status held, and the target gets no knock", async () => {
    const [agent, target] = [await newAgentUnderApproval(), await daemon.createAgent(`a-${handles++}`)];
    const body = { handle: target.slug, intro: "may I?" };
    const held = await expectOk(agent.post("/knocks", body), 202);
    expect(held).toEqual({ id: expect.any(String), status: "held" });
    expect((await expectOk(target.get("/inbox"))).knocks).toEqual([]);
    expect((await expectOk(agent.get("/knocks?direction=sent"))).knocks).toEqual([]);
    await expectRefused(target.put(`/knocks/${held.id}`, { status: "accepted" }), "NOT_FOUND");
    expect(await expectOk(agent.post("/knocks", { ...body, intro: "again" }), 202)).toEqual(held);
    expect(await listApprovals(agent)).toMatchObject([
      {
        kind: "knock",
        target: `@${target.slug}`,
        knock: { id: held.id, intro: "may I?", status: "pending" },
      },
    ]);
  });

  // [D9-held-knock] [D6-pending-again]
  it("that is already pending is returned unchanged", async () => {
    const [agent, target] = [
      await daemon.createAgent(`a-${handles++}`),
      await daemon.createAgent(`a-${handles++}`),
    ];
    const id = await sendKnock(agent, target.slug);
    await setEgressPolicy(agent, { mode: "approval" });
    expect(await expectOk(agent.post("/knocks", { handle: target.slug, intro: "x" }), 201)).toEqual({
      id,
      status: "pending",
    });
  });

  // [D9-held-replay]
  it("returns the same 202 when it is repeated with its idempotency key", async () => {
    const agent = await newAgentUnderApproval();
    const repeatRequest = () =>
      agent.post("/knocks", { handle: "carol", intro: "once" }, { "Idempotency-Key": "once" });
    const first = await repeatRequest();
    expect(first.status).toBe(202);
    expect(await repeatRequest()).toMatchObject({ status: 202, body: first.body });
    await decideApproval(agent, first.body);
    expect(await repeatRequest()).toMatchObject({ status: 202, body: first.body });
  });
});

describe("the rate limits", () => {
  // [D9-held-limits]
  it("count a held wire once, at the time of its request", async () => {
    const own = await startDaemon({ isHosted: true, args: ["--limit", "wires_per_minute=3"] });
    try {
      const agent = await own.createAgent("agent");
      const reader = await own.createAgent("reader");
      await setEgressPolicy(agent, { mode: "approval", allow: ["@agent"] });
      const remaining = async () => (await expectOk(agent.get("/limits"))).limits[0].remaining;
      const [sent, rejected] = [await sendHeldWire(agent, "reader"), await sendHeldWire(agent, "reader")];
      expect(await remaining()).toBe(1);
      await decideApproval(agent, sent);
      await decideApproval(agent, rejected, { status: "rejected" });
      expect(await remaining()).toBe(1);
      await sendWire(agent, "agent");
      const { retry_after } = await expectRefused(
        agent.post("/wires", { to: "reader", text: "x" }),
        "RATE_LIMITED",
      );
      expect(retry_after).toBeGreaterThan(0);
      expect(await listApprovals(agent)).toHaveLength(2);
      // After one minute, all of them are outside of the window.
      await withDatabase(own.dataDir, async (db) => {
        await db.run("UPDATE wires SET created_at = created_at - 30000");
        await db.run("UPDATE approvals SET created_at = created_at - 30000");
      });
      expect(await remaining()).toBe(0);
      await withDatabase(own.dataDir, async (db) => {
        await db.run("UPDATE wires SET created_at = created_at - 30000");
        await db.run("UPDATE approvals SET created_at = created_at - 30000");
      });
      expect(await remaining()).toBe(3);
      // A wire that was held long ago and is sent now does not count now.
      const late = await sendHeldWire(agent, "reader");
      await withDatabase(own.dataDir, (db) => db.run("UPDATE approvals SET created_at = created_at - 60000"));
      await decideApproval(agent, late);
      expect(await remaining()).toBe(3);
      expect((await expectOk(reader.get("/inbox"))).wires).toHaveLength(2);
      const replies = await Promise.all(
        Array.from({ length: 20 }, () => agent.post("/wires", { to: "reader", text: "x" })),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([202, 202, 202, ...Array(17).fill(429)]);
    } finally {
      await own.stop();
    }
  });

  // [D9-held-limits]
  it("count a held knock once, at the time of its request, and return it again even if the limit is used up", async () => {
    const own = await startDaemon({ isHosted: true, args: ["--limit", "knocks_per_hour=2"] });
    try {
      const agent = await own.createAgent("agent");
      for (const slug of ["one", "two", "three"]) await own.createAgent(slug);
      await setEgressPolicy(agent, { mode: "approval" });
      const remaining = async () =>
        (await expectOk(agent.get("/limits"))).limits.find(({ name }: Body) => name === "knocks_per_hour")
          .remaining;
      const held = await expectOk(agent.post("/knocks", { handle: "one", intro: "x" }), 202);
      expect(await remaining()).toBe(1);
      await decideApproval(agent, held);
      expect(await remaining()).toBe(1);
      const second = await expectOk(agent.post("/knocks", { handle: "two", intro: "x" }), 202);
      await expectRefused(agent.post("/knocks", { handle: "three", intro: "x" }), "RATE_LIMITED");
      const repeated = agent.post("/knocks", { handle: "two", intro: "x" });
      expect(await expectOk(repeated, 202)).toEqual(second);
    } finally {
      await own.stop();
    }
  });
});

describe("the other interfaces", () => {
  // [D9-held-mcp]
  it("return the same body with status held over MCP", async () => {
    const agent = await newAgentUnderApproval();
    const tools = jsonRpcToolCaller(daemon, agent);
    const wire = await tools.call("send_wire", { to: "@bob", text: "by tool", idempotency_key: "k" });
    expect(wire).toMatchObject({ isError: false, body: { status: "held", id: expect.any(String) } });
    expect(JSON.parse(wire.texts[0]!)).toEqual(wire.body);
    const repeatRequest = { to: "@bob", text: "by tool" };
    expect(await expectOk(agent.post("/wires", repeatRequest, { "Idempotency-Key": "k" }), 202)).toEqual(
      wire.body,
    );
    const knocked = await tools.call("send_knock", { handle: "carol", intro: "by tool" });
    expect(knocked.body).toEqual({ id: expect.any(String), status: "held" });
    expect((await tools.call("get_wire", { id: wire.body.id })).body.status).toBe("held");
    await setEgressPolicy(agent, { deny: ["@bob"] });
    const blocked = await tools.call("send_wire", { to: "@bob", text: "x" });
    expect(blocked).toMatchObject({ isError: true, body: { code: "EGRESS_BLOCKED" } });
  });

  // [D9-held-sdk]
  it("resolve the call in the SDK, with the status in the result", async () => {
    const agent = await newAgentUnderApproval();
    const wr = new Wireroom({ apiKey: agent.key, baseUrl: daemon.base });
    const { data, response } = await wr.wires.send({ to: "@bob", text: "by SDK" }).withResponse();
    expect(response.status).toBe(202);
    const status: "held" | undefined = data.status;
    expect(status).toBe("held");
    expect((await wr.wires.get({ id: data.id })).status).toBe("held");
    expect((await wr.knocks.send({ handle: "@carol", intro: "by SDK" })).status).toBe("held");
    await setEgressPolicy(agent, { mode: "open" });
    expect((await wr.wires.send({ to: "@bob", text: "open" })).status).toBeUndefined();
  });
});
