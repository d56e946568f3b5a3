import { beforeAll, describe, expect, it } from "vitest";
import {
  createSpace,
  DAY_MS,
  expectOk,
  expectRefused,
  NO_ITEMS,
  readInboxToEnd,
  readWire,
  schemaRequiring,
  sendKnock,
  sendWire,
} from "../harness/api-helpers.js";
import type { AgentClient, Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { withDatabase } from "../harness/database.js";
import {
  decideApproval,
  findApproval,
  listApprovals,
  sendHeldWire,
  setEgressPolicy,
} from "../harness/egress.js";
import { readAllPages } from "../harness/pagination.js";

const { daemon, bob } = await hostedFixture(["bob"]);
let handles = 0;

beforeAll(async () => {
  await createSpace(bob, "ops", { root_rule: { allow_text: true, votable: true } });
});

const newAgent = (fields = {}, owner?: string) => daemon.createAgent(`q-${handles++}`, fields, owner);

/** Creates an agent whose egress policy requires the approval of its human. */
async function newAgentUnderApproval(owner?: string): Promise<AgentClient> {
  const agent = await newAgent({}, owner);
  await setEgressPolicy(agent, { mode: "approval" });
  return agent;
}

const holdKnock = (from: AgentClient, to: string) =>
  expectOk(from.post("/knocks", { handle: to, intro: "may I?" }), 202);
const inboxOf = async (reader: AgentClient): Promise<Body[]> =>
  (await expectOk(reader.get("/inbox?limit=100"))).wires;
const policyOf = (agent: AgentClient) => expectOk(agent.owner.get(`/handles/${agent.slug}/egress`));

/** Moves the creation time of these approvals into the past. */
const backdateApprovals = (milliseconds: number, ...held: Body[]) =>
  withDatabase(daemon.dataDir, async (db) => {
    for (const { id } of held) {
      const sql = "UPDATE approvals SET created_at = created_at - ? WHERE ref = ?";
      expect(await db.run(sql, milliseconds, id)).toBe(1);
    }
  });

describe("GET /approvals", () => {
  // [D9-approvals-list]
  it("shows the sender, the content and the target of each approval", async () => {
    const agent = await newAgentUnderApproval();
    const target = await newAgent();
    const held = await sendHeldWire(agent, "#ops", { text: "hello", payload: { n: 1 } });
    const knocked = await holdKnock(agent, target.slug);
    const rest = { handle: agent.slug, status: "pending", decided_at: null, note: null, error: null };
    const created_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const intro = "may I?";
    expect(await expectOk(agent.owner.get("/approvals"))).toEqual({
      approvals: [
        {
          id: expect.any(String),
          kind: "knock",
          target: `@${target.slug}`,
          knock: {
            id: knocked.id,
            from_handle_id: agent.id,
            to_handle_id: target.id,
            from: agent.slug,
            to: target.slug,
            intro,
            status: "pending",
            created_at,
            decided_at: null,
          },
          created_at,
          ...rest,
        },
        {
          id: expect.any(String),
          kind: "wire",
          target: "#ops",
          wire: await readWire(agent, held),
          created_at,
          ...rest,
        },
      ],
      next_cursor: null,
    });
  });

  // [D9-approvals-order]
  it("lists pending approvals first, newest first within each part, in pages", async () => {
    const agent = await newAgentUnderApproval();
    const held: Body[] = [];
    for (let n = 0; n < 9; n++) held.push(await sendHeldWire(agent, "bob", { text: `n ${n}` }));
    await decideApproval(agent, held[1]);
    await decideApproval(agent, held[6], { status: "rejected" });
    await expectOk(agent.delete(`/wires/${held[4].id}`));
    await backdateApprovals(14 * DAY_MS, held[8]);
    const order = [7, 5, 3, 2, 0, 8, 6, 4, 1];
    const texts = (approvals: Body[]) => approvals.map(({ wire }) => wire.id);
    expect(texts(await listApprovals(agent))).toEqual(order.map((n) => held[n].id));
    for (const limit of [1, 2, 4, 5, 9]) {
      const paged = await readAllPages(agent.owner, "/approvals", "approvals", limit);
      expect(texts(paged)).toEqual(order.map((n) => held[n].id));
    }
  });

  // [D9-approvals-order]
  it("skips no approval that is decided between two pages", async () => {
    const agent = await newAgentUnderApproval();
    const held: Body[] = [];
    for (let n = 0; n < 6; n++) held.push(await sendHeldWire(agent, "bob"));
    const seen: string[] = [];
    let cursor: string | null = "";
    for (let page = 0; cursor !== null; page++) {
      const path: string = `/approvals?limit=2${cursor && `&cursor=${cursor}`}`;
      const answered: Body = await expectOk(agent.owner.get(path));
      seen.push(...answered.approvals.map(({ wire }: Body) => wire.id));
      cursor = answered.next_cursor;
      // Decides one approval that was already listed and one that was not.
      if (page === 0) for (const n of [5, 1]) await decideApproval(agent, held[n]);
    }
    expect(new Set(seen)).toEqual(new Set(held.map(({ id }) => id)));
  });

  // [D9-approvals-filters]
  it("filters by status and by handle", async () => {
    const agent = await newAgentUnderApproval();
    const sibling = await newAgentUnderApproval(agent.slug);
    const [approved, rejected, expired, withdrawn, pending] = [
      await sendHeldWire(agent, "bob"),
      await sendHeldWire(agent, "bob"),
      await sendHeldWire(agent, "bob"),
      await sendHeldWire(agent, "bob"),
      await sendHeldWire(agent, "bob"),
    ];
    const other = await sendHeldWire(sibling, "bob");
    await decideApproval(agent, approved);
    await decideApproval(agent, rejected, { status: "rejected" });
    await backdateApprovals(14 * DAY_MS, expired);
    await expectOk(agent.delete(`/wires/${withdrawn.id}`));
    const ids = async (query: string) => (await listApprovals(agent, query)).map(({ wire }) => wire.id);
    for (const [status, held] of Object.entries({ approved, rejected, expired, withdrawn })) {
      expect(await ids(`?status=${status}`)).toEqual([held.id]);
    }
    expect(await ids("?status=pending")).toEqual([other.id, pending.id]);
    expect(await ids(`?handle=@${sibling.slug}`)).toEqual([other.id]);
    expect(await ids(`?status=pending&handle=${agent.slug}`)).toEqual([pending.id]);
    expect(await readAllPages(agent.owner, "/approvals?status=pending", "approvals", 1)).toHaveLength(2);
    for (const wrong of ["status=held", "status=", "limit=0", "cursor=x"]) {
      await expectRefused(agent.owner.get(`/approvals?${wrong}`), "VALIDATION_ERROR");
    }
    const { next_cursor } = await expectOk(agent.owner.get("/approvals?limit=1"));
    await expectRefused(
      agent.owner.get(`/approvals?status=pending&cursor=${next_cursor}`),
      "VALIDATION_ERROR",
    );
    await expectRefused(agent.owner.get("/approvals?handle=bob"), "NOT_FOUND");
    await expectRefused(agent.owner.get("/approvals?handle=no-such-handle"), "NOT_FOUND");
  });

  // [D9-approvals-get]
  it("returns one approval in any state", async () => {
    const agent = await newAgentUnderApproval();
    const pending = await findApproval(agent, await sendHeldWire(agent, "bob"));
    expect(await expectOk(agent.owner.get(`/approvals/${pending.id}`))).toEqual(pending);
    const answer = { status: "rejected", note: "ask first" };
    const rejected = await expectOk(agent.owner.put(`/approvals/${pending.id}`, answer));
    expect(await expectOk(agent.owner.get(`/approvals/${pending.id}`))).toEqual(rejected);
    await expectRefused(bob.owner.get(`/approvals/${pending.id}`), "NOT_FOUND");
    await expectRefused(agent.get(`/approvals/${pending.id}`), "FORBIDDEN");
  });

  // [D9-approvals-owner]
  it("lists only the approvals of the account, and only for its human", async () => {
    const agent = await newAgentUnderApproval();
    const { id } = await findApproval(agent, await sendHeldWire(agent, "bob"));
    expect(await listApprovals(bob)).toEqual([]);
    for (const status of ["approved", "rejected"]) {
      await expectRefused(bob.owner.put(`/approvals/${id}`, { status }), "NOT_FOUND");
      await expectRefused(bob.owner.put("/approvals/no-such-approval", { status }), "NOT_FOUND");
      await expectRefused(agent.put(`/approvals/${id}`, { status }), "FORBIDDEN");
    }
    await expectRefused(agent.get("/approvals"), "FORBIDDEN");
    expect((await listApprovals(agent))[0]).toMatchObject({ status: "pending" });
  });
});

describe("an approved wire", () => {
  // [D9-approved]
  it("is sent with the id and the thread_id that it got when it was held", async () => {
    const [agent, reader] = [await newAgentUnderApproval(), await newAgent()];
    const root = await sendWire(reader, agent.slug);
    const fields = {
      text: "yes",
      payload: [1, null, "é"],
      reply_to: root.id,
      reply_rule: { allow_text: true },
    };
    const held = await sendHeldWire(agent, reader.slug, fields);
    const before = await readWire(agent, held);
    const approval = await decideApproval(agent, held);
    const { status, created_at, ...same } = before;
    const after = await readWire(reader, held);
    const origin = { ...same.origin, approved: true };
    expect(after).toEqual({ ...same, origin, created_at: expect.any(String) });
    expect(Date.parse(after.created_at)).toBeGreaterThanOrEqual(Date.parse(created_at));
    expect(approval).toMatchObject({ status: "approved", error: null, wire: after });
    expect(approval.decided_at >= approval.created_at).toBe(true);
    expect(await inboxOf(reader)).toEqual([after]);
    expect((await expectOk(reader.get(`/threads/${root.id}`))).wires.map(({ id }: Body) => id)).toEqual([
      root.id,
      held.id,
    ]);
    await sendWire(reader, agent.slug, { text: "thanks", reply_to: held.id });
  });

  // [D9-approved] [D5-nothing-skipped]
  it("follows wires that were sent meanwhile, and no cursor skips it", async () => {
    const [agent, reader] = [await newAgentUnderApproval(), await newAgent()];
    const held = await sendHeldWire(agent, reader.slug, { text: "held" });
    const post = await sendHeldWire(agent, "#ops", { text: "held post" });
    await sendWire(bob, reader.slug, { text: "meanwhile" });
    const between = await sendWire(bob, "#ops", { text: "meanwhile" });
    await readInboxToEnd(reader);
    const { next_cursor } = await expectOk(reader.get("/inbox"));
    await decideApproval(agent, held);
    await decideApproval(agent, post);
    expect((await expectOk(reader.get(`/inbox?cursor=${next_cursor}`))).wires).toMatchObject([
      { id: held.id },
    ]);
    const feed = (await expectOk(bob.get("/spaces/ops/wires?limit=2"))).wires;
    expect(feed.map(({ id }: Body) => id)).toEqual([post.id, between.id]);
  });

  // [D9-approved] [D5-wait]
  it("wakes the reader that long-polls the inbox", async () => {
    const [agent, reader] = [await newAgentUnderApproval(), await newAgent()];
    const held = await sendHeldWire(agent, reader.slug);
    const waiting = expectOk(reader.get("/inbox?wait=30"));
    await decideApproval(agent, held);
    expect((await waiting).wires).toMatchObject([{ id: held.id }]);
  });

  // [D9-approved]
  it("appears in its space like any other post", async () => {
    const agent = await newAgentUnderApproval();
    const held = await sendHeldWire(agent, "#ops", { text: "aardvark sighted" });
    const { wire } = await decideApproval(agent, held);
    expect(wire).toMatchObject({ id: held.id, vote_count: 0 });
    await expectOk(bob.put(`/wires/${held.id}/vote`));
    expect((await expectOk(bob.get("/spaces/ops/search?q=aardvark"))).wires).toMatchObject([{ id: held.id }]);
    expect((await findApproval(agent, held)).wire).toMatchObject({ vote_count: 1 });
  });

  // [D9-approved-checks]
  it("has its payload validated under the rule in force at the approval", async () => {
    const agent = await newAgentUnderApproval();
    const reader = await newAgent();
    const wire = { payload: { n: 1 } };
    const [valid, invalid] = [
      await sendHeldWire(agent, reader.slug, { payload: { n: 1, m: "x" } }),
      await sendHeldWire(agent, reader.slug, wire),
    ];
    await expectOk(
      reader.put("/profile", {
        inbox_rule: { allow_text: false, inline_schema: schemaRequiring({ m: "string" }) },
      }),
    );
    expect(await decideApproval(agent, valid)).toMatchObject({ status: "approved", error: null });
    const { status, error } = await decideApproval(agent, invalid);
    expect({ status, error }).toMatchObject({
      status: "approved",
      error: { code: "SCHEMA_VALIDATION_FAILED", rule_source: "inbox", errors: [{ keyword: "required" }] },
    });
    expect((await inboxOf(reader)).map(({ id }) => id)).toEqual([valid.id]);
  });

  // [D9-approved-checks]
  it("gets the schema_ref of the version that it is validated under", async () => {
    const [agent, reader] = [await newAgentUnderApproval(), await newAgent()];
    const subject = `@${reader.slug}/note`;
    await expectOk(reader.post("/schemas", { subject, json_schema: { type: "object" } }), 201);
    await expectOk(
      reader.put("/profile", { inbox_rule: { allow_text: false, accepted_schemas: [subject] } }),
    );
    const held = await sendHeldWire(agent, reader.slug, { payload: {} });
    expect((await readWire(agent, held)).schema_ref).toBe(`${subject}@1`);
    await expectOk(reader.post("/schemas", { subject, json_schema: { type: "object", title: "2" } }), 201);
    await decideApproval(agent, held);
    expect((await readWire(agent, held)).schema_ref).toBe(`${subject}@2`);
  });

  // [D9-approved-checks]
  it("is sent although the key that created it is revoked", async () => {
    const [agent, reader] = [await newAgentUnderApproval(), await newAgent()];
    const held = await sendHeldWire(agent, reader.slug);
    await expectOk(agent.owner.delete(`/keys/${agent.keyId}`));
    expect(await decideApproval(agent, held)).toMatchObject({ status: "approved", error: null });
    expect(await inboxOf(reader)).toHaveLength(1);
  });
});

describe("the decision", () => {
  const noticesOf = async (agent: AgentClient, query = "?limit=100"): Promise<Body[]> =>
    (await expectOk(agent.get(`/inbox${query}`))).approval_notices;

  // [D18-approval-notice] [D18-note] [D5-wait]
  it("arrives once in the sender's inbox, with the note of the first answer", async () => {
    const agent = await newAgentUnderApproval();
    const held = await sendHeldWire(agent, "#ops");
    const waiting = expectOk(agent.get("/inbox?wait=30"));
    const note = "Ask for the price first \u{1f600}\u0000";
    const { id, decided_at } = await decideApproval(agent, held, { status: "rejected", note });
    const notice = {
      approval_id: id,
      kind: "wire",
      wire_id: held.id,
      knock_id: null,
      target: "#ops",
      status: "rejected",
      note,
      error: null,
      decided_at,
    };
    const page = await waiting;
    expect(page).toEqual({ ...NO_ITEMS, approval_notices: [notice], next_cursor: expect.any(String) });
    const again = { status: "rejected", note: "another note" };
    expect(await decideApproval(agent, held, again)).toMatchObject({ note });
    expect(await noticesOf(agent)).toEqual([notice]);
    expect((await expectOk(agent.owner.get(`/handles/${agent.slug}/inbox`))).approval_notices).toEqual([
      notice,
    ]);
    expect(await noticesOf(agent, `?cursor=${page.next_cursor}`)).toEqual([]);
    expect(await noticesOf(agent, "")).toEqual([]);
    const { approvals } = await expectOk(agent.owner.get("/approvals?status=rejected"));
    expect(approvals).toMatchObject([{ note }]);
  });

  // [D18-approval-notice] [S4.1-inbox-limit]
  it("says which wires and knocks were sent, and why one could not be", async () => {
    const [agent, reader] = [await newAgentUnderApproval(), await newAgent()];
    const knock = await holdKnock(agent, reader.slug);
    const sent = await sendHeldWire(agent, reader.slug);
    const refused = await sendHeldWire(agent, reader.slug, { text: "too late" });
    await decideApproval(agent, knock);
    await decideApproval(agent, sent, { status: "approved", note: "go on" });
    await expectOk(reader.put("/profile", { inbox_rule: { allow_text: false } }));
    await decideApproval(agent, refused);
    const target = `@${reader.slug}`;
    const common = { target, note: null, error: null };
    const notices = [
      { ...common, kind: "knock", wire_id: null, knock_id: knock.id, status: "approved" },
      { ...common, kind: "wire", wire_id: sent.id, knock_id: null, status: "approved", note: "go on" },
      { ...common, kind: "wire", wire_id: refused.id, status: "failed", error: "POSTING_DENIED" },
    ];
    expect(await noticesOf(agent)).toMatchObject(notices);
    const first = await expectOk(agent.get("/inbox?limit=2"));
    expect(first.approval_notices).toMatchObject(notices.slice(0, 2));
    expect(await noticesOf(agent, `?limit=2&cursor=${first.next_cursor}`)).toMatchObject(notices.slice(2));
  });

  // [D18-note]
  it("takes a note of 1 to 500 characters", async () => {
    const agent = await newAgentUnderApproval();
    const held = await sendHeldWire(agent, "bob");
    const { id } = await findApproval(agent, held);
    const answer = (note: unknown) => agent.owner.put(`/approvals/${id}`, { status: "rejected", note });
    for (const note of ["", "x".repeat(501), 7, null]) await expectRefused(answer(note), "VALIDATION_ERROR");
    expect(await expectOk(answer("\u{1f600}".repeat(500)))).toMatchObject({ status: "rejected" });
  });
});

describe("an approved wire that is no longer allowed", () => {
  /** A change made after the wire was held, and the error code that the approval then reports. */
  const CHANGES: [string, (agent: AgentClient, reader: AgentClient) => Promise<unknown>, string][] = [
    ["a block", (agent, reader) => expectOk(reader.put(`/blocks/${agent.slug}`)), "KNOCK_REQUIRED"],
    [
      "a contact policy",
      (_agent, reader) => expectOk(reader.put("/profile", { contact_policy: "contacts_only" })),
      "KNOCK_REQUIRED",
    ],
    [
      "an inbox rule",
      (_agent, reader) => expectOk(reader.put("/profile", { inbox_rule: { allow_text: false } })),
      "POSTING_DENIED",
    ],
    ["a denial", (agent, reader) => setEgressPolicy(agent, { deny: [`@${reader.slug}`] }), "EGRESS_BLOCKED"],
    ["an allowlist", (agent) => setEgressPolicy(agent, { mode: "allowlist" }), "EGRESS_BLOCKED"],
  ];

  // [D9-approved-checks]
  it.each(CHANGES)(
    "stays unsent and shows the error after a change such as %s",
    async (_what, change, code) => {
      const [agent, reader] = [await newAgentUnderApproval(), await newAgent()];
      const held = await sendHeldWire(agent, reader.slug);
      await change(agent, reader);
      const approval = await decideApproval(agent, held);
      expect(approval).toMatchObject({
        status: "approved",
        error: { code, message: expect.any(String) },
        wire: { id: held.id, status: "failed" },
      });
      expect(await readWire(agent, held)).toMatchObject({ status: "failed", text_body: "may I?" });
      expect(await inboxOf(reader)).toEqual([]);
      expect(await decideApproval(agent, held)).toEqual(approval);
      await expectRefused(reader.get(`/wires/${held.id}`), "NOT_FOUND");
      const { entries } = await expectOk(agent.owner.get("/audit?action=approval.approved"));
      expect(entries).toMatchObject([{ subject: `approval:${approval.id}`, outcome: code }]);
    },
  );

  // [D9-approved-checks]
  it("stays unsent if the posting rights or the visibility of its space have changed", async () => {
    const agent = await newAgentUnderApproval();
    const slug = `room-${agent.slug}`;
    await createSpace(bob, slug);
    const first = await sendHeldWire(agent, `#${slug}`);
    await expectOk(bob.put(`/spaces/${slug}`, { posting_rights: "mods" }));
    expect(await decideApproval(agent, first)).toMatchObject({ error: { code: "POSTING_DENIED" } });
    await createSpace(bob, `${slug}-x`, { visibility: "private" });
    await expectOk(bob.put(`/spaces/${slug}-x`, { members: [{ handle: agent.slug, role: "poster" }] }));
    const second = await sendHeldWire(agent, `#${slug}-x`);
    await expectOk(bob.put(`/spaces/${slug}-x`, { members: [{ handle: agent.slug, role: "remove" }] }));
    expect(await decideApproval(agent, second)).toMatchObject({ error: { code: "NOT_FOUND" } });
    expect(await readWire(agent, second)).toMatchObject({ status: "failed" });
  });
});

describe("an approved knock", () => {
  // [D9-approved]
  it("appears in the inbox of its target with the id that it got when it was held", async () => {
    const [agent, target] = [await newAgentUnderApproval(), await newAgent()];
    const held = await holdKnock(agent, target.slug);
    const approval = await decideApproval(agent, held);
    const { knocks } = await expectOk(target.get("/inbox"));
    expect(knocks).toMatchObject([{ id: held.id, intro: "may I?", status: "pending" }]);
    expect(approval).toMatchObject({ kind: "knock", status: "approved", error: null, knock: knocks[0] });
    await expectOk(target.put(`/knocks/${held.id}`, { status: "accepted" }));
    expect((await findApproval(agent, held)).knock).toMatchObject({ status: "accepted" });
    expect((await expectOk(agent.get("/contacts"))).contacts).toMatchObject([{ handle: target.slug }]);
  });

  // [D9-approved-checks]
  it("is not delivered if the current rules forbid it", async () => {
    const [agent, blocker, friend] = [await newAgentUnderApproval(), await newAgent(), await newAgent()];
    const [blocked, needless] = [await holdKnock(agent, blocker.slug), await holdKnock(agent, friend.slug)];
    await expectOk(blocker.put(`/blocks/${agent.slug}`));
    const id = await sendKnock(friend, agent.slug);
    await expectOk(agent.put(`/knocks/${id}`, { status: "accepted" }));
    expect(await decideApproval(agent, blocked)).toMatchObject({
      status: "approved",
      error: { code: "FORBIDDEN" },
    });
    expect(await decideApproval(agent, needless)).toMatchObject({ error: { code: "VALIDATION_ERROR" } });
    expect((await expectOk(blocker.get("/inbox"))).knocks).toEqual([]);
  });

  // [D9-approved-checks] [D6-pending-again]
  it("fails with an error if another knock of the sender is already pending", async () => {
    const [agent, target] = [await newAgentUnderApproval(), await newAgent()];
    const held = await holdKnock(agent, target.slug);
    await setEgressPolicy(agent, { mode: "approval", allow: [`@${target.slug}`] });
    const id = await sendKnock(agent, target.slug);
    const approval = await decideApproval(agent, held);
    expect(approval).toMatchObject({
      status: "approved",
      error: {
        code: "VALIDATION_ERROR",
        message: expect.stringContaining(`a knock to @${target.slug} is already pending`),
      },
    });
    expect((await expectOk(target.get("/inbox"))).knocks).toMatchObject([{ id }]);
    await expectOk(target.put(`/knocks/${id}`, { status: "rejected" }));
    expect(await findApproval(agent, held)).toEqual(approval);
    await expectRefused(target.put(`/knocks/${held.id}`, { status: "accepted" }), "NOT_FOUND");
    const { entries } = await expectOk(agent.owner.get("/audit?action=approval.approved"));
    expect(entries).toMatchObject([{ outcome: "VALIDATION_ERROR" }]);
  });
});

describe("a decision on an approval", () => {
  // [D9-rejected]
  it("that rejects leaves the wire unsent permanently", async () => {
    const [agent, reader] = [await newAgentUnderApproval(), await newAgent()];
    const [wire, knocked] = [await sendHeldWire(agent, reader.slug), await holdKnock(agent, reader.slug)];
    for (const held of [wire, knocked]) {
      expect(await decideApproval(agent, held, { status: "rejected" })).toMatchObject({
        status: "rejected",
        error: null,
        decided_at: expect.any(String),
      });
    }
    expect(await readWire(agent, wire)).toMatchObject({ status: "rejected" });
    expect(await expectOk(reader.get("/inbox"))).toMatchObject({ wires: [], knocks: [] });
    // The agent may send the same knock again.
    expect((await holdKnock(agent, reader.slug)).id).not.toBe(knocked.id);
  });

  // [D9-approval-answers]
  it("may be repeated without effect, but not reversed", async () => {
    const [agent, reader] = [await newAgentUnderApproval(), await newAgent()];
    const held = {
      approved: await sendHeldWire(agent, reader.slug),
      rejected: await sendHeldWire(agent, reader.slug),
    };
    const first = await decideApproval(agent, held.approved);
    expect(await decideApproval(agent, held.approved)).toEqual(first);
    expect(await decideApproval(agent, held.approved, { status: "approved", remember: true })).toEqual(first);
    expect((await policyOf(agent)).allow).toEqual([]);
    const second = await decideApproval(agent, held.rejected, { status: "rejected" });
    expect(await decideApproval(agent, held.rejected, { status: "rejected" })).toEqual(second);
    for (const [approval, status] of [
      [first, "rejected"],
      [second, "approved"],
    ]) {
      await expectRefused(agent.owner.put(`/approvals/${approval.id}`, { status }), "VALIDATION_ERROR");
    }
    expect(await inboxOf(reader)).toHaveLength(1);
  });

  // [D9-approval-answers]
  it("accepts only the statuses approved and rejected", async () => {
    const agent = await newAgentUnderApproval();
    const { id } = await findApproval(agent, await sendHeldWire(agent, "bob"));
    for (const body of [
      {},
      { status: "pending" },
      { status: null },
      { status: "approved", remember: "yes" },
    ]) {
      await expectRefused(agent.owner.put(`/approvals/${id}`, body), "VALIDATION_ERROR");
    }
    expect((await listApprovals(agent))[0]).toMatchObject({ status: "pending" });
  });

  // [D9-approval-remember]
  it("with remember=true adds the target to the allow list", async () => {
    const [agent, reader] = [await newAgentUnderApproval(), await newAgent()];
    await setEgressPolicy(agent, { allow: ["@nobody-0"] });
    const [wire, post] = [await sendHeldWire(agent, reader.slug), await sendHeldWire(agent, "#ops")];
    await decideApproval(agent, wire, { status: "approved", remember: true });
    await decideApproval(agent, post, { status: "approved", remember: false });
    expect((await policyOf(agent)).allow).toEqual(["@nobody-0", `@${reader.slug}`]);
    await sendWire(agent, reader.slug);
    await sendHeldWire(agent, "#ops");
    const { entries } = await expectOk(agent.owner.get("/audit?action=egress.changed&limit=1"));
    const detail = `allow: +@${reader.slug}`;
    expect(entries).toMatchObject([{ actor: "human", subject: `@${agent.slug}`, detail }]);
  });

  // [D9-approval-remember] [D9-approved-checks]
  it("with remember=true sends the wire under an allowlist policy, but not to a denied target", async () => {
    const agent = await newAgentUnderApproval();
    const inbox_rule = { allow_text: false, inline_schema: schemaRequiring({ n: "number" }) };
    const [reader, denied] = [await newAgent({ inbox_rule }), await newAgent()];
    const held = [
      await sendHeldWire(agent, reader.slug, { payload: { n: 1 } }),
      await sendHeldWire(agent, denied.slug),
    ];
    await setEgressPolicy(agent, { mode: "allowlist", deny: [`@${denied.slug}`] });
    const remembered = { status: "approved", remember: true };
    expect(await decideApproval(agent, held[0], remembered)).toMatchObject({ error: null });
    expect(await decideApproval(agent, held[1], remembered)).toMatchObject({
      error: { code: "EGRESS_BLOCKED" },
    });
    expect([await inboxOf(reader), await inboxOf(denied)]).toMatchObject([[{ id: held[0].id }], []]);
  });

  // [D9-approval-remember]
  it("rejects remember=true with status rejected, or with a full allow list, and leaves the approval pending", async () => {
    const agent = await newAgentUnderApproval();
    const { id } = await findApproval(agent, await sendHeldWire(agent, "bob"));
    const remember = (status: string) => agent.owner.put(`/approvals/${id}`, { status, remember: true });
    await expectRefused(remember("rejected"), "VALIDATION_ERROR");
    await setEgressPolicy(agent, { allow: Array.from({ length: 1_000 }, (_, n) => `@nobody-${n}`) });
    await expectRefused(remember("approved"), "VALIDATION_ERROR");
    expect((await listApprovals(agent))[0]).toMatchObject({ status: "pending" });
  });

  // [D9-approval-audit]
  it("is logged in the audit log as an action of the human", async () => {
    const agent = await newAgentUnderApproval();
    const [wire, knocked] = [await sendHeldWire(agent, "bob"), await holdKnock(agent, "bob")];
    const [yes, no] = [
      await decideApproval(agent, wire),
      await decideApproval(agent, knocked, { status: "rejected" }),
    ];
    await decideApproval(agent, wire);
    const { entries } = await expectOk(agent.owner.get(`/audit?handle=${agent.slug}&limit=2`));
    const entry = { actor: "human", detail: "to @bob", outcome: "ok" };
    expect(entries).toMatchObject([
      { ...entry, action: "approval.rejected", subject: `approval:${no.id}` },
      { ...entry, action: "approval.approved", subject: `approval:${yes.id}` },
    ]);
  });
});

describe("an approval that is 14 days old", () => {
  // [D9-approval-expires] [D9-approval-answers]
  it("expires at exactly that time, and can no longer be decided", async () => {
    const [agent, reader] = [await newAgentUnderApproval(), await newAgent()];
    const [old, young] = [await sendHeldWire(agent, reader.slug), await sendHeldWire(agent, reader.slug)];
    const knocked = await holdKnock(agent, reader.slug);
    await backdateApprovals(14 * DAY_MS, old, knocked);
    await backdateApprovals(14 * DAY_MS - 60_000, young);
    expect(await readWire(agent, old)).toMatchObject({ status: "expired" });
    expect(await readWire(agent, young)).toMatchObject({ status: "held" });
    for (const held of [old, knocked]) {
      const approval = await findApproval(agent, held);
      expect(approval).toMatchObject({ status: "expired", decided_at: null, error: null });
      for (const status of ["approved", "rejected"]) {
        await expectRefused(agent.owner.put(`/approvals/${approval.id}`, { status }), "VALIDATION_ERROR");
      }
    }
    await decideApproval(agent, young);
    expect((await inboxOf(reader)).map(({ id }) => id)).toEqual([young.id]);
    // An expired knock does not prevent a new one.
    expect((await holdKnock(agent, reader.slug)).id).not.toBe(knocked.id);
    await expectOk(agent.delete(`/wires/${old.id}`));
    expect(await readWire(agent, old)).toMatchObject({ status: "expired", text_body: null });
  });
});
