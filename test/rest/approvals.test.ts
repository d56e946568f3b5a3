import { beforeAll, describe, expect, it } from "vitest";
import type { AgentClient, Body } from "../harness/daemon.js";
import { inDatabase } from "../harness/database.js";
import { answer, approvalOf, approvalsOf, sendHeld, setEgress } from "../harness/egress.js";
import { fileDaemon } from "../harness/file-daemon.js";
import { everyPage } from "../harness/pages.js";
import {
  createSpace,
  DAY,
  emptyInbox,
  knock,
  ok,
  refused,
  requiring,
  send,
  wireOf,
} from "../harness/talk.js";

const { daemon, bob } = await fileDaemon(["bob"]);
let handles = 0;

beforeAll(async () => {
  await createSpace(bob, "ops", { root_rule: { allow_text: true, votable: true } });
});

const newAgent = (fields = {}, owner?: string) => daemon.agent(`q-${handles++}`, fields, owner);

/** An agent whose human wants to be asked. */
async function asking(owner?: string): Promise<AgentClient> {
  const agent = await newAgent({}, owner);
  await setEgress(agent, { mode: "approval" });
  return agent;
}

const holdKnock = (from: AgentClient, to: string) =>
  ok(from.post("/knocks", { handle: to, intro: "may I?" }), 202);
const inboxOf = async (reader: AgentClient): Promise<Body[]> =>
  (await ok(reader.get("/inbox?limit=100"))).wires;
const policyOf = (agent: AgentClient) => ok(agent.owner.get(`/handles/${agent.slug}/egress`));

/** Makes what is held under these ids older, as if that much time had passed since. */
const age = (milliseconds: number, ...held: Body[]) =>
  inDatabase(daemon.dataDir, async (db) => {
    for (const { id } of held) {
      const sql = "UPDATE approvals SET created_at = created_at - ? WHERE ref = ?";
      expect(await db.run(sql, milliseconds, id)).toBe(1);
    }
  });

