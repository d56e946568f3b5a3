import { describe, expect, it } from "vitest";
import { createSpace, expectOk, expectRefused, sendKnock, sendWire } from "../harness/api-helpers.js";
import type { AgentClient, Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { withDatabase } from "../harness/database.js";
import { readAllPages } from "../harness/pagination.js";

const { daemon, alice } = await hostedFixture(["alice"]);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

async function log(of: AgentClient, query = ""): Promise<Body[]> {
  return (await expectOk(of.owner.get(`/audit${query}`))).entries;
}

describe("the audit log", () => {
  // [D9-audit]
  it("shows actor, action, subject, time, outcome and request id of each entry, newest first", async () => {
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
      reason: null,
      detail: null,
      request_id: reply.headers.get("x-request-id"),
    });
    expect(entries[2]).toMatchObject({ subject: "@alice", handle: "alice" });
  });

  // [D9-audit]
  it("contains only entries of the account", async () => {
    const bob = await daemon.createAgent("bob");
    expect((await log(bob)).map((entry) => entry.handle)).toEqual(["bob", "bob"]);
    await expectRefused(bob.owner.get("/audit?handle=alice"), "NOT_FOUND");
    await expectRefused(daemon.client().get("/audit"), "FORBIDDEN");
    await expectRefused(alice.get("/audit"), "FORBIDDEN");
  });

  // [D9-audit-filters]
  it("filters by handle, action and time, in pages", async () => {
    const one = await daemon.createAgent("carol-one", {}, "carol");
    await daemon.createAgent("carol-two", {}, "carol");
    for (let n = 0; n < 5; n++) await expectOk(one.owner.post("/keys", { handle_id: one.id }), 201);
    const all = await log(one);
    expect(all).toHaveLength(9);
    expect(await readAllPages(one.owner, "/audit", "entries", 2)).toEqual(all);
    const mine = await log(one, "?handle=@carol-one&action=key.issued");
    expect(mine).toEqual(all.filter((e) => e.handle === "carol-one" && e.action === "key.issued"));
    expect(await readAllPages(one.owner, "/audit?handle=carol-one&action=key.issued", "entries", 1)).toEqual(
      mine,
    );
    const others = all.filter((entry) => entry.action !== "key.issued");
    expect(await readAllPages(one.owner, "/audit?except=key.issued", "entries", 1)).toEqual(others);
    const named = others.filter((entry) => entry.handle === "carol-one");
    expect(await log(one, "?handle=carol-one&except=key.issued")).toEqual(named);
    expect(await log(one, "?action=key.issued&except=key.issued")).toEqual([]);
    expect(await log(one, "?action=key.issued&except=key.revoked")).toHaveLength(7);
    const middle = all[4]!.at;
    expect(await log(one, `?since=${middle}`)).toEqual(all.filter((entry) => entry.at >= middle));
    expect(await log(one, `?until=${middle}`)).toEqual(all.filter((entry) => entry.at < middle));
    const { next_cursor } = await expectOk(one.owner.get("/audit?limit=1"));
    await expectRefused(one.owner.get(`/audit?action=key.issued&cursor=${next_cursor}`), "VALIDATION_ERROR");
    for (const wrong of [
      "action=key.eaten",
      "except=key.eaten",
      "since=yesterday",
      "until=2026-12-31T23:59:60Z",
      "since=0000-01-01T00:00:00%2B00:01",
      "limit=0",
    ]) {
      await expectRefused(one.owner.get(`/audit?${wrong}`), "VALIDATION_ERROR");
    }
  });
});

