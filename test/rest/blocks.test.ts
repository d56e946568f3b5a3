import { describe, expect, it } from "vitest";
import {
  createSpace,
  expectOk,
  expectRefused,
  makeContacts,
  sendKnock,
  sendWire,
} from "../harness/api-helpers.js";
import type { AgentClient, Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";

const { daemon } = await hostedFixture();
let handles = 0;

const newHandle = (fields = {}) => daemon.createAgent(`b-${handles++}`, fields);
const newPair = () => Promise.all([newHandle(), newHandle()]);
const write = (from: AgentClient, to: AgentClient, fields = {}) =>
  from.post("/wires", { to: to.slug, text: "hi", ...fields });

describe("a blocked sender", () => {
  // [D4-blocked]
  it("gets the same response as from a handle that accepts contacts only", async () => {
    const [mallory, victim] = await newPair();
    const closed = await newHandle({ contact_policy: "contacts_only" });
    await expectOk(victim.put(`/blocks/${mallory.slug}`));
    const blocked = await expectRefused(write(mallory, victim), "KNOCK_REQUIRED");
    const required = await expectRefused(write(mallory, closed), "KNOCK_REQUIRED");
    expect(blocked.message.replace(victim.slug, closed.slug)).toBe(required.message);
    expect(Object.keys(blocked)).toEqual(Object.keys(required));
    expect((await expectOk(victim.get("/inbox"))).wires).toEqual([]);
  });

  // [D4-blocked]
  it("is rejected even if it is a contact or sends a reply", async () => {
    const [friend, victim] = await newPair();
    await makeContacts(friend, victim);
    const sent = await sendWire(victim, friend.slug);
    await expectOk(victim.put(`/blocks/${friend.slug}`));
    await expectRefused(write(friend, victim), "KNOCK_REQUIRED");
    await expectRefused(write(friend, victim, { reply_to: sent.id }), "KNOCK_REQUIRED");
    await expectOk(write(victim, friend), 201);
  });

  // [D4-blocked-knock]
  it("gets 403 for a knock", async () => {
    const [mallory, victim] = await newPair();
    await expectOk(victim.put(`/blocks/${mallory.slug}`));
    await expectRefused(mallory.post("/knocks", { handle: victim.slug, intro: "hi" }), "FORBIDDEN");
    expect((await expectOk(victim.get("/knocks"))).knocks).toEqual([]);
    await sendKnock(victim, mallory.slug, "a block is one way");
  });

  // [D4-blocked] [D6-dm-accepts]
  it("stays blocked if the blocking handle answers its knock", async () => {
    const [mallory, victim] = await newPair();
    await sendKnock(victim, mallory.slug);
    await expectOk(victim.put(`/blocks/${mallory.slug}`));
    await expectRefused(write(mallory, victim), "KNOCK_REQUIRED");
    expect((await expectOk(mallory.get("/knocks"))).knocks).toMatchObject([{ status: "pending" }]);
  });

  // [D4-blocked]
  it("may post to a space that the blocking handle owns", async () => {
    const [mallory, victim] = await newPair();
    await createSpace(victim, "blocked-room");
    await expectOk(victim.put(`/blocks/${mallory.slug}`));
    await sendWire(mallory, "#blocked-room");
  });

  // [D4-blocked] [D4-blocked-knock] [D8-blocks]
  it("is accepted again once the block is removed", async () => {
    const [mallory, victim] = await newPair();
    await expectOk(victim.put(`/blocks/${mallory.slug}`));
    expect(await expectOk(victim.delete(`/blocks/${mallory.slug}`))).toEqual({
      handle: mallory.slug,
      blocked: false,
    });
    await expectOk(write(mallory, victim), 201);
    await sendKnock(mallory, victim.slug);
  });
});

describe("blocks", () => {
  // [D8-blocks] [S1-at-optional]
  it("are set and removed by handle, with or without @, any number of times", async () => {
    const [one, other] = await newPair();
    const blocked = { handle: other.slug, blocked: true };
    expect(await expectOk(one.put(`/blocks/@${other.slug}`))).toEqual(blocked);
    expect(await expectOk(one.put(`/blocks/${other.slug}`))).toEqual(blocked);
    expect((await expectOk(one.get("/blocks"))).blocks).toHaveLength(1);
    expect(await expectOk(one.delete(`/blocks/@${other.slug}`))).toEqual({
      handle: other.slug,
      blocked: false,
    });
    expect(await expectOk(one.delete(`/blocks/${other.slug}`))).toEqual({
      handle: other.slug,
      blocked: false,
    });
    expect((await expectOk(one.get("/blocks"))).blocks).toEqual([]);
  });

  // [D8-blocks]
  it("are listed with their creation time, newest first, in pages, only for their owner", async () => {
    const [agent, ...others] = await Promise.all([newHandle(), newHandle(), newHandle(), newHandle()]);
    for (const other of others) await expectOk(agent.put(`/blocks/${other.slug}`));
    const slugs = others.map((other) => other.slug).reverse();
    const since = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const all = await expectOk(agent.get("/blocks"));
    expect(all).toEqual({ blocks: slugs.map((handle) => ({ handle, since })), next_cursor: null });
    const first = await expectOk(agent.get("/blocks?limit=1"));
    const rest = await expectOk(agent.get(`/blocks?cursor=${first.next_cursor}`));
    expect([...first.blocks, ...rest.blocks].map((block: Body) => block.handle)).toEqual(slugs);
    expect((await expectOk(others[0]!.get("/blocks"))).blocks).toEqual([]);
  });

  // [D8-blocks]
  it("return 404 for an unknown handle and 400 for an invalid one", async () => {
    const agent = await newHandle();
    for (const method of ["PUT", "DELETE"]) {
      await expectRefused(agent.request(method, "/blocks/no-such-handle"), "NOT_FOUND");
      await expectRefused(agent.request(method, "/blocks/%23ops"), "VALIDATION_ERROR");
    }
  });
});
