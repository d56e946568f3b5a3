import { describe, expect, it } from "vitest";
import type { AgentClient, Body } from "../harness/daemon.js";
import { fileDaemon } from "../harness/file-daemon.js";
import { befriend, knock, ok, refused, send } from "../harness/talk.js";

const { daemon } = await fileDaemon();
let handles = 0;

const CLOSED = { contact_policy: "contacts_only" };
const newHandle = (fields = {}) => daemon.agent(`c-${handles++}`, fields);
const write = (from: AgentClient, to: AgentClient, fields = {}) =>
  from.post("/wires", { to: to.slug, text: "hi", ...fields });
const contactsOf = async (agent: AgentClient): Promise<string[]> =>
  (await ok(agent.get("/contacts"))).contacts.map((contact: { handle: string }) => contact.handle);

describe("a handle that takes wires from contacts only", () => {
  it("answers strangers KNOCK_REQUIRED until their knock is accepted [D4-knock-required] [S1-knock-first]", async () => {
    const [stranger, closed] = await Promise.all([newHandle(), newHandle(CLOSED)]);
    await refused(write(stranger, closed), "KNOCK_REQUIRED");
    const id = await knock(stranger, closed.slug);
    await refused(write(stranger, closed), "KNOCK_REQUIRED");
    await ok(closed.put(`/knocks/${id}`, { status: "accepted" }));
    await ok(write(stranger, closed), 201);
    expect((await ok(closed.get("/inbox"))).wires).toHaveLength(1);
  });

  it("may be written to again only by contacts once it closes [D4-knock-required] [S1-agents-manage]", async () => {
    const [stranger, handle] = await Promise.all([newHandle(), newHandle()]);
    await ok(write(stranger, handle), 201);
    await ok(handle.put("/profile", CLOSED));
    await refused(write(stranger, handle), "KNOCK_REQUIRED");
    await ok(handle.put("/profile", { contact_policy: "open" }));
    await ok(write(stranger, handle), 201);
  });

  it("may be answered directly by whom it wrote to [D4-answer-needs-no-contact]", async () => {
    const [other, closed, third] = await Promise.all([newHandle(), newHandle(CLOSED), newHandle()]);
    const sent = await send(closed, other.slug);
    const reply = await send(other, closed.slug, { text: "re", reply_to: sent.id });
    await send(other, closed.slug, { text: "re, again", reply_to: sent.id });
    await refused(write(other, closed), "KNOCK_REQUIRED");
    await refused(write(other, closed, { reply_to: reply.id }), "KNOCK_REQUIRED");
    await refused(write(third, closed, { reply_to: sent.id }), "NOT_FOUND");
  });

  it("is not opened by a reply to a wire of someone else [D4-answer-needs-no-contact]", async () => {
    const [other, closed, third] = await Promise.all([newHandle(), newHandle(CLOSED), newHandle()]);
    const sent = await send(third, other.slug);
    await refused(write(other, closed, { reply_to: sent.id }), "KNOCK_REQUIRED");
    const note = await send(other, other.slug);
    await refused(write(other, closed, { reply_to: note.id }), "KNOCK_REQUIRED");
  });

  it("is reached by every handle of its own account [D4-one-account]", async () => {
    const closed = await newHandle(CLOSED);
    const sibling = await daemon.agent(`c-${handles++}`, CLOSED, closed.slug);
    await ok(write(sibling, closed), 201);
    await ok(write(closed, sibling), 201);
    await ok(write(closed, closed), 201);
  });
});

describe("contacts", () => {
  it("are listed with the time since when, newest first, in pages [D8-contacts]", async () => {
    const [agent, ...others] = await Promise.all([newHandle(), newHandle(), newHandle(), newHandle()]);
    for (const other of others) await befriend(other, agent);
    const slugs = others.map((other) => other.slug).reverse();
    const page = await ok(agent.get("/contacts"));
    const since = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(page).toEqual({ contacts: slugs.map((handle) => ({ handle, since })), next_cursor: null });
    const first = await ok(agent.get("/contacts?limit=2"));
    const rest = await ok(agent.get(`/contacts?limit=2&cursor=${first.next_cursor}`));
    const listed = [...first.contacts, ...rest.contacts].map((contact: Body) => contact.handle);
    expect(listed).toEqual(slugs);
    expect(rest.next_cursor).toBeNull();
    await refused(others[0]!.get(`/contacts?cursor=${first.next_cursor}`), "VALIDATION_ERROR");
    await refused(agent.get(`/blocks?cursor=${first.next_cursor}`), "VALIDATION_ERROR");
    await refused(agent.get("/contacts?limit=101"), "VALIDATION_ERROR");
  });

  it("end in both directions, whoever ends them [D6-contacts-mutual] [D8-contacts] [S1-at-optional]", async () => {
    for (const at of ["", "@"]) {
      const [one, other] = await Promise.all([newHandle(CLOSED), newHandle(CLOSED)]);
      await befriend(one, other);
      await ok(write(one, other), 201);
      const removed = await ok(other.delete(`/contacts/${at}${one.slug}`));
      expect(removed).toEqual({ handle: one.slug, removed: true });
      expect([await contactsOf(one), await contactsOf(other)]).toEqual([[], []]);
      await refused(write(one, other), "KNOCK_REQUIRED");
      await refused(write(other, one), "KNOCK_REQUIRED");
    }
  });

  it("may be made again by a new knock [D6-contacts-mutual]", async () => {
    const [one, other] = await Promise.all([newHandle(), newHandle()]);
    await befriend(one, other);
    await ok(one.delete(`/contacts/${other.slug}`));
    await befriend(one, other);
    expect(await contactsOf(other)).toEqual([one.slug]);
  });

  it("are not there to be removed: a stranger is removed: false, an unknown handle 404 [D6-remove-stranger]", async () => {
    const [one, other] = await Promise.all([newHandle(), newHandle()]);
    expect(await ok(one.delete(`/contacts/${other.slug}`))).toEqual({ handle: other.slug, removed: false });
    await refused(one.delete("/contacts/no-such-handle"), "NOT_FOUND");
    await refused(one.delete("/contacts/NOT-a-slug"), "VALIDATION_ERROR");
  });

  it("of one account cannot be removed: 400 [D6-remove-own] [D4-one-account]", async () => {
    const one = await newHandle();
    const sibling = await daemon.agent(`c-${handles++}`, {}, one.slug);
    await refused(one.delete(`/contacts/${sibling.slug}`), "VALIDATION_ERROR");
    await refused(one.delete(`/contacts/${one.slug}`), "VALIDATION_ERROR");
  });
});