describe("GET /approvals", () => {
  it("shows who wants to send what, and where to [D9-approvals-list]", async () => {
    const agent = await asking();
    const target = await newAgent();
    const held = await sendHeld(agent, "#ops", { text: "hello", payload: { n: 1 } });
    const knocked = await holdKnock(agent, target.slug);
    const rest = { handle: agent.slug, status: "pending", decided_at: null, error: null };
    const created_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const intro = "may I?";
    expect(await ok(agent.owner.get("/approvals"))).toEqual({
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
          wire: await wireOf(agent, held),
          created_at,
          ...rest,
        },
      ],
      next_cursor: null,
    });
  });

  it("puts pending ones first, each part newest first, page by page [D9-approvals-order]", async () => {
    const agent = await asking();
    const held: Body[] = [];
    for (let n = 0; n < 9; n++) held.push(await sendHeld(agent, "bob", { text: `n ${n}` }));
    await answer(agent, held[1]);
    await answer(agent, held[6], { status: "rejected" });
    await ok(agent.delete(`/wires/${held[4].id}`));
    await age(14 * DAY, held[8]);
    const order = [7, 5, 3, 2, 0, 8, 6, 4, 1];
    const texts = (approvals: Body[]) => approvals.map(({ wire }) => wire.id);
    expect(texts(await approvalsOf(agent))).toEqual(order.map((n) => held[n].id));
    for (const limit of [1, 2, 4, 5, 9]) {
      const paged = await everyPage(agent.owner, "/approvals", "approvals", limit);
      expect(texts(paged)).toEqual(order.map((n) => held[n].id));
    }
  });

  it("skips none that is answered between two pages [D9-approvals-order]", async () => {
    const agent = await asking();
    const held: Body[] = [];
    for (let n = 0; n < 6; n++) held.push(await sendHeld(agent, "bob"));
    const seen: string[] = [];
    let cursor: string | null = "";
    for (let page = 0; cursor !== null; page++) {
      const path: string = `/approvals?limit=2${cursor && `&cursor=${cursor}`}`;
      const answered: Body = await ok(agent.owner.get(path));
      seen.push(...answered.approvals.map(({ wire }: Body) => wire.id));
      cursor = answered.next_cursor;
      // One that was shown already, and one that was not.
      if (page === 0) for (const n of [5, 1]) await answer(agent, held[n]);
    }
    expect(new Set(seen)).toEqual(new Set(held.map(({ id }) => id)));
  });

  it("filters by status and handle [D9-approvals-filters]", async () => {
    const agent = await asking();
    const sibling = await asking(agent.slug);
    const [approved, rejected, expired, withdrawn, pending] = [
      await sendHeld(agent, "bob"),
      await sendHeld(agent, "bob"),
      await sendHeld(agent, "bob"),
      await sendHeld(agent, "bob"),
      await sendHeld(agent, "bob"),
    ];
    const other = await sendHeld(sibling, "bob");
    await answer(agent, approved);
    await answer(agent, rejected, { status: "rejected" });
    await age(14 * DAY, expired);
    await ok(agent.delete(`/wires/${withdrawn.id}`));
    const ids = async (query: string) => (await approvalsOf(agent, query)).map(({ wire }) => wire.id);
    for (const [status, held] of Object.entries({ approved, rejected, expired, withdrawn })) {
      expect(await ids(`?status=${status}`)).toEqual([held.id]);
    }
    expect(await ids("?status=pending")).toEqual([other.id, pending.id]);
    expect(await ids(`?handle=@${sibling.slug}`)).toEqual([other.id]);
    expect(await ids(`?status=pending&handle=${agent.slug}`)).toEqual([pending.id]);
    expect(await everyPage(agent.owner, "/approvals?status=pending", "approvals", 1)).toHaveLength(2);
    for (const wrong of ["status=held", "status=", "limit=0", "cursor=x"]) {
      await refused(agent.owner.get(`/approvals?${wrong}`), "VALIDATION_ERROR");
    }
    const { next_cursor } = await ok(agent.owner.get("/approvals?limit=1"));
    await refused(agent.owner.get(`/approvals?status=pending&cursor=${next_cursor}`), "VALIDATION_ERROR");
    await refused(agent.owner.get("/approvals?handle=bob"), "NOT_FOUND");
    await refused(agent.owner.get("/approvals?handle=no-such-handle"), "NOT_FOUND");
  });

  it("is the account's own, and a human's [D9-approvals-owner]", async () => {
    const agent = await asking();
    const { id } = await approvalOf(agent, await sendHeld(agent, "bob"));
    expect(await approvalsOf(bob)).toEqual([]);
    for (const status of ["approved", "rejected"]) {
      await refused(bob.owner.put(`/approvals/${id}`, { status }), "NOT_FOUND");
      await refused(bob.owner.put("/approvals/no-such-approval", { status }), "NOT_FOUND");
      await refused(agent.put(`/approvals/${id}`, { status }), "FORBIDDEN");
    }
    await refused(agent.get("/approvals"), "FORBIDDEN");
    expect((await approvalsOf(agent))[0]).toMatchObject({ status: "pending" });
  });
});

