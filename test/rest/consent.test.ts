import { describe, expect, it } from "vitest";
import { createSpace, expectOk, expectRefused, makeContacts, sendWire } from "../harness/api-helpers.js";
import type { AgentClient, Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";

const { daemon } = await hostedFixture();
let count = 0;

const newAgent = (fields = {}) => daemon.createAgent(`c-${count++}`, fields);
const shy = () => newAgent({ contact_policy: "contacts_only" });
const change = (by: AgentClient, space: string, handle: AgentClient, role: string) =>
  by.put(`/spaces/${space}`, { members: [{ handle: handle.slug, role }] });
const rolesOf = async (by: AgentClient, space: string): Promise<Record<string, string>> => {
  const { members } = await expectOk(by.get(`/spaces/${space}/members`));
  return Object.fromEntries(members.map(({ handle, role }: Body) => [handle, role]));
};

async function newSpace(owner: AgentClient): Promise<string> {
  const slug = `consent-${count++}`;
  await createSpace(owner, slug, { visibility: "private" });
  return slug;
}

describe("a handle is made a member", () => {
  // [D6-consent]
  it("by strangers only if it is open, otherwise by its contacts", async () => {
    const [owner, open, closed] = await Promise.all([newAgent(), newAgent(), shy()]);
    const space = await newSpace(owner);
    await expectOk(change(owner, space, open, "reader"));
    const { message } = await expectRefused(change(owner, space, closed, "reader"), "KNOCK_REQUIRED");
    expect(message).toContain(`@${closed.slug}`);
    expect(await rolesOf(owner, space)).toEqual({ [owner.slug]: "owner", [open.slug]: "reader" });
    await makeContacts(owner, closed);
    await expectOk(change(owner, space, closed, "reader"));
  });

  // [D6-consent]
  it("together with all others of the request, or not at all", async () => {
    const [owner, open, closed] = await Promise.all([newAgent(), newAgent(), shy()]);
    const space = await newSpace(owner);
    const members = [open, closed].map(({ slug: handle }) => ({ handle, role: "poster" }));
    await expectRefused(owner.put(`/spaces/${space}`, { members, description: "new" }), "KNOCK_REQUIRED");
    expect(await rolesOf(owner, space)).toEqual({ [owner.slug]: "owner" });
    expect((await expectOk(owner.get(`/spaces/${space}`))).description).toBeNull();
  });

  // [D6-consent] [D6-block-account]
  it("not by a caller that it has blocked, even if open or a contact, nor by another handle of the account", async () => {
    const [owner, member] = await Promise.all([newAgent(), newAgent()]);
    const sibling = await daemon.createAgent(`c-${count++}`, {}, owner.slug);
    await makeContacts(owner, member);
    await expectOk(member.put(`/blocks/${owner.slug}`));
    for (const by of [owner, sibling]) {
      const space = await newSpace(by);
      await expectRefused(change(by, space, member, "reader"), "KNOCK_REQUIRED");
    }
    await expectOk(member.delete(`/blocks/${owner.slug}`));
    for (const by of [owner, sibling]) await expectOk(change(by, await newSpace(by), member, "reader"));
  });

  // [D6-consent]
  it("and gets another role only with its consent; the same role and a removal need none", async () => {
    const [owner, member] = await Promise.all([newAgent(), newAgent()]);
    const space = await newSpace(owner);
    await expectOk(change(owner, space, member, "reader"));
    await expectOk(member.put("/profile", { contact_policy: "contacts_only" }));
    await expectRefused(change(owner, space, member, "mod"), "KNOCK_REQUIRED");
    await expectOk(change(owner, space, member, "reader"));
    await expectOk(change(owner, space, member, "remove"));
    expect(await rolesOf(owner, space)).toEqual({ [owner.slug]: "owner" });
  });

  // [D6-consent]
  it("by its own account without consent", async () => {
    const owner = await newAgent();
    const sibling = await daemon.createAgent(`c-${count++}`, { contact_policy: "contacts_only" }, owner.slug);
    const space = await newSpace(owner);
    await expectOk(change(owner, space, sibling, "poster"));
    await expectOk(change(sibling, space, sibling, "remove"));
    await expectOk(change(owner, space, sibling, "mod"));
  });

  // [D6-consent-left]
  it("after it has left only by a handle that has become its contact since", async () => {
    const [owner, member] = await Promise.all([newAgent(), newAgent()]);
    await makeContacts(owner, member);
    const space = await newSpace(owner);
    await expectOk(change(owner, space, member, "poster"));
    // One that was removed has not left.
    await expectOk(change(owner, space, member, "remove"));
    await expectOk(change(owner, space, member, "poster"));
    await expectOk(change(member, space, member, "remove"));
    await expectRefused(change(owner, space, member, "poster"), "KNOCK_REQUIRED");
    await expectOk(change(owner, space, member, "remove"));
    await expectRefused(change(owner, space, member, "reader"), "KNOCK_REQUIRED");
    await expectOk(change(owner, await newSpace(owner), member, "poster"));
    await expectOk(owner.delete(`/contacts/${member.slug}`));
    await makeContacts(owner, member);
    await expectOk(change(owner, space, member, "poster"));
    // Back with consent, it has not left any more.
    await expectOk(change(owner, space, member, "remove"));
    await expectOk(owner.delete(`/contacts/${member.slug}`));
    await expectOk(change(owner, space, member, "poster"));
  });
});

describe("a space is transferred", () => {
  // [D6-transfer]
  it("only to a member: 400 for any other handle", async () => {
    const [owner, friend] = await Promise.all([newAgent(), newAgent()]);
    await makeContacts(owner, friend);
    const space = await newSpace(owner);
    const give = (fields = {}) => owner.put(`/spaces/${space}`, { transfer_owner: friend.slug, ...fields });
    const { errors } = await expectRefused(give(), "VALIDATION_ERROR");
    expect(errors).toMatchObject([{ instancePath: "/transfer_owner" }]);
    await expectOk(change(owner, space, friend, "reader"));
    await expectRefused(give({ members: [{ handle: friend.slug, role: "remove" }] }), "VALIDATION_ERROR");
    expect((await expectOk(give())).owner_handle_id).toBe(friend.id);
    const other = await newSpace(owner);
    const members = [{ handle: friend.slug, role: "mod" }];
    await expectOk(owner.put(`/spaces/${other}`, { members, transfer_owner: friend.slug }));
  });

  // [D6-consent-owner]
  it("only to a contact that has not blocked the owner, or within the account", async () => {
    const [owner, member] = await Promise.all([newAgent(), newAgent()]);
    const sibling = await daemon.createAgent(`c-${count++}`, {}, owner.slug);
    const space = await newSpace(owner);
    for (const handle of [member, sibling]) await expectOk(change(owner, space, handle, "mod"));
    const give = (by: AgentClient, to: AgentClient) =>
      by.put(`/spaces/${space}`, { transfer_owner: to.slug });
    await expectRefused(give(owner, member), "KNOCK_REQUIRED");
    await makeContacts(owner, member);
    await expectOk(member.put(`/blocks/${owner.slug}`));
    await expectRefused(give(owner, member), "KNOCK_REQUIRED");
    await expectOk(member.delete(`/blocks/${owner.slug}`));
    await expectOk(give(owner, sibling));
    await expectOk(give(sibling, owner));
    expect((await expectOk(give(owner, member))).owner_handle_id).toBe(member.id);
    await expectRefused(give(owner, owner), "FORBIDDEN");
  });

  // [D6-transfer-audit]
  it("with an entry in the audit logs of both accounts", async () => {
    const [owner, heir] = await Promise.all([newAgent(), newAgent()]);
    await makeContacts(owner, heir);
    const space = await newSpace(owner);
    await expectOk(change(owner, space, heir, "mod"));
    await expectOk(owner.put(`/spaces/${space}`, { transfer_owner: heir.slug }));
    const entry = { actor: `@${owner.slug}`, subject: `#${space}`, outcome: "ok" };
    for (const [agent, action, detail] of [
      [owner, "space.transferred", `to @${heir.slug}`],
      [heir, "space.received", null],
    ] as const) {
      const { entries } = await expectOk(agent.owner.get(`/audit?action=${action}`));
      expect(entries).toMatchObject([{ ...entry, handle: agent.slug, detail }]);
    }
  });
});

describe("a block", () => {
  // [D6-block-account]
  it("holds for every handle of the account, even a later one, and lists only the named one", async () => {
    const [mallory, victim] = await Promise.all([newAgent(), newAgent()]);
    const sibling = await daemon.createAgent(`c-${count++}`, {}, mallory.slug);
    await makeContacts(sibling, victim);
    await expectOk(victim.put(`/blocks/${mallory.slug}`));
    const later = await daemon.createAgent(`c-${count++}`, {}, mallory.slug);
    for (const from of [mallory, sibling, later]) {
      await expectRefused(from.post("/wires", { to: victim.slug, text: "hi" }), "KNOCK_REQUIRED");
    }
    await expectRefused(later.post("/knocks", { handle: victim.slug, intro: "hi" }), "FORBIDDEN");
    expect((await expectOk(victim.get("/blocks"))).blocks).toMatchObject([{ handle: mallory.slug }]);
    // Says only what concerns the named handle, so that it tells nothing about the account.
    expect(await expectOk(victim.delete(`/blocks/${later.slug}`))).toEqual({
      handle: later.slug,
      blocked: false,
    });
    await expectRefused(later.post("/wires", { to: victim.slug, text: "hi" }), "KNOCK_REQUIRED");
    await expectOk(victim.delete(`/blocks/${mallory.slug}`));
    for (const from of [mallory, sibling, later]) await sendWire(from, victim.slug);
  });

  // [D6-block-retired]
  it("stays when the named handle is retired, and may name a retired handle", async () => {
    const [mallory, victim] = await Promise.all([newAgent(), newAgent()]);
    const [second, third] = [
      await daemon.createAgent(`c-${count++}`, {}, mallory.slug),
      await daemon.createAgent(`c-${count++}`, {}, mallory.slug),
    ];
    await expectOk(victim.put(`/blocks/${mallory.slug}`));
    await expectOk(mallory.owner.delete(`/handles/${mallory.slug}`));
    await expectRefused(second.post("/wires", { to: victim.slug, text: "hi" }), "KNOCK_REQUIRED");
    await expectOk(victim.delete(`/blocks/${mallory.slug}`));
    await sendWire(second, victim.slug);
    await expectOk(second.owner.delete(`/handles/${second.slug}`));
    await expectOk(victim.put(`/blocks/${second.slug}`));
    await expectRefused(third.post("/wires", { to: victim.slug, text: "hi" }), "KNOCK_REQUIRED");
  });

  // [D6-block-own]
  it("of a handle of the same account holds for that handle alone", async () => {
    const one = await newAgent();
    const two = await daemon.createAgent(`c-${count++}`, {}, one.slug);
    const three = await daemon.createAgent(`c-${count++}`, {}, one.slug);
    await expectOk(one.put(`/blocks/${two.slug}`));
    await expectRefused(two.post("/wires", { to: one.slug, text: "hi" }), "KNOCK_REQUIRED");
    await sendWire(three, one.slug);
    await sendWire(one, one.slug);
  });
});
