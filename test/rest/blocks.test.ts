import { describe, expect, it } from "vitest";
import type { AgentClient, Body } from "../harness/daemon.js";
import { fileDaemon } from "../harness/file-daemon.js";
import { befriend, createSpace, knock, ok, refused, send } from "../harness/talk.js";

const { daemon } = await fileDaemon();
let handles = 0;

const newHandle = (fields = {}) => daemon.agent(`b-${handles++}`, fields);
const newPair = () => Promise.all([newHandle(), newHandle()]);
const write = (from: AgentClient, to: AgentClient, fields = {}) =>
  from.post("/wires", { to: to.slug, text: "hi", ...fields });

describe("a blocked sender", () => {
  it("gets the very answer of a handle that takes contacts only [D4-blocked]", async () => {
    const [mallory, victim] = await newPair();
    const closed = await newHandle({ contact_policy: "contacts_only" });
    await ok(victim.put(`/blocks/${mallory.slug}`));
    const blocked = await refused(write(mallory, victim), "KNOCK_REQUIRED");
    const required = await refused(write(mallory, closed), "KNOCK_REQUIRED");
    expect(blocked.message.replace(victim.slug, closed.slug)).toBe(required.message);
    expect(Object.keys(blocked)).toEqual(Object.keys(required));
    expect((await ok(victim.get("/inbox"))).wires).toEqual([]);
  });

  it("is refused as a contact too, and its replies [D4-blocked]", async () => {
    const [friend, victim] = await newPair();
    await befriend(friend, victim);
    const sent = await send(victim, friend.slug);
    await ok(victim.put(`/blocks/${friend.slug}`));
    await refused(write(friend, victim), "KNOCK_REQUIRED");
    await refused(write(friend, victim, { reply_to: sent.id }), "KNOCK_REQUIRED");
    await ok(write(victim, friend), 201);
  });

  it("may not knock: 403 [D4-blocked-knock]", async () => {
    const [mallory, victim] = await newPair();
    await ok(victim.put(`/blocks/${mallory.slug}`));
    await refused(mallory.post("/knocks", { handle: victim.slug, intro: "hi" }), "FORBIDDEN");
    expect((await ok(victim.get("/knocks"))).knocks).toEqual([]);
    await knock(victim, mallory.slug, "a block is one way");
  });

  it("is not let in by the answer to a knock of the one who blocked it [D4-blocked] [D6-dm-accepts]", async () => {
    const [mallory, victim] = await newPair();
    await knock(victim, mallory.slug);
    await ok(victim.put(`/blocks/${mallory.slug}`));
    await refused(write(mallory, victim), "KNOCK_REQUIRED");
    expect((await ok(mallory.get("/knocks"))).knocks).toMatchObject([{ status: "pending" }]);
  });

  it("may post to a space of the one who blocked it: a block is about DMs and knocks [D4-blocked]", async () => {
    const [mallory, victim] = await newPair();
    await createSpace(victim, "blocked-room");
    await ok(victim.put(`/blocks/${mallory.slug}`));
    await send(mallory, "#blocked-room");
  });

  it("is free again once the block is lifted [D4-blocked] [D4-blocked-knock] [D8-blocks]", async () => {
    const [mallory, victim] = await newPair();
    await ok(victim.put(`/blocks/${mallory.slug}`));
    expect(await ok(victim.delete(`/blocks/${mallory.slug}`))).toEqual({
      handle: mallory.slug,
      blocked: false,
    });
    await ok(write(mallory, victim), 201);
    await knock(mallory, victim.slug);
  });
});

describe("blocks", () => {
  it("are set and lifted by name, @ or not, as often as one likes [D8-blocks] [S1-at-optional]", async () => {
    const [one, other] = await newPair();
    const blocked = { handle: other.slug, blocked: true };
    expect(await ok(one.put(`/blocks/@${other.slug}`))).toEqual(blocked);
    expect(await ok(one.put(`/blocks/${other.slug}`))).toEqual(blocked);
    expect((await ok(one.get("/blocks"))).blocks).toHaveLength(1);
    expect(await ok(one.delete(`/blocks/@${other.slug}`))).toEqual({ handle: other.slug, blocked: false });
    expect(await ok(one.delete(`/blocks/${other.slug}`))).toEqual({ handle: other.slug, blocked: false });
    expect((await ok(one.get("/blocks"))).blocks).toEqual([]);
  });

  it("are listed with the time since when, newest first, in pages, for their owner alone [D8-blocks]", async () => {
    const [agent, ...others] = await Promise.all([newHandle(), newHandle(), newHandle(), newHandle()]);
    for (const other of others) await ok(agent.put(`/blocks/${other.slug}`));
    const slugs = others.map((other) => other.slug).reverse();
    const since = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const all = await ok(agent.get("/blocks"));
    expect(all).toEqual({ blocks: slugs.map((handle) => ({ handle, since })), next_cursor: null });
    const first = await ok(agent.get("/blocks?limit=1"));
    const rest = await ok(agent.get(`/blocks?cursor=${first.next_cursor}`));
    expect([...first.blocks, ...rest.blocks].map((block: Body) => block.handle)).toEqual(slugs);
    expect((await ok(others[0]!.get("/blocks"))).blocks).toEqual([]);
  });

  it("of an unknown handle are 404, of what is no handle 400 [D8-blocks]", async () => {
    const agent = await newHandle();
    for (const method of ["PUT", "DELETE"]) {
      await refused(agent.request(method, "/blocks/no-such-handle"), "NOT_FOUND");
      await refused(agent.request(method, "/blocks/%23ops"), "VALIDATION_ERROR");
    }
  });
});
