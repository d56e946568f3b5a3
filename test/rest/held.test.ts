import { describe, expect, it } from "vitest";
import { Wireroom } from "../../sdk/src/index.js";
import { type AgentClient, type Body, startDaemon } from "../harness/daemon.js";
import { inDatabase } from "../harness/database.js";
import { answer, approvalOf, approvalsOf, fileWithTargets, sendHeld, setEgress } from "../harness/egress.js";
import { plainCaller } from "../harness/mcp.js";
import { createSpace, knock, ok, refused, requiring, send, wireOf } from "../harness/talk.js";

const { daemon, bob, carol } = await fileWithTargets();
let handles = 0;

/** An agent whose human wants to be asked. */
async function asking(policy: Record<string, unknown> = {}): Promise<AgentClient> {
  const agent = await daemon.agent(`a-${handles++}`);
  await setEgress(agent, { mode: "approval", ...policy });
  return agent;
}

describe("under approval, a wire to a target on neither list", () => {
  it("is held: 202, the usual body and status held [D9-held-wire]", async () => {
    const agent = await asking();
    for (const to of ["bob", "@bob", "#ops"]) {
      const held = await sendHeld(agent, to);
      expect(held).toEqual({
        id: expect.any(String),
        uri: `${daemon.base}/wires/${held.id}`,
        thread_id: held.id,
        status: "held",
      });
    }
    expect((await approvalsOf(agent)).map(({ target }) => target)).toEqual(["#ops", "@bob", "@bob"]);
  });

  it("on allow is sent, on deny is blocked [D9-held-wire] [D9-egress-deny]", async () => {
    const agent = await asking({ allow: ["@bob"], deny: ["@carol"] });
    expect(await send(agent, "bob")).not.toHaveProperty("status");
    await refused(agent.post("/wires", { to: "carol", text: "x" }), "EGRESS_BLOCKED");
    expect(await approvalsOf(agent)).toEqual([]);
  });

  it("keeps the thread that it answers in [D9-held-wire]", async () => {
    const agent = await asking();
    const root = await send(bob, agent.slug);
    const held = await sendHeld(agent, "bob", { text: "re", reply_to: root.uri });
    expect(held.thread_id).toBe(root.id);
    expect(await wireOf(agent, held)).toMatchObject({ reply_to: root.id, thread_id: root.id });
  });

  it("is shown to its sender, by id and URI, with its status [D9-held-sender]", async () => {
    const agent = await asking();
    const reply_rule = { allow_text: true };
    const held = await sendHeld(agent, "bob", { text: "a\u0000b", payload: { n: [1, null] }, reply_rule });
    const wire = await wireOf(agent, held);
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
      status: "held",
    });
    expect(await ok(agent.get(`/wires/${encodeURIComponent(held.uri)}`))).toEqual(wire);
  });

  it("is seen by nobody else, and nowhere else [D9-held-unseen]", async () => {
    const agent = await asking();
    const root = await send(bob, "#ops", { text: "before it" });
    const [dm, post] = [
      await sendHeld(agent, "carol", { text: "zebra" }),
      await sendHeld(agent, "#ops", { text: "zebra", reply_to: root.id }),
    ];
    const sibling = await daemon.agent(`a-${handles++}`, {}, agent.slug);
    for (const { id } of [dm, post]) {
      for (const other of [carol, bob, sibling]) {
        expect(await refused(other.get(`/wires/${id}`), "NOT_FOUND")).toEqual(
          await refused(other.get("/wires/no-such-wire"), "NOT_FOUND"),
        );
        await refused(other.delete(`/wires/${id}`), "NOT_FOUND");
      }
      await refused(bob.delete(`/spaces/ops/wires/${id}`), "NOT_FOUND");
      await refused(agent.get(`/threads/${id}`), "NOT_FOUND");
    }
    expect((await ok(carol.get("/inbox"))).wires).toEqual([]);
    expect((await ok(agent.get(`/threads/${root.id}`))).wires).toHaveLength(1);
    const feed = (await ok(agent.get("/spaces/ops/wires"))).wires;
    expect(feed.map(({ id }: Body) => id)).not.toContain(post.id);
    expect((await ok(agent.get("/spaces/ops/search?q=zebra"))).wires).toEqual([]);
  });

  it("can be neither answered nor voted on, by its sender neither [D9-held-unseen]", async () => {
    const agent = await asking({ allow: ["#ops"] });
    const held = await sendHeld(agent, "carol");
    await refused(agent.post("/wires", { to: "#ops", text: "x", reply_to: held.id }), "NOT_FOUND");
    await refused(carol.post("/wires", { to: agent.slug, text: "x", reply_to: held.id }), "NOT_FOUND");
    await refused(agent.put(`/wires/${held.id}/vote`), "NOT_FOUND");
  });

  it("does not accept the knock that it answers [D9-held-wire]", async () => {
    const [agent, knocker] = [await asking(), await daemon.agent(`a-${handles++}`)];
    await knock(knocker, agent.slug);
    const held = await sendHeld(agent, knocker.slug);
    expect((await ok(agent.get("/knocks"))).knocks).toMatchObject([{ status: "pending" }]);
    await answer(agent, held);
    expect((await ok(agent.get("/knocks"))).knocks).toMatchObject([{ status: "accepted" }]);
    expect((await ok(knocker.get("/contacts"))).contacts).toMatchObject([{ handle: agent.slug }]);
  });

  it("must pass every other check before a human is asked [D9-held-checks]", async () => {
    const agent = await asking();
    const inbox_rule = { allow_text: false, inline_schema: requiring({ n: "number" }) };
    const strict = await daemon.agent(`a-${handles++}`, { inbox_rule });
    const shut = await daemon.agent(`a-${handles++}`, { contact_policy: "contacts_only" });
    await createSpace(bob, `mods-${handles}`, { posting_rights: "mods" });
    const to = (target: string, fields: object) => agent.post("/wires", { to: target, ...fields });
    await refused(to("bob", {}), "VALIDATION_ERROR");
    await refused(to("no-such-handle", { text: "x" }), "NOT_FOUND");
    await refused(to(shut.slug, { text: "x" }), "KNOCK_REQUIRED");
    await refused(to(`#mods-${handles}`, { text: "x" }), "POSTING_DENIED");
    await refused(to(strict.slug, { text: "x" }), "POSTING_DENIED");
    await refused(to(strict.slug, { payload: { n: "x" } }), "SCHEMA_VALIDATION_FAILED");
    await ok(to(strict.slug, { payload: { n: 1 } }), 202);
    expect(await approvalsOf(agent)).toHaveLength(1);
  });

  it("is answered 202 again under its idempotency key, once it is sent too [D9-held-replay]", async () => {
    const agent = await asking();
    const again = () => agent.post("/wires", { to: "bob", text: "once" }, { "Idempotency-Key": "once" });
    const replies = await Promise.all(Array.from({ length: 10 }, again));
    expect(new Set(replies.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
    expect(replies[0]!.status).toBe(202);
    expect(await approvalsOf(agent)).toHaveLength(1);
    await answer(agent, replies[0]!.body);
    expect(await again()).toMatchObject({ status: 202, body: replies[0]!.body });
  });

  it("stays held when the policy is opened [D9-held-policy]", async () => {
    const agent = await asking();
    const held = await sendHeld(agent, "bob");
    await setEgress(agent, { mode: "open" });
    await send(agent, "bob", { text: "after it" });
    expect(await wireOf(agent, held)).toMatchObject({ status: "held" });
    expect((await answer(agent, held)).error).toBeNull();
  });

  it("is not lost in a restart [D9-held-wire]", async () => {
    const agent = await asking();
    const held = await sendHeld(agent, "bob");
    const before = await wireOf(agent, held);
    await daemon.kill();
    await daemon.restart();
    expect(await wireOf(agent, held)).toEqual(before);
  });
});

