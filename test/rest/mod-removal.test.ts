import { beforeAll, describe, expect, it } from "vitest";
import type { AgentClient, Body } from "../harness/daemon.js";
import { fileDaemon } from "../harness/file-daemon.js";
import { createSpace, emptyInbox, ok, refused, send, wireOf } from "../harness/talk.js";

const { owner, mod, poster, reader, stranger } = await fileDaemon([
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
    await ok(owner.put(`/spaces/${slug}`, { members }));
  }
});

const remove = (by: AgentClient, slug: string, wire: Body) => by.delete(`/spaces/${slug}/wires/${wire.id}`);
const noticesOf = async (agent: AgentClient) => (await ok(agent.get("/inbox"))).tombstone_notices;

describe("removal from a space", () => {
  it("by its owner or a mod empties the wire and says removed_by mod [D8-space-removal]", async () => {
    for (const by of [owner, mod]) {
      const wire = await send(poster, "#open", { text: "spam", payload: { a: "spam" } });
      const removed = await ok(remove(by, "open", wire));
      const at = expect.stringMatching(/^\d{4}-.*Z$/);
      expect(removed).toEqual({ id: wire.id, tombstone: { removed_by: "mod", at } });
      const { tombstone } = removed;
      expect(await wireOf(stranger, wire)).toMatchObject({ text_body: null, payload: null, tombstone });
    }
  });

  it("takes the wire's URI for its id [D8-space-removal]", async () => {
    const wire = await send(poster, "#open");
    const path = `/spaces/open/wires/${encodeURIComponent(wire.uri)}`;
    expect(await ok(mod.delete(path))).toMatchObject({ id: wire.id, tombstone: { removed_by: "mod" } });
  });

  it("gives the sender a notice, and nobody else [D5-removal-notice]", async () => {
    const wire = await send(poster, "#open");
    await Promise.all([owner, mod, poster, reader].map(emptyInbox));
    const { tombstone } = await ok(remove(mod, "open", wire));
    expect(await noticesOf(poster)).toEqual([
      { wire_id: wire.id, thread_id: wire.thread_id, removed_by: "mod", removed_at: tombstone.at },
    ]);
    for (const agent of [owner, mod, reader]) expect(await noticesOf(agent)).toEqual([]);
  });

  it("is once: the first tombstone stands, whoever removes again, and is noticed once [D5-removal-first]", async () => {
    const wire = await send(poster, "#open");
    await emptyInbox(poster);
    const first = await ok(remove(mod, "open", wire));
    expect(await ok(remove(mod, "open", wire))).toEqual(first);
    expect(await ok(remove(owner, "open", wire))).toEqual(first);
    expect(await ok(poster.delete(`/wires/${wire.id}`))).toEqual(first);
    expect(await noticesOf(poster)).toHaveLength(1);
    const own = await send(poster, "#open");
    const bySender = await ok(poster.delete(`/wires/${own.id}`));
    expect(bySender.tombstone.removed_by).toBe("sender");
    expect(await ok(remove(mod, "open", own))).toEqual(bySender);
    expect(await noticesOf(poster)).toHaveLength(1);
  });

  it("by mod and sender at once leaves one tombstone [D5-removal-first]", async () => {
    for (let round = 0; round < 5; round++) {
      const wire = await send(poster, "#open");
      const replies = await Promise.all([
        ok(remove(mod, "open", wire)),
        ok(poster.delete(`/wires/${wire.id}`)),
        ok(remove(owner, "open", wire)),
      ]);
      for (const reply of replies) expect(reply).toEqual(replies[0]);
    }
  });

  it.each(["open", "closed"])(
    "in #%s is not for posters and readers: 403 [D8-space-removal]",
    async (slug) => {
      const wire = await send(mod, `#${slug}`);
      const own = await send(poster, `#${slug}`);
      for (const by of [poster, reader]) await refused(remove(by, slug, wire), "FORBIDDEN");
      await refused(remove(poster, slug, own), "FORBIDDEN");
      expect((await wireOf(mod, wire)).tombstone).toBeNull();
    },
  );

  it("by a stranger is 403 in a public space, 404 in a private one [D8-space-removal]", async () => {
    await refused(remove(stranger, "open", await send(poster, "#open")), "FORBIDDEN");
    await refused(remove(stranger, "closed", await send(poster, "#closed")), "NOT_FOUND");
  });

  it("reaches wires of this space alone [D8-space-removal]", async () => {
    await createSpace(owner, "elsewhere");
    const elsewhere = await send(poster, "#elsewhere");
    const dm = await send(poster, "mod");
    for (const wire of [elsewhere, dm, { id: "no-such-wire" }]) {
      await refused(remove(mod, "open", wire), "NOT_FOUND");
      await refused(remove(owner, "open", wire), "NOT_FOUND");
    }
    await refused(remove(owner, "no-such-space", elsewhere), "NOT_FOUND");
    expect((await wireOf(mod, dm)).tombstone).toBeNull();
  });

  it("leaves the wire in feed and thread, its votes on it, and takes it out of search [D5-feed-tombstones] [D5-tombstone-votes] [D5-search-tombstones]", async () => {
    const wire = await send(poster, "#open", { text: "xylophone" });
    await ok(reader.put(`/wires/${wire.id}/vote`));
    expect((await ok(reader.get("/spaces/open/search?q=xylophone"))).wires).toHaveLength(1);
    await ok(remove(mod, "open", wire));
    expect((await ok(reader.get("/spaces/open/search?q=xylophone"))).wires).toEqual([]);
    const [inFeed] = (await ok(reader.get("/spaces/open/wires?limit=1"))).wires;
    const [inThread] = (await ok(reader.get(`/threads/${wire.id}`))).wires;
    for (const shown of [inFeed, inThread]) {
      expect(shown).toMatchObject({
        id: wire.id,
        text_body: null,
        vote_count: 1,
        tombstone: { removed_by: "mod" },
      });
    }
    await refused(reader.put(`/wires/${wire.id}/vote`), "VOTING_DISABLED");
  });

  it("lets a thread go on under the removed wire [D5-feed-tombstones]", async () => {
    const wire = await send(poster, "#open");
    await ok(remove(mod, "open", wire));
    const reply = await send(reader, "#open", { text: "what was it?", reply_to: wire.id });
    expect(reply.thread_id).toBe(wire.id);
  });
});

describe("one who has left a private space", () => {
  it("sees its own wires there no more, and may still delete them [D5-own-private-wire]", async () => {
    const wire = await send(poster, "#closed", { text: "mine" });
    await ok(poster.put("/spaces/closed", { members: [{ handle: "poster", role: "remove" }] }));
    await refused(poster.get(`/wires/${wire.id}`), "NOT_FOUND");
    await refused(poster.get(`/threads/${wire.id}`), "NOT_FOUND");
    await refused(remove(poster, "closed", wire), "NOT_FOUND");
    expect(await ok(poster.delete(`/wires/${wire.id}`))).toMatchObject({
      tombstone: { removed_by: "sender" },
    });
    expect((await wireOf(owner, wire)).text_body).toBeNull();
  });
});