describe("an audit entry", () => {
  const actionsOf = async (of: AgentClient) =>
    (await log(of)).map(({ action, actor }) => `${actor} ${action}`);

  // [D9-audit-recorded]
  it("is written for changes of keys and handles, and once for a key that is revoked twice", async () => {
    const dora = await daemon.createAgent("dora");
    await expectOk(dora.owner.delete(`/keys/${dora.keyId}`));
    await expectOk(dora.owner.delete(`/keys/${dora.keyId}`));
    expect(await actionsOf(dora)).toEqual(["human key.revoked", "human key.issued", "human handle.created"]);
  });

  // [D9-audit-recorded]
  it("is written once for a decided knock, whether by a decision or by a wire", async () => {
    const erin = await daemon.createAgent("erin", { contact_policy: "contacts_only" });
    const [one, two] = [await daemon.createAgent("knocker-one"), await daemon.createAgent("knocker-two")];
    const first = await sendKnock(one, "erin");
    for (let n = 0; n < 2; n++) await expectOk(erin.put(`/knocks/${first}`, { status: "rejected" }));
    const second = await sendKnock(two, "erin");
    await Promise.all([1, 2, 3].map(() => sendWire(erin, "knocker-two")));
    const answered = await log(erin, "?action=knock.answered");
    expect(answered).toMatchObject([
      {
        actor: "@erin",
        handle: "erin",
        subject: `knock:${second}`,
        detail: "from @knocker-two: accepted",
      },
      { actor: "@erin", handle: "erin", subject: `knock:${first}`, detail: "from @knocker-one: rejected" },
    ]);
    expect(await log(one, "?action=knock.answered")).toEqual([]);
  });

  // [D9-audit-recorded]
  it("is written for a changed contact policy or inbox rule, but for no other change of the profile", async () => {
    const frank = await daemon.createAgent("frank");
    await expectOk(
      frank.put("/profile", { bio: "new", contact_policy: "open", inbox_rule: { allow_text: true } }),
    );
    expect(await log(frank, "?action=policy.changed")).toEqual([]);
    await expectOk(frank.put("/profile", { contact_policy: "contacts_only" }));
    await expectOk(frank.put("/profile", { inbox_rule: { allow_text: false } }));
    const changed = await log(frank, "?action=policy.changed");
    expect(changed).toMatchObject([
      { actor: "@frank", subject: "@frank", detail: "inbox_rule" },
      { actor: "@frank", detail: "contact_policy: open -> contacts_only" },
    ]);
    expect(changed).toHaveLength(2);
  });

  // [D9-audit-recorded]
  it("is written once for a wire that a moderator removed, in the log of the sender's account", async () => {
    const [owner, poster] = [await daemon.createAgent("gina"), await daemon.createAgent("hugo")];
    await createSpace(owner, "ginas");
    const wire = await sendWire(poster, "#ginas");
    for (let n = 0; n < 2; n++) await expectOk(owner.delete(`/spaces/ginas/wires/${wire.id}`));
    const own = await sendWire(poster, "#ginas");
    await expectOk(poster.delete(`/wires/${own.id}`));
    expect(await log(poster, "?action=wire.removed")).toMatchObject([
      { actor: "@gina", handle: "hugo", subject: `wire:${wire.id}`, outcome: "ok" },
    ]);
    expect(await log(owner, "?action=wire.removed")).toEqual([]);
  });

  // [D9-audit-recorded] [D9-audit-same-transaction]
  it("is not written for rejected or replayed requests", async () => {
    const iris = await daemon.createAgent("iris");
    const before = await log(iris);
    await expectRefused(iris.owner.post("/handles", { slug: "iris" }), "VALIDATION_ERROR");
    await expectRefused(iris.owner.delete(`/keys/${alice.keyId}`), "FORBIDDEN");
    const create = () => iris.owner.post("/handles", { slug: "iris-two" }, { "idempotency-key": "once" });
    await expectOk(create(), 201);
    await expectOk(create(), 201);
    expect(await log(iris)).toHaveLength(before.length + 1);
  });

  // [D9-audit-secrets] [D9-audit-append-only]
  it("contains no message text, key or token, and can be neither changed nor deleted", async () => {
    const rows = await withDatabase(daemon.dataDir, (db) => db.all<Body>("SELECT * FROM audit"));
    const text = JSON.stringify(rows);
    expect(text).not.toMatch(/wr_[0-9A-Za-z]|hello|eyJ/);
    for (const sql of ["UPDATE audit SET actor = 'nobody'", "DELETE FROM audit"]) {
      await expect(withDatabase(daemon.dataDir, (db) => db.run(sql))).rejects.toThrow("append-only");
    }
  });
});
