import { describe, expect, it } from "vitest";
import type { AgentClient, Body } from "../harness/daemon.js";
import { inDatabase } from "../harness/database.js";
import { fileDaemon } from "../harness/file-daemon.js";
import { everyPage } from "../harness/pages.js";
import { createSpace, knock, ok, refused, send } from "../harness/talk.js";

const { daemon, alice } = await fileDaemon(["alice"]);

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

describe("what is recorded", () => {
  const actionsOf = async (of: AgentClient) =>
    (await log(of)).map(({ action, actor }) => `${actor} ${action}`);

  it("are keys and handles, a key revoked twice once [D9-audit-recorded]", async () => {
    const dora = await daemon.agent("dora");
    await ok(dora.owner.delete(`/keys/${dora.keyId}`));
    await ok(dora.owner.delete(`/keys/${dora.keyId}`));
    expect(await actionsOf(dora)).toEqual(["human key.revoked", "human key.issued", "human handle.created"]);
  });

  it("is how a knock was answered, by a decision or by a wire, once [D9-audit-recorded]", async () => {
    const erin = await daemon.agent("erin", { contact_policy: "contacts_only" });
    const [one, two] = [await daemon.agent("knocker-one"), await daemon.agent("knocker-two")];
    const first = await knock(one, "erin");
    for (let n = 0; n < 2; n++) await ok(erin.put(`/knocks/${first}`, { status: "rejected" }));
    const second = await knock(two, "erin");
    await Promise.all([1, 2, 3].map(() => send(erin, "knocker-two")));
    const answered = await log(erin, "?action=knock.answered");
    expect(answered).toMatchObject([
      { actor: "@erin", handle: "erin", subject: `knock:${second}` },
      { actor: "@erin", handle: "erin", subject: `knock:${first}` },
    ]);
    expect(await log(one, "?action=knock.answered")).toEqual([]);
  });

  it("is a changed contact policy or inbox rule, and no other change of the profile [D9-audit-recorded]", async () => {
    const frank = await daemon.agent("frank");
    await ok(frank.put("/profile", { bio: "new", contact_policy: "open", inbox_rule: { allow_text: true } }));
    expect(await log(frank, "?action=policy.changed")).toEqual([]);
    await ok(frank.put("/profile", { contact_policy: "contacts_only" }));
    await ok(frank.put("/profile", { inbox_rule: { allow_text: false } }));
    const changed = await log(frank, "?action=policy.changed");
    expect(changed).toMatchObject([{ actor: "@frank", subject: "@frank" }, { actor: "@frank" }]);
    expect(changed).toHaveLength(2);
  });

  it("is a wire that a mod removed, in the log of its sender's account, once [D9-audit-recorded]", async () => {
    const [owner, poster] = [await daemon.agent("gina"), await daemon.agent("hugo")];
    await createSpace(owner, "ginas");
    const wire = await send(poster, "#ginas");
    for (let n = 0; n < 2; n++) await ok(owner.delete(`/spaces/ginas/wires/${wire.id}`));
    const own = await send(poster, "#ginas");
    await ok(poster.delete(`/wires/${own.id}`));
    expect(await log(poster, "?action=wire.removed")).toMatchObject([
      { actor: "@gina", handle: "hugo", subject: `wire:${wire.id}`, outcome: "ok" },
    ]);
    expect(await log(owner, "?action=wire.removed")).toEqual([]);
  });

  it("is nothing of what was refused or replayed [D9-audit-recorded] [D9-audit-same-transaction]", async () => {
    const iris = await daemon.agent("iris");
    const before = await log(iris);
    await refused(iris.owner.post("/handles", { slug: "iris" }), "VALIDATION_ERROR");
    await refused(iris.owner.delete(`/keys/${alice.keyId}`), "FORBIDDEN");
    const create = () => iris.owner.post("/handles", { slug: "iris-two" }, { "idempotency-key": "once" });
    await ok(create(), 201);
    await ok(create(), 201);
    expect(await log(iris)).toHaveLength(before.length + 1);
  });

  it("holds no text, key or token, and cannot be changed or shortened [D9-audit-secrets] [D9-audit-append-only]", async () => {
    const rows = await inDatabase(daemon.dataDir, (db) => db.all<Body>("SELECT * FROM audit"));
    const text = JSON.stringify(rows);
    expect(text).not.toMatch(/wr_[0-9A-Za-z]|hello|eyJ/);
    for (const sql of ["UPDATE audit SET actor = 'nobody'", "DELETE FROM audit"]) {
      await expect(inDatabase(daemon.dataDir, (db) => db.run(sql))).rejects.toThrow("append-only");
    }
  });
});
