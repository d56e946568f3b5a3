import { describe, expect, it } from "vitest";
import { createSpace, expectOk, expectRefused, sendWire } from "../harness/api-helpers.js";
import type { AgentClient, Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { decideApproval, setEgressPolicy } from "../harness/egress.js";

const { daemon, bob } = await hostedFixture(["bob"]);
let handles = 0;
/**
 * Creates a handle that asks. Its calls are held for long, so that a missed reply makes a test fail by its
 * time-out.
 */
const newAsker = (owner?: string) => daemon.createAgent(`asker-${handles++}`, {}, owner);
const WAIT = { text: "a question", wait_for_reply: 50 };

const ask = (asker: AgentClient, fields: Body, to = "bob", key?: string) =>
  asker.post("/wires", { to, ...fields }, key === undefined ? {} : { "idempotency-key": key });

/** Waits for the question of this handle in the inbox of bob, and acknowledges all before it. */
async function questionOf(asker: AgentClient, cursor = ""): Promise<Body> {
  const page = await expectOk(bob.get(`/inbox?wait=10${cursor && `&cursor=${cursor}`}`));
  return page.wires.find(({ sender }: Body) => sender === asker.slug) ?? questionOf(asker, page.next_cursor);
}

const reply = (from: AgentClient, parent: { id: string }, to: string, text = "an answer") =>
  sendWire(from, to, { text, reply_to: parent.id });

describe("POST /wires with `wait_for_reply`", () => {
  // [D14-ask]
  it("is answered as soon as another handle replies; the reply is in the inbox, too", async () => {
    const asker = await newAsker();
    const asking = ask(asker, WAIT);
    const question = await questionOf(asker);
    const { id } = await reply(bob, question, asker.slug);
    const body = await expectOk(asking, 201);
    expect(body).toEqual({
      id: question.id,
      uri: expect.stringContaining(question.id),
      thread_id: question.id,
      reply: await expectOk(asker.get(`/wires/${id}`)),
    });
    expect((await expectOk(asker.get("/inbox"))).wires).toEqual([body.reply]);
  });

  // [D14-ask-field]
  it("has `reply`: null when the time is over, and no `reply` without the field or with null", async () => {
    const asker = await newAsker();
    const started = performance.now();
    expect((await expectOk(ask(asker, { text: "x", wait_for_reply: 1 }), 201)).reply).toBeNull();
    expect(performance.now() - started).toBeGreaterThan(950);
    expect((await expectOk(ask(asker, { text: "x", wait_for_reply: 0 }), 201)).reply).toBeNull();
    for (const fields of [{ text: "x" }, { text: "x", wait_for_reply: null }])
      expect(await expectOk(ask(asker, fields), 201)).not.toHaveProperty("reply");
    for (const wait_for_reply of [-1, 61, 1.5, "1"])
      await expectRefused(ask(asker, { text: "x", wait_for_reply }), "VALIDATION_ERROR");
  });

  // [D14-ask-reply]
  it("waits for a direct reply of another handle that was not removed", async () => {
    const asker = await newAsker();
    const asking = ask(asker, WAIT);
    const question = await questionOf(asker);
    const own = await reply(asker, question, "bob");
    await reply(bob, own, asker.slug, "an answer to the other wire");
    await sendWire(bob, asker.slug, { text: "no reply" });
    // The answer of a repeated request shows that none of these counts.
    const again = { text: "a question", wait_for_reply: 0 };
    const key = "only-direct";
    const other = await expectOk(ask(asker, again, "bob", key), 201);
    const removed = await reply(bob, other, asker.slug);
    await expectOk(bob.delete(`/wires/${removed.id}`));
    expect((await expectOk(ask(asker, again, "bob", key), 201)).reply).toBeNull();
    const { id } = await reply(bob, question, asker.slug);
    expect((await expectOk(asking, 201)).reply.id).toBe(id);
  });

  // [D14-ask-repeated]
  it("waits again when the request is repeated, whatever its new time", async () => {
    const asker = await newAsker();
    const key = "asked-once";
    const first = await expectOk(ask(asker, { text: "a question", wait_for_reply: 0 }, "bob", key), 201);
    const asking = ask(asker, WAIT, "bob", key);
    const question = await questionOf(asker);
    await reply(bob, question, asker.slug, "first");
    const { reply: found, ...sent } = await expectOk(asking, 201);
    expect(found.text_body).toBe("first");
    expect({ ...sent, reply: null }).toEqual(first);
    await reply(bob, question, asker.slug, "second");
    expect((await expectOk(ask(asker, WAIT, "bob", key), 201)).reply).toEqual(found);
    expect(await expectOk(ask(asker, { text: "a question" }, "bob", key), 201)).toEqual(sent);
    expect((await expectOk(asker.get("/sent"))).wires).toHaveLength(1);
    await expectRefused(ask(asker, { ...WAIT, text: "another" }, "bob", key), "VALIDATION_ERROR");
  });

  // [D14-ask-stored]
  it("is stored before the wait, also if the client disconnects", async () => {
    const asker = await newAsker();
    const gone = new AbortController();
    const lost = fetch(`${daemon.base}/wires`, {
      method: "POST",
      headers: { authorization: `Bearer ${asker.key}`, "content-type": "application/json" },
      body: JSON.stringify({ to: "bob", ...WAIT }),
      signal: gone.signal,
    });
    const question = await questionOf(asker);
    gone.abort();
    await expect(lost).rejects.toThrow();
    expect((await expectOk(asker.get("/sent"))).wires).toMatchObject([{ id: question.id }]);
  });

  // [D14-ask-held] [D9-held-replay]
  it("does not wait for a held wire, also if the request is repeated after the approval", async () => {
    const asker = await newAsker();
    await setEgressPolicy(asker, { mode: "approval" });
    const held = await expectOk(ask(asker, WAIT, "bob", "held"), 202);
    expect(held).toMatchObject({ reply: null, status: "held" });
    await decideApproval(asker, held);
    const repeatedAt = performance.now();
    expect(await expectOk(ask(asker, { ...WAIT, wait_for_reply: 4 }, "bob", "held"), 202)).toEqual(held);
    expect(performance.now() - repeatedAt).toBeLessThan(3_000);
    const { id } = await reply(bob, held, asker.slug);
    expect(await expectOk(ask(asker, WAIT, "bob", "held"), 202)).toMatchObject({
      status: "held",
      reply: { id },
    });
  });

  // [D14-ask]
  it("is answered with a reply in a space, with its votes", async () => {
    const asker = await newAsker();
    await createSpace(bob, "questions", { reply_rule: { allow_text: true, votable: true } });
    const asking = ask(asker, WAIT, "#questions");
    let posted: Body | undefined;
    while (!posted) [posted] = (await expectOk(bob.get("/spaces/questions/wires"))).wires;
    await reply(asker, posted, "#questions");
    await reply(bob, posted, "#questions");
    expect((await expectOk(asking, 201)).reply).toMatchObject({ sender: "bob", vote_count: 0 });
  });

  // [D14-ask-rights]
  it("ends with 401 when the key is revoked, and without a reply when the asker leaves a private space", async () => {
    const asker = await newAsker();
    const member = await newAsker();
    await createSpace(bob, "closed-questions", { visibility: "private" });
    const setRole = (role: string) =>
      expectOk(bob.put("/spaces/closed-questions", { members: [{ handle: member.slug, role }] }));
    await setRole("poster");
    const [asking, posting] = [ask(asker, WAIT), ask(member, WAIT, "#closed-questions")];
    let posted: Body | undefined;
    while (!posted) [posted] = (await expectOk(bob.get("/spaces/closed-questions/wires"))).wires;
    await questionOf(asker);
    await setRole("remove");
    expect((await expectOk(posting, 201)).reply).toBeNull();
    await expectOk(asker.owner.delete(`/keys/${asker.keyId}`));
    await expectRefused(asking, "UNAUTHORIZED");
  });
});