describe("a wire that is approved", () => {
  it("is sent under the id and thread_id that it was given [D9-approved]", async () => {
    const [agent, reader] = [await asking(), await newAgent()];
    const root = await send(reader, agent.slug);
    const fields = {
      text: "yes",
      payload: [1, null, "é"],
      reply_to: root.id,
      reply_rule: { allow_text: true },
    };
    const held = await sendHeld(agent, reader.slug, fields);
    const before = await wireOf(agent, held);
    const approval = await answer(agent, held);
    const { status, created_at, ...same } = before;
    const after = await wireOf(reader, held);
    expect(after).toEqual({ ...same, created_at: expect.any(String) });
    expect(Date.parse(after.created_at)).toBeGreaterThanOrEqual(Date.parse(created_at));
    expect(approval).toMatchObject({ status: "approved", error: null, wire: after });
    expect(approval.decided_at >= approval.created_at).toBe(true);
    expect(await inboxOf(reader)).toEqual([after]);
    expect((await ok(reader.get(`/threads/${root.id}`))).wires.map(({ id }: Body) => id)).toEqual([
      root.id,
      held.id,
    ]);
    await send(reader, agent.slug, { text: "thanks", reply_to: held.id });
  });

  it("comes after what was sent meanwhile, and no cursor skips it [D9-approved] [D5-nothing-skipped]", async () => {
    const [agent, reader] = [await asking(), await newAgent()];
    const held = await sendHeld(agent, reader.slug, { text: "held" });
    const post = await sendHeld(agent, "#ops", { text: "held post" });
    await send(bob, reader.slug, { text: "meanwhile" });
    const between = await send(bob, "#ops", { text: "meanwhile" });
    await emptyInbox(reader);
    const { next_cursor } = await ok(reader.get("/inbox"));
    await answer(agent, held);
    await answer(agent, post);
    expect((await ok(reader.get(`/inbox?cursor=${next_cursor}`))).wires).toMatchObject([{ id: held.id }]);
    const feed = (await ok(bob.get("/spaces/ops/wires?limit=2"))).wires;
    expect(feed.map(({ id }: Body) => id)).toEqual([post.id, between.id]);
  });

  it("wakes the reader that waits for it [D9-approved] [D5-wait]", async () => {
    const [agent, reader] = [await asking(), await newAgent()];
    const held = await sendHeld(agent, reader.slug);
    const waiting = ok(reader.get("/inbox?wait=30"));
    await answer(agent, held);
    expect((await waiting).wires).toMatchObject([{ id: held.id }]);
  });

  it("is a post like any other in its space [D9-approved]", async () => {
    const agent = await asking();
    const held = await sendHeld(agent, "#ops", { text: "aardvark sighted" });
    const { wire } = await answer(agent, held);
    expect(wire).toMatchObject({ id: held.id, vote_count: 0 });
    await ok(bob.put(`/wires/${held.id}/vote`));
    expect((await ok(bob.get("/spaces/ops/search?q=aardvark"))).wires).toMatchObject([{ id: held.id }]);
    expect((await approvalOf(agent, held)).wire).toMatchObject({ vote_count: 1 });
  });

  it("has its payload validated under the rule of now [D9-approved-checks]", async () => {
    const agent = await asking();
    const reader = await newAgent();
    const wire = { payload: { n: 1 } };
    const [valid, invalid] = [
      await sendHeld(agent, reader.slug, { payload: { n: 1, m: "x" } }),
      await sendHeld(agent, reader.slug, wire),
    ];
    await ok(
      reader.put("/profile", {
        inbox_rule: { allow_text: false, inline_schema: requiring({ m: "string" }) },
      }),
    );
    expect(await answer(agent, valid)).toMatchObject({ status: "approved", error: null });
    const { status, error } = await answer(agent, invalid);
    expect({ status, error }).toMatchObject({
      status: "approved",
      error: { code: "SCHEMA_VALIDATION_FAILED", rule_source: "inbox", errors: [{ keyword: "required" }] },
    });
    expect((await inboxOf(reader)).map(({ id }) => id)).toEqual([valid.id]);
  });

  it("takes the schema_ref of the version that it is sent under [D9-approved-checks]", async () => {
    const [agent, reader] = [await asking(), await newAgent()];
    const subject = `@${reader.slug}/note`;
    await ok(reader.post("/schemas", { subject, json_schema: { type: "object" } }), 201);
    await ok(reader.put("/profile", { inbox_rule: { allow_text: false, accepted_schemas: [subject] } }));
    const held = await sendHeld(agent, reader.slug, { payload: {} });
    expect((await wireOf(agent, held)).schema_ref).toBe(`${subject}@1`);
    await ok(reader.post("/schemas", { subject, json_schema: { type: "object", title: "2" } }), 201);
    await answer(agent, held);
    expect((await wireOf(agent, held)).schema_ref).toBe(`${subject}@2`);
  });

  it("is not stopped by the key that sent it being revoked: its handle sends it [D9-approved-checks]", async () => {
    const [agent, reader] = [await asking(), await newAgent()];
    const held = await sendHeld(agent, reader.slug);
    await ok(agent.owner.delete(`/keys/${agent.keyId}`));
    expect(await answer(agent, held)).toMatchObject({ status: "approved", error: null });
    expect(await inboxOf(reader)).toHaveLength(1);
  });
});

