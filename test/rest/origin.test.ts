import { describe, expect, it } from "vitest";
import {
  createSpace,
  expectOk,
  expectRefused,
  makeContacts,
  readWire,
  sendKnock,
  sendWire,
} from "../harness/api-helpers.js";
import { type AgentClient, type Body, type Client, NO_LIMITS } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { type Database, withDatabase } from "../harness/database.js";
import {
  decideApproval,
  findApproval,
  listApprovals,
  sendHeldWire,
  setEgressPolicy,
} from "../harness/egress.js";
import { jsonRpcToolCaller } from "../harness/mcp.js";

const MAX_HOPS = 3;
const { daemon, alice, bob } = await hostedFixture(["alice", "bob"], {
  args: [...NO_LIMITS, "--limit", `reply_hops=${MAX_HOPS}`],
});
await createSpace(bob, "ops");
let handles = 0;
const newAgent = (fields = {}, owner?: string) => daemon.createAgent(`agent-${handles++}`, fields, owner);

async function newAgentUnderApproval(policy: Record<string, unknown> = {}): Promise<AgentClient> {
  const agent = await newAgent();
  await setEgressPolicy(agent, { mode: "approval", ...policy });
  return agent;
}

/** Returns a client that acts for the handle of `agent` as its human does in the console. */
async function humanOf(agent: AgentClient): Promise<AgentClient> {
  const { token } = await expectOk(agent.owner.post(`/handles/${agent.slug}/token`), 201);
  return { ...agent, ...daemon.client(token), key: token };
}

const originOf = async (reader: Client, wire: Body) => (await readWire(reader, wire)).origin;
const hopsOf = async (reader: Client, wire: Body) => (await readWire(reader, wire)).hops;
const reply = (from: Client, to: string, parent: { id: string }) =>
  sendWire(from, to, { text: "reply", reply_to: parent.id });

/** Returns the last wire of a chain of replies between two handles. */
async function chainOf(one: AgentClient, other: AgentClient, hops: number): Promise<Body> {
  let last = await sendWire(one, other.slug);
  for (let n = 0; n < hops; n++)
    last = await (n % 2 === 0 ? reply(other, one.slug, last) : reply(one, other.slug, last));
  return last;
}

