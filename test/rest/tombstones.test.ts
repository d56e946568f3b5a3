import { describe, expect, it } from "vitest";
import type { AgentClient } from "../harness/daemon.js";
import { inDatabase } from "../harness/database.js";
import { fileDaemon } from "../harness/file-daemon.js";
import { createSpace, emptyInbox, ok, refused, send, wireOf } from "../harness/talk.js";

const { daemon, alice, bob, eve } = await fileDaemon(["alice", "bob", "eve"]);

const remove = (agent: AgentClient, wire: { id: string }) => ok(agent.delete(`/wires/${wire.id}`));
const notices = async (agent: AgentClient) => (await ok(agent.get("/inbox?limit=100"))).tombstone_notices;

describe("DELETE /wires/{id}", () => {
  it("answers id and tombstone, and the wire carries it [S4.1-delete-wire] [S3.2-removed-by-sender] [S2.2-tombstone-fields]", async () => {
    const sent = await send(alice, "bob");
    expect((await wireOf(bob, sent)).tombstone).toBeNull();
    const removed = await remove(alice, sent);
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(removed).toEqual({ id: sent.id, tombstone: { removed_by: "sender", at } });
    expect((await wireOf(bob, sent)).tombstone).toEqual(removed.tombstone);
  });

  it("takes the URI too [S4.1-delete-wire]", async () => {
    const sent = await send(alice, "bob");
    expect((await ok(alice.delete(`/wires/${encodeURIComponent(sent.uri)}`))).id).toBe(sent.id);
  });

  it("again, or many at once, answers the first tombstone and gives one notice [S3.2-idempotent] [D5-first-tombstone]", async () => {
    await emptyInbox(bob);
    const sent = await send(alice, "bob");
    const answers = await Promise.all(Array.from({ length: 10 }, () => remove(alice, sent)));
    answers.push(await remove(alice, sent));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await notices(bob)).toHaveLength(1);
  });

  it("is for the sender alone [S4.1-delete-wire]", async () => {
    const sent = await send(alice, "bob");
    await refused(bob.delete(`/wires/${sent.id}`), "FORBIDDEN");
    await refused(eve.delete(`/wires/${sent.id}`), "FORBIDDEN");
    await createSpace(alice, "not-yours");
    const post = await send(bob, "#not-yours");
    await refused(alice.delete(`/wires/${post.id}`), "FORBIDDEN");
    await refused(alice.delete(`/wires/${crypto.randomUUID()}`), "NOT_FOUND");
    expect((await wireOf(bob, sent)).tombstone).toBeNull();
  });
});

describe("a removed wire", () => {
  it("has neither text nor payload, wherever it is read, and keeps its place [D5-tombstone-empties] [D5-tombstone-stays]", async () => {
    await emptyInbox(bob);
    const root = await send(alice, "bob", { text: "secret", payload: { also: "secret" } });
    const reply = await send(bob, "alice", { text: "got it", reply_to: root.id });
    await remove(alice, root);
    const wire = await wireOf(alice, root);
    expect(wire).toMatchObject({ id: root.id, text_body: null, payload: null, thread_id: root.id });
    const thread = await ok(bob.get(`/threads/${reply.id}`));
    expect(thread.wires[0]).toEqual(wire);
    expect(thread.wires[1].text_body).toBe("got it");
    const inbox = await ok(bob.get("/inbox"));
    expect(inbox.wires).toEqual([wire]);
  });

  it("stays in the feed and leaves search [D5-tombstone-stays] [D5-tombstone-empties]", async () => {
    await createSpace(alice, "searched");
    const [kept, gone] = [
      await send(alice, "#searched", { text: "zebra stays" }),
      await send(alice, "#searched", { payload: { animal: "zebra" } }),
    ];
    const idsFrom = async (path: string) =>
      (await ok(bob.get(`/spaces/searched/${path}`))).wires.map((wire: { id: string }) => wire.id);
    expect((await idsFrom("search?q=zebra")).sort()).toEqual([kept.id, gone.id].sort());
    await remove(alice, gone);
    expect(await idsFrom("search?q=zebra")).toEqual([kept.id]);
    expect(await idsFrom("wires")).toEqual([gone.id, kept.id]);
    const feed = await ok(bob.get("/spaces/searched/wires"));
    expect(feed.wires[0]).toMatchObject({
      text_body: null,
      payload: null,
      tombstone: { removed_by: "sender" },
    });
  });

  it("is gone from the stored row, not only from the answers [D5-tombstone-empties]", async () => {
    const text = `needle-${crypto.randomUUID()}`;
    const sent = await send(alice, "bob", { text });
    await remove(alice, sent);
    const rows = await inDatabase(daemon.dataDir, (db) =>
      db.all<{ doc: string }>("SELECT doc FROM wires WHERE id = ?", sent.id),
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]!.doc).not.toContain(text);
  });

  it("can still be replied to [S1-replies-form-thread]", async () => {
    const root = await send(alice, "bob");
    await remove(alice, root);
    expect((await send(bob, "alice", { text: "too late", reply_to: root.id })).thread_id).toBe(root.id);
  });
});