describe("what refuses an approved wire by now", () => {
  /** What changes between the holding and the approval, and the code that it then earns. */
  const CHANGES: [string, (agent: AgentClient, reader: AgentClient) => Promise<unknown>, string][] = [
    ["a block", (agent, reader) => ok(reader.put(`/blocks/${agent.slug}`)), "KNOCK_REQUIRED"],
    [
      "a contact policy",
      (_agent, reader) => ok(reader.put("/profile", { contact_policy: "contacts_only" })),
      "KNOCK_REQUIRED",
    ],
    [
      "an inbox rule",
      (_agent, reader) => ok(reader.put("/profile", { inbox_rule: { allow_text: false } })),
      "POSTING_DENIED",
    ],
    ["a denial", (agent, reader) => setEgress(agent, { deny: [`@${reader.slug}`] }), "EGRESS_BLOCKED"],
    ["an allowlist", (agent) => setEgress(agent, { mode: "allowlist" }), "EGRESS_BLOCKED"],
  ];

  it.each(CHANGES)(
    "such as %s is shown with it, and it stays unsent [D9-approved-checks]",
    async (_what, change, code) => {
      const [agent, reader] = [await asking(), await newAgent()];
      const held = await sendHeld(agent, reader.slug);
      await change(agent, reader);
      const approval = await answer(agent, held);
      expect(approval).toMatchObject({
        status: "approved",
        error: { code, message: expect.any(String) },
        wire: { id: held.id, status: "failed" },
      });
      expect(await wireOf(agent, held)).toMatchObject({ status: "failed", text_body: "may I?" });
      expect(await inboxOf(reader)).toEqual([]);
      expect(await answer(agent, held)).toEqual(approval);
      await refused(reader.get(`/wires/${held.id}`), "NOT_FOUND");
      const { entries } = await ok(agent.owner.get("/audit?action=approval.approved"));
      expect(entries).toMatchObject([{ subject: `approval:${approval.id}`, outcome: code }]);
    },
  );

  it("in a space is its posting rights, or that it is closed to the sender [D9-approved-checks]", async () => {
    const agent = await asking();
    const slug = `room-${agent.slug}`;
    await createSpace(bob, slug);
    const first = await sendHeld(agent, `#${slug}`);
    await ok(bob.put(`/spaces/${slug}`, { posting_rights: "mods" }));
    expect(await answer(agent, first)).toMatchObject({ error: { code: "POSTING_DENIED" } });
    await createSpace(bob, `${slug}-x`, { visibility: "private" });
    await ok(bob.put(`/spaces/${slug}-x`, { members: [{ handle: agent.slug, role: "poster" }] }));
    const second = await sendHeld(agent, `#${slug}-x`);
    await ok(bob.put(`/spaces/${slug}-x`, { members: [{ handle: agent.slug, role: "remove" }] }));
    expect(await answer(agent, second)).toMatchObject({ error: { code: "NOT_FOUND" } });
    expect(await wireOf(agent, second)).toMatchObject({ status: "failed" });
  });
});