describe("`origin`", () => {
  // [D17-origin]
  it("tells the sender's relation to the recipient of a DM, and is the same in every read", async () => {
    const [friend, sibling, stranger] = [await newAgent(), await newAgent({}, "bob"), await newAgent()];
    await makeContacts(friend, bob);
    const senders = { contact: friend, same_account: sibling, stranger, self: bob };
    for (const [relation, sender] of Object.entries(senders)) {
      const sent = await sendWire(sender, "bob");
      const origin = { sent_by: "agent", approved: false, relation };
      const inboxes = ["/inbox?limit=100", "/inbox?limit=100&brief=true", `/threads/${sent.id}`];
      for (const wire of [
        await readWire(sender, sent),
        await readWire(bob, sent),
        (await expectOk(sender.get("/sent?brief=true"))).wires[0],
        ...(await Promise.all(inboxes.map(async (path) => (await expectOk(bob.get(path))).wires.at(-1)))),
        (await expectOk(bob.owner.get("/handles/bob/inbox?order=newest"))).wires[0],
      ])
        expect(wire).toMatchObject({ id: sent.id, origin, hops: 0 });
    }
  });

  // [D17-origin]
  it("has no relation in a space, and cannot be set by a request", async () => {
    const post = await sendWire(alice, "#ops");
    const origin = { sent_by: "agent", approved: false, relation: null };
    expect(await originOf(bob, post)).toEqual(origin);
    for (const path of ["wires?limit=1", "wires?order=oldest", "wires?order=top", "search?q=hello"])
      expect((await expectOk(bob.get(`/spaces/ops/${path}`))).wires[0].origin).toEqual(origin);
    for (const field of [{ origin: { sent_by: "human" } }, { hops: 0 }])
      await expectRefused(bob.post("/wires", { to: "alice", text: "x", ...field }), "VALIDATION_ERROR");
  });

  // [D17-relation]
  it("has the relation at delivery, whatever becomes of it later", async () => {
    const sender = await newAgent();
    const before = await sendWire(sender, "bob");
    await makeContacts(sender, bob);
    const between = await sendWire(sender, "bob");
    await expectOk(bob.delete(`/contacts/${sender.slug}`));
    const after = await sendWire(sender, "bob");
    const relations = [before, between, after].map(async (wire) => (await originOf(bob, wire)).relation);
    expect(await Promise.all(relations)).toEqual(["stranger", "contact", "stranger"]);
  });

  // [D17-relation]
  it("has the relation `contact` if the wire accepts a knock", async () => {
    const closed = await newAgent({ contact_policy: "contacts_only" });
    const id = await sendKnock(closed, "bob");
    const sent = await sendWire(bob, closed.slug);
    expect(sent.accepted_knock).toBe(id);
    expect((await originOf(bob, sent)).relation).toBe("contact");
  });

  // [D17-relation] [D17-approved]
  it("of a held wire says that it was approved, and has the relation at its release", async () => {
    const agent = await newAgentUnderApproval();
    const wires = [await sendHeldWire(agent, "bob"), await sendHeldWire(agent, "bob")];
    const held = { sent_by: "agent", approved: false, relation: "stranger" };
    expect(await originOf(agent, wires[0])).toEqual(held);
    expect((await findApproval(agent, wires[0])).wire).toMatchObject({ origin: held, hops: 0 });
    await decideApproval(agent, wires[0], { status: "rejected" });
    expect(await originOf(agent, wires[0])).toEqual(held);
    await expectOk(agent.owner.put(`/handles/${agent.slug}/egress`, { mode: "open" }));
    await makeContacts(agent, bob);
    const { wire } = await decideApproval(agent, wires[1]);
    const released = { sent_by: "agent", approved: true, relation: "contact" };
    expect(wire.origin).toEqual(released);
    expect(await originOf(bob, wires[1])).toEqual(released);

    const knocker = await newAgent();
    await setEgressPolicy(agent, { mode: "approval" });
    const answer = await sendHeldWire(agent, knocker.slug);
    await sendKnock(knocker, agent.slug);
    expect((await decideApproval(agent, answer)).wire.origin).toEqual(released);
  });

  // [D17-origin-kept]
  it("stays in a tombstone", async () => {
    for (const to of ["alice", "#ops"]) {
      const sent = await sendWire(bob, to);
      const { origin, hops } = await readWire(bob, sent);
      await expectOk(bob.delete(`/wires/${sent.id}`));
      expect(await readWire(alice, sent)).toMatchObject({ text_body: null, origin, hops });
    }
  });

  // [D17-origin-absent]
  it("is absent in wires that were stored without it, which are not rewritten", async () => {
    const agent = await newAgentUnderApproval({ allow: ["@bob"] });
    const sent = await sendWire(agent, "bob");
    const held = await sendHeldWire(agent, "alice");
    await withDatabase(daemon.dataDir, async (database) => {
      await forget(database, "wires", sent.id, "id");
      await forget(database, "approvals", held.id, "ref");
    });
    for (const wire of [await readWire(bob, sent), await readWire(agent, held)]) {
      expect(wire).not.toHaveProperty("origin");
      expect(wire).not.toHaveProperty("hops");
    }
    expect(await hopsOf(bob, await reply(bob, agent.slug, sent))).toBe(1);
    await decideApproval(agent, held);
    const origin = { sent_by: "agent", approved: true, relation: "stranger" };
    expect(await readWire(alice, held)).toMatchObject({ origin, hops: 0 });
    await expectOk(agent.delete(`/wires/${sent.id}`));
    expect(await readWire(bob, sent)).not.toHaveProperty("origin");
  });
});

/** Turns the document of a wire into one of a version without `origin` and `hops`. */
async function forget(database: Database, table: string, id: string, column: string): Promise<void> {
  const [row] = await database.all<{ doc: string }>(`SELECT doc FROM ${table} WHERE ${column} = ?`, id);
  const { origin: _origin, hops: _hops, ...doc } = JSON.parse(row!.doc);
  await database.run(`UPDATE ${table} SET doc = ? WHERE ${column} = ?`, JSON.stringify(doc), id);
}

