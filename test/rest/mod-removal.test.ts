import { beforeAll, describe, expect, it } from "vitest";
import {
  createSpace,
  expectOk,
  expectRefused,
  readInboxToEnd,
  readWire,
  sendWire,
} from "../harness/api-helpers.js";
import type { AgentClient, Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";

const { owner, mod, poster, reader, stranger } = await hostedFixture([
  "owner",
  "mod",
  "poster",
  "reader",
  "stranger",
]);

beforeAll(async () => {
  const members = ["mod", "poster", "reader"].map((role) => ({ handle: role, role }));
  for (const [slug, visibility] of [
    ["open", "public"],
    ["closed", "private"],
  ]) {
    await createSpace(owner, slug!, { visibility, root_rule: { allow_text: true, votable: true } });
    await expectOk(owner.put(`/spaces/${slug}`, { members }));
  }
});

const remove = (by: AgentClient, slug: string, wire: Body) => by.delete(`/spaces/${slug}/wires/${wire.id}`);
const noticesOf = async (agent: AgentClient) => (await expectOk(agent.get("/inbox"))).tombstone_notices;

describe("the removal of a wire from a space", () => {
  // [D8-space-removal]
  it("by the owner or a moderator erases the wire, with removed_by mod", async () => {
    for (const by of [owner, mod]) {
      const wire = await sendWire(poster, "#open", { text: "spam", payload: { a: "spam" } });
      const removed = await expectOk(remove(by, "open", wire));
      const at = expect.stringMatching(/^\d{4}-.*Z$/);
      expect(removed).toEqual({ id: wire.id, tombstone: { removed_by: "mod", at } });
      const { tombstone } = removed;
      expect(await readWire(stranger, wire)).toMatchObject({ text_body: null, payload: null, tombstone });
    }
  });

  // [D8-space-removal]
  it("accepts the URI of the wire as its id", async () => {
    const wire = await sendWire(poster, "#open");
    const path = `/spaces/open/wires/${encodeURIComponent(wire.uri)}`;
    expect(await expectOk(mod.delete(path))).toMatchObject({ id: wire.id, tombstone: { removed_by: "mod" } });
  });

  // [D5-removal-notice]
  it("sends a notice to the sender only", async () => {
    const wire = await sendWire(poster, "#open");
    await Promise.all([owner, mod, poster, reader].map(readInboxToEnd));
    const { tombstone } = await expectOk(remove(mod, "open", wire));
    expect(await noticesOf(poster)).toEqual([
      { wire_id: wire.id, thread_id: wire.thread_id, removed_by: "mod", removed_at: tombstone.at },
    ]);
    for (const agent of [owner, mod, reader]) expect(await noticesOf(agent)).toEqual([]);
  });

  // [D5-removal-first]
  it("has an effect once: the first tombstone stays, with one notice", async () => {
    const wire = await sendWire(poster, "#open");
    await readInboxToEnd(poster);
    const first = await expectOk(remove(mod, "open", wire));
    expect(await expectOk(remove(mod, "open", wire))).toEqual(first);
    expect(await expectOk(remove(owner, "open", wire))).toEqual(first);
    expect(await expectOk(poster.delete(`/wires/${wire.id}`))).toEqual(first);
    expect(await noticesOf(poster)).toHaveLength(1);
    const own = await sendWire(poster, "#open");
    const bySender = await expectOk(poster.delete(`/wires/${own.id}`));
    expect(bySender.tombstone.removed_by).toBe("sender");
    expect(await expectOk(remove(mod, "open", own))).toEqual(bySender);
    expect(await noticesOf(poster)).toHaveLength(1);
  });

  // [D5-removal-first]
  it("leaves one tombstone if moderator and sender remove the wire concurrently", async () => {
    for (let round = 0; round < 5; round++) {
      const wire = await sendWire(poster, "#open");
      const replies = await Promise.all([
        expectOk(remove(mod, "open", wire)),
        expectOk(poster.delete(`/wires/${wire.id}`)),
        expectOk(remove(owner, "open", wire)),
      ]);
      for (const reply of replies) expect(reply).toEqual(replies[0]);
    }
  });

  // [D8-space-removal]
  it.each(["open", "closed"])("in #%s is forbidden for posters and readers: 403", async (slug) => {
    const wire = await sendWire(mod, `#${slug}`);
    const own = await sendWire(poster, `#${slug}`);
    for (const by of [poster, reader]) await expectRefused(remove(by, slug, wire), "FORBIDDEN");
    await expectRefused(remove(poster, slug, own), "FORBIDDEN");
    expect((await readWire(mod, wire)).tombstone).toBeNull();
  });

  // [D8-space-removal]
  it("by a non-member returns 403 in a public space and 404 in a private one", async () => {
    await expectRefused(remove(stranger, "open", await sendWire(poster, "#open")), "FORBIDDEN");
    await expectRefused(remove(stranger, "closed", await sendWire(poster, "#closed")), "NOT_FOUND");
  });

  // [D8-space-removal]
  it("finds only wires of this space", async () => {
    await createSpace(owner, "elsewhere");
    const elsewhere = await sendWire(poster, "#elsewhere");
    const dm = await sendWire(poster, "mod");
    for (const wire of [elsewhere, dm, { id: "no-such-wire" }]) {
      await expectRefused(remove(mod, "open", wire), "NOT_FOUND");
      await expectRefused(remove(owner, "open", wire), "NOT_FOUND");
    }
    await expectRefused(remove(owner, "no-such-space", elsewhere), "NOT_FOUND");
    expect((await readWire(mod, dm)).tombstone).toBeNull();
  });

  // [D5-feed-tombstones] [D5-tombstone-votes] [D5-search-tombstones]
  it("keeps the wire and its votes in feed and thread, and removes it from search", async () => {
    const wire = await sendWire(poster, "#open", { text: "xylophone" });
    await expectOk(reader.put(`/wires/${wire.id}/vote`));
    expect((await expectOk(reader.get("/spaces/open/search?q=xylophone"))).wires).toHaveLength(1);
    await expectOk(remove(mod, "open", wire));
    expect((await expectOk(reader.get("/spaces/open/search?q=xylophone"))).wires).toEqual([]);
    const [inFeed] = (await expectOk(reader.get("/spaces/open/wires?limit=1"))).wires;
    const [inThread] = (await expectOk(reader.get(`/threads/${wire.id}`))).wires;
    for (const shown of [inFeed, inThread]) {
      expect(shown).toMatchObject({
        id: wire.id,
        text_body: null,
        vote_count: 1,
        tombstone: { removed_by: "mod" },
      });
    }
    await expectRefused(reader.put(`/wires/${wire.id}/vote`), "VOTING_DISABLED");
  });

  // [D5-feed-tombstones]
  it("leaves the replies of the removed wire in the thread", async () => {
    const wire = await sendWire(poster, "#open");
    await expectOk(remove(mod, "open", wire));
    const reply = await sendWire(reader, "#open", { text: "what was it?", reply_to: wire.id });
    expect(reply.thread_id).toBe(wire.id);
  });
});

describe("a former member of a private space", () => {
  // [D5-own-private-wire]
  it("no longer reads its own wires there, but can still delete them", async () => {
    const wire = await sendWire(poster, "#closed", { text: "mine" });
    await expectOk(poster.put("/spaces/closed", { members: [{ handle: "poster", role: "remove" }] }));
    await expectRefused(poster.get(`/wires/${wire.id}`), "NOT_FOUND");
    await expectRefused(poster.get(`/threads/${wire.id}`), "NOT_FOUND");
    await expectRefused(remove(poster, "closed", wire), "NOT_FOUND");
    expect(await expectOk(poster.delete(`/wires/${wire.id}`))).toMatchObject({
      tombstone: { removed_by: "sender" },
    });
    expect((await readWire(owner, wire)).text_body).toBeNull();
  });
});
