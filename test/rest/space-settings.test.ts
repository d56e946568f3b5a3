import { describe, expect, it } from "vitest";
import type { Body } from "../harness/daemon.js";
import { fileDaemon } from "../harness/file-daemon.js";
import { createSpace, ok, refused, register, requiring, send } from "../harness/talk.js";

const { daemon, owner, mod, poster, stranger } = await fileDaemon(["owner", "mod", "poster", "stranger"]);
let spaces = 0;

/** A space with a mod and a poster; gives its path. */
async function newSpace(fields: object = {}): Promise<string> {
  const slug = `settings-${spaces++}`;
  await createSpace(owner, slug, fields as Record<string, unknown>);
  const members = [
    { handle: "mod", role: "mod" },
    { handle: "poster", role: "poster" },
  ];
  await ok(owner.put(`/spaces/${slug}`, { members }));
  return `/spaces/${slug}`;
}

describe("an update of a space", () => {
  it("with an empty body, or none, changes nothing [S4.1-space-update-empty] [S4.1-space-update-detail]", async () => {
    const path = await newSpace({ description: "before", tags: ["a"], posting_rights: "members" });
    const before = await ok(owner.get(path));
    expect(await ok(owner.put(path, {}))).toEqual(before);
    expect(await ok(owner.put(path))).toEqual(before);
    expect(await ok(owner.get(path))).toEqual(before);
  });

  it("changes the one field that it names [S4.1-space-update-fields] [S4.1-space-update-owner] [S4.1-space-update-detail]", async () => {
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
    ];
    let expected = await ok(owner.get(path));
    for (const change of changes) {
      expected = { ...expected, ...change };
      expect(await ok(owner.put(path, change)), JSON.stringify(change)).toEqual(expected);
      expect(await ok(stranger.get(path))).toEqual(expected);
    }
  });

  it("fills in a rule as a creation does, not from the old one [S4.1-space-update-fields] [D3-space-defaults]", async () => {
    const path = await newSpace({ root_rule: { allow_text: false, votable: true, inline_schema: {} } });
    const { root_rule } = await ok(owner.put(path, { root_rule: { allow_text: true } }));
    expect(root_rule).toEqual({ allow_text: true, accepted_schemas: [], votable: false });
  });

  it("never changes slug, visibility or owner by name [S4.1-space-update-fields]", async () => {
    const path = await newSpace();
    const before = await ok(owner.get(path));
    for (const field of [
      { visibility: "private" },
      { owner_handle_id: mod.id },
      { id: "x" },
      { slug: "other" },
    ]) {
      await refused(owner.put(path, field), "VALIDATION_ERROR");
    }
    expect(await ok(owner.get(path))).toEqual(before);
  });

  it("is refused as a whole where any part of it is [S4.1-space-update-fields]", async () => {
    const path = await newSpace();
    const before = await ok(owner.get(path));
    const members = [{ handle: "stranger", role: "reader" }];
    const missing = [...members, { handle: "nobody-here", role: "reader" }];
    await refused(owner.put(path, { description: "x", members: missing }), "NOT_FOUND");
    await refused(owner.put(path, { members, transfer_owner: "nobody-here" }), "NOT_FOUND");
    await refused(
      owner.put(path, { members, root_rule: { allow_text: true, accepted_schemas: ["@owner/no-such"] } }),
      "VALIDATION_ERROR",
    );
    expect(await ok(owner.get(path))).toEqual(before);
  });

  it("by a mod may touch nothing but members, and so no settings [S4.1-space-update-mod]", async () => {
    const path = await newSpace();
    const before = await ok(owner.get(path));
    for (const change of [
      { description: "mine" },
      { description: null },
      { tags: [] },
      { posting_rights: "anyone" },
      { root_rule: { allow_text: true } },
      { reply_rule: { allow_text: true } },
      { allow_wire_reply_rules: false },
      { transfer_owner: "mod" },
      { members: [{ handle: "stranger", role: "reader" }], description: "mine" },
    ]) {
      await refused(mod.put(path, change), "FORBIDDEN");
    }
    expect(await ok(mod.put(path, {}))).toEqual(before);
    expect(await ok(owner.get(path))).toEqual(before);
  });

  it("by a poster, a reader or a stranger is 403 [S4.1-space-update-owner]", async () => {
    const path = await newSpace();
    for (const agent of [poster, stranger]) {
      await refused(agent.put(path, { description: "mine" }), "FORBIDDEN");
      await refused(agent.put(path, { transfer_owner: agent.slug }), "FORBIDDEN");
      await refused(agent.put(path, { members: [{ handle: agent.slug, role: "mod" }] }), "FORBIDDEN");
      await refused(agent.put(path, { members: [{ handle: "mod", role: "remove" }] }), "FORBIDDEN");
    }
  });

  it("of a space that does not exist is 404 [S4.1-space-update-owner]", async () => {
    await refused(owner.put("/spaces/no-such-space", { description: "x" }), "NOT_FOUND");
  });

  it("made by many at once loses none of them [S4.1-space-update-fields]", async () => {
    const path = await newSpace();
    const agents = await Promise.all(Array.from({ length: 12 }, (_, n) => daemon.agent(`crowd-${n}`)));
    await Promise.all([
      ...agents.map(({ slug }) => owner.put(path, { members: [{ handle: slug, role: "reader" }] })),
      owner.put(path, { description: "meanwhile" }),
      owner.put(path, { tags: ["meanwhile"] }),
      owner.put(path, { posting_rights: "members" }),
    ]);
    expect(await ok(owner.get(path))).toMatchObject({
      description: "meanwhile",
      tags: ["meanwhile"],
      posting_rights: "members",
      member_counts: { owner: 1, mod: 1, poster: 1, reader: 12 },
    });
  });
});

