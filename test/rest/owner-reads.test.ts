/** What a human reads of a handle (docs/specification/dashboard-operations.md#reading-as-the-owner). */
import { describe, expect, it } from "vitest";
import {
  createSpace,
  expectOk,
  expectRefused,
  NO_ITEMS,
  readWire,
  sendWire,
} from "../harness/api-helpers.js";
import type { AgentClient, Body } from "../harness/daemon.js";
import { NO_LIMITS } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { hold, textsOf } from "../harness/held-requests.js";
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
  // [D16-owner-inbox]
  it("starts at the oldest item, acknowledged or not, and moves no checkpoint", async () => {
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

  // [D16-owner-inbox]
  it("contains knocks and notices of removed wires", async () => {
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

  // [D16-owner-inbox]
  it("has cursors of its own", async () => {
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

describe("GET /handles/{slug}/inbox with order=newest", () => {
  /** Returns the items of each page, newest first. */
  async function newestPages(agent: AgentClient, limit: number): Promise<Body[]> {
    const pages: Body[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const path = `/handles/${agent.slug}/inbox?order=newest&limit=${limit}${cursor && `&cursor=${cursor}`}`;
      const page = await expectOk(agent.owner.get(path));
      pages.push(page);
      cursor = page.next_cursor;
    }
    return pages;
  }

  // [D16-owner-newest]
  it("starts at the newest item, and its pages are stable", async () => {
    const nina = await daemon.createAgent("nina");
    const [empty] = await newestPages(nina, 2);
    expect(empty).toEqual({ ...NO_ITEMS, next_cursor: null });
    for (const text of ["1", "2", "3", "4"]) await send("@nina", text);
    const first = await expectOk(nina.owner.get("/handles/nina/inbox?order=newest&limit=2"));
    expect(textsOf(first)).toEqual(["4", "3"]);
    await send("@nina", "5");
    const rest = await expectOk(
      nina.owner.get(`/handles/nina/inbox?order=newest&limit=2&cursor=${first.next_cursor}`),
    );
    expect(rest).toMatchObject({ wires: [{ text_body: "2" }, { text_body: "1" }], next_cursor: null });
    for (const limit of [1, 2, 3, 5, 100])
      expect((await newestPages(nina, limit)).flatMap(textsOf)).toEqual(["5", "4", "3", "2", "1"]);
    expect(textsOf(await expectOk(nina.get("/inbox")))).toEqual(["1", "2", "3", "4", "5"]);
  });

  // [D16-owner-newest]
  it("has knocks and notices of removed wires in their place", async () => {
    const nora = await daemon.createAgent("nora");
    const removed = await send("@nora", "removed");
    const knock = await expectOk(bob.post("/knocks", { handle: "nora", intro: "hello" }), 201);
    await send("@nora", "last");
    await expectOk(bob.delete(`/wires/${removed.id}`));
    const pages = await newestPages(nora, 1);
    expect(
      pages.map(
        ({ wires, knocks, tombstone_notices }) =>
          [...idsOf(wires), ...idsOf(knocks), ...tombstone_notices][0],
      ),
    ).toMatchObject([{ wire_id: removed.id }, expect.any(String), knock.id, removed.id]);
  });

  // [D16-owner-newest]
  it("ends a page at 4 MiB with its oldest items left out", async () => {
    const large = await daemon.createAgent("large-inbox");
    const payload = { text: "x".repeat(250_000) };
    for (let n = 0; n < 18; n++) await sendWire(bob, "@large-inbox", { payload: { n, ...payload } });
    const pages = await newestPages(large, 100);
    expect(pages).toHaveLength(2);
    expect(pages.flatMap(({ wires }) => wires.map((wire: Body) => wire.payload.n))).toEqual(
      Array.from({ length: 18 }, (_, n) => 17 - n),
    );
    const brief = await expectOk(
      large.owner.get("/handles/large-inbox/inbox?order=newest&brief=true&limit=2"),
    );
    expect(brief.wires).toMatchObject([{ cut: true, payload: null }, { cut: true }]);
  });

  // [D16-owner-wait]
  it("is followed from the present end in the order `oldest`", async () => {
    const nick = await daemon.createAgent("nick-agent");
    await send("@nick-agent", "before");
    const path = "/handles/nick-agent/inbox?";
    for (const query of ["order=newest&wait=0", "order=newest&cursor=latest"]) {
      const { errors } = await expectRefused(nick.owner.get(path + query), "VALIDATION_ERROR");
      expect(errors[0].message).toContain("order=oldest");
    }
    const latest = await expectOk(nick.owner.get(`${path}cursor=latest&wait=30`));
    expect(latest).toMatchObject({ wires: [], next_cursor: expect.any(String) });
    const reply = await hold(daemon, () => nick.owner.get(`${path}cursor=${latest.next_cursor}&wait=30`));
    await send("@nick-agent", "after");
    const page = await expectOk(reply());
    expect(textsOf(page)).toEqual(["after"]);
    const end = await expectOk(nick.owner.get(`${path}cursor=${page.next_cursor}&wait=1`));
    expect(end).toMatchObject({ wires: [], next_cursor: page.next_cursor });
    // The items after the end of the newest page are those that came later.
    expect(textsOf(await expectOk(nick.get("/inbox")))).toEqual(["before", "after"]);
  });

  // [D16-owner-wait]
  it("misses no item that arrives while it begins to wait", async () => {
    const nell = await daemon.createAgent("nell");
    let { next_cursor } = await expectOk(nell.owner.get("/handles/nell/inbox?cursor=latest"));
    for (let round = 0; round < 10; round++) {
      const [page] = await Promise.all([
        expectOk(nell.owner.get(`/handles/nell/inbox?wait=20&cursor=${next_cursor}`)),
        send("@nell", `round ${round}`),
      ]);
      expect(textsOf(page)).toEqual([`round ${round}`]);
      next_cursor = page.next_cursor;
    }
  });

  // [D16-owner-wait]
  it("ends the wait when the handle is retired", async () => {
    const ned = await daemon.createAgent("ned-agent");
    const { next_cursor } = await expectOk(ned.owner.get("/handles/ned-agent/inbox?cursor=latest"));
    const path = `/handles/ned-agent/inbox?wait=60&cursor=${next_cursor}`;
    const reply = await hold(daemon, () => ned.owner.get(path));
    await expectOk(ned.owner.delete("/handles/ned-agent"));
    await expectRefused(reply(), "NOT_FOUND");
  });
});

describe("GET /handles/{slug}/activity", () => {
  // [D21-activity]
  it("counts by hour what a handle received and sent, and what was held and refused", async () => {
    const hal = await daemon.createAgent("hal-agent");
    const activity = () => expectOk(hal.owner.get("/handles/hal-agent/activity"));
    const { hours, last_pull_at } = await activity();
    expect(last_pull_at).toBeNull();
    expect(hours).toHaveLength(24);
    expect(Date.parse(hours[23].at) - Date.parse(hours[0].at)).toBe(23 * 3_600_000);
    expect(
      hours.every(({ received, sent, held, refused }: Body) => received + sent + held + refused === 0),
    ).toBe(true);
    await send("@hal-agent", "one");
    await send("@hal-agent", "two");
    await sendWire(hal, "@bob", { text: "three" });
    await hal.owner.put("/handles/hal-agent/egress", { mode: "approval", allow: [], deny: ["@olga"] });
    for (const text of ["four", "five", "six"]) await hal.post("/wires", { to: "@bob", text });
    await expectRefused(hal.post("/wires", { to: "@olga", text: "seven" }), "EGRESS_BLOCKED");
    const [four, five] = (await expectOk(hal.owner.get("/approvals"))).approvals;
    await expectOk(hal.owner.put(`/approvals/${four.id}`, { status: "rejected" }));
    await expectOk(hal.owner.put(`/approvals/${five.id}`, { status: "approved" }));
    await expectOk(hal.get("/inbox"));
    const later = await activity();
    expect(later.last_pull_at).not.toBeNull();
    // The hour may have changed meanwhile.
    const sum = (field: string) => later.hours.reduce((n: number, hour: Body) => n + hour[field], 0);
    expect(
      Object.fromEntries(["received", "sent", "held", "refused"].map((field) => [field, sum(field)])),
    ).toEqual({
      received: 2,
      sent: 2,
      held: 3,
      refused: 2,
    });
    await expectRefused(bob.owner.get("/handles/hal-agent/activity"), "FORBIDDEN");
    await expectRefused(bob.owner.get("/handles/no-such-handle/activity"), "NOT_FOUND");
  });
});

describe("GET /handles/{slug}/threads/{id}", () => {
  // [D16-owner-thread]
  it("returns what the handle sees of a thread", async () => {
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

  // [D16-owner-thread]
  it("hides threads that the handle cannot see", async () => {
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

// [D16-owner-only]
it("only the owner reads, and of a retired handle nobody", async () => {
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