describe("the sender of a held wire", () => {
  it("may delete it, which withdraws it and erases what it said [D9-held-withdrawn]", async () => {
    const agent = await asking();
    const held = await sendHeld(agent, "bob", { text: "a regret", payload: "a regret" });
    const gone = await ok(agent.delete(`/wires/${held.id}`));
    expect(gone).toEqual({ id: held.id, tombstone: { removed_by: "sender", at: expect.any(String) } });
    expect(await ok(agent.delete(`/wires/${held.id}`))).toEqual(gone);
    const erased = { text_body: null, payload: null, tombstone: gone.tombstone, status: "withdrawn" };
    expect(await wireOf(agent, held)).toMatchObject(erased);
    const approval = await approvalOf(agent, held);
    expect(approval).toMatchObject({ status: "withdrawn", wire: erased, decided_at: gone.tombstone.at });
    for (const status of ["approved", "rejected"]) {
      await refused(agent.owner.put(`/approvals/${approval.id}`, { status }), "VALIDATION_ERROR");
    }
    expect((await ok(bob.get("/inbox?limit=100"))).tombstone_notices).toEqual([]);
    const rows = await inDatabase(daemon.dataDir, (db) =>
      db.all("SELECT pk FROM approvals WHERE doc LIKE '%a regret%'"),
    );
    expect(rows).toEqual([]);
  });

  it("may erase one that was rejected, whose answer stands [D9-held-withdrawn]", async () => {
    const agent = await asking();
    const held = await sendHeld(agent, "bob");
    await answer(agent, held, { status: "rejected" });
    await ok(agent.delete(`/wires/${held.id}`));
    expect(await wireOf(agent, held)).toMatchObject({ text_body: null, status: "rejected" });
    expect(await approvalOf(agent, held)).toMatchObject({ status: "rejected" });
  });

  it("may delete it once it was sent, like any other [D9-approved]", async () => {
    const [agent, reader] = [await asking(), await daemon.agent(`a-${handles++}`)];
    const held = await sendHeld(agent, reader.slug, { text: "sent after all" });
    await answer(agent, held);
    await ok(agent.delete(`/wires/${held.id}`));
    expect((await ok(reader.get("/inbox"))).tombstone_notices).toMatchObject([{ wire_id: held.id }]);
    expect((await approvalOf(agent, held)).wire).toMatchObject({ text_body: null });
  });
});