describe("the rules of a space", () => {
  it("govern roots and replies each on their own [S2.6-rules-govern]", async () => {
    const ref = await register(owner, "finding", requiring({ finding: "string" }));
    const path = await newSpace({
      root_rule: { allow_text: true },
      reply_rule: { allow_text: false, accepted_schemas: [ref] },
    });
    const to = path.replace("/spaces/", "#");
    const root = await send(stranger, to, { text: "what is it?" });
    const denied = stranger.post("/wires", { to, text: "this", reply_to: root.id });
    expect(await refused(denied, "POSTING_DENIED")).toMatchObject({ rule_source: "space_reply" });
    const invalid = stranger.post("/wires", { to, payload: {}, reply_to: root.id });
    expect(await refused(invalid, "SCHEMA_VALIDATION_FAILED")).toMatchObject({ rule_source: "space_reply" });
    const reply = await send(stranger, to, { payload: { finding: "x" }, reply_to: root.id });
    await send(stranger, to, { payload: {} });
    const deeper = stranger.post("/wires", { to, text: "this", reply_to: reply.id });
    expect(await refused(deeper, "POSTING_DENIED")).toMatchObject({ rule_source: "space_reply" });
  });

  it("let wires carry rules of their own, or not [S2.6-wire-reply-rules]", async () => {
    const path = await newSpace();
    const to = path.replace("/spaces/", "#");
    const reply_rule = { allow_text: false };
    const post = (fields: Body = {}) => stranger.post("/wires", { to, text: "ask", reply_rule, ...fields });
    await refused(post(), "POSTING_DENIED");
    await ok(owner.put(path, { allow_wire_reply_rules: true }));
    const root = await ok(post(), 201);
    const reply = () => poster.post("/wires", { to, text: "re", reply_to: root.id });
    expect(await refused(reply(), "POSTING_DENIED")).toMatchObject({ rule_source: "wire_reply_rule" });
    await ok(owner.put(path, { allow_wire_reply_rules: false }));
    await ok(reply(), 201);
  });
});