describe("what a human sends with a token of POST /handles/{slug}/token", () => {
  // [D17-human]
  it("has `sent_by: human` and no hops, on REST and on MCP", async () => {
    const human = await humanOf(alice);
    const last = await chainOf(bob, alice, 2);
    const sent = await reply(human, "bob", last);
    expect(await readWire(bob, sent)).toMatchObject({
      origin: { sent_by: "human", approved: false, relation: "stranger" },
      hops: 0,
    });
    expect(await hopsOf(bob, await reply(bob, "alice", sent))).toBe(1);
    const tool = await jsonRpcToolCaller(daemon, human).call("send_wire", { to: "#ops", text: "x" });
    expect((await originOf(bob, tool.body)).sent_by).toBe("human");
  });

  // [D17-human]
  it("is never held for approval, and is still blocked by the policy", async () => {
    const agent = await newAgentUnderApproval({ deny: ["@alice"] });
    const human = await humanOf(agent);
    await sendHeldWire(agent, "bob");
    await expectOk(agent.post("/knocks", { handle: "bob", intro: "hi" }), 202);
    const dm = await sendWire(human, "bob");
    await sendWire(human, "#ops");
    await sendKnock(human, "bob");
    expect(await originOf(bob, dm)).toEqual({ sent_by: "human", approved: false, relation: "stranger" });
    expect(await listApprovals(agent)).toHaveLength(2);
    await expectRefused(human.post("/wires", { to: "alice", text: "x" }), "EGRESS_BLOCKED");
    await expectRefused(human.post("/knocks", { handle: "alice", intro: "hi" }), "EGRESS_BLOCKED");
  });
});

describe("`hops`", () => {
  // [D17-hops]
  it("is 0 without a parent, and one more than that of the parent", async () => {
    const root = await sendWire(alice, "#ops");
    const first = await reply(bob, "#ops", root);
    const second = await reply(bob, "#ops", first);
    const wires = [root, first, second, await reply(alice, "#ops", first)];
    expect(await Promise.all(wires.map((wire) => hopsOf(bob, wire)))).toEqual([0, 1, 2, 2]);
    await expectOk(bob.delete(`/wires/${second.id}`));
    expect(await hopsOf(alice, await reply(alice, "#ops", second))).toBe(3);
  });

  // [D17-reply-hops]
  it("above `reply_hops` is refused with 429 without `retry_after`, also for a wire that would be held", async () => {
    const agent = await newAgent();
    const last = await chainOf(bob, agent, MAX_HOPS);
    const body = { to: "bob", text: "again", reply_to: last.id };
    for (const mode of ["open", "approval"]) {
      await setEgressPolicy(agent, { mode });
      const refused = await expectRefused(agent.post("/wires", body), "RATE_LIMITED");
      expect(refused).not.toHaveProperty("retry_after");
      expect(refused.message).toMatch(/ask your human.*new thread/);
    }
    expect(await listApprovals(agent)).toEqual([]);
    const { limits } = await expectOk(agent.get("/limits"));
    expect(limits.map(({ name }: Body) => name)).not.toContain("reply_hops");
    await sendWire(await humanOf(agent), "bob", { text: "go on", reply_to: last.id });
    await setEgressPolicy(agent, { mode: "open" });
    await sendWire(agent, "bob", { text: "a new thread" });
  });

  // [D17-reply-hops]
  it("of a held wire is that of its 202", async () => {
    const agent = await newAgentUnderApproval();
    const root = await sendWire(bob, agent.slug);
    const answer = await sendHeldWire(agent, "bob", { text: "reply", reply_to: root.id });
    expect((await findApproval(agent, answer)).wire.hops).toBe(1);
    expect((await decideApproval(agent, answer)).wire.hops).toBe(1);
  });

  // [D17-reply-hops-order]
  it("above `reply_hops` comes after 400 and the 404 of the parent, and before other refusals", async () => {
    const agent = await newAgent();
    const last = await chainOf(bob, agent, MAX_HOPS);
    const closed = await newAgent({ contact_policy: "contacts_only", inbox_rule: { allow_text: false } });
    const send = (body: object) => agent.post("/wires", { text: "x", reply_to: last.id, ...body });
    await expectRefused(send({ to: "#ops" }), "VALIDATION_ERROR");
    await expectRefused(send({ to: "bob", text: "" }), "VALIDATION_ERROR");
    await expectRefused(send({ to: "bob", reply_to: "nothing" }), "NOT_FOUND");
    await expectRefused(send({ to: "nobody-here", reply_to: "nothing" }), "NOT_FOUND");
    for (const to of ["nobody-here", "#nothing-here", closed.slug])
      await expectRefused(send({ to }), "RATE_LIMITED");
    await setEgressPolicy(agent, { mode: "allowlist" });
    await expectRefused(send({ to: "bob" }), "RATE_LIMITED");
  });
});
