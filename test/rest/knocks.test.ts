import { describe, expect, it } from "vitest";
import { expectOk, expectRefused, makeContacts, sendKnock, sendWire } from "../harness/api-helpers.js";
import type { AgentClient, Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";

const { daemon } = await hostedFixture();
let handles = 0;

const newHandle = (fields = {}) => daemon.createAgent(`h-${handles++}`, fields);
const newPair = () => Promise.all([newHandle(), newHandle()]);
const answer = (agent: AgentClient, id: string, status: string) => agent.put(`/knocks/${id}`, { status });
const knocksOf = async (agent: AgentClient, query = ""): Promise<Body[]> =>
  (await expectOk(agent.get(`/knocks${query}`))).knocks;
const contactsOf = async (agent: AgentClient): Promise<string[]> =>
  (await expectOk(agent.get("/contacts"))).contacts.map((contact: { handle: string }) => contact.handle);

describe("POST /knocks", () => {
  // [A-wire-names] [S3.1-pending] [S4.1-knock-created] [S2.3-knock-fields]
  it("returns id and status pending, and puts the knock into the target's inbox", async () => {
    const [from, to] = await newPair();
    const sent = await expectOk(from.post("/knocks", { handle: to.slug, intro: "I sell weather data" }), 201);
    expect(sent).toEqual({ id: expect.any(String), status: "pending" });
    const { knocks } = await expectOk(to.get("/inbox"));
    expect(knocks).toEqual([
      {
        id: sent.id,
        from_handle_id: from.id,
        to_handle_id: to.id,
        from: from.slug,
        to: to.slug,
        intro: "I sell weather data",
        status: "pending",
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        decided_at: null,
      },
    ]);
  });

  // [S1-at-optional] [D6-open-knocked] [S4.1-knock-body]
  it("accepts the handle with or without @, also of a handle that accepts all wires", async () => {
    const [from, open, closed] = await Promise.all([
      newHandle(),
      newHandle(),
      newHandle({ contact_policy: "contacts_only" }),
    ]);
    await sendKnock(from, `@${open.slug}`);
    await sendKnock(from, closed.slug);
    expect(await knocksOf(open)).toHaveLength(1);
    expect(await knocksOf(closed)).toHaveLength(1);
  });

  // [D6-empty-intro] [S4.1-knock-body]
  it("requires a handle and an intro of 1 to 500 characters", async () => {
    const [from, to] = await newPair();
    const handle = to.slug;
    for (const body of [
      { handle },
      { intro: "hi" },
      { handle, intro: "" },
      { handle, intro: 7 },
      { handle: "#ops", intro: "hi" },
    ]) {
      await expectRefused(from.post("/knocks", body), "VALIDATION_ERROR");
    }
    await expectRefused(from.post("/knocks", { handle, intro: "é".repeat(501) }), "VALIDATION_ERROR");
    await sendKnock(from, handle, "😀".repeat(500));
    expect((await knocksOf(to))[0].intro).toBe("😀".repeat(500));
  });

  // [S4.1-knock-created]
  it("returns 404 for an unknown handle", async () => {
    await expectRefused(
      (await newHandle()).post("/knocks", { handle: "no-such-handle", intro: "hi" }),
      "NOT_FOUND",
    );
  });

  // [D6-knock-self] [D6-knock-contact] [D4-one-account]
  it("returns 400 for the caller's own handles and for contacts", async () => {
    const [one, other] = await newPair();
    const sibling = await daemon.createAgent(`h-${handles++}`, {}, one.slug);
    await makeContacts(one, other);
    for (const handle of [one.slug, other.slug, sibling.slug]) {
      await expectRefused(one.post("/knocks", { handle, intro: "hi" }), "VALIDATION_ERROR");
    }
  });

  // [D6-pending-again] [D6-repeated-201]
  it("returns the pending knock with 201, without a second item in the inbox", async () => {
    const [from, to] = await newPair();
    const id = await sendKnock(from, to.slug, "first");
    const answers = await Promise.all(Array.from({ length: 10 }, () => sendKnock(from, to.slug, "again")));
    expect(new Set(answers)).toEqual(new Set([id]));
    expect(await knocksOf(to)).toMatchObject([{ id, intro: "first" }]);
    expect((await expectOk(to.get("/inbox"))).knocks).toHaveLength(1);
  });

  // [D6-pending-again]
  it("creates one knock for many concurrent requests", async () => {
    const [from, to] = await newPair();
    const ids = await Promise.all(Array.from({ length: 10 }, () => sendKnock(from, to.slug)));
    expect(new Set(ids).size).toBe(1);
    expect((await expectOk(to.get("/inbox"))).knocks).toHaveLength(1);
  });
});

describe("PUT /knocks/{id}", () => {
  // [D6-accepted] [D8-knock-answer] [S1-agents-manage]
  it("with accepted makes both handles contacts, and reports the decision to the sender", async () => {
    const [from, to] = await newPair();
    const id = await sendKnock(from, to.slug);
    const answered = await expectOk(answer(to, id, "accepted"));
    expect(answered).toMatchObject({ id, from_handle_id: from.id, to_handle_id: to.id, status: "accepted" });
    expect(Date.parse(answered.decided_at)).toBeGreaterThanOrEqual(Date.parse(answered.created_at));
    expect(await knocksOf(from, "?direction=sent")).toEqual([answered]);
    expect([await contactsOf(from), await contactsOf(to)]).toEqual([[to.slug], [from.slug]]);
  });

  // [D6-rejected]
  it("with rejected makes no contacts, and a new knock returns 403", async () => {
    const [from, to] = await newPair();
    const id = await sendKnock(from, to.slug);
    expect(await expectOk(answer(to, id, "rejected"))).toMatchObject({ status: "rejected" });
    expect(await contactsOf(to)).toEqual([]);
    await expectRefused(from.post("/knocks", { handle: to.slug, intro: "please" }), "FORBIDDEN");
    expect(await knocksOf(to)).toHaveLength(1);
    await sendKnock(to, from.slug, "the other way round is free");
  });

  // [D6-accepted]
  it("can accept both of two mutual knocks", async () => {
    const [one, other] = await newPair();
    const [id, crossing] = [await sendKnock(one, other.slug), await sendKnock(other, one.slug)];
    await expectOk(answer(other, id, "accepted"));
    expect(await expectOk(answer(one, crossing, "accepted"))).toMatchObject({ status: "accepted" });
    expect([await contactsOf(one), await contactsOf(other)]).toEqual([[other.slug], [one.slug]]);
  });

  // [D6-same-decision]
  it("changes nothing when the same decision is repeated", async () => {
    for (const status of ["accepted", "rejected"]) {
      const [from, to] = await newPair();
      const id = await sendKnock(from, to.slug);
      const first = await expectOk(answer(to, id, status));
      expect(await expectOk(answer(to, id, status))).toEqual(first);
    }
  });

  // [D6-same-decision]
  it("does not restore a removed contact when accepted is repeated", async () => {
    const [from, to] = await newPair();
    const id = await sendKnock(from, to.slug);
    await expectOk(answer(to, id, "accepted"));
    await expectOk(to.delete(`/contacts/${from.slug}`));
    await expectOk(answer(to, id, "accepted"));
    expect(await contactsOf(to)).toEqual([]);
  });

  // [D6-other-decision]
  it("returns 400 for another decision after the first one", async () => {
    for (const [first, second] of [
      ["accepted", "rejected"],
      ["rejected", "accepted"],
    ] as const) {
      const [from, to] = await newPair();
      const id = await sendKnock(from, to.slug);
      await expectOk(answer(to, id, first));
      await expectRefused(answer(to, id, second), "VALIDATION_ERROR");
      expect(await knocksOf(to)).toMatchObject([{ status: first }]);
    }
  });

  // [D6-other-decision]
  it("decides once if both decisions arrive concurrently", async () => {
    const [from, to] = await newPair();
    const id = await sendKnock(from, to.slug);
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) => answer(to, id, n % 2 ? "accepted" : "rejected")),
    );
    const { status } = (await knocksOf(to))[0];
    expect(
      replies.filter((reply) => reply.status === 200).every((reply) => reply.body.status === status),
    ).toBe(true);
    expect(replies.filter((reply) => reply.status === 400)).toHaveLength(5);
    expect(await contactsOf(to)).toEqual(status === "accepted" ? [from.slug] : []);
  });

  // [D8-knock-answer]
  it("is allowed only for the target, and only with the documented statuses", async () => {
    const [from, to] = await newPair();
    const stranger = await newHandle();
    const id = await sendKnock(from, to.slug);
    await expectRefused(answer(from, id, "accepted"), "FORBIDDEN");
    await expectRefused(answer(stranger, id, "accepted"), "NOT_FOUND");
    await expectRefused(answer(to, crypto.randomUUID(), "accepted"), "NOT_FOUND");
    for (const status of ["pending", "expired", "yes", null]) {
      await expectRefused(to.put(`/knocks/${id}`, { status }), "VALIDATION_ERROR");
    }
    await expectRefused(to.put(`/knocks/${id}`), "VALIDATION_ERROR");
    expect(await knocksOf(to)).toMatchObject([{ status: "pending" }]);
  });
});

