import { describe, expect, it } from "vitest";
import { expectOk, expectRefused, makeContacts, sendKnock, sendWire } from "../harness/api-helpers.js";
import type { AgentClient, Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";

const { daemon } = await hostedFixture();
let handles = 0;

const CLOSED = { contact_policy: "contacts_only" };
const newHandle = (fields = {}) => daemon.createAgent(`c-${handles++}`, fields);
const write = (from: AgentClient, to: AgentClient, fields = {}) =>
  from.post("/wires", { to: to.slug, text: "hi", ...fields });
const contactsOf = async (agent: AgentClient): Promise<string[]> =>
  (await expectOk(agent.get("/contacts"))).contacts.map((contact: { handle: string }) => contact.handle);

describe("a handle that accepts wires from contacts only", () => {
  // [D4-knock-required] [S1-knock-first]
  it("returns KNOCK_REQUIRED to other handles until it accepts their knock", async () => {
    const [stranger, closed] = await Promise.all([newHandle(), newHandle(CLOSED)]);
    await expectRefused(write(stranger, closed), "KNOCK_REQUIRED");
    const id = await sendKnock(stranger, closed.slug);
    await expectRefused(write(stranger, closed), "KNOCK_REQUIRED");
    await expectOk(closed.put(`/knocks/${id}`, { status: "accepted" }));
    await expectOk(write(stranger, closed), 201);
    expect((await expectOk(closed.get("/inbox"))).wires).toHaveLength(1);
  });

  // [D4-knock-required] [S1-agents-manage]
  it("rejects earlier correspondents that are not contacts", async () => {
    const [stranger, handle] = await Promise.all([newHandle(), newHandle()]);
    await expectOk(write(stranger, handle), 201);
    await expectOk(handle.put("/profile", CLOSED));
    await expectRefused(write(stranger, handle), "KNOCK_REQUIRED");
    await expectOk(handle.put("/profile", { contact_policy: "open" }));
    await expectOk(write(stranger, handle), 201);
  });

  // [D4-answer-needs-no-contact]
  it("accepts replies from a handle to which it wrote", async () => {
    const [other, closed, third] = await Promise.all([newHandle(), newHandle(CLOSED), newHandle()]);
    const sent = await sendWire(closed, other.slug);
    const reply = await sendWire(other, closed.slug, { text: "re", reply_to: sent.id });
    await sendWire(other, closed.slug, { text: "re, again", reply_to: sent.id });
    await expectRefused(write(other, closed), "KNOCK_REQUIRED");
    await expectRefused(write(other, closed, { reply_to: reply.id }), "KNOCK_REQUIRED");
    await expectRefused(write(third, closed, { reply_to: sent.id }), "NOT_FOUND");
  });

  // [D4-answer-needs-no-contact]
  it("rejects a reply to a wire that it did not write", async () => {
    const [other, closed, third] = await Promise.all([newHandle(), newHandle(CLOSED), newHandle()]);
    const sent = await sendWire(third, other.slug);
    await expectRefused(write(other, closed, { reply_to: sent.id }), "KNOCK_REQUIRED");
    const note = await sendWire(other, other.slug);
    await expectRefused(write(other, closed, { reply_to: note.id }), "KNOCK_REQUIRED");
  });

  // [D4-one-account]
  it("accepts wires from every handle of its own account", async () => {
    const closed = await newHandle(CLOSED);
    const sibling = await daemon.createAgent(`c-${handles++}`, CLOSED, closed.slug);
    await expectOk(write(sibling, closed), 201);
    await expectOk(write(closed, sibling), 201);
    await expectOk(write(closed, closed), 201);
  });
});

describe("contacts", () => {
  // [D8-contacts]
  it("are listed with their creation time, newest first, in pages", async () => {
    const [agent, ...others] = await Promise.all([newHandle(), newHandle(), newHandle(), newHandle()]);
    for (const other of others) await makeContacts(other, agent);
    const slugs = others.map((other) => other.slug).reverse();
    const page = await expectOk(agent.get("/contacts"));
    const since = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(page).toEqual({
      contacts: slugs.map((handle) => ({ handle, last_pull_at: null, since })),
      next_cursor: null,
    });
    const first = await expectOk(agent.get("/contacts?limit=2"));
    const rest = await expectOk(agent.get(`/contacts?limit=2&cursor=${first.next_cursor}`));
    const listed = [...first.contacts, ...rest.contacts].map((contact: Body) => contact.handle);
    expect(listed).toEqual(slugs);
    expect(rest.next_cursor).toBeNull();
    await expectRefused(others[0]!.get(`/contacts?cursor=${first.next_cursor}`), "VALIDATION_ERROR");
    await expectRefused(agent.get(`/blocks?cursor=${first.next_cursor}`), "VALIDATION_ERROR");
    await expectRefused(agent.get("/contacts?limit=101"), "VALIDATION_ERROR");
  });

  // [D6-contacts-mutual] [D8-contacts] [S1-at-optional]
  it("are removed in both directions, whichever side removes them", async () => {
    for (const at of ["", "@"]) {
      const [one, other] = await Promise.all([newHandle(CLOSED), newHandle(CLOSED)]);
      await makeContacts(one, other);
      await expectOk(write(one, other), 201);
      const removed = await expectOk(other.delete(`/contacts/${at}${one.slug}`));
      expect(removed).toEqual({ handle: one.slug, removed: true });
      expect([await contactsOf(one), await contactsOf(other)]).toEqual([[], []]);
      await expectRefused(write(one, other), "KNOCK_REQUIRED");
      await expectRefused(write(other, one), "KNOCK_REQUIRED");
    }
  });

  // [D6-contacts-mutual]
  it("can be created again by a new knock", async () => {
    const [one, other] = await Promise.all([newHandle(), newHandle()]);
    await makeContacts(one, other);
    await expectOk(one.delete(`/contacts/${other.slug}`));
    await makeContacts(one, other);
    expect(await contactsOf(other)).toEqual([one.slug]);
  });

  // [D6-remove-stranger]
  it("returns removed: false for a handle that is no contact, and 404 for an unknown handle", async () => {
    const [one, other] = await Promise.all([newHandle(), newHandle()]);
    expect(await expectOk(one.delete(`/contacts/${other.slug}`))).toEqual({
      handle: other.slug,
      removed: false,
    });
    await expectRefused(one.delete("/contacts/no-such-handle"), "NOT_FOUND");
    await expectRefused(one.delete("/contacts/NOT-a-slug"), "VALIDATION_ERROR");
  });

  // [D6-remove-own] [D4-one-account]
  it("cannot be removed within one account: 400", async () => {
    const one = await newHandle();
    const sibling = await daemon.createAgent(`c-${handles++}`, {}, one.slug);
    await expectRefused(one.delete(`/contacts/${sibling.slug}`), "VALIDATION_ERROR");
    await expectRefused(one.delete(`/contacts/${one.slug}`), "VALIDATION_ERROR");
  });
});
