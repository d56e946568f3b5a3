import { describe, expect, it } from "vitest";
import type { AgentClient, Body, Reply } from "../harness/daemon.js";
import { approvalOf, sendHeld, setEgress } from "../harness/egress.js";
import { fileDaemon } from "../harness/file-daemon.js";
import { createSpace, ok, requiring } from "../harness/talk.js";

/** What must hold however the requests fall together. */
const ROUNDS = 12;

const { daemon } = await fileDaemon();
let handles = 0;

const newAgent = (fields = {}) => daemon.agent(`r-${handles++}`, fields);
const inboxOf = async (reader: AgentClient): Promise<Body[]> =>
  (await ok(reader.get("/inbox?limit=100"))).wires;
const codes = (replies: Reply[]) => replies.map(({ status }) => status);

/** A wire that waits, its approval's id, and who would read it. */
async function waiting(fields: Record<string, unknown> = { text: "may I?" }, readerFields = {}) {
  const [agent, reader] = [await newAgent(), await newAgent(readerFields)];
  await setEgress(agent, { mode: "approval" });
  const held = await sendHeld(agent, reader.slug, fields);
  const { id } = await approvalOf(agent, held);
  const put = (status: string, more = {}) => agent.owner.put(`/approvals/${id}`, { status, ...more });
  return { agent, reader, held, put };
}

describe("answers at the same moment", () => {
  it("that approve send it once, and all of them say so [D9-approved-once]", async () => {
    const inline_schema = requiring({ n: "number" });
    const { agent, reader, held, put } = await waiting(
      { payload: { n: 1 } },
      { inbox_rule: { allow_text: false, inline_schema } },
    );
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) => put("approved", { remember: n % 2 === 0 })),
    );
    expect(codes(replies)).toEqual(Array(20).fill(200));
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect((await inboxOf(reader)).map(({ id }) => id)).toEqual([held.id]);
    const { entries } = await ok(agent.owner.get("/audit?action=approval.approved"));
    expect(entries).toHaveLength(1);
  });

  it("that contradict each other: the first stands, and the wire is where it says [D9-approved-once] [D9-approval-answers]", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { agent, reader, held, put } = await waiting();
      const replies = await Promise.all([put("approved"), put("rejected"), put("approved"), put("rejected")]);
      const { status } = await approvalOf(agent, held);
      const expected = ["approved", "rejected", "approved", "rejected"].map((s) =>
        s === status ? 200 : 400,
      );
      expect(codes(replies)).toEqual(expected);
      expect(await inboxOf(reader)).toHaveLength(status === "approved" ? 1 : 0);
    }
  });

  it("to many wires of one sender number and send each of them once [D9-approved-once] [D9-held-limits]", async () => {
    const [agent, reader] = [await newAgent(), await newAgent()];
    await setEgress(agent, { mode: "approval" });
    await createSpace(reader, `race-${handles}`);
    const to = [reader.slug, `#race-${handles}`];
    const held = await Promise.all(
      Array.from({ length: 30 }, (_, n) => sendHeld(agent, to[n % 2]!, { text: `n ${n}` })),
    );
    const ids = await Promise.all(held.map(async (one) => (await approvalOf(agent, one)).id));
    await setEgress(agent, { allow: to.map((name) => (name.startsWith("#") ? name : `@${name}`)) });
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
      ...(await ok(reader.get(`/spaces/race-${handles}/wires?limit=100`))).wires,
    ].map(({ id }) => id);
    expect(received.sort()).toEqual([...held, ...sent.map(({ body }) => body)].map(({ id }) => id).sort());
  });
});

describe("an approval while", () => {
  it("its sender withdraws the wire: it is sent and then removed, or never sent [D9-approved-once] [D9-held-withdrawn]", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { agent, reader, held, put } = await waiting();
      const [answered, deleted] = await Promise.all([put("approved"), agent.delete(`/wires/${held.id}`)]);
      expect(deleted.status).toBe(200);
      const { tombstone_notices } = await ok(reader.get("/inbox"));
      expect({ sent: answered.status === 200, notices: tombstone_notices.length }).toEqual(
        answered.status === 200 ? { sent: true, notices: 1 } : { sent: false, notices: 0 },
      );
      expect((await ok(agent.get(`/wires/${held.id}`))).text_body).toBeNull();
    }
  });

  it("the target blocks the sender: it is sent, or failed and unsent [D9-approved-checks]", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { agent, reader, put } = await waiting();
      const [{ body }] = await Promise.all([put("approved"), reader.put(`/blocks/${agent.slug}`)]);
      expect(body.status).toBe("approved");
      expect(await inboxOf(reader)).toHaveLength(body.error === null ? 1 : 0);
      if (body.error) expect(body.error.code).toBe("KNOCK_REQUIRED");
    }
  });

  it("the rule that governs it changes: what was sent satisfies the rule of that moment [D9-approved-checks]", async () => {
    const rules = ["n", "m"].map((name) => ({
      allow_text: false,
      inline_schema: { ...requiring({ [name]: "number" }), title: name },
    }));
    for (let round = 0; round < ROUNDS; round++) {
      const { reader, put } = await waiting({ payload: { n: 1 } }, { inbox_rule: rules[0] });
      const [{ status, body }] = await Promise.all([
        put("approved"),
        reader.put("/profile", { inbox_rule: rules[1] }),
      ]);
      expect({ status, answer: body.status }).toEqual({ status: 200, answer: "approved" });
      expect(await inboxOf(reader)).toHaveLength(body.error === null ? 1 : 0);
      if (body.error) expect(body.error.code).toBe("SCHEMA_VALIDATION_FAILED");
    }
  });

  it("the sender's key is revoked: its handle sends it all the same [D9-approved-checks]", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { agent, reader, put } = await waiting();
      const [{ body }, revoked] = await Promise.all([
        put("approved"),
        agent.owner.delete(`/keys/${agent.keyId}`),
      ]);
      expect(revoked.status).toBe(200);
      expect(body).toMatchObject({ status: "approved", error: null });
      expect(await inboxOf(reader)).toHaveLength(1);
    }
  });

  it("the policy is closed: what follows the change is refused [D9-egress-checked]", async () => {
    const [agent, reader] = [await newAgent(), await newAgent()];
    const sends = Array.from({ length: 40 }, () => agent.post("/wires", { to: reader.slug, text: "x" }));
    const closing = setEgress(agent, { deny: [`@${reader.slug}`] });
    const replies = await Promise.all(sends);
    await closing;
    expect(codes(replies).every((status) => status === 201 || status === 403)).toBe(true);
    expect(await inboxOf(reader)).toHaveLength(codes(replies).filter((status) => status === 201).length);
    expect((await agent.post("/wires", { to: reader.slug, text: "x" })).body.code).toBe("EGRESS_BLOCKED");
  });
});
