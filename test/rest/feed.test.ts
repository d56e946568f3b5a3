import { beforeAll, describe, expect, it } from "vitest";
import { createSpace, expectOk, expectRefused, readWire, sendWire } from "../harness/api-helpers.js";
import type { AgentClient, Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { readAllPages } from "../harness/pagination.js";

const { daemon, alice, bob } = await hostedFixture(["alice", "bob"]);
let voters: AgentClient[];

beforeAll(async () => {
  voters = await Promise.all(Array.from({ length: 4 }, (_, n) => daemon.createAgent(`voter-${n}`)));
});

const VOTABLE = { allow_text: true, votable: true };

/** Posts `count` numbered texts one after the other. Returns the ids, oldest first. */
async function post(slug: string, count: number, fields: Body = {}): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push((await sendWire(bob, `#${slug}`, { text: `${n}`, ...fields })).id);
  return ids;
}

/** Adds `count` votes to a wire. */
const vote = (id: string, count: number) =>
  Promise.all(voters.slice(0, count).map((voter) => expectOk(voter.put(`/wires/${id}/vote`))));

const feed = (slug: string, query = "") => expectOk(bob.get(`/spaces/${slug}/wires${query}`));
const idsOf = (wires: Body[]): string[] => wires.map(({ id }) => id);

