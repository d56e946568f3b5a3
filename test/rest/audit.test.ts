import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentClient, type Body, NO_LIMITS, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { everyPage } from "../harness/pages.js";
import { ok, refused } from "../harness/talk.js";

let daemon: TestDaemon;
let alice: AgentClient;

beforeAll(async () => {
  daemon = await startDaemon({ args: NO_LIMITS });
  alice = await daemon.agent("alice");
});
afterAll(() => daemon.stop());

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

async function log(of: AgentClient, query = ""): Promise<Body[]> {
  return (await ok(of.owner.get(`/audit${query}`))).entries;
}

describe("the audit log", () => {
  it("says who did what, on what, when, how it went and in which request, newest first [D9-audit]", async () => {
    const reply = await alice.owner.post("/keys", { handle_id: alice.id });
    const entries = await log(alice);
    expect(entries.map((entry) => entry.action)).toEqual(["key.issued", "key.issued", "handle.created"]);
    expect(entries[0]).toEqual({
      id: expect.stringMatching(UUID),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      actor: "human",
      handle: "alice",
      action: "key.issued",
      subject: `key:${reply.body.id}`,
      outcome: "ok",
      request_id: reply.headers.get("x-request-id"),
    });
    expect(entries[2]).toMatchObject({ subject: "@alice", handle: "alice" });
  });

  it("is the account's own [D9-audit]", async () => {
    const bob = await daemon.agent("bob");
    expect((await log(bob)).map((entry) => entry.handle)).toEqual(["bob", "bob"]);
    await refused(bob.owner.get("/audit?handle=alice"), "NOT_FOUND");
    await refused(daemon.client().get("/audit"), "FORBIDDEN");
    await refused(alice.get("/audit"), "FORBIDDEN");
  });

  it("is filtered by handle, action and time, and paged [D9-audit-filters]", async () => {
    const one = await daemon.agent("carol-one", {}, "carol");
    await daemon.agent("carol-two", {}, "carol");
    for (let n = 0; n < 5; n++) await ok(one.owner.post("/keys", { handle_id: one.id }), 201);
    const all = await log(one);
    expect(all).toHaveLength(9);
    expect(await everyPage(one.owner, "/audit", "entries", 2)).toEqual(all);
    const mine = await log(one, "?handle=@carol-one&action=key.issued");
    expect(mine).toEqual(all.filter((e) => e.handle === "carol-one" && e.action === "key.issued"));
    expect(await everyPage(one.owner, "/audit?handle=carol-one&action=key.issued", "entries", 1)).toEqual(
      mine,
    );
    const middle = all[4]!.at;
    expect(await log(one, `?since=${middle}`)).toEqual(all.filter((entry) => entry.at >= middle));
    expect(await log(one, `?until=${middle}`)).toEqual(all.filter((entry) => entry.at < middle));
    const { next_cursor } = await ok(one.owner.get("/audit?limit=1"));
    await refused(one.owner.get(`/audit?action=key.issued&cursor=${next_cursor}`), "VALIDATION_ERROR");
    for (const wrong of ["action=key.eaten", "since=yesterday", "until=2026-12-31T23:59:60Z", "limit=0"]) {
      await refused(one.owner.get(`/audit?${wrong}`), "VALIDATION_ERROR");
    }
  });
});