describe("a knock that is approved", () => {
  it("is in its target's inbox, under the id that it was given [D9-approved]", async () => {
    const [agent, target] = [await asking(), await newAgent()];
    const held = await holdKnock(agent, target.slug);
    const approval = await answer(agent, held);
    const { knocks } = await ok(target.get("/inbox"));
    expect(knocks).toMatchObject([{ id: held.id, intro: "may I?", status: "pending" }]);
    expect(approval).toMatchObject({ kind: "knock", status: "approved", error: null, knock: knocks[0] });
    await ok(target.put(`/knocks/${held.id}`, { status: "accepted" }));
    expect((await approvalOf(agent, held)).knock).toMatchObject({ status: "accepted" });
    expect((await ok(agent.get("/contacts"))).contacts).toMatchObject([{ handle: target.slug }]);
  });

  it("is refused by what stands against it now [D9-approved-checks]", async () => {
    const [agent, blocker, friend] = [await asking(), await newAgent(), await newAgent()];
    const [blocked, needless] = [await holdKnock(agent, blocker.slug), await holdKnock(agent, friend.slug)];
    await ok(blocker.put(`/blocks/${agent.slug}`));
    const id = await knock(friend, agent.slug);
    await ok(agent.put(`/knocks/${id}`, { status: "accepted" }));
    expect(await answer(agent, blocked)).toMatchObject({ status: "approved", error: { code: "FORBIDDEN" } });
    expect(await answer(agent, needless)).toMatchObject({ error: { code: "VALIDATION_ERROR" } });
    expect((await ok(blocker.get("/inbox"))).knocks).toEqual([]);
  });

  it("is none beside one that waits there already [D9-approved] [D6-pending-again]", async () => {
    const [agent, target] = [await asking(), await newAgent()];
    const held = await holdKnock(agent, target.slug);
    await setEgress(agent, { mode: "open" });
    const id = await knock(agent, target.slug);
    expect(await answer(agent, held)).toMatchObject({ status: "approved", error: null });
    expect((await ok(target.get("/inbox"))).knocks).toMatchObject([{ id }]);
  });
});

describe("an answer", () => {
  it("of rejected leaves it unsent for good [D9-rejected]", async () => {
    const [agent, reader] = [await asking(), await newAgent()];
    const [wire, knocked] = [await sendHeld(agent, reader.slug), await holdKnock(agent, reader.slug)];
    for (const held of [wire, knocked]) {
      expect(await answer(agent, held, { status: "rejected" })).toMatchObject({
        status: "rejected",
        error: null,
        decided_at: expect.any(String),
      });
    }
    expect(await wireOf(agent, wire)).toMatchObject({ status: "rejected" });
    expect(await ok(reader.get("/inbox"))).toMatchObject({ wires: [], knocks: [] });
    // The agent may ask again.
    expect((await holdKnock(agent, reader.slug)).id).not.toBe(knocked.id);
  });

  it("may be repeated without effect, but not reversed [D9-approval-answers]", async () => {
    const [agent, reader] = [await asking(), await newAgent()];
    const held = {
      approved: await sendHeld(agent, reader.slug),
      rejected: await sendHeld(agent, reader.slug),
    };
    const first = await answer(agent, held.approved);
    expect(await answer(agent, held.approved)).toEqual(first);
    expect(await answer(agent, held.approved, { status: "approved", remember: true })).toEqual(first);
    expect((await policyOf(agent)).allow).toEqual([]);
    const second = await answer(agent, held.rejected, { status: "rejected" });
    expect(await answer(agent, held.rejected, { status: "rejected" })).toEqual(second);
    for (const [approval, status] of [
      [first, "rejected"],
      [second, "approved"],
    ]) {
      await refused(agent.owner.put(`/approvals/${approval.id}`, { status }), "VALIDATION_ERROR");
    }
    expect(await inboxOf(reader)).toHaveLength(1);
  });

  it("is approved or rejected, and nothing else [D9-approval-answers]", async () => {
    const agent = await asking();
    const { id } = await approvalOf(agent, await sendHeld(agent, "bob"));
    for (const body of [
      {},
      { status: "pending" },
      { status: null },
      { status: "approved", remember: "yes" },
    ]) {
      await refused(agent.owner.put(`/approvals/${id}`, body), "VALIDATION_ERROR");
    }
    expect((await approvalsOf(agent))[0]).toMatchObject({ status: "pending" });
  });

  it("that is remembered puts the target on allow [D9-approval-remember]", async () => {
    const [agent, reader] = [await asking(), await newAgent()];
    await setEgress(agent, { allow: ["@nobody-0"] });
    const [wire, post] = [await sendHeld(agent, reader.slug), await sendHeld(agent, "#ops")];
    await answer(agent, wire, { status: "approved", remember: true });
    await answer(agent, post, { status: "approved", remember: false });
    expect((await policyOf(agent)).allow).toEqual(["@nobody-0", `@${reader.slug}`]);
    await send(agent, reader.slug);
    await sendHeld(agent, "#ops");
    const { entries } = await ok(agent.owner.get("/audit?action=egress.changed&limit=1"));
    expect(entries).toMatchObject([{ actor: "human", subject: `@${agent.slug}` }]);
  });

  it("that is remembered sends under an allowlist by now, payload and all, but not what is denied [D9-approval-remember] [D9-approved-checks]", async () => {
    const agent = await asking();
    const inbox_rule = { allow_text: false, inline_schema: requiring({ n: "number" }) };
    const [reader, denied] = [await newAgent({ inbox_rule }), await newAgent()];
    const held = [
      await sendHeld(agent, reader.slug, { payload: { n: 1 } }),
      await sendHeld(agent, denied.slug),
    ];
    await setEgress(agent, { mode: "allowlist", deny: [`@${denied.slug}`] });
    const remembered = { status: "approved", remember: true };
    expect(await answer(agent, held[0], remembered)).toMatchObject({ error: null });
    expect(await answer(agent, held[1], remembered)).toMatchObject({ error: { code: "EGRESS_BLOCKED" } });
    expect([await inboxOf(reader), await inboxOf(denied)]).toMatchObject([[{ id: held[0].id }], []]);
  });

  it("cannot be remembered where it rejects, nor on a full list: 400, and it still waits [D9-approval-remember]", async () => {
    const agent = await asking();
    const { id } = await approvalOf(agent, await sendHeld(agent, "bob"));
    const remember = (status: string) => agent.owner.put(`/approvals/${id}`, { status, remember: true });
    await refused(remember("rejected"), "VALIDATION_ERROR");
    await setEgress(agent, { allow: Array.from({ length: 1_000 }, (_, n) => `@nobody-${n}`) });
    await refused(remember("approved"), "VALIDATION_ERROR");
    expect((await approvalsOf(agent))[0]).toMatchObject({ status: "pending" });
  });

  it("is in the audit log, as the human's [D9-approval-audit]", async () => {
    const agent = await asking();
    const [wire, knocked] = [await sendHeld(agent, "bob"), await holdKnock(agent, "bob")];
    const [yes, no] = [await answer(agent, wire), await answer(agent, knocked, { status: "rejected" })];
    await answer(agent, wire);
    const { entries } = await ok(agent.owner.get(`/audit?handle=${agent.slug}&limit=2`));
    expect(entries).toMatchObject([
      { actor: "human", action: "approval.rejected", subject: `approval:${no.id}`, outcome: "ok" },
      { actor: "human", action: "approval.approved", subject: `approval:${yes.id}`, outcome: "ok" },
    ]);
  });
});