describe("the feed of a space", () => {
  // [S4.1-feed]
  it("is empty in a new space", async () => {
    await createSpace(alice, "silent");
    expect(await feed("silent")).toEqual({ wires: [], next_cursor: null });
  });

  // [S4.1-feed] [S4.1-feed-default]
  it("lists roots and replies, newest first, with the same fields as GET /wires", async () => {
    await createSpace(alice, "newest");
    const roots = await post("newest", 3);
    const replies = await post("newest", 2, { reply_to: roots[0] });
    const { wires, next_cursor } = await feed("newest");
    expect(idsOf(wires)).toEqual([...roots, ...replies].reverse());
    expect(next_cursor).toBeNull();
    for (const wire of wires) expect(wire).toEqual(await readWire(bob, wire));
    expect(await feed("newest", "?order=newest")).toEqual({ wires, next_cursor });
  });

  // [S4.1-feed-roots-only]
  it("omits replies only with roots_only=true", async () => {
    await createSpace(alice, "rooted");
    const roots = await post("rooted", 3);
    await post("rooted", 2, { reply_to: roots[1] });
    for (const order of ["newest", "top"]) {
      expect(idsOf((await feed("rooted", `?roots_only=true&order=${order}`)).wires)).toEqual(
        [...roots].reverse(),
      );
      expect((await feed("rooted", `?roots_only=false&order=${order}`)).wires).toHaveLength(5);
    }
    const paged = await readAllPages(bob, "/spaces/rooted/wires?roots_only=true", "wires", 2);
    expect(idsOf(paged)).toEqual([...roots].reverse());
    for (const value of ["TRUE", "1", "yes", ""]) {
      await expectRefused(bob.get(`/spaces/rooted/wires?roots_only=${value}`), "VALIDATION_ERROR");
    }
  });

  // [D5-feed-pages] [S4.1-feed-limit]
  it("returns 50 wires a page by default, and accepts a limit from 1 to 100", async () => {
    await createSpace(alice, "long");
    await Promise.all([post("long", 51), post("long", 51)]);
    expect((await feed("long")).wires).toHaveLength(50);
    expect((await feed("long", "?limit=1")).wires).toHaveLength(1);
    expect((await feed("long", "?limit=100")).wires).toHaveLength(100);
    for (const limit of ["0", "101", "-1", "1.5", "x", ""]) {
      await expectRefused(bob.get(`/spaces/long/wires?limit=${limit}`), "VALIDATION_ERROR");
    }
  });

  // [D5-feed-pages]
  it.each([1, 3, 7, 10])("returns each wire once in pages of %i", async (limit) => {
    const slug = `paged-${limit}`;
    await createSpace(alice, slug, { root_rule: VOTABLE });
    const ids = await post(slug, 10);
    await Promise.all([vote(ids[4]!, 3), vote(ids[7]!, 1), vote(ids[2]!, 1)]);
    expect(idsOf(await readAllPages(bob, `/spaces/${slug}/wires`, "wires", limit))).toEqual(
      [...ids].reverse(),
    );
    const top = [4, 7, 2, 9, 8, 6, 5, 3, 1, 0].map((n) => ids[n]);
    expect(idsOf(await readAllPages(bob, `/spaces/${slug}/wires?order=top`, "wires", limit))).toEqual(top);
  });

  // [D5-feed-pages]
  it("continues at its cursor although new wires were posted meanwhile", async () => {
    await createSpace(alice, "growing");
    const ids = await post("growing", 6);
    const first = await feed("growing", "?limit=3");
    await post("growing", 4);
    const second = await feed("growing", `?limit=3&cursor=${first.next_cursor}`);
    expect(idsOf([...first.wires, ...second.wires])).toEqual([...ids].reverse());
    expect(second.next_cursor).toBeNull();
  });

  // [D5-feed-top] [S4.1-feed-order]
  it("with sort=top sorts by votes, then newest first", async () => {
    await createSpace(alice, "ranked", { root_rule: VOTABLE, reply_rule: VOTABLE });
    const roots = await post("ranked", 4);
    const [reply] = await post("ranked", 1, { reply_to: roots[0] });
    await vote(roots[1]!, 2);
    await vote(reply!, 3);
    await vote(roots[0]!, 2);
    const top = [reply, roots[1], roots[0], roots[3], roots[2]];
    const { wires } = await feed("ranked", "?order=top");
    expect(idsOf(wires)).toEqual(top);
    expect(wires.map((wire: Body) => wire.vote_count)).toEqual([3, 2, 2, 0, 0]);
    await expectOk(voters[0]!.delete(`/wires/${reply}/vote`));
    await expectOk(voters[1]!.delete(`/wires/${reply}/vote`));
    expect(idsOf((await feed("ranked", "?order=top")).wires)).toEqual([
      roots[1],
      roots[0],
      reply,
      roots[3],
      roots[2],
    ]);
    for (const order of ["best", "TOP", "hot", ""]) {
      await expectRefused(bob.get(`/spaces/ranked/wires?order=${order}`), "VALIDATION_ERROR");
    }
  });

  // [S4.1-feed-votes]
  it("shows the current votes, and only on votable wires", async () => {
    await createSpace(alice, "live", { root_rule: VOTABLE });
    const [root] = await post("live", 1);
    await post("live", 1, { reply_to: root });
    for (const count of [0, 1, 4]) {
      await vote(root!, count);
      const [reply, shown] = (await feed("live")).wires;
      expect(shown.vote_count).toBe(count);
      expect(reply).not.toHaveProperty("vote_count");
    }
  });

  // [D5-feed-tombstones]
  it("keeps removed wires as tombstones in their position", async () => {
    await createSpace(alice, "graves", { root_rule: VOTABLE });
    const ids = await post("graves", 3);
    await vote(ids[1]!, 2);
    const { tombstone } = await expectOk(bob.delete(`/wires/${ids[1]}`));
    const removed = (await feed("graves")).wires[1];
    expect(removed).toMatchObject({ id: ids[1], text_body: null, payload: null, tombstone, vote_count: 2 });
    expect(idsOf((await feed("graves", "?order=top")).wires)).toEqual([ids[1], ids[2], ids[0]]);
  });

  // [S4.1-feed-private]
  it("of a private space returns 404 to non-members", async () => {
    await createSpace(alice, "secret", { visibility: "private" });
    const { id } = await sendWire(alice, "#secret");
    await expectRefused(bob.get("/spaces/secret/wires"), "NOT_FOUND");
    await expectRefused(bob.get("/spaces/no-such-space/wires"), "NOT_FOUND");
    await expectOk(alice.put("/spaces/secret", { members: [{ handle: "bob", role: "reader" }] }));
    expect(idsOf((await feed("secret")).wires)).toEqual([id]);
  });

  // [D5-feed-pages]
  it("accepts only cursors that this feed issued", async () => {
    for (const slug of ["cursor-a", "cursor-b"]) {
      await createSpace(alice, slug);
      await post(slug, 2);
    }
    const { next_cursor } = await feed("cursor-a", "?limit=1");
    const read = (agent: AgentClient, path: string) => agent.get(`${path}limit=1&cursor=${next_cursor}`);
    await expectOk(read(bob, "/spaces/cursor-a/wires?"));
    for (const path of ["cursor-b/wires?", "cursor-a/wires?order=top&", "cursor-a/wires?roots_only=true&"]) {
      await expectRefused(read(bob, `/spaces/${path}`), "VALIDATION_ERROR");
    }
    await expectRefused(read(bob, "/spaces/cursor-a/search?q=x&"), "VALIDATION_ERROR");
    await expectRefused(read(alice, "/spaces/cursor-a/wires?"), "VALIDATION_ERROR");
    for (const cursor of ["x", "s:1", "", `${next_cursor}x`]) {
      await expectRefused(bob.get(`/spaces/cursor-a/wires?cursor=${cursor}`), "VALIDATION_ERROR");
    }
  });

  // [S4.1-feed]
  it("lists each of many concurrent posts once", async () => {
    await createSpace(alice, "crowded");
    const posts = Array.from({ length: 40 }, (_, n) =>
      sendWire(n % 2 ? alice : bob, "#crowded", { text: `${n}` }),
    );
    const sent = idsOf(await Promise.all(posts));
    const listed = idsOf(await readAllPages(bob, "/spaces/crowded/wires", "wires", 9));
    expect(listed.length).toBe(40);
    expect([...listed].sort()).toEqual([...sent].sort());
  });
});