describe("a tombstone notice", () => {
  it("reaches the recipient, also before the wire was read [S3.2-notice] [D5-notice-unread]", async () => {
    await emptyInbox(bob);
    const unread = await send(alice, "bob");
    await remove(alice, unread);
    const page = await ok(bob.get("/inbox"));
    expect(page.wires.map((wire: { id: string }) => wire.id)).toEqual([unread.id]);
    expect(page.tombstone_notices.map((notice: { wire_id: string }) => notice.wire_id)).toEqual([unread.id]);
    const read = await send(alice, "bob");
    await emptyInbox(bob);
    await remove(alice, read);
    expect(await notices(bob)).toMatchObject([{ wire_id: read.id, removed_by: "sender" }]);
  });

  it("is not given to the sender who removed the wire [S3.2-notice]", async () => {
    await emptyInbox(alice);
    await remove(alice, await send(alice, "bob"));
    expect(await notices(alice)).toEqual([]);
  });

  it("reaches the sender whose wire a mod removed [D5-notice-mod]", async () => {
    await emptyInbox(bob);
    await createSpace(alice, "moderated");
    const post = await send(bob, "#moderated");
    const { tombstone } = await ok(alice.delete(`/spaces/moderated/wires/${post.id}`));
    expect(tombstone.removed_by).toBe("mod");
    expect(await notices(bob)).toEqual([
      { wire_id: post.id, thread_id: post.id, removed_by: "mod", removed_at: tombstone.at },
    ]);
  });

  it("comes once: what a mod removed, its sender cannot remove again, nor the other way round [D5-first-tombstone]", async () => {
    await emptyInbox(bob);
    await createSpace(alice, "first-wins");
    const [one, two] = [await send(bob, "#first-wins"), await send(bob, "#first-wins")];
    const byMod = await ok(alice.delete(`/spaces/first-wins/wires/${one.id}`));
    expect(await remove(bob, one)).toEqual(byMod);
    const bySender = await remove(bob, two);
    expect(await ok(alice.delete(`/spaces/first-wins/wires/${two.id}`))).toEqual(bySender);
    expect(await notices(bob)).toHaveLength(1);
  });
});

describe("a wire in a private space", () => {
  it("is 404 for whoever is no member, its sender included, who may still delete it [D5-private-wire]", async () => {
    await createSpace(alice, "club", { visibility: "private" });
    await ok(alice.put("/spaces/club", { members: [{ handle: "bob", role: "poster" }] }));
    const post = await send(bob, "#club", { text: "I was here" });
    await wireOf(bob, post);
    await ok(alice.put("/spaces/club", { members: [{ handle: "bob", role: "remove" }] }));
    await refused(bob.get(`/wires/${post.id}`), "NOT_FOUND");
    await refused(bob.get(`/threads/${post.id}`), "NOT_FOUND");
    await refused(eve.get(`/wires/${post.id}`), "NOT_FOUND");
    await refused(eve.delete(`/wires/${post.id}`), "NOT_FOUND");
    const { tombstone } = await remove(bob, post);
    expect((await wireOf(alice, post)).tombstone).toEqual(tombstone);
  });
});