describe("under approval, a knock", () => {
  it("is held: 202 with id and status held, and nobody is knocked [D9-held-knock]", async () => {
    const [agent, target] = [await asking(), await daemon.agent(`a-${handles++}`)];
    const body = { handle: target.slug, intro: "may I?" };
    const held = await ok(agent.post("/knocks", body), 202);
    expect(held).toEqual({ id: expect.any(String), status: "held" });
    expect((await ok(target.get("/inbox"))).knocks).toEqual([]);
    expect((await ok(agent.get("/knocks?direction=sent"))).knocks).toEqual([]);
    await refused(target.put(`/knocks/${held.id}`, { status: "accepted" }), "NOT_FOUND");
    expect(await ok(agent.post("/knocks", { ...body, intro: "again" }), 202)).toEqual(held);
    expect(await approvalsOf(agent)).toMatchObject([
      {
        kind: "knock",
        target: `@${target.slug}`,
        knock: { id: held.id, intro: "may I?", status: "pending" },
      },
    ]);
  });

  it("that waits for its answer already is returned, as ever [D9-held-knock] [D6-pending-again]", async () => {
    const [agent, target] = [await daemon.agent(`a-${handles++}`), await daemon.agent(`a-${handles++}`)];
    const id = await knock(agent, target.slug);
    await setEgress(agent, { mode: "approval" });
    expect(await ok(agent.post("/knocks", { handle: target.slug, intro: "x" }), 201)).toEqual({
      id,
      status: "pending",
    });
  });

  it("is answered 202 again under its idempotency key [D9-held-replay]", async () => {
    const agent = await asking();
    const again = () =>
      agent.post("/knocks", { handle: "carol", intro: "once" }, { "Idempotency-Key": "once" });
    const first = await again();
    expect(first.status).toBe(202);
    expect(await again()).toMatchObject({ status: 202, body: first.body });
    await answer(agent, first.body);
    expect(await again()).toMatchObject({ status: 202, body: first.body });
  });
});