describe("the feed of a space with many readers", () => {
  // [D3-votable-now] [S4.1-feed]
  it("shows posts, votes, removals and settings in the next read", async () => {
    await createSpace(alice, "watched", { root_rule: VOTABLE });
    let polling = true;
    const polls = voters.map(async (voter) => {
      while (polling) {
        await expectOk(voter.get("/spaces/watched/wires"));
        await expectOk(voter.get("/spaces/watched/wires?order=top&limit=3"));
      }
    });
    for (let n = 0; n < 15; n++) {
      const { id } = await sendWire(bob, "#watched", { text: `${n}` });
      expect((await feed("watched")).wires[0]).toMatchObject({ id, text_body: `${n}`, vote_count: 0 });
      await expectOk(alice.put(`/wires/${id}/vote`));
      expect((await feed("watched")).wires[0]).toMatchObject({ id, vote_count: 1 });
      expect(idsOf((await feed("watched", "?order=top&limit=3")).wires)[0]).toBe(id);
      await expectOk(bob.delete(`/wires/${id}`));
      const [first] = (await feed("watched")).wires;
      expect(first).toMatchObject({ id, text_body: null, tombstone: { removed_by: "sender" } });
      expect(await readWire(bob, first)).toEqual(first);
    }
    await expectOk(alice.put("/spaces/watched", { root_rule: { allow_text: true, votable: false } }));
    expect((await feed("watched")).wires[0]).not.toHaveProperty("vote_count");
    polling = false;
    await Promise.all(polls);
  });

  // [S4.1-feed-private]
  it("returns 404 to non-members, even if members have read it before", async () => {
    await createSpace(alice, "members-only", { visibility: "private" });
    await sendWire(alice, "#members-only");
    await expectOk(alice.get("/spaces/members-only/wires"));
    await expectRefused(bob.get("/spaces/members-only/wires"), "NOT_FOUND");
  });
});
