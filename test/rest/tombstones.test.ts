import { describe, expect, it } from "vitest";
import {
  createSpace,
  expectOk,
  expectRefused,
  readInboxToEnd,
  readWire,
  sendWire,
} from "../harness/api-helpers.js";
import type { AgentClient } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { withDatabase } from "../harness/database.js";

const { daemon, alice, bob, eve } = await hostedFixture(["alice", "bob", "eve"]);

const remove = (agent: AgentClient, wire: { id: string }) => expectOk(agent.delete(`/wires/${wire.id}`));
const notices = async (agent: AgentClient) =>
  (await expectOk(agent.get("/inbox?limit=100"))).tombstone_notices;

describe("DELETE /wires/{id}", () => {
  // [S4.1-delete-wire] [S3.2-removed-by-sender] [S2.2-tombstone-fields]
  it("returns id and tombstone, and the wire has the same tombstone", async () => {
    const sent = await sendWire(alice, "bob");
    expect((await readWire(bob, sent)).tombstone).toBeNull();
    const removed = await remove(alice, sent);
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(removed).toEqual({ id: sent.id, tombstone: { removed_by: "sender", at } });
    expect((await readWire(bob, sent)).tombstone).toEqual(removed.tombstone);
  });

  // [S4.1-delete-wire]
  it("accepts the URI", async () => {
    const sent = await sendWire(alice, "bob");
    expect((await expectOk(alice.delete(`/wires/${encodeURIComponent(sent.uri)}`))).id).toBe(sent.id);
  });

  // [D5-first-tombstone] [S3.2-idempotent]
  it("returns the first tombstone when it is repeated, also concurrently, and sends one notice", async () => {
    await readInboxToEnd(bob);
    const sent = await sendWire(alice, "bob");
    const answers = await Promise.all(Array.from({ length: 10 }, () => remove(alice, sent)));
    answers.push(await remove(alice, sent));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await notices(bob)).toHaveLength(1);
  });

  // [S4.1-delete-wire]
  it("is allowed only for the sender", async () => {
    const sent = await sendWire(alice, "bob");
    await expectRefused(bob.delete(`/wires/${sent.id}`), "FORBIDDEN");
    await expectRefused(eve.delete(`/wires/${sent.id}`), "FORBIDDEN");
    await createSpace(alice, "not-yours");
    const post = await sendWire(bob, "#not-yours");
    await expectRefused(alice.delete(`/wires/${post.id}`), "FORBIDDEN");
    await expectRefused(alice.delete(`/wires/${crypto.randomUUID()}`), "NOT_FOUND");
    expect((await readWire(bob, sent)).tombstone).toBeNull();
  });
});

describe("a removed wire", () => {
  // [D5-tombstone-empties] [D5-tombstone-stays]
  it("has neither text nor payload in any response, and keeps its position", async () => {
    await readInboxToEnd(bob);
    const root = await sendWire(alice, "bob", { text: "secret", payload: { also: "secret" } });
    const reply = await sendWire(bob, "alice", { text: "got it", reply_to: root.id });
    await remove(alice, root);
    const wire = await readWire(bob, root);
    expect(wire).toMatchObject({ id: root.id, text_body: null, payload: null, thread_id: root.id });
    const thread = await expectOk(bob.get(`/threads/${reply.id}`));
    expect(thread.wires[0]).toEqual(wire);
    expect(thread.wires[1].text_body).toBe("got it");
    const inbox = await expectOk(bob.get("/inbox"));
    expect(inbox.wires).toEqual([wire]);
  });

  // [D5-tombstone-stays] [D5-tombstone-empties]
  it("stays in the feed and disappears from search", async () => {
    await createSpace(alice, "searched");
    const [kept, gone] = [
      await sendWire(alice, "#searched", { text: "zebra stays" }),
      await sendWire(alice, "#searched", { payload: { animal: "zebra" } }),
    ];
    const idsFrom = async (path: string) =>
      (await expectOk(bob.get(`/spaces/searched/${path}`))).wires.map((wire: { id: string }) => wire.id);
    expect((await idsFrom("search?q=zebra")).sort()).toEqual([kept.id, gone.id].sort());
    await remove(alice, gone);
    expect(await idsFrom("search?q=zebra")).toEqual([kept.id]);
    expect(await idsFrom("wires")).toEqual([gone.id, kept.id]);
    const feed = await expectOk(bob.get("/spaces/searched/wires"));
    expect(feed.wires[0]).toMatchObject({
      text_body: null,
      payload: null,
      tombstone: { removed_by: "sender" },
    });
  });

  // [D5-tombstone-empties]
  it("is erased in the stored row, too", async () => {
    const text = `needle-${crypto.randomUUID()}`;
    const sent = await sendWire(alice, "bob", { text });
    await remove(alice, sent);
    const rows = await withDatabase(daemon.dataDir, (db) =>
      db.all<{ doc: string }>("SELECT doc FROM wires WHERE id = ?", sent.id),
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]!.doc).not.toContain(text);
  });

  // [S1-replies-form-thread]
  it("can still be replied to", async () => {
    const root = await sendWire(alice, "bob");
    await remove(alice, root);
    expect((await sendWire(bob, "alice", { text: "too late", reply_to: root.id })).thread_id).toBe(root.id);
  });
});

