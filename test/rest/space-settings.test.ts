import { describe, expect, it } from "vitest";
import {
  createSpace,
  expectOk,
  expectRefused,
  registerSchema,
  schemaRequiring,
  sendWire,
} from "../harness/api-helpers.js";
import type { Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";

const { daemon, owner, mod, poster, stranger } = await hostedFixture(["owner", "mod", "poster", "stranger"]);
let spaces = 0;

/** Creates a space with a moderator and a poster. Returns its path. */
async function newSpace(fields: object = {}): Promise<string> {
  const slug = `settings-${spaces++}`;
  await createSpace(owner, slug, fields as Record<string, unknown>);
  const members = [
    { handle: "mod", role: "mod" },
    { handle: "poster", role: "poster" },
  ];
  await expectOk(owner.put(`/spaces/${slug}`, { members }));
  return `/spaces/${slug}`;
}

describe("an update of a space", () => {
  // [S4.1-space-update-empty] [S4.1-space-update-detail]
  it("without a body, or with an empty one, changes nothing", async () => {
    const path = await newSpace({ description: "before", tags: ["a"], posting_rights: "members" });
    const before = await expectOk(owner.get(path));
    expect(await expectOk(owner.put(path, {}))).toEqual(before);
    expect(await expectOk(owner.put(path))).toEqual(before);
    expect(await expectOk(owner.get(path))).toEqual(before);
  });

  // [S4.1-space-update-fields] [S4.1-space-update-owner] [S4.1-space-update-detail]
  it("changes only the field of the request", async () => {
    const path = await newSpace({ description: "before", tags: ["a"] });
    const rule = { allow_text: false, accepted_schemas: [], votable: true };
    const changes = [
      { description: "after" },
      { description: null },
      { description: "" },
      { tags: ["b", "c"] },
      { tags: [] },
      { posting_rights: "mods" },
      { root_rule: rule },
      { reply_rule: { ...rule, inline_schema: { type: "object" } } },
      { reply_rule: rule },
      { allow_wire_reply_rules: true },
      { retain_days: 3650 },
      { retain_days: null },
    ];
    let expected = await expectOk(owner.get(path));
    for (const change of changes) {
      expected = { ...expected, ...change };
      expect(await expectOk(owner.put(path, change)), JSON.stringify(change)).toEqual(expected);
      expect(await expectOk(stranger.get(path))).toEqual(expected);
    }
  });

  // [D3-space-defaults] [S4.1-space-update-fields]
  it("sets omitted fields of a rule to their defaults, not to the previous values", async () => {
    const path = await newSpace({ root_rule: { allow_text: false, votable: true, inline_schema: {} } });
    const { root_rule } = await expectOk(owner.put(path, { root_rule: { allow_text: true } }));
    expect(root_rule).toEqual({ allow_text: true, accepted_schemas: [], votable: false });
  });

  // [S4.1-space-update-fields]
  it("rejects the fields slug, visibility and owner", async () => {
    const path = await newSpace();
    const before = await expectOk(owner.get(path));
    for (const field of [
      { visibility: "private" },
      { owner_handle_id: mod.id },
      { id: "x" },
      { slug: "other" },
    ]) {
      await expectRefused(owner.put(path, field), "VALIDATION_ERROR");
    }
    expect(await expectOk(owner.get(path))).toEqual(before);
  });

  // [S4.1-space-update-fields]
  it("is rejected as a whole if any part is invalid", async () => {
    const path = await newSpace();
    const before = await expectOk(owner.get(path));
    const members = [{ handle: "stranger", role: "reader" }];
    const missing = [...members, { handle: "nobody-here", role: "reader" }];
    await expectRefused(owner.put(path, { description: "x", members: missing }), "NOT_FOUND");
    await expectRefused(owner.put(path, { members, transfer_owner: "nobody-here" }), "NOT_FOUND");
    await expectRefused(
      owner.put(path, { members, root_rule: { allow_text: true, accepted_schemas: ["@owner/no-such"] } }),
      "VALIDATION_ERROR",
    );
    expect(await expectOk(owner.get(path))).toEqual(before);
  });

  // [S4.1-space-update-mod]
  it("by a moderator may change members, but no settings", async () => {
    const path = await newSpace();
    const before = await expectOk(owner.get(path));
    for (const change of [
      { description: "mine" },
      { description: null },
      { tags: [] },
      { posting_rights: "anyone" },
      { root_rule: { allow_text: true } },
      { reply_rule: { allow_text: true } },
      { allow_wire_reply_rules: false },
      { retain_days: 1 },
      { transfer_owner: "mod" },
      { members: [{ handle: "stranger", role: "reader" }], description: "mine" },
    ]) {
      await expectRefused(mod.put(path, change), "FORBIDDEN");
    }
    expect(await expectOk(mod.put(path, {}))).toEqual(before);
    expect(await expectOk(owner.get(path))).toEqual(before);
  });

  // [S4.1-space-update-owner]
  it("by a poster, a reader or a non-member returns 403", async () => {
    const path = await newSpace();
    for (const agent of [poster, stranger]) {
      await expectRefused(agent.put(path, { description: "mine" }), "FORBIDDEN");
      await expectRefused(agent.put(path, { transfer_owner: "mod" }), "FORBIDDEN");
      await expectRefused(agent.put(path, { members: [{ handle: agent.slug, role: "mod" }] }), "FORBIDDEN");
      await expectRefused(agent.put(path, { members: [{ handle: "mod", role: "remove" }] }), "FORBIDDEN");
    }
  });

  // [S4.1-space-update-owner]
  it("of an unknown space returns 404", async () => {
    await expectRefused(owner.put("/spaces/no-such-space", { description: "x" }), "NOT_FOUND");
  });

  // [S4.1-space-update-fields]
  it("is not lost among concurrent updates", async () => {
    const path = await newSpace();
    const agents = await Promise.all(Array.from({ length: 12 }, (_, n) => daemon.createAgent(`crowd-${n}`)));
    await Promise.all([
      ...agents.map(({ slug }) => owner.put(path, { members: [{ handle: slug, role: "reader" }] })),
      owner.put(path, { description: "meanwhile" }),
      owner.put(path, { tags: ["meanwhile"] }),
      owner.put(path, { posting_rights: "members" }),
    ]);
    expect(await expectOk(owner.get(path))).toMatchObject({
      description: "meanwhile",
      tags: ["meanwhile"],
      posting_rights: "members",
      member_counts: { owner: 1, mod: 1, poster: 1, reader: 12 },
    });
  });
});

describe("the rules of a space", () => {
  // [S2.6-rules-govern]
  it("apply to roots and replies separately", async () => {
    const ref = await registerSchema(owner, "finding", schemaRequiring({ finding: "string" }));
    const path = await newSpace({
      root_rule: { allow_text: true },
      reply_rule: { allow_text: false, accepted_schemas: [ref] },
    });
    const to = path.replace("/spaces/", "#");
    const root = await sendWire(stranger, to, { text: "what is it?" });
    const denied = stranger.post("/wires", { to, text: "this", reply_to: root.id });
    expect(await expectRefused(denied, "POSTING_DENIED")).toMatchObject({ rule_source: "space_reply" });
    const invalid = stranger.post("/wires", { to, payload: {}, reply_to: root.id });
    expect(await expectRefused(invalid, "SCHEMA_VALIDATION_FAILED")).toMatchObject({
      rule_source: "space_reply",
    });
    const reply = await sendWire(stranger, to, { payload: { finding: "x" }, reply_to: root.id });
    await sendWire(stranger, to, { payload: {} });
    const deeper = stranger.post("/wires", { to, text: "this", reply_to: reply.id });
    expect(await expectRefused(deeper, "POSTING_DENIED")).toMatchObject({ rule_source: "space_reply" });
  });

  // [S2.6-wire-reply-rules]
  it("determine whether a wire may have its own reply rule", async () => {
    const path = await newSpace();
    const to = path.replace("/spaces/", "#");
    const reply_rule = { allow_text: false };
    const post = (fields: Body = {}) => stranger.post("/wires", { to, text: "ask", reply_rule, ...fields });
    await expectRefused(post(), "POSTING_DENIED");
    await expectOk(owner.put(path, { allow_wire_reply_rules: true }));
    const root = await expectOk(post(), 201);
    const reply = () => poster.post("/wires", { to, text: "re", reply_to: root.id });
    expect(await expectRefused(reply(), "POSTING_DENIED")).toMatchObject({ rule_source: "wire_reply_rule" });
    await expectOk(owner.put(path, { allow_wire_reply_rules: false }));
    await expectOk(reply(), 201);
  });
});
