import { describe, expect, it } from "vitest";
import type { AgentClient, Body } from "../harness/daemon.js";
import { fileDaemon } from "../harness/file-daemon.js";
import { befriend, knock, ok, refused, send } from "../harness/talk.js";

const { daemon } = await fileDaemon();
let handles = 0;

const newHandle = (fields = {}) => daemon.agent(`h-${handles++}`, fields);
const newPair = () => Promise.all([newHandle(), newHandle()]);
const answer = (agent: AgentClient, id: string, status: string) => agent.put(`/knocks/${id}`, { status });
const knocksOf = async (agent: AgentClient, query = ""): Promise<Body[]> =>
  (await ok(agent.get(`/knocks${query}`))).knocks;
const contactsOf = async (agent: AgentClient): Promise<string[]> =>
  (await ok(agent.get("/contacts"))).contacts.map((contact: { handle: string }) => contact.handle);

describe("POST /knocks", () => {
  it("answers id and status pending, and the knock is in the target's inbox [S3.1-pending] [S4.1-knock-created] [S2.3-knock-fields] [A-wire-names]", async () => {
    const [from, to] = await newPair();
    const sent = await ok(from.post("/knocks", { handle: to.slug, intro: "I sell weather data" }), 201);
    expect(sent).toEqual({ id: expect.any(String), status: "pending" });
    const { knocks } = await ok(to.get("/inbox"));
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

  it("takes the handle with or without @, an open one too [S4.1-knock-body] [S1-at-optional] [D6-open-knocked]", async () => {
    const [from, open, closed] = await Promise.all([
      newHandle(),
      newHandle(),
      newHandle({ contact_policy: "contacts_only" }),
    ]);
    await knock(from, `@${open.slug}`);
    await knock(from, closed.slug);
    expect(await knocksOf(open)).toHaveLength(1);
    expect(await knocksOf(closed)).toHaveLength(1);
  });

  it("needs a handle and an intro of 1 to 500 characters [S4.1-knock-body] [D6-empty-intro]", async () => {
    const [from, to] = await newPair();
    const handle = to.slug;
    for (const body of [
      { handle },
      { intro: "hi" },
      { handle, intro: "" },
      { handle, intro: 7 },
      { handle: "#ops", intro: "hi" },
    ]) {
      await refused(from.post("/knocks", body), "VALIDATION_ERROR");
    }
    await refused(from.post("/knocks", { handle, intro: "é".repeat(501) }), "VALIDATION_ERROR");
    await knock(from, handle, "😀".repeat(500));
    expect((await knocksOf(to))[0].intro).toBe("😀".repeat(500));
  });

  it("is 404 for an unknown handle [S4.1-knock-created]", async () => {
    await refused(
      (await newHandle()).post("/knocks", { handle: "no-such-handle", intro: "hi" }),
      "NOT_FOUND",
    );
  });

  it("is 400 to oneself and to a contact, handles of one account included [D6-knock-self] [D6-knock-contact] [D4-one-account]", async () => {
    const [one, other] = await newPair();
    const sibling = await daemon.agent(`h-${handles++}`, {}, one.slug);
    await befriend(one, other);
    for (const handle of [one.slug, other.slug, sibling.slug]) {
      await refused(one.post("/knocks", { handle, intro: "hi" }), "VALIDATION_ERROR");
    }
  });

  it("while one is pending answers that one, 201, without a second in the inbox [D6-pending-again] [D6-repeated-201]", async () => {
    const [from, to] = await newPair();
    const id = await knock(from, to.slug, "first");
    const answers = await Promise.all(Array.from({ length: 10 }, () => knock(from, to.slug, "again")));
    expect(new Set(answers)).toEqual(new Set([id]));
    expect(await knocksOf(to)).toMatchObject([{ id, intro: "first" }]);
    expect((await ok(to.get("/inbox"))).knocks).toHaveLength(1);
  });

  it("sent many times at once is one knock [D6-pending-again]", async () => {
    const [from, to] = await newPair();
    const ids = await Promise.all(Array.from({ length: 10 }, () => knock(from, to.slug)));
    expect(new Set(ids).size).toBe(1);
    expect((await ok(to.get("/inbox"))).knocks).toHaveLength(1);
  });
});

describe("PUT /knocks/{id}", () => {
  it("accepted makes both contacts of each other, and answers the knock [D6-accepted] [D8-knock-answer] [S1-agents-manage]", async () => {
    const [from, to] = await newPair();
    const id = await knock(from, to.slug);
    const answered = await ok(answer(to, id, "accepted"));
    expect(answered).toMatchObject({ id, from_handle_id: from.id, to_handle_id: to.id, status: "accepted" });
    expect(Date.parse(answered.decided_at)).toBeGreaterThanOrEqual(Date.parse(answered.created_at));
    expect(await knocksOf(from, "?direction=sent")).toEqual([answered]);
    expect([await contactsOf(from), await contactsOf(to)]).toEqual([[to.slug], [from.slug]]);
  });

  it("rejected makes none, and a new knock is 403 [D6-rejected]", async () => {
    const [from, to] = await newPair();
    const id = await knock(from, to.slug);
    expect(await ok(answer(to, id, "rejected"))).toMatchObject({ status: "rejected" });
    expect(await contactsOf(to)).toEqual([]);
    await refused(from.post("/knocks", { handle: to.slug, intro: "please" }), "FORBIDDEN");
    expect(await knocksOf(to)).toHaveLength(1);
    await knock(to, from.slug, "the other way round is free");
  });

  it("of two that crossed can both be accepted [D6-accepted]", async () => {
    const [one, other] = await newPair();
    const [id, crossing] = [await knock(one, other.slug), await knock(other, one.slug)];
    await ok(answer(other, id, "accepted"));
    expect(await ok(answer(one, crossing, "accepted"))).toMatchObject({ status: "accepted" });
    expect([await contactsOf(one), await contactsOf(other)]).toEqual([[other.slug], [one.slug]]);
  });

  it("with the same decision again changes nothing [D6-same-decision]", async () => {
    for (const status of ["accepted", "rejected"]) {
      const [from, to] = await newPair();
      const id = await knock(from, to.slug);
      const first = await ok(answer(to, id, status));
      expect(await ok(answer(to, id, status))).toEqual(first);
    }
  });

  it("accepted again does not bring back a contact that was removed since [D6-same-decision]", async () => {
    const [from, to] = await newPair();
    const id = await knock(from, to.slug);
    await ok(answer(to, id, "accepted"));
    await ok(to.delete(`/contacts/${from.slug}`));
    await ok(answer(to, id, "accepted"));
    expect(await contactsOf(to)).toEqual([]);
  });

  it("with another decision is 400 once it is decided [D6-other-decision]", async () => {
    for (const [first, second] of [
      ["accepted", "rejected"],
      ["rejected", "accepted"],
    ] as const) {
      const [from, to] = await newPair();
      const id = await knock(from, to.slug);
      await ok(answer(to, id, first));
      await refused(answer(to, id, second), "VALIDATION_ERROR");
      expect(await knocksOf(to)).toMatchObject([{ status: first }]);
    }
  });

  it("both ways at once is decided once [D6-other-decision]", async () => {
    const [from, to] = await newPair();
    const id = await knock(from, to.slug);
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

  it("is for the target alone, and takes no other word [D8-knock-answer]", async () => {
    const [from, to] = await newPair();
    const stranger = await newHandle();
    const id = await knock(from, to.slug);
    await refused(answer(from, id, "accepted"), "FORBIDDEN");
    await refused(answer(stranger, id, "accepted"), "NOT_FOUND");
    await refused(answer(to, crypto.randomUUID(), "accepted"), "NOT_FOUND");
    for (const status of ["pending", "expired", "yes", null]) {
      await refused(to.put(`/knocks/${id}`, { status }), "VALIDATION_ERROR");
    }
    await refused(to.put(`/knocks/${id}`), "VALIDATION_ERROR");
    expect(await knocksOf(to)).toMatchObject([{ status: "pending" }]);
  });
});

describe("a DM from the target to the knocker", () => {
  it("accepts the knock [D6-dm-accepts]", async () => {
    const [from, to] = await newPair();
    const id = await knock(from, to.slug);
    await send(to, from.slug, { text: "welcome" });
    const [received] = await knocksOf(to);
    expect(received).toMatchObject({ id, status: "accepted", decided_at: expect.any(String) });
    expect([await contactsOf(from), await contactsOf(to)]).toEqual([[to.slug], [from.slug]]);
  });

  it("accepts it where the knocker takes wires from contacts only [D6-dm-accepts]", async () => {
    const [from, to] = await Promise.all([newHandle({ contact_policy: "contacts_only" }), newHandle()]);
    await knock(from, to.slug);
    await send(to, from.slug, { text: "welcome" });
    expect(await knocksOf(to)).toMatchObject([{ status: "accepted" }]);
    expect(await contactsOf(from)).toEqual([to.slug]);
  });

  it("that is refused accepts nothing [D6-dm-accepts]", async () => {
    const [from, to] = await Promise.all([newHandle({ inbox_rule: { allow_text: false } }), newHandle()]);
    await knock(from, to.slug);
    await refused(to.post("/wires", { to: from.slug, text: "welcome" }), "POSTING_DENIED");
    expect(await knocksOf(to)).toMatchObject([{ status: "pending" }]);
    expect(await contactsOf(to)).toEqual([]);
  });

  it("does not undo a rejection, and the knocker's own DM accepts nothing [D6-dm-accepts]", async () => {
    const [from, to] = await newPair();
    const id = await knock(from, to.slug);
    await send(from, to.slug, { text: "have you seen my knock?" });
    expect(await knocksOf(to)).toMatchObject([{ status: "pending" }]);
    await ok(answer(to, id, "rejected"));
    await send(to, from.slug, { text: "no, thank you" });
    expect(await knocksOf(to)).toMatchObject([{ status: "rejected" }]);
    expect(await contactsOf(to)).toEqual([]);
  });

  it("and an answer at the same time decide the knock once [D6-dm-accepts]", async () => {
    const [from, to] = await newPair();
    const id = await knock(from, to.slug);
    const [answered] = await Promise.all([
      answer(to, id, "accepted"),
      ...Array.from({ length: 5 }, () => send(to, from.slug)),
    ]);
    expect(answered.status).toBe(200);
    expect(await contactsOf(from)).toEqual([to.slug]);
  });
});

describe("GET /knocks", () => {
  it("lists received ones by default, or sent ones, newest first, in pages [D8-knocks-list] [S2.3-statuses]", async () => {
    const [target, ...others] = await Promise.all([newHandle(), newHandle(), newHandle(), newHandle()]);
    const ids: string[] = [];
    for (const other of others) ids.unshift(await knock(other, target.slug));
    const sent = await knock(target, others[0]!.slug);
    await ok(answer(target, ids[0]!, "accepted"));
    await ok(answer(target, ids[1]!, "rejected"));
    const listed = async (query: string) => (await knocksOf(target, query)).map((item) => item.id);
    expect(await listed("")).toEqual(ids);
    expect(await listed("?direction=received")).toEqual(ids);
    expect(await listed("?direction=sent")).toEqual([sent]);
    expect(await listed("?status=accepted")).toEqual([ids[0]]);
    expect(await listed("?status=rejected")).toEqual([ids[1]]);
    expect(await listed("?status=pending")).toEqual([ids[2]]);
    expect(await listed("?status=expired")).toEqual([]);
    expect(await listed("?direction=sent&status=pending")).toEqual([sent]);
    const page = await ok(target.get("/knocks?limit=2"));
    expect(page.knocks.map((item: Body) => item.id)).toEqual(ids.slice(0, 2));
    const rest = await ok(target.get(`/knocks?limit=2&cursor=${page.next_cursor}`));
    expect(rest).toMatchObject({ knocks: [{ id: ids[2] }], next_cursor: null });
    await refused(target.get(`/knocks?direction=sent&cursor=${page.next_cursor}`), "VALIDATION_ERROR");
    for (const query of ["direction=both", "status=open", "limit=0", "limit=101"]) {
      await refused(target.get(`/knocks?${query}`), "VALIDATION_ERROR");
    }
  });
});
