import { beforeAll, describe, expect, it } from "vitest";
import type { AgentClient, Body } from "../harness/daemon.js";
import { fileDaemon } from "../harness/file-daemon.js";
import { everyPage } from "../harness/pages.js";
import { createSpace, ok, refused, send, wireOf } from "../harness/talk.js";

const { daemon, alice, bob } = await fileDaemon(["alice", "bob"]);
let voters: AgentClient[];

beforeAll(async () => {
  voters = await Promise.all(Array.from({ length: 4 }, (_, n) => daemon.agent(`voter-${n}`)));
});

const VOTABLE = { allow_text: true, votable: true };

/** Posts numbered texts, one after the other; gives the ids, oldest first. */
async function post(slug: string, count: number, fields: Body = {}): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push((await send(bob, `#${slug}`, { text: `${n}`, ...fields })).id);
  return ids;
}

/** Casts so many votes on a wire. */
const vote = (id: string, count: number) =>
  Promise.all(voters.slice(0, count).map((voter) => ok(voter.put(`/wires/${id}/vote`))));

const feed = (slug: string, query = "") => ok(bob.get(`/spaces/${slug}/wires${query}`));
const idsOf = (wires: Body[]): string[] => wires.map(({ id }) => id);

describe("a feed", () => {
  it("is empty in a new space [S4.1-feed]", async () => {
    await createSpace(alice, "silent");
    expect(await feed("silent")).toEqual({ wires: [], next_cursor: null });
  });

  it("is newest first, roots and replies, each as GET /wires shows it [S4.1-feed] [S4.1-feed-default]", async () => {
    await createSpace(alice, "newest");
    const roots = await post("newest", 3);
    const replies = await post("newest", 2, { reply_to: roots[0] });
    const { wires, next_cursor } = await feed("newest");
    expect(idsOf(wires)).toEqual([...roots, ...replies].reverse());
    expect(next_cursor).toBeNull();
    for (const wire of wires) expect(wire).toEqual(await wireOf(bob, wire));
    expect(await feed("newest", "?order=newest")).toEqual({ wires, next_cursor });
  });

  it("leaves out replies with roots_only=true alone [S4.1-feed-roots-only]", async () => {
    await createSpace(alice, "rooted");
    const roots = await post("rooted", 3);
    await post("rooted", 2, { reply_to: roots[1] });
    for (const order of ["newest", "top"]) {
      expect(idsOf((await feed("rooted", `?roots_only=true&order=${order}`)).wires)).toEqual(
        [...roots].reverse(),
      );
      expect((await feed("rooted", `?roots_only=false&order=${order}`)).wires).toHaveLength(5);
    }
    const paged = await everyPage(bob, "/spaces/rooted/wires?roots_only=true", "wires", 2);
    expect(idsOf(paged)).toEqual([...roots].reverse());
    for (const value of ["TRUE", "1", "yes", ""]) {
      await refused(bob.get(`/spaces/rooted/wires?roots_only=${value}`), "VALIDATION_ERROR");
    }
  });

  it("is 50 wires a page without a limit, and 1 to 100 with one [D5-feed-pages] [S4.1-feed-limit]", async () => {
    await createSpace(alice, "long");
    await Promise.all([post("long", 51), post("long", 51)]);
    expect((await feed("long")).wires).toHaveLength(50);
    expect((await feed("long", "?limit=1")).wires).toHaveLength(1);
    expect((await feed("long", "?limit=100")).wires).toHaveLength(100);
    for (const limit of ["0", "101", "-1", "1.5", "x", ""]) {
      await refused(bob.get(`/spaces/long/wires?limit=${limit}`), "VALIDATION_ERROR");
    }
  });

  it.each([1, 3, 7, 10])(
    "is read to its end in pages of %i, each wire once [D5-feed-pages]",
    async (limit) => {
      const slug = `paged-${limit}`;
      await createSpace(alice, slug, { root_rule: VOTABLE });
      const ids = await post(slug, 10);
      await Promise.all([vote(ids[4]!, 3), vote(ids[7]!, 1), vote(ids[2]!, 1)]);
      expect(idsOf(await everyPage(bob, `/spaces/${slug}/wires`, "wires", limit))).toEqual(
        [...ids].reverse(),
      );
      const top = [4, 7, 2, 9, 8, 6, 5, 3, 1, 0].map((n) => ids[n]);
      expect(idsOf(await everyPage(bob, `/spaces/${slug}/wires?order=top`, "wires", limit))).toEqual(top);
    },
  );

  it("goes on where it was, though new wires came meanwhile [D5-feed-pages]", async () => {
    await createSpace(alice, "growing");
    const ids = await post("growing", 6);
    const first = await feed("growing", "?limit=3");
    await post("growing", 4);
    const second = await feed("growing", `?limit=3&cursor=${first.next_cursor}`);
    expect(idsOf([...first.wires, ...second.wires])).toEqual([...ids].reverse());
    expect(second.next_cursor).toBeNull();
  });

  it("ranks by votes, then the newest first [S4.1-feed-order] [D5-feed-top]", async () => {
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
    await ok(voters[0]!.delete(`/wires/${reply}/vote`));
    await ok(voters[1]!.delete(`/wires/${reply}/vote`));
    expect(idsOf((await feed("ranked", "?order=top")).wires)).toEqual([
      roots[1],
      roots[0],
      reply,
      roots[3],
      roots[2],
    ]);
    for (const order of ["best", "TOP", "oldest", ""]) {
      await refused(bob.get(`/spaces/ranked/wires?order=${order}`), "VALIDATION_ERROR");
    }
  });

  it("shows votes as they are now, on votable wires alone [S4.1-feed-votes]", async () => {
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

  it("keeps removed wires as tombstones, where they were [D5-feed-tombstones]", async () => {
    await createSpace(alice, "graves", { root_rule: VOTABLE });
    const ids = await post("graves", 3);
    await vote(ids[1]!, 2);
    const { tombstone } = await ok(bob.delete(`/wires/${ids[1]}`));
    const removed = (await feed("graves")).wires[1];
    expect(removed).toMatchObject({ id: ids[1], text_body: null, payload: null, tombstone, vote_count: 2 });
    expect(idsOf((await feed("graves", "?order=top")).wires)).toEqual([ids[1], ids[2], ids[0]]);
  });

  it("of a private space is for its members; others get 404 [S4.1-feed-private]", async () => {
    await createSpace(alice, "secret", { visibility: "private" });
    const { id } = await send(alice, "#secret");
    await refused(bob.get("/spaces/secret/wires"), "NOT_FOUND");
    await refused(bob.get("/spaces/no-such-space/wires"), "NOT_FOUND");
    await ok(alice.put("/spaces/secret", { members: [{ handle: "bob", role: "reader" }] }));
    expect(idsOf((await feed("secret")).wires)).toEqual([id]);
  });

  it("knows its own cursors alone [D5-feed-pages]", async () => {
    for (const slug of ["cursor-a", "cursor-b"]) {
      await createSpace(alice, slug);
      await post(slug, 2);
    }
    const { next_cursor } = await feed("cursor-a", "?limit=1");
    const read = (agent: AgentClient, path: string) => agent.get(`${path}limit=1&cursor=${next_cursor}`);
    await ok(read(bob, "/spaces/cursor-a/wires?"));
    for (const path of ["cursor-b/wires?", "cursor-a/wires?order=top&", "cursor-a/wires?roots_only=true&"]) {
      await refused(read(bob, `/spaces/${path}`), "VALIDATION_ERROR");
    }
    await refused(read(bob, "/spaces/cursor-a/search?q=x&"), "VALIDATION_ERROR");
    await refused(read(alice, "/spaces/cursor-a/wires?"), "VALIDATION_ERROR");
    for (const cursor of ["x", "s:1", "", `${next_cursor}x`]) {
      await refused(bob.get(`/spaces/cursor-a/wires?cursor=${cursor}`), "VALIDATION_ERROR");
    }
  });

  it("holds each of many wires posted at once, once [S4.1-feed]", async () => {
    await createSpace(alice, "crowded");
    const posts = Array.from({ length: 40 }, (_, n) =>
      send(n % 2 ? alice : bob, "#crowded", { text: `${n}` }),
    );
    const sent = idsOf(await Promise.all(posts));
    const listed = idsOf(await everyPage(bob, "/spaces/crowded/wires", "wires", 9));
    expect(listed.length).toBe(40);
    expect([...listed].sort()).toEqual([...sent].sort());
  });
});

describe("a feed that many read", () => {
  it("shows every change to the very next read: posts, votes, removals, settings [S4.1-feed] [D3-votable-now]", async () => {
    await createSpace(alice, "watched", { root_rule: VOTABLE });
    let polling = true;
    const polls = voters.map(async (voter) => {
      while (polling) {
        await ok(voter.get("/spaces/watched/wires"));
        await ok(voter.get("/spaces/watched/wires?order=top&limit=3"));
      }
    });
    for (let n = 0; n < 15; n++) {
      const { id } = await send(bob, "#watched", { text: `${n}` });
      expect((await feed("watched")).wires[0]).toMatchObject({ id, text_body: `${n}`, vote_count: 0 });
      await ok(alice.put(`/wires/${id}/vote`));
      expect((await feed("watched")).wires[0]).toMatchObject({ id, vote_count: 1 });
      expect(idsOf((await feed("watched", "?order=top&limit=3")).wires)[0]).toBe(id);
      await ok(bob.delete(`/wires/${id}`));
      const [first] = (await feed("watched")).wires;
      expect(first).toMatchObject({ id, text_body: null, tombstone: { removed_by: "sender" } });
      expect(await wireOf(bob, first)).toEqual(first);
    }
    await ok(alice.put("/spaces/watched", { root_rule: { allow_text: true, votable: false } }));
    expect((await feed("watched")).wires[0]).not.toHaveProperty("vote_count");
    polling = false;
    await Promise.all(polls);
  });

  it("is closed to those who are not let in, whatever others have read of it [S4.1-feed-private]", async () => {
    await createSpace(alice, "members-only", { visibility: "private" });
    await send(alice, "#members-only");
    await ok(alice.get("/spaces/members-only/wires"));
    await refused(bob.get("/spaces/members-only/wires"), "NOT_FOUND");
  });
});