describe("a direct message from the target of a knock to its sender", () => {
  // [D6-dm-accepts]
  it("accepts the knock", async () => {
    const [from, to] = await newPair();
    const id = await sendKnock(from, to.slug);
    await sendWire(to, from.slug, { text: "welcome" });
    const [received] = await knocksOf(to);
    expect(received).toMatchObject({ id, status: "accepted", decided_at: expect.any(String) });
    expect([await contactsOf(from), await contactsOf(to)]).toEqual([[to.slug], [from.slug]]);
  });

  // [D6-dm-accepts]
  it("accepts the knock even if its sender accepts wires from contacts only", async () => {
    const [from, to] = await Promise.all([newHandle({ contact_policy: "contacts_only" }), newHandle()]);
    await sendKnock(from, to.slug);
    await sendWire(to, from.slug, { text: "welcome" });
    expect(await knocksOf(to)).toMatchObject([{ status: "accepted" }]);
    expect(await contactsOf(from)).toEqual([to.slug]);
  });

  // [D6-dm-accepts]
  it("contains the accepted knock in its response, once", async () => {
    const [from, to] = await newPair();
    const id = await sendKnock(from, to.slug);
    const wires = await Promise.all([1, 2, 3].map((n) => sendWire(to, from.slug, { text: `welcome ${n}` })));
    expect(wires.filter((wire) => wire.accepted_knock === id)).toHaveLength(1);
    expect(wires.filter((wire) => "accepted_knock" in wire)).toHaveLength(1);
    expect(await sendWire(to, from.slug, { text: "again" })).not.toHaveProperty("accepted_knock");
  });

  // [D6-dm-accepts]
  it("accepts no knock if the message is rejected", async () => {
    const [from, to] = await Promise.all([newHandle({ inbox_rule: { allow_text: false } }), newHandle()]);
    await sendKnock(from, to.slug);
    await expectRefused(to.post("/wires", { to: from.slug, text: "welcome" }), "POSTING_DENIED");
    expect(await knocksOf(to)).toMatchObject([{ status: "pending" }]);
    expect(await contactsOf(to)).toEqual([]);
  });

  // [D6-dm-accepts]
  it("does not reverse a rejection; messages of the knock's sender accept nothing", async () => {
    const [from, to] = await newPair();
    const id = await sendKnock(from, to.slug);
    await sendWire(from, to.slug, { text: "have you seen my knock?" });
    expect(await knocksOf(to)).toMatchObject([{ status: "pending" }]);
    await expectOk(answer(to, id, "rejected"));
    await sendWire(to, from.slug, { text: "no, thank you" });
    expect(await knocksOf(to)).toMatchObject([{ status: "rejected" }]);
    expect(await contactsOf(to)).toEqual([]);
  });

  // [D6-dm-accepts]
  it("decides the knock once if a decision arrives concurrently", async () => {
    const [from, to] = await newPair();
    const id = await sendKnock(from, to.slug);
    const [answered] = await Promise.all([
      answer(to, id, "accepted"),
      ...Array.from({ length: 5 }, () => sendWire(to, from.slug)),
    ]);
    expect(answered.status).toBe(200);
    expect(await contactsOf(from)).toEqual([to.slug]);
  });
});