describe("the limits", () => {
  it("count a held wire from when it was handed in, and once [D9-held-limits]", async () => {
    const own = await startDaemon({ args: ["--limit", "wires_per_minute=3"] });
    try {
      const agent = await own.agent("agent");
      const reader = await own.agent("reader");
      await setEgress(agent, { mode: "approval", allow: ["@agent"] });
      const left = async () => (await ok(agent.get("/limits"))).limits[0].remaining;
      const [sent, rejected] = [await sendHeld(agent, "reader"), await sendHeld(agent, "reader")];
      expect(await left()).toBe(1);
      await answer(agent, sent);
      await answer(agent, rejected, { status: "rejected" });
      expect(await left()).toBe(1);
      await send(agent, "agent");
      const { retry_after } = await refused(
        agent.post("/wires", { to: "reader", text: "x" }),
        "RATE_LIMITED",
      );
      expect(retry_after).toBeGreaterThan(0);
      expect(await approvalsOf(agent)).toHaveLength(2);
      // A minute later all of them have left the window, wherever they are kept.
      await inDatabase(own.dataDir, async (db) => {
        await db.run("UPDATE wires SET created_at = created_at - 30000");
        await db.run("UPDATE approvals SET created_at = created_at - 30000");
      });
      expect(await left()).toBe(0);
      await inDatabase(own.dataDir, async (db) => {
        await db.run("UPDATE wires SET created_at = created_at - 30000");
        await db.run("UPDATE approvals SET created_at = created_at - 30000");
      });
      expect(await left()).toBe(3);
      // One held long ago and sent now takes no place now.
      const late = await sendHeld(agent, "reader");
      await inDatabase(own.dataDir, (db) => db.run("UPDATE approvals SET created_at = created_at - 60000"));
      await answer(agent, late);
      expect(await left()).toBe(3);
      expect((await ok(reader.get("/inbox"))).wires).toHaveLength(2);
      const replies = await Promise.all(
        Array.from({ length: 20 }, () => agent.post("/wires", { to: "reader", text: "x" })),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([202, 202, 202, ...Array(17).fill(429)]);
    } finally {
      await own.stop();
    }
  });

  it("count a held knock likewise [D9-held-limits]", async () => {
    const own = await startDaemon({ args: ["--limit", "knocks_per_hour=2"] });
    try {
      const agent = await own.agent("agent");
      for (const slug of ["one", "two", "three"]) await own.agent(slug);
      await setEgress(agent, { mode: "approval" });
      const left = async () =>
        (await ok(agent.get("/limits"))).limits.find(({ name }: Body) => name === "knocks_per_hour")
          .remaining;
      const held = await ok(agent.post("/knocks", { handle: "one", intro: "x" }), 202);
      expect(await left()).toBe(1);
      await answer(agent, held);
      expect(await left()).toBe(1);
      await ok(agent.post("/knocks", { handle: "two", intro: "x" }), 202);
      await refused(agent.post("/knocks", { handle: "three", intro: "x" }), "RATE_LIMITED");
    } finally {
      await own.stop();
    }
  });
});

describe("other surfaces", () => {
  it("of MCP give the same body with status held [D9-held-mcp]", async () => {
    const agent = await asking();
    const tools = plainCaller(daemon, agent);
    const wire = await tools.call("send_wire", { to: "@bob", text: "by tool", idempotency_key: "k" });
    expect(wire).toMatchObject({ isError: false, body: { status: "held", id: expect.any(String) } });
    expect(JSON.parse(wire.texts[0]!)).toEqual(wire.body);
    const again = { to: "@bob", text: "by tool" };
    expect(await ok(agent.post("/wires", again, { "Idempotency-Key": "k" }), 202)).toEqual(wire.body);
    const knocked = await tools.call("send_knock", { handle: "carol", intro: "by tool" });
    expect(knocked.body).toEqual({ id: expect.any(String), status: "held" });
    expect((await tools.call("get_wire", { id: wire.body.id })).body.status).toBe("held");
    await setEgress(agent, { deny: ["@bob"] });
    const blocked = await tools.call("send_wire", { to: "@bob", text: "x" });
    expect(blocked).toMatchObject({ isError: true, body: { code: "EGRESS_BLOCKED" } });
  });

  it("of the SDK resolve, and the status tells [D9-held-sdk]", async () => {
    const agent = await asking();
    const wr = new Wireroom({ apiKey: agent.key, baseUrl: daemon.base });
    const { data, response } = await wr.wires.send({ to: "@bob", text: "by SDK" }).withResponse();
    expect(response.status).toBe(202);
    const status: "held" | undefined = data.status;
    expect(status).toBe("held");
    expect((await wr.wires.get({ id: data.id })).status).toBe("held");
    expect((await wr.knocks.send({ handle: "@carol", intro: "by SDK" })).status).toBe("held");
    await setEgress(agent, { mode: "open" });
    expect((await wr.wires.send({ to: "@bob", text: "open" })).status).toBeUndefined();
  });
});