describe("a tombstone notice", () => {
  // [D5-notice-unread] [S3.2-notice]
  it("is sent to the recipient, even if the wire was not read yet", async () => {
    await readInboxToEnd(bob);
    const unread = await sendWire(alice, "bob");
    await remove(alice, unread);
    const page = await expectOk(bob.get("/inbox"));
    expect(page.wires.map((wire: { id: string }) => wire.id)).toEqual([unread.id]);
    expect(page.tombstone_notices.map((notice: { wire_id: string }) => notice.wire_id)).toEqual([unread.id]);
    const read = await sendWire(alice, "bob");
    await readInboxToEnd(bob);
    await remove(alice, read);
    expect(await notices(bob)).toMatchObject([{ wire_id: read.id, removed_by: "sender" }]);
  });

  // [S3.2-notice]
  it("is not sent to the sender who removed the wire", async () => {
    await readInboxToEnd(alice);
    await remove(alice, await sendWire(alice, "bob"));
    expect(await notices(alice)).toEqual([]);
  });

  // [D5-notice-mod]
  it("is sent to the sender if a moderator removed the wire", async () => {
    await readInboxToEnd(bob);
    await createSpace(alice, "moderated");
    const post = await sendWire(bob, "#moderated");
    const { tombstone } = await expectOk(alice.delete(`/spaces/moderated/wires/${post.id}`));
    expect(tombstone.removed_by).toBe("mod");
    expect(await notices(bob)).toEqual([
      { wire_id: post.id, thread_id: post.id, removed_by: "mod", removed_at: tombstone.at },
    ]);
  });

  // [D5-first-tombstone]
  it("is sent once: a second removal by the sender or the moderator has no effect", async () => {
    await readInboxToEnd(bob);
    await createSpace(alice, "first-wins");
    const [one, two] = [await sendWire(bob, "#first-wins"), await sendWire(bob, "#first-wins")];
    const byMod = await expectOk(alice.delete(`/spaces/first-wins/wires/${one.id}`));
    expect(await remove(bob, one)).toEqual(byMod);
    const bySender = await remove(bob, two);
    expect(await expectOk(alice.delete(`/spaces/first-wins/wires/${two.id}`))).toEqual(bySender);
    expect(await notices(bob)).toHaveLength(1);
  });
});

describe("a wire in a private space", () => {
  // [D5-private-wire]
  it("returns 404 to its sender after the sender has left, who can still delete it", async () => {
    await createSpace(alice, "club", { visibility: "private" });
    await expectOk(alice.put("/spaces/club", { members: [{ handle: "bob", role: "poster" }] }));
    const post = await sendWire(bob, "#club", { text: "I was here" });
    await readWire(bob, post);
    await expectOk(alice.put("/spaces/club", { members: [{ handle: "bob", role: "remove" }] }));
    await expectRefused(bob.get(`/wires/${post.id}`), "NOT_FOUND");
    await expectRefused(bob.get(`/threads/${post.id}`), "NOT_FOUND");
    await expectRefused(eve.get(`/wires/${post.id}`), "NOT_FOUND");
    await expectRefused(eve.delete(`/wires/${post.id}`), "NOT_FOUND");
    const { tombstone } = await remove(bob, post);
    expect((await readWire(alice, post)).tombstone).toEqual(tombstone);
  });
});
