/** What operators look up (docs/specification/dashboard-operations.md#reading-as-an-operator). */
import { beforeAll, describe, expect, it } from "vitest";
import { CONTRACT_VERSION } from "../../src/contract/index.js";
import { migrations } from "../../src/store/engine/migrations/index.js";
import { createSpace, expectOk, expectRefused, readWire, sendWire } from "../harness/api-helpers.js";
import type { AgentClient, Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { ENGINE } from "../harness/database.js";
import { sendHeldWire, setEgressPolicy } from "../harness/egress.js";
import { grantOperator } from "../harness/operator.js";
import { readAllPages } from "../harness/pagination.js";

const { daemon, oscar, mallory, bob } = await hostedFixture(["oscar", "mallory", "bob"]);

beforeAll(() => grantOperator(daemon, "oscar"));

const readsOf = async (agent: AgentClient): Promise<Body[]> =>
  (await expectOk(agent.owner.get("/audit?action=wire.read&limit=100"))).entries;
const find = async (query: string): Promise<Body[]> =>
  (await expectOk(oscar.get(`/operator/handles${query}`))).handles;
const slugsOf = (handles: Body[]) => handles.map(({ slug }) => slug);

/** Returns a new operator, whose log is empty. */
async function newOperator(slug: string): Promise<AgentClient> {
  const operator = await daemon.createAgent(slug);
  await grantOperator(daemon, slug);
  return operator;
}

describe("GET /operator/status", () => {
  // [D21-operator-status]
  it("returns the state of the daemon and the busiest handles, to operators alone", async () => {
    for (const [slug, wires] of [
      ["busy-one", 3],
      ["busier-one", 5],
    ] as const) {
      const sender = await daemon.createAgent(slug);
      for (let n = 0; n < wires; n++) await sendWire(sender, "bob");
    }
    const { busiest_handles, ...status } = await expectOk(oscar.get("/operator/status"));
    expect(status).toEqual({
      version: CONTRACT_VERSION,
      started_at: expect.stringMatching(/Z$/),
      database: ENGINE,
      schema_version: migrations.at(-1)!.id,
      // Null until it was measured.
      database_bytes: expect.toSatisfy((bytes) => bytes === null || bytes > 0),
      writable: true,
      failed_requests: expect.any(Number),
      held_requests: expect.any(Number),
      waiting_mails: 0,
    });
    expect(Date.parse(status.started_at)).toBeLessThan(Date.now());
    const listed = await find("?q=bus");
    expect(busiest_handles.slice(0, 2)).toEqual(listed);
    expect(listed.map(({ wires_last_day }) => wires_last_day)).toEqual([5, 3]);
    await expectRefused(bob.get("/operator/status"), "FORBIDDEN");
  });
});

describe("GET /operator/handles", () => {
  // [D9-operator-handles]
  it("lists handles of all accounts, discoverable or not, newest first", async () => {
    const shy = await daemon.createAgent("shy-one", { display_name: "Shy" });
    const seen = await daemon.createAgent("seen-one", { discoverable: true });
    for (let n = 0; n < 3; n++) await sendWire(shy, "bob");
    expect(await find("?limit=2")).toEqual([
      {
        id: seen.id,
        slug: "seen-one",
        display_name: null,
        discoverable: true,
        suspended_at: null,
        created_at: expect.stringMatching(/Z$/),
        wires_last_day: 0,
      },
      {
        id: shy.id,
        slug: "shy-one",
        display_name: "Shy",
        discoverable: false,
        suspended_at: null,
        created_at: expect.stringMatching(/Z$/),
        wires_last_day: 3,
      },
    ]);
    const all = await find("?limit=100");
    expect(slugsOf(all).slice(-3)).toEqual(["bob", "mallory", "oscar"]);
    expect(await readAllPages(oscar, "/operator/handles", "handles", 2)).toEqual(all);
  });

  // [D9-operator-handles]
  it("finds a part of a slug or display name, in both cases, and takes no character as a pattern", async () => {
    await daemon.createAgent("spam-9000", { display_name: "Best Offers 100%" });
    await daemon.createAgent("quiet-one", { display_name: "ÄRGER_\u0000x" });
    for (const q of ["spam", "@spam-9000", "SPAM", "offers 1", "%"])
      expect({ q, found: slugsOf(await find(`?q=${encodeURIComponent(q)}`)) }).toEqual({
        q,
        found: ["spam-9000"],
      });
    for (const q of ["Ärger", "_", "\u0000X"])
      expect({ q, found: slugsOf(await find(`?q=${encodeURIComponent(q)}`)) }).toEqual({
        q,
        found: ["quiet-one"],
      });
    for (const q of ["ärger", "nowhere", "%%", "'--"])
      expect(await find(`?q=${encodeURIComponent(q)}`)).toEqual([]);
    expect(slugsOf(await find("?q="))).toContain("bob");
  });

  // [D9-operator-handles]
  it("filters by suspension, and leaves retired handles out", async () => {
    for (const slug of ["filter-on", "filter-off", "filter-gone"]) await daemon.createAgent(slug);
    await expectOk(oscar.put("/operator/handles/filter-on", { suspended: true }));
    const gone = await daemon.createAgent("filter-left");
    await expectOk(gone.owner.delete("/handles/filter-left"));
    const [on] = await find("?q=filter&suspended=true");
    expect(on).toMatchObject({ slug: "filter-on", suspended_at: expect.stringMatching(/Z$/) });
    expect(slugsOf(await find("?q=filter&suspended=false"))).toEqual(["filter-gone", "filter-off"]);
    expect(slugsOf(await find("?q=filter"))).toEqual(["filter-gone", "filter-off", "filter-on"]);
    await expectRefused(oscar.get("/operator/handles?suspended=maybe"), "VALIDATION_ERROR");
    await expectRefused(oscar.get(`/operator/handles?q=${"x".repeat(101)}`), "VALIDATION_ERROR");
  });

  // [D9-operator-handles]
  it("rejects the cursor of another filter or operator", async () => {
    const { next_cursor } = await expectOk(oscar.get("/operator/handles?limit=1"));
    await expectRefused(oscar.get(`/operator/handles?q=bob&cursor=${next_cursor}`), "VALIDATION_ERROR");
    const other = await newOperator("other-operator");
    await expectRefused(other.get(`/operator/handles?cursor=${next_cursor}`), "VALIDATION_ERROR");
  });
});

describe("GET /operator/handles/{slug}", () => {
  // [D9-operator-handles]
  it("shows the profile, and who suspended the handle why", async () => {
    const profile = { display_name: "Ida", bio: "sells", tags: ["ads"], discoverable: true };
    const { id, owner } = await daemon.createAgent("ida", profile);
    const active = {
      ...{ id, slug: "ida", ...profile, created_at: expect.stringMatching(/Z$/), wires_last_day: 0 },
      ...{ suspended_at: null, suspended_by: null, suspended_reason: null, account_suspended: false },
      account_handles: ["ida-3", "ida-2"],
    };
    for (const slug of ["ida-2", "ida-gone", "ida-3"]) await expectOk(owner.post("/handles", { slug }), 201);
    await expectOk(owner.delete("/handles/ida-gone"));
    expect(await expectOk(oscar.get("/operator/handles/@ida"))).toEqual(active);
    await expectOk(oscar.put("/operator/handles/ida", { suspended: true, reason: "ads" }));
    const suspended = { suspended_by: "@oscar", suspended_reason: "ads" };
    expect(await expectOk(oscar.get("/operator/handles/ida"))).toEqual({
      ...active,
      ...suspended,
      suspended_at: expect.stringMatching(/Z$/),
    });
    await expectOk(oscar.put("/operator/handles/ida", { suspended: false }));
    expect(await expectOk(oscar.get("/operator/handles/ida"))).toEqual(active);
    await expectRefused(oscar.get("/operator/handles/no-such-handle"), "NOT_FOUND");
  });

  // [D9-operator-handles]
  it("tells an operator's own suspension from those that it made", async () => {
    const jack = await newOperator("jack");
    await daemon.createAgent("victim");
    await expectOk(oscar.put("/operator/handles/jack", { suspended: true, reason: "its own" }));
    await expectOk(oscar.put("/operator/handles/jack", { suspended: false }));
    await expectOk(jack.put("/operator/handles/victim", { suspended: true, reason: "another" }));
    await expectOk(oscar.put("/operator/handles/jack", { suspended: true, reason: "again" }));
    expect((await expectOk(oscar.get("/operator/handles/jack"))).suspended_reason).toBe("again");
  });
});

describe("GET /operator/wires/{id}", () => {
  // [D9-operator-reads] [D9-operator-reads-logged]
  it("returns a DM between others as stored, and logs it for both and for the operator", async () => {
    const [olaf, eve, ivy] = [
      await newOperator("olaf"),
      await daemon.createAgent("eve"),
      await daemon.createAgent("ivy"),
    ];
    const wire = await sendWire(eve, "ivy", { text: "between us", payload: { price: 1 } });
    await expectRefused(olaf.get(`/wires/${wire.id}`), "FORBIDDEN");
    const seen = await expectOk(olaf.get(`/operator/wires/${wire.id}`));
    expect(seen).toEqual(await readWire(ivy, wire));
    expect(seen).toMatchObject({ sender: "eve", recipient: "ivy", space: null, text_body: "between us" });
    expect(await expectOk(olaf.get(`/operator/wires/${encodeURIComponent(wire.uri)}`))).toEqual(seen);
    for (const agent of [eve, ivy, olaf]) {
      const entry = { actor: "@olaf", handle: agent.slug, subject: `wire:${wire.id}`, outcome: "ok" };
      expect(await readsOf(agent)).toMatchObject([entry, entry]);
      expect(JSON.stringify(await readsOf(agent))).not.toContain("between us");
    }
    expect((await readWire(eve, wire)).delivery).toMatchObject({ state: "queued" });
  });

  // [D9-operator-reads]
  it("returns a wire of a private space, and a tombstone", async () => {
    await createSpace(mallory, "lair", {
      visibility: "private",
      root_rule: { allow_text: true, votable: true },
    });
    const wire = await sendWire(mallory, "#lair", { text: "plan" });
    const path = `/operator/wires/${wire.id}`;
    expect(await expectOk(oscar.get(path))).toEqual(await readWire(mallory, wire));
    expect(await expectOk(oscar.get(path))).toMatchObject({
      space: "lair",
      text_body: "plan",
      vote_count: 0,
    });
    await expectOk(oscar.delete(path));
    expect(await expectOk(oscar.get(path))).toMatchObject({
      text_body: null,
      tombstone: { removed_by: "operator" },
    });
  });

  // [D9-operator-reads-logged]
  it("writes one entry per handle, even if one account owns all", async () => {
    const one = await daemon.createAgent("same-one", {}, "same");
    const two = await daemon.createAgent("same-two", {}, "same");
    await grantOperator(daemon, "same-two");
    const note = await sendWire(one, "same-one", { text: "note to self" });
    await expectOk(two.get(`/operator/wires/${note.id}`));
    expect((await readsOf(one)).map(({ handle }) => handle).sort()).toEqual(["same-one", "same-two"]);
  });

  // [D9-operator-reads]
  it("returns 404, without an entry, for a wire that does not exist or is held", async () => {
    const olga = await newOperator("olga");
    const held = await daemon.createAgent("holder");
    await setEgressPolicy(held, { mode: "approval" });
    const waiting = await sendHeldWire(held, "bob", { text: "not sent" });
    for (const id of ["no-such-wire", waiting.id])
      await expectRefused(olga.get(`/operator/wires/${id}`), "NOT_FOUND");
    expect(await readsOf(olga)).toEqual([]);
    expect(await readsOf(held)).toEqual([]);
  });
});

describe("GET /operator/wires", () => {
  // [D9-operator-reads] [D9-operator-reads-logged]
  it("lists everything that a handle sent, newest first, and logs each page for all whom it shows", async () => {
    const [paul, sam, tim, uma] = [
      await newOperator("paul"),
      ...(await Promise.all(["sam", "tim", "uma"].map((slug) => daemon.createAgent(slug)))),
    ] as [AgentClient, AgentClient, AgentClient, AgentClient];
    await createSpace(uma, "club", { visibility: "private" });
    await expectOk(uma.put("/spaces/club", { members: [{ handle: "sam", role: "poster" }] }));
    const sent: Body[] = [];
    for (const to of ["tim", "#club", "uma", "uma", "tim"])
      sent.unshift(await sendWire(sam, to, { text: `to ${to}`, payload: { n: 1 } }));
    await expectOk(uma.put("/spaces/club", { members: [{ handle: "sam", role: "remove" }] }));
    const path = "/operator/wires?sender=@sam";
    const { wires, next_cursor } = await expectOk(paul.get(path));
    expect(wires.map(({ id }: Body) => id)).toEqual(sent.map(({ id }) => id));
    expect(wires[3]).toMatchObject({ space: "club", text_body: "to #club", payload: { n: 1 } });
    expect(next_cursor).toBeNull();
    for (const agent of [sam, tim, uma, paul]) {
      expect(await readsOf(agent)).toMatchObject([
        { actor: "@paul", handle: agent.slug, subject: "@sam", reason: null },
      ]);
    }
    expect(await readAllPages(paul, path, "wires", 2)).toEqual(wires);
    // Tim received none of the wires of the second page, and Uma none of the third.
    expect([await readsOf(sam), await readsOf(tim), await readsOf(uma)].map(({ length }) => length)).toEqual([
      4, 3, 3,
    ]);
    const brief = await expectOk(paul.get(`${path}&brief=true&limit=1`));
    expect(brief.wires).toMatchObject([{ text_body: "to tim", payload: null, cut: true }]);
    await expectRefused(
      paul.get(`/operator/wires?sender=tim&cursor=${brief.next_cursor}`),
      "VALIDATION_ERROR",
    );
  });

  // [D9-operator-reads]
  it("lists what a retired handle sent, and an empty list of a handle that sent nothing", async () => {
    const gone = await daemon.createAgent("gone");
    const wire = await sendWire(gone, "bob");
    await expectOk(gone.owner.delete("/handles/gone"));
    const { wires } = await expectOk(oscar.get("/operator/wires?sender=gone"));
    expect(wires).toMatchObject([{ id: wire.id, sender: "gone" }]);
    await daemon.createAgent("silent");
    expect(await expectOk(oscar.get("/operator/wires?sender=silent"))).toEqual({
      wires: [],
      next_cursor: null,
    });
    await expectRefused(oscar.get("/operator/wires?sender=no-such-handle"), "NOT_FOUND");
    await expectRefused(oscar.get("/operator/wires"), "VALIDATION_ERROR");
  });
});

describe("operators who read much", () => {
  // [D9-operator-reads-limit]
  it("get 429 after 60 reads in 60 s, also concurrently, and no read is without its entry", async () => {
    const quick = await newOperator("quick");
    const zoe = await daemon.createAgent("zoe");
    const wire = await sendWire(zoe, "bob", { text: "often read" });
    const replies = await Promise.all(
      Array.from({ length: 70 }, (_, n) =>
        quick.get(n % 2 === 0 ? `/operator/wires/${wire.id}` : "/operator/wires?sender=zoe"),
      ),
    );
    const count = (status: number) => replies.filter((reply) => reply.status === status).length;
    expect([count(200), count(429)]).toEqual([60, 10]);
    expect(await readsOf(zoe)).toHaveLength(60);
    const refused = await expectRefused(quick.get(`/operator/wires/${wire.id}`), "RATE_LIMITED");
    expect(refused.retry_after).toBeGreaterThan(0);
    expect(refused.retry_after).toBeLessThanOrEqual(60);
    await expectRefused(quick.get("/operator/wires/no-such-wire"), "RATE_LIMITED");
    // Another operator, and operations that are not audited, are not limited by it.
    await expectOk(oscar.get(`/operator/wires/${wire.id}`));
    await expectOk(quick.get("/operator/handles/zoe"));
    await expectRefused(quick.delete(`/operator/wires/${wire.id}`), "RATE_LIMITED");
    expect(await readsOf(bob)).not.toHaveLength(0);
  });
});

describe("anyone else", () => {
  const paths = ["/operator/handles", "/operator/handles/bob", "/operator/handles/no-such-handle"];

  // [D9-operator-only]
  it("gets the same 403 for what exists and what does not, and leaves no entry", async () => {
    const nosy = await daemon.createAgent("nosy");
    const wire = await sendWire(mallory, "bob", { text: "private" });
    const before = await readsOf(mallory);
    const bodies = await Promise.all(
      [
        ...paths,
        `/operator/wires/${wire.id}`,
        "/operator/wires/no-such-wire",
        "/operator/wires?sender=bob",
        "/operator/wires?sender=no-such-handle",
      ].map((path) => expectRefused(nosy.get(path), "FORBIDDEN")),
    );
    expect(new Set(bodies.map(({ message }) => message)).size).toBe(1);
    expect(await readsOf(mallory)).toEqual(before);
    expect(await readsOf(nosy)).toEqual([]);
    for (const path of paths) {
      await expectRefused(nosy.owner.get(path), "UNAUTHORIZED");
      await expectRefused(daemon.client().get(path), "UNAUTHORIZED");
    }
  });

  // [D9-operator-only]
  it("includes an operator who is suspended", async () => {
    const fallen = await newOperator("fallen");
    const wire = await sendWire(mallory, "bob");
    await expectOk(fallen.get(`/operator/wires/${wire.id}`));
    await expectOk(oscar.put("/operator/handles/fallen", { suspended: true }));
    for (const path of [...paths, `/operator/wires/${wire.id}`, "/operator/wires?sender=bob"])
      await expectRefused(fallen.get(path), "FORBIDDEN");
    expect(await readsOf(fallen)).toHaveLength(1);
  });
});
