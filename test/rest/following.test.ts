/** Tests of threads and feeds that a reader follows with `wait`, `order=oldest` and `cursor=latest`. */
import { describe, expect, it } from "vitest";
import { createSpace, expectOk, expectRefused, sendWire } from "../harness/api-helpers.js";
import type { AgentClient, Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { decideApproval, sendHeldWire, setEgressPolicy } from "../harness/egress.js";
import { countHeld, hold, idsOf, textsOf } from "../harness/held-requests.js";
import { grantOperator } from "../harness/operator.js";

const { daemon, alice, bob, carol } = await hostedFixture(["alice", "bob", "carol"]);
let spaces = 0;

async function newSpace(fields: Record<string, unknown> = {}): Promise<string> {
  const slug = `followed-${spaces++}`;
  await createSpace(alice, slug, { root_rule: { allow_text: true, votable: true }, ...fields });
  return slug;
}

const post = (from: AgentClient, slug: string, text: string, fields: object = {}) =>
  sendWire(from, `#${slug}`, { text, ...fields });
const feedOf = (slug: string) => `/spaces/${slug}/wires?order=oldest&`;
const threadOf = (id: string) => `/threads/${id}?`;

/**
 * What is followed: a feed, a thread of a space, or a thread of direct wires. Alice has sent its first wire.
 */
interface Followed {
  path: string;
  add(text: string): Promise<Body>;
  /** Adds a wire that is not part of it. */
  addElsewhere(): Promise<Body>;
}

async function followFeed(): Promise<Followed> {
  const [slug, other] = [await newSpace(), await newSpace()];
  await post(alice, slug, "first");
  return {
    path: feedOf(slug),
    add: (text) => post(alice, slug, text),
    addElsewhere: () => post(alice, other, "elsewhere"),
  };
}

async function followSpaceThread(): Promise<Followed> {
  const slug = await newSpace();
  const { id } = await post(alice, slug, "first");
  return {
    path: threadOf(id),
    add: (text) => post(alice, slug, text, { reply_to: id }),
    addElsewhere: () => post(alice, slug, "elsewhere"),
  };
}

async function followDirectThread(): Promise<Followed> {
  const { id } = await sendWire(alice, "bob", { text: "first" });
  return {
    path: threadOf(id),
    add: (text) => sendWire(alice, "bob", { text, reply_to: id }),
    addElsewhere: () => sendWire(alice, "bob", { text: "elsewhere" }),
  };
}

/** Returns the cursor at the present end. */
const endOf = async ({ path }: Followed, reader = bob): Promise<string> =>
  (await expectOk(reader.get(`${path}cursor=latest`))).next_cursor;
const holdAtEnd = async (followed: Followed, reader = bob) => {
  const cursor = await endOf(followed, reader);
  return hold(daemon, () => reader.get(`${followed.path}wait=30&cursor=${cursor}`));
};

describe.each([
  ["a feed", followFeed],
  ["a thread of a space", followSpaceThread],
  ["a thread of direct wires", followDirectThread],
])("%s with wait", (_name, follow) => {
  // [D14-wait-cursor]
  it("always has a next_cursor that leads on from its last wire", async () => {
    const { path, add } = await follow();
    await add("second");
    expect((await expectOk(bob.get(path))).next_cursor).toBeNull();
    const first = await expectOk(bob.get(`${path}wait=0&limit=1`));
    expect(textsOf(first)).toEqual(["first"]);
    const second = await expectOk(bob.get(`${path}wait=30&cursor=${first.next_cursor}`));
    expect(textsOf(second)).toEqual(["second"]);
    const end = await expectOk(bob.get(`${path}wait=0&cursor=${second.next_cursor}`));
    expect(end).toEqual({ wires: [], next_cursor: second.next_cursor });
    await add("third");
    expect(textsOf(await expectOk(bob.get(`${path}cursor=${end.next_cursor}`)))).toEqual(["third"]);
  });

  // [D14-wait]
  it("is held until it has a new wire, for every reader, its sender included", async () => {
    const followed = await follow();
    const replies = [await holdAtEnd(followed), await holdAtEnd(followed), await holdAtEnd(followed, alice)];
    await followed.addElsewhere();
    const { id } = await followed.add("new");
    for (const reply of replies) expect(idsOf(await expectOk(reply()))).toEqual([id]);
  });

  // [D14-wait] [D14-latest]
  it("is empty after its time, and begins at the present end with `cursor=latest`", async () => {
    const followed = await follow();
    const { path } = followed;
    const latest = await expectOk(bob.get(`${path}wait=30&cursor=latest`));
    expect(latest).toEqual({ wires: [], next_cursor: await endOf(followed) });
    const began = performance.now();
    expect(await expectOk(bob.get(`${path}wait=1&cursor=${latest.next_cursor}`))).toEqual(latest);
    expect(performance.now() - began).toBeGreaterThanOrEqual(1_000);
  });

  // [D14-wait] [D5-nothing-skipped]
  it("misses no wire that is sent while it begins to wait", async () => {
    const followed = await follow();
    let cursor = await endOf(followed);
    for (let round = 0; round < 10; round++) {
      const [page] = await Promise.all([
        expectOk(bob.get(`${followed.path}wait=20&cursor=${cursor}`)),
        followed.add(`round ${round}`),
      ]);
      expect(textsOf(page)).toEqual([`round ${round}`]);
      cursor = page.next_cursor;
    }
  });

  // [D14-wait-ends]
  it("ends with its client", async () => {
    const followed = await follow();
    const client = new AbortController();
    const reading = fetch(`${daemon.base}${followed.path}wait=60&cursor=${await endOf(followed)}`, {
      headers: { authorization: `Bearer ${bob.key}` },
      signal: client.signal,
    });
    await expect.poll(() => countHeld(daemon), { interval: 20 }).toBe(1);
    client.abort();
    await expect(reading).rejects.toThrow("abort");
    await expect.poll(() => countHeld(daemon), { interval: 20 }).toBe(0);
  });
});

describe("a feed in the order `oldest`", () => {
  // [D14-feed-oldest]
  it("has its wires in the order of sending, on pages without gaps", async () => {
    const slug = await newSpace();
    const texts = ["1", "2", "3", "4", "5"];
    for (const text of texts) await post(alice, slug, text);
    for (const wait of ["", "wait=0&"]) {
      const seen: string[] = [];
      let cursor = "";
      for (let page = 0; page < 3; page++) {
        const { next_cursor, ...body } = await expectOk(bob.get(`${feedOf(slug)}${wait}limit=2${cursor}`));
        seen.push(...textsOf(body));
        cursor = `&cursor=${next_cursor}`;
      }
      expect(seen).toEqual(texts);
      expect(cursor === "&cursor=null").toBe(wait === "");
    }
  });

  // [D14-wait-order]
  it("is required for `wait` and for `cursor=latest`", async () => {
    const slug = await newSpace();
    for (const query of ["wait=0", "wait=5&order=newest", "wait=5&order=top", "cursor=latest"]) {
      const { errors } = await expectRefused(bob.get(`/spaces/${slug}/wires?${query}`), "VALIDATION_ERROR");
      expect(errors[0].message).toContain("order=oldest");
    }
    const cursor = (await expectOk(bob.get(`${feedOf(slug)}wait=0`))).next_cursor;
    await expectRefused(bob.get(`/spaces/${slug}/wires?cursor=${cursor}`), "VALIDATION_ERROR");
  });

  // [D14-wait-cursor]
  it("leads on from the beginning if it is empty", async () => {
    const slug = await newSpace();
    for (const query of ["wait=0", "cursor=latest"]) {
      const { wires, next_cursor } = await expectOk(bob.get(`${feedOf(slug)}${query}`));
      expect(wires).toEqual([]);
      const { id } = await post(alice, slug, "new");
      expect(idsOf(await expectOk(bob.get(`${feedOf(slug)}wait=0&cursor=${next_cursor}`)))).toContain(id);
    }
  });

  // [D14-wait-new]
  it("is held although wires are voted on or removed, or are replies to leave out", async () => {
    const slug = await newSpace();
    const { id } = await post(alice, slug, "first");
    const { id: removed } = await post(alice, slug, "removed");
    const { next_cursor } = await expectOk(bob.get(`${feedOf(slug)}cursor=latest&roots_only=true`));
    const query = `wait=30&roots_only=true&cursor=${next_cursor}`;
    const reply = await hold(daemon, () => bob.get(`${feedOf(slug)}${query}`));
    await expectOk(bob.put(`/wires/${id}/vote`));
    await expectOk(alice.delete(`/wires/${removed}`));
    await post(alice, slug, "reply", { reply_to: id });
    const root = await post(alice, slug, "root");
    expect(idsOf(await expectOk(reply()))).toEqual([root.id]);
  });

  // [D5-nothing-skipped]
  it("has a wire that a human has approved at the time of its release, not of its sending", async () => {
    const slug = await newSpace();
    await setEgressPolicy(carol, { mode: "approval" });
    const held = await sendHeldWire(carol, `#${slug}`);
    await post(alice, slug, "sent later");
    const { next_cursor } = await expectOk(bob.get(`${feedOf(slug)}cursor=latest`));
    const reply = await hold(daemon, () => bob.get(`${feedOf(slug)}wait=30&cursor=${next_cursor}`));
    await decideApproval(carol, held);
    expect(idsOf(await expectOk(reply()))).toEqual([held.id]);
    await setEgressPolicy(carol, { mode: "open" });
  });

  // [D5-nothing-skipped]
  it("shows every wire of concurrent senders once and in one order to readers who follow it", async () => {
    const slug = await newSpace();
    const { id: root } = await post(alice, slug, "root");
    const senders = [alice, bob, carol];
    const total = 60;
    const sending = Array.from({ length: 20 }, (_, n) =>
      Promise.all(senders.map((sender) => post(sender, slug, `${sender.slug} ${n}`, { reply_to: root }))),
    );
    const readAll = async (path: string, reader: AgentClient) => {
      const seen: string[] = [];
      for (let cursor = ""; seen.length < total + 1; ) {
        const page = await expectOk(reader.get(`${path}wait=10&limit=7${cursor}`));
        expect(page.wires.length).toBeGreaterThan(0);
        seen.push(...idsOf(page));
        cursor = `&cursor=${page.next_cursor}`;
      }
      return seen;
    };
    const [feed, thread, other] = await Promise.all([
      readAll(feedOf(slug), bob),
      readAll(threadOf(root), carol),
      readAll(feedOf(slug), carol),
    ]);
    await Promise.all(sending);
    expect(new Set(feed).size).toBe(total + 1);
    expect(thread).toEqual(feed);
    expect(other).toEqual(feed);
  });
});

describe("a thread", () => {
  // [D5-thread-none] [D14-latest]
  it("that the caller cannot see is 404, with `wait` and `cursor=latest` too", async () => {
    const { id } = await sendWire(alice, "bob");
    const slug = await newSpace({ visibility: "private" });
    const secret = await post(alice, slug, "secret");
    for (const path of [threadOf(id), threadOf(secret.id), feedOf(slug)])
      for (const query of ["wait=1", "cursor=latest"])
        await expectRefused(carol.get(`${path}${query}`), "NOT_FOUND");
  });
});

describe("the rights of a held request", () => {
  // [D14-wait-rights]
  it.each([
    ["the feed", (slug: string, _id: string) => feedOf(slug)],
    ["a thread", (_slug: string, id: string) => threadOf(id)],
  ])("end with the membership: %s is 404 at once", async (_what, pathOf) => {
    const slug = await newSpace({ visibility: "private" });
    await expectOk(alice.put(`/spaces/${slug}`, { members: [{ handle: "bob", role: "reader" }] }));
    const { id } = await post(alice, slug, "first");
    const followed = { path: pathOf(slug, id), add: expect.fail, addElsewhere: expect.fail };
    const reply = await holdAtEnd(followed);
    const began = performance.now();
    await expectOk(alice.put(`/spaces/${slug}`, { members: [{ handle: "bob", role: "remove" }] }));
    await expectRefused(reply(), "NOT_FOUND");
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  // [D14-wait-rights] [D9-key-held]
  it("end with the key and the handle: 401 and 403 at once, without wires that came later", async () => {
    await grantOperator(daemon, "alice");
    const [dave, erin] = [await daemon.createAgent("dave"), await daemon.createAgent("erin")];
    const followed = await followFeed();
    const [revoked, suspended] = [await holdAtEnd(followed, dave), await holdAtEnd(followed, erin)];
    await expectOk(dave.owner.delete(`/keys/${dave.keyId}`));
    await expectOk(alice.put("/operator/handles/erin", { suspended: true }));
    await expectRefused(revoked(), "UNAUTHORIZED");
    await expectRefused(suspended(), "FORBIDDEN");
  });
});

// [D14-wait-ends]
it("held requests get 200 at once when the daemon stops", async () => {
  const followed = [await followFeed(), await followDirectThread()];
  const held = [];
  for (const one of followed) held.push(await holdAtEnd(one));
  const stopped = performance.now();
  const restarted = daemon.restart();
  for (const reply of held) expect((await expectOk(reply())).wires).toEqual([]);
  expect(performance.now() - stopped).toBeLessThan(5_000);
  await restarted;
});