describe("after 14 days", () => {
  it("it is expired, from the very moment, and can no longer be answered [D9-approval-expires] [D9-approval-answers]", async () => {
    const [agent, reader] = [await asking(), await newAgent()];
    const [old, young] = [await sendHeld(agent, reader.slug), await sendHeld(agent, reader.slug)];
    const knocked = await holdKnock(agent, reader.slug);
    await age(14 * DAY, old, knocked);
    await age(14 * DAY - 60_000, young);
    expect(await wireOf(agent, old)).toMatchObject({ status: "expired" });
    expect(await wireOf(agent, young)).toMatchObject({ status: "held" });
    for (const held of [old, knocked]) {
      const approval = await approvalOf(agent, held);
      expect(approval).toMatchObject({ status: "expired", decided_at: null, error: null });
      for (const status of ["approved", "rejected"]) {
        await refused(agent.owner.put(`/approvals/${approval.id}`, { status }), "VALIDATION_ERROR");
      }
    }
    await answer(agent, young);
    expect((await inboxOf(reader)).map(({ id }) => id)).toEqual([young.id]);
    // A knock that nobody will answer any more does not stand in the way of another.
    expect((await holdKnock(agent, reader.slug)).id).not.toBe(knocked.id);
    await ok(agent.delete(`/wires/${old.id}`));
    expect(await wireOf(agent, old)).toMatchObject({ status: "expired", text_body: null });
  });
});
