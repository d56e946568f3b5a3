import { describe, expect, it } from "vitest";
import { createSpace, expectOk, schemaRequiring } from "../harness/api-helpers.js";
import type { AgentClient, Body, JsonResponse } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { findApproval, sendHeldWire, setEgressPolicy } from "../harness/egress.js";

/** The number of repetitions: each run interleaves the requests differently. */
const ROUNDS = 12;

const { daemon } = await hostedFixture();
let handles = 0;

const newAgent = (fields = {}) => daemon.createAgent(`r-${handles++}`, fields);
const inboxOf = async (reader: AgentClient): Promise<Body[]> =>
  (await expectOk(reader.get("/inbox?limit=100"))).wires;
const codes = (replies: JsonResponse[]) => replies.map(({ status }) => status);

/** Creates a held wire. Returns its sender, its recipient, and `put`, which decides its approval. */
async function createHeldWire(fields: Record<string, unknown> = { text: "may I?" }, readerFields = {}) {
  const [agent, reader] = [await newAgent(), await newAgent(readerFields)];
  await setEgressPolicy(agent, { mode: "approval" });
  const held = await sendHeldWire(agent, reader.slug, fields);
  const { id } = await findApproval(agent, held);
  const put = (status: string, more = {}) => agent.owner.put(`/approvals/${id}`, { status, ...more });
  return { agent, reader, held, put };
}

describe("concurrent decisions on approvals", () => {
  // [D9-approved-once]
  it("approve a wire once, and return the same response to every caller", async () => {
    const inline_schema = schemaRequiring({ n: "number" });
    const { agent, reader, held, put } = await createHeldWire(
      { payload: { n: 1 } },
      { inbox_rule: { allow_text: false, inline_schema } },
    );
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) => put("approved", { remember: n % 2 === 0 })),
    );
    expect(codes(replies)).toEqual(Array(20).fill(200));
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect((await inboxOf(reader)).map(({ id }) => id)).toEqual([held.id]);
    const { entries } = await expectOk(agent.owner.get("/audit?action=approval.approved"));
    expect(entries).toHaveLength(1);
  });

  // [D9-approved-once] [D9-approval-answers]
  it("that contradict each other: only the first takes effect", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { agent, reader, held, put } = await createHeldWire();
      const replies = await Promise.all([put("approved"), put("rejected"), put("approved"), put("rejected")]);
      const { status } = await findApproval(agent, held);
      const expected = ["approved", "rejected", "approved", "rejected"].map((s) =>
        s === status ? 200 : 400,
      );
      expect(codes(replies)).toEqual(expected);
      expect(await inboxOf(reader)).toHaveLength(status === "approved" ? 1 : 0);
    }
  });

  // [D9-approved-once] [D9-held-limits]
  it("on many wires of one sender: each wire is numbered and sent once", async () => {
    const [agent, reader] = [await newAgent(), await newAgent()];
    await setEgressPolicy(agent, { mode: "approval" });
    await createSpace(reader, `race-${handles}`);
    const to = [reader.slug, `#race-${handles}`];
    const held = await Promise.all(
      Array.from({ length: 30 }, (_, n) => sendHeldWire(agent, to[n % 2]!, { text: `n ${n}` })),
    );
    const ids = await Promise.all(held.map(async (one) => (await findApproval(agent, one)).id));
    await setEgressPolicy(agent, { allow: to.map((name) => (name.startsWith("#") ? name : `@${name}`)) });
    const [answers, sent] = await Promise.all([
      Promise.all(ids.map((id) => agent.owner.put(`/approvals/${id}`, { status: "approved" }))),
      Promise.all(
        Array.from({ length: 30 }, (_, n) => agent.post("/wires", { to: to[n % 2], text: "direct" })),
      ),
    ]);
    expect(codes(answers)).toEqual(Array(30).fill(200));
    expect(answers.map(({ body }) => body.error)).toEqual(Array(30).fill(null));
    expect(codes(sent)).toEqual(Array(30).fill(201));
    const received = [
      ...(await inboxOf(reader)),
      ...(await expectOk(reader.get(`/spaces/race-${handles}/wires?limit=100`))).wires,
    ].map(({ id }) => id);
    expect(received.sort()).toEqual([...held, ...sent.map(({ body }) => body)].map(({ id }) => id).sort());
  });
});

describe("an approval that runs concurrently with another change", () => {
  // [D9-approved-once] [D9-held-withdrawn]
  it("sends the wire before the sender removes it, or does not send it at all", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { agent, reader, held, put } = await createHeldWire();
      const [answered, deleted] = await Promise.all([put("approved"), agent.delete(`/wires/${held.id}`)]);
      expect(deleted.status).toBe(200);
      const { tombstone_notices } = await expectOk(reader.get("/inbox"));
      expect({ sent: answered.status === 200, notices: tombstone_notices.length }).toEqual(
        answered.status === 200 ? { sent: true, notices: 1 } : { sent: false, notices: 0 },
      );
      expect((await expectOk(agent.get(`/wires/${held.id}`))).text_body).toBeNull();
    }
  });

  // [D9-approved-checks]
  it("either sends the wire or fails when the recipient blocks the sender", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { agent, reader, put } = await createHeldWire();
      const [{ body }] = await Promise.all([put("approved"), reader.put(`/blocks/${agent.slug}`)]);
      expect(body.status).toBe("approved");
      expect(await inboxOf(reader)).toHaveLength(body.error === null ? 1 : 0);
      if (body.error) expect(body.error.code).toBe("KNOCK_REQUIRED");
    }
  });

  // [D9-approved-checks]
  it("sends the wire only if it satisfies the rule in force at that moment", async () => {
    const rules = ["n", "m"].map((name) => ({
      allow_text: false,
      inline_schema: { ...schemaRequiring({ [name]: "number" }), title: name },
    }));
    for (let round = 0; round < ROUNDS; round++) {
      const { reader, put } = await createHeldWire({ payload: { n: 1 } }, { inbox_rule: rules[0] });
      const [{ status, body }] = await Promise.all([
        put("approved"),
        reader.put("/profile", { inbox_rule: rules[1] }),
      ]);
      expect({ status, answer: body.status }).toEqual({ status: 200, answer: "approved" });
      expect(await inboxOf(reader)).toHaveLength(body.error === null ? 1 : 0);
      if (body.error) expect(body.error.code).toBe("SCHEMA_VALIDATION_FAILED");
    }
  });

  // [D9-approved-checks]
  it("sends the wire although the sender's key is revoked", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { agent, reader, put } = await createHeldWire();
      const [{ body }, revoked] = await Promise.all([
        put("approved"),
        agent.owner.delete(`/keys/${agent.keyId}`),
      ]);
      expect(revoked.status).toBe(200);
      expect(body).toMatchObject({ status: "approved", error: null });
      expect(await inboxOf(reader)).toHaveLength(1);
    }
  });

  // [D9-egress-checked]
  it("is rejected if it runs after the egress policy was closed", async () => {
    const [agent, reader] = [await newAgent(), await newAgent()];
    const sends = Array.from({ length: 40 }, () => agent.post("/wires", { to: reader.slug, text: "x" }));
    const closing = setEgressPolicy(agent, { deny: [`@${reader.slug}`] });
    const replies = await Promise.all(sends);
    await closing;
    expect(codes(replies).every((status) => status === 201 || status === 403)).toBe(true);
    expect(await inboxOf(reader)).toHaveLength(codes(replies).filter((status) => status === 201).length);
    expect((await agent.post("/wires", { to: reader.slug, text: "x" })).body.code).toBe("EGRESS_BLOCKED");
  });
});
