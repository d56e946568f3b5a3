/** What a human reads of a handle (docs/specification/dashboard-operations.md#reading-as-the-owner). */
import { describe, expect, it } from "vitest";
import { createSpace, expectOk, expectRefused, readWire, sendWire } from "../harness/api-helpers.js";
import type { AgentClient, Body } from "../harness/daemon.js";
import { NO_LIMITS } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { grantOperator } from "../harness/operator.js";
import { readAllPages } from "../harness/pagination.js";

const { daemon, alice, bob, olga } = await hostedFixture(["alice", "bob", "olga"], { args: [...NO_LIMITS] });

const idsOf = (wires: readonly Body[]): string[] => wires.map(({ id }) => id);
const send = (to: string, text: string) => sendWire(bob, to, { text });

/** Reads the whole inbox of a handle. */
async function inboxOf(agent: AgentClient, limit: number): Promise<Body[]> {
  const wires: Body[] = [];
  for (let cursor = ""; ; ) {
    const path = `/handles/${agent.slug}/inbox?limit=${limit}${cursor && `&cursor=${cursor}`}`;
    const page = await expectOk(agent.owner.get(path));
    if (page.next_cursor === cursor) return wires;
    wires.push(...page.wires);
    cursor = page.next_cursor;
  }
}

describe("GET /handles/{slug}/inbox", () => {
  it("starts at the oldest item, acknowledged or not, and moves no checkpoint [D16-owner-inbox]", async () => {
    const sent = [];
    for (const text of ["one", "two", "three", "four"]) sent.push(await send("@alice", text));
    const ids = idsOf(sent);
    const { next_cursor } = await expectOk(alice.get("/inbox?limit=2"));
    await expectOk(alice.get(`/inbox?limit=1&cursor=${next_cursor}`));
    expect(idsOf(await inboxOf(alice, 3))).toEqual(ids);
    // The handle still has the items after its checkpoint.
    expect(idsOf((await expectOk(alice.get("/inbox"))).wires)).toEqual(ids.slice(2));
    expect((await readWire(bob, sent[2]!)).delivery.state).toBe("queued");
    const brief = await expectOk(alice.owner.get("/handles/@alice/inbox?brief=true&limit=1"));
    expect(brief.wires[0]).toMatchObject({ id: ids[0], text_body: "one" });
  });

  it("contains knocks and notices of removed wires [D16-owner-inbox]", async () => {
    const dora = await daemon.createAgent("dora", { contact_policy: "contacts_only" });
    const knock = await expectOk(bob.post("/knocks", { handle: "dora", intro: "hello" }), 201);
    await expectOk(dora.put(`/knocks/${knock.id}`, { status: "accepted" }));
    const removed = await send("@dora", "removed");
    await expectOk(bob.delete(`/wires/${removed.id}`));
    const page = await expectOk(dora.owner.get("/handles/dora/inbox"));
    expect(page).toMatchObject({
      knocks: [{ id: knock.id, status: "accepted" }],
      tombstone_notices: [{ wire_id: removed.id, removed_by: "sender" }],
    });
  });

  it("has cursors of its own [D16-owner-inbox]", async () => {
    const own = await expectOk(alice.owner.get("/handles/alice/inbox?limit=1"));
    const agents = await expectOk(alice.get("/inbox?limit=1"));
    for (const [client, path, cursor] of [
      [alice, "/inbox", own.next_cursor],
      [alice.owner, "/handles/alice/inbox", agents.next_cursor],
      [alice.owner, "/handles/alice/inbox", "x"],
    ] as const)
      await expectRefused(client.get(`${path}?cursor=${cursor}`), "VALIDATION_ERROR");
  });
});

describe("GET /handles/{slug}/threads/{id}", () => {
  it("returns what the handle sees of a thread [D16-owner-thread]", async () => {
    const root = await send("@alice", "root");
    const reply = await sendWire(alice, "@bob", { reply_to: root.id, text: "reply" });
    for (const id of [root.id, reply.id, encodeURIComponent(`${daemon.base}/wires/${root.id}`)]) {
      const path = `/handles/alice/threads/${id}`;
      expect(idsOf(await readAllPages(alice.owner, path, "wires", 1))).toEqual([root.id, reply.id]);
    }
    await expectOk(bob.delete(`/wires/${root.id}`));
    const { wires } = await expectOk(alice.owner.get(`/handles/alice/threads/${reply.id}`));
    expect(wires).toMatchObject([
      { text_body: null, tombstone: { removed_by: "sender" } },
      { text_body: "reply" },
    ]);
    const cursorOf = async (client: typeof alice.owner, path: string) =>
      (await expectOk(client.get(`${path}?limit=1`))).next_cursor;
    const [own, agents] = [`/handles/alice/threads/${root.id}`, `/threads/${root.id}`];
    await expectRefused(
      alice.get(`${agents}?cursor=${await cursorOf(alice.owner, own)}`),
      "VALIDATION_ERROR",
    );
    await expectRefused(
      alice.owner.get(`${own}?cursor=${await cursorOf(alice, agents)}`),
      "VALIDATION_ERROR",
    );
  });

  it("hides threads that the handle cannot see [D16-owner-thread]", async () => {
    const dm = await send("@olga", "not for alice");
    await expectRefused(alice.owner.get(`/handles/alice/threads/${dm.id}`), "NOT_FOUND");
    await createSpace(bob, "closed", { visibility: "private" });
    const post = await send("#closed", "not for alice");
    await expectRefused(alice.owner.get(`/handles/alice/threads/${post.id}`), "NOT_FOUND");
    await expectOk(alice.owner.get(`/handles/alice/threads/none`), 404);
    expect(idsOf((await expectOk(bob.owner.get(`/handles/bob/threads/${post.id}`))).wires)).toEqual([
      post.id,
    ]);
  });
});

it("only the owner reads, and of a retired handle nobody [D16-owner-only]", async () => {
  const wire = await send("@alice", "hi");
  const grace = await daemon.createAgent("grace");
  const gone = await daemon.createAgent("gone");
  await expectOk(gone.owner.delete("/handles/gone"));
  for (const rest of ["inbox", `threads/${wire.id}`]) {
    await expectRefused(bob.owner.get(`/handles/alice/${rest}`), "FORBIDDEN");
    await expectRefused(alice.get(`/handles/alice/${rest}`), "FORBIDDEN");
    await expectRefused(alice.owner.get(`/handles/nobody/${rest}`), "NOT_FOUND");
    await expectRefused(gone.owner.get(`/handles/gone/${rest}`), "NOT_FOUND");
  }
  await grantOperator(daemon, "olga");
  await expectOk(olga.put("/operator/handles/grace", { suspended: true }));
  await expectOk(grace.owner.get("/handles/grace/inbox"));
});