describe("GET /knocks", () => {
  // [D8-knocks-list] [S2.3-statuses]
  it("lists received knocks by default, or sent ones, newest first, in pages", async () => {
    const [target, ...others] = await Promise.all([newHandle(), newHandle(), newHandle(), newHandle()]);
    const ids: string[] = [];
    for (const other of others) ids.unshift(await sendKnock(other, target.slug));
    const sent = await sendKnock(target, others[0]!.slug);
    await expectOk(answer(target, ids[0]!, "accepted"));
    await expectOk(answer(target, ids[1]!, "rejected"));
    const listed = async (query: string) => (await knocksOf(target, query)).map((item) => item.id);
    expect(await listed("")).toEqual(ids);
    expect(await listed("?direction=received")).toEqual(ids);
    expect(await listed("?direction=sent")).toEqual([sent]);
    expect(await listed("?status=accepted")).toEqual([ids[0]]);
    expect(await listed("?status=rejected")).toEqual([ids[1]]);
    expect(await listed("?status=pending")).toEqual([ids[2]]);
    expect(await listed("?status=expired")).toEqual([]);
    expect(await listed("?direction=sent&status=pending")).toEqual([sent]);
    const page = await expectOk(target.get("/knocks?limit=2"));
    expect(page.knocks.map((item: Body) => item.id)).toEqual(ids.slice(0, 2));
    const rest = await expectOk(target.get(`/knocks?limit=2&cursor=${page.next_cursor}`));
    expect(rest).toMatchObject({ knocks: [{ id: ids[2] }], next_cursor: null });
    await expectRefused(target.get(`/knocks?direction=sent&cursor=${page.next_cursor}`), "VALIDATION_ERROR");
    for (const query of ["direction=both", "status=open", "limit=0", "limit=101"]) {
      await expectRefused(target.get(`/knocks?${query}`), "VALIDATION_ERROR");
    }
  });
});
