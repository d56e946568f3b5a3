import { describe, expect, it } from "vitest";
import {
  createSpace,
  expectOk,
  expectRefused,
  registerSchema,
  schemaRequiring,
  sendWire,
} from "../harness/api-helpers.js";
import type { AgentClient, Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { readAllPages } from "../harness/pagination.js";

const { daemon, alice, bob } = await hostedFixture(["alice", "bob"]);

const TEXT_RULE = { allow_text: true, accepted_schemas: [], votable: false };

const create = (fields: Record<string, unknown>) =>
  alice.post("/spaces", { slug: "never-made", visibility: "public", ...fields });

/** Returns the instance paths in a 400 response. */
async function errorPaths(reply: ReturnType<AgentClient["get"]>): Promise<string[]> {
  const { errors } = await expectRefused(reply, "VALIDATION_ERROR");
  return [...new Set<string>(errors.map((reason: Body) => reason.instancePath))];
}

describe("a new space", () => {
  // [D3-space-defaults] [D1-space-bare] [S4.1-space-create] [S2.6-space-fields]
  it("is returned with every field, including defaults", async () => {
    const space = await expectOk(alice.post("/spaces", { slug: "bare", visibility: "public" }), 201);
    expect(space).toEqual({
      id: expect.any(String),
      slug: "bare",
      owner_handle_id: alice.id,
      visibility: "public",
      posting_rights: "anyone",
      root_rule: TEXT_RULE,
      reply_rule: TEXT_RULE,
      allow_wire_reply_rules: false,
      retain_days: null,
      description: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      tags: [],
    });
  });

  // [S4.1-space-optional] [S2.6-space-fields]
  it("has all the fields of the request", async () => {
    const ref = await registerSchema(alice, "report", schemaRequiring({ n: "number" }));
    const given = {
      slug: "full",
      visibility: "private",
      root_rule: { allow_text: false, accepted_schemas: [ref], votable: true },
      reply_rule: {
        allow_text: true,
        accepted_schemas: [],
        votable: false,
        inline_schema: { type: "object" },
      },
      posting_rights: "mods",
      tags: ["alpha", "beta"],
      description: "What it is for.",
      allow_wire_reply_rules: true,
    };
    const space = await expectOk(alice.post("/spaces", given), 201);
    expect(space).toMatchObject(given);
    expect(await expectOk(alice.get("/spaces/full"))).toEqual({
      ...space,
      member_counts: { owner: 1, mod: 0, poster: 0, reader: 0 },
    });
  });

  // [S1-space-creator]
  it("belongs to its creator, who determines who may post and what", async () => {
    await createSpace(alice, "mods-only", { posting_rights: "mods", root_rule: { allow_text: true } });
    await expectRefused(bob.post("/wires", { to: "#mods-only", text: "hi" }), "POSTING_DENIED");
    await sendWire(alice, "#mods-only");
    await expectOk(
      alice.put("/spaces/mods-only", { posting_rights: "anyone", root_rule: { allow_text: false } }),
    );
    const { rule_source } = await expectRefused(
      bob.post("/wires", { to: "#mods-only", text: "hi" }),
      "POSTING_DENIED",
    );
    expect(rule_source).toBe("space_root");
    await sendWire(bob, "#mods-only", { payload: 1 });
  });

  // [D1-space-bare] [S2.6-space-slug]
  it.each(["ab", "a".repeat(33), "Upper", "under_score", "#hash", "@at", "sp ace", "é-acute", "", 7, null])(
    "is rejected with the slug %j",
    async (slug) => expect(await errorPaths(create({ slug }))).toEqual(["/slug"]),
  );

  // [S2.6-space-slug]
  it.each(["abc", "a".repeat(32), "---", "0-9", "123"])("may have the slug %s", async (slug) => {
    expect(await createSpace(alice, slug)).toMatchObject({ slug });
  });

  // [D1-space-reserved]
  it.each(["wireroom", "my-wireroom", "wirerooms"])("may not have the reserved slug %s", async (slug) =>
    expect(await errorPaths(create({ slug }))).toEqual(["/slug"]),
  );

  // [S4.1-space-visibility]
  it("requires a visibility, public or private", async () => {
    await expectRefused(alice.post("/spaces", { slug: "invisible" }), "VALIDATION_ERROR");
    for (const visibility of ["secret", "", null, true]) {
      expect(await errorPaths(create({ visibility }))).toEqual(["/visibility"]);
    }
    await expectRefused(alice.get("/spaces/invisible"), "NOT_FOUND");
  });

  // [D9-space-lengths] [S4.1-space-tags-max]
  it("has up to 10 tags of 1 to 50 characters, and a description of up to 1,000", async () => {
    const tags = Array.from({ length: 10 }, (_, n) => `${n}`.padEnd(50, "é"));
    const description = "𝄞".repeat(1_000);
    const space = await createSpace(alice, "at-the-limits", { tags, description });
    expect(space).toMatchObject({ tags, description });
    expect(await errorPaths(create({ tags: [...tags, "x"] }))).toEqual(["/tags"]);
    expect(await errorPaths(create({ tags: [""] }))).toEqual(["/tags/0"]);
    expect(await errorPaths(create({ tags: ["x".repeat(51)] }))).toEqual(["/tags/0"]);
    expect(await errorPaths(create({ description: `${description}x` }))).toEqual(["/description"]);
    const update = (fields: object) => alice.put("/spaces/at-the-limits", fields);
    expect(await errorPaths(update({ tags: [...tags, "x"] }))).toEqual(["/tags"]);
    expect(await errorPaths(update({ description: `${description}x` }))).toEqual(["/description"]);
  });

  // [S4.1-space-optional]
  it("is rejected if a value is not in its enumeration", async () => {
    expect(await errorPaths(create({ posting_rights: "nobody" }))).toEqual(["/posting_rights"]);
    expect(await errorPaths(create({ allow_wire_reply_rules: "yes" }))).toEqual(["/allow_wire_reply_rules"]);
    expect(await errorPaths(create({ root_rule: {} }))).toEqual(["/root_rule"]);
    expect(await errorPaths(create({ reply_rule: { allow_text: true, vote: true } }))).toEqual([
      "/reply_rule",
    ]);
    expect(await errorPaths(create({ description: null }))).toEqual(["/description"]);
  });

  // [D2-space-slug-taken]
  it("cannot have the slug of another space, public or private", async () => {
    await createSpace(alice, "taken-one", { visibility: "private" });
    expect(await errorPaths(bob.post("/spaces", { slug: "taken-one", visibility: "public" }))).toEqual([
      "/slug",
    ]);
    expect(await errorPaths(create({ slug: "taken-one" }))).toEqual(["/slug"]);
    expect(await expectOk(alice.get("/spaces/taken-one"))).toMatchObject({ visibility: "private" });
  });

  // [D2-space-slug-taken]
  it("is created once by two concurrent requests: the other one returns 400", async () => {
    for (let round = 0; round < 5; round++) {
      const slug = `raced-${round}`;
      const replies = await Promise.all(
        [alice, bob, alice, bob].map((agent) => agent.post("/spaces", { slug, visibility: "public" })),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
      const made = replies.find(({ status }) => status === 201)!.body;
      expect((await expectOk(alice.get(`/spaces/${slug}`))).owner_handle_id).toBe(made.owner_handle_id);
    }
  });

  // [D6-name-spaces]
  it("may have the slug of a handle", async () => {
    const space = await createSpace(alice, "bob");
    const post = await sendWire(alice, "#bob");
    const wire = await sendWire(alice, "bob");
    expect(await expectOk(alice.get(`/wires/${post.id}`))).toMatchObject({
      space_id: space.id,
      recipient_id: null,
    });
    expect(await expectOk(alice.get(`/wires/${wire.id}`))).toMatchObject({
      space_id: null,
      recipient_id: bob.id,
    });
  });
});

describe("a space", () => {
  // [D8-space-get] [S2.6-space-detail]
  it("is returned with its member counts; a public one to anyone", async () => {
    const space = await createSpace(alice, "to-be-read");
    expect(await expectOk(bob.get("/spaces/to-be-read"))).toEqual({
      ...space,
      member_counts: { owner: 1, mod: 0, poster: 0, reader: 0 },
    });
  });

  // [S4.1-feed-private]
  it("returns the same 404 to non-members, whether it is private or does not exist", async () => {
    await createSpace(alice, "hidden", { visibility: "private" });
    for (const path of ["", "/wires", "/members", "/search?q=x"]) {
      const hidden = await expectRefused(bob.get(`/spaces/hidden${path}`), "NOT_FOUND");
      const missing = await expectRefused(bob.get(`/spaces/no-such${path}`), "NOT_FOUND");
      expect(hidden.message.replace("hidden", "no-such")).toBe(missing.message);
    }
    await expectRefused(bob.put("/spaces/hidden", { description: "mine" }), "NOT_FOUND");
    await expectRefused(bob.put("/spaces/hidden", {}), "NOT_FOUND");
  });

  // [D1-space-bare]
  it("is not found by a slug with prefix or in upper case", async () => {
    await createSpace(alice, "signless");
    for (const name of ["%23signless", "SIGNLESS"]) {
      const { status } = await alice.get(`/spaces/${name}`);
      expect(status, name).toBe(400);
    }
  });
});

describe("the list of spaces", () => {
  // [D8-spaces-list]
  it("contains the caller's spaces with its role, the latest joined first", async () => {
    const carol = await daemon.createAgent("carol");
    expect(await expectOk(carol.get("/spaces"))).toEqual({ spaces: [], next_cursor: null });
    const first = await createSpace(carol, "carol-one");
    await createSpace(alice, "carol-two", { visibility: "private" });
    await createSpace(alice, "not-carols");
    await expectOk(alice.put("/spaces/carol-two", { members: [{ handle: "carol", role: "reader" }] }));
    const { spaces } = await expectOk(carol.get("/spaces"));
    expect(spaces.map(({ slug, role }: Body) => [slug, role])).toEqual([
      ["carol-two", "reader"],
      ["carol-one", "owner"],
    ]);
    expect(spaces[1]).toEqual({ ...first, role: "owner" });
    await expectOk(alice.put("/spaces/carol-two", { members: [{ handle: "carol", role: "remove" }] }));
    expect((await expectOk(carol.get("/spaces"))).spaces).toHaveLength(1);
  });

  // [D8-spaces-list]
  it("returns each space once, in pages", async () => {
    const dave = await daemon.createAgent("dave");
    const slugs = Array.from({ length: 7 }, (_, n) => `dave-${n}`);
    for (const slug of slugs) await createSpace(dave, slug);
    for (const limit of [1, 3, 7]) {
      const spaces = await readAllPages(dave, "/spaces", "spaces", limit);
      expect(spaces.map(({ slug }) => slug)).toEqual([...slugs].reverse());
    }
  });
});
