import { describe, expect, it } from "vitest";
import type { AgentClient, Body } from "../harness/daemon.js";
import { fileDaemon } from "../harness/file-daemon.js";
import { everyPage } from "../harness/pages.js";
import { createSpace, ok, refused, register, requiring, send } from "../harness/talk.js";

const { daemon, alice, bob } = await fileDaemon(["alice", "bob"]);

const TEXT_RULE = { allow_text: true, accepted_schemas: [], votable: false };

const create = (fields: Record<string, unknown>) =>
  alice.post("/spaces", { slug: "never-made", visibility: "public", ...fields });

/** The places that a 400 names. */
async function faultsOf(reply: ReturnType<AgentClient["get"]>): Promise<string[]> {
  const { errors } = await refused(reply, "VALIDATION_ERROR");
  return [...new Set<string>(errors.map((reason: Body) => reason.instancePath))];
}

describe("a new space", () => {
  it("is answered with every field, defaults filled in [S4.1-space-create] [S2.6-space-fields] [D3-space-defaults] [D1-space-bare]", async () => {
    const space = await ok(alice.post("/spaces", { slug: "bare", visibility: "public" }), 201);
    expect(space).toEqual({
      id: expect.any(String),
      slug: "bare",
      owner_handle_id: alice.id,
      visibility: "public",
      posting_rights: "anyone",
      root_rule: TEXT_RULE,
      reply_rule: TEXT_RULE,
      allow_wire_reply_rules: false,
      description: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      tags: [],
    });
  });

  it("keeps all that it was given [S4.1-space-optional] [S2.6-space-fields]", async () => {
    const ref = await register(alice, "report", requiring({ n: "number" }));
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
    const space = await ok(alice.post("/spaces", given), 201);
    expect(space).toMatchObject(given);
    expect(await ok(alice.get("/spaces/full"))).toEqual({
      ...space,
      member_counts: { owner: 1, mod: 0, poster: 0, reader: 0 },
    });
  });

  it("belongs to its creator, who alone decides who may post and what [S1-space-creator]", async () => {
    await createSpace(alice, "mods-only", { posting_rights: "mods", root_rule: { allow_text: true } });
    await refused(bob.post("/wires", { to: "#mods-only", text: "hi" }), "POSTING_DENIED");
    await send(alice, "#mods-only");
    await ok(alice.put("/spaces/mods-only", { posting_rights: "anyone", root_rule: { allow_text: false } }));
    const { rule_source } = await refused(
      bob.post("/wires", { to: "#mods-only", text: "hi" }),
      "POSTING_DENIED",
    );
    expect(rule_source).toBe("space_root");
    await send(bob, "#mods-only", { payload: 1 });
  });

  it.each(["ab", "a".repeat(33), "Upper", "under_score", "#hash", "@at", "sp ace", "é-acute", "", 7, null])(
    "is refused under the slug %j [S2.6-space-slug] [D1-space-bare]",
    async (slug) => expect(await faultsOf(create({ slug }))).toEqual(["/slug"]),
  );

  it.each(["abc", "a".repeat(32), "---", "0-9", "123"])(
    "may be called %s [S2.6-space-slug]",
    async (slug) => {
      expect(await createSpace(alice, slug)).toMatchObject({ slug });
    },
  );

  it.each(["wireroom", "my-wireroom", "wirerooms"])(
    "may not be called %s, after the service [D1-space-reserved]",
    async (slug) => expect(await faultsOf(create({ slug }))).toEqual(["/slug"]),
  );

  it("needs a visibility, public or private [S4.1-space-visibility]", async () => {
    await refused(alice.post("/spaces", { slug: "invisible" }), "VALIDATION_ERROR");
    for (const visibility of ["secret", "", null, true]) {
      expect(await faultsOf(create({ visibility }))).toEqual(["/visibility"]);
    }
    await refused(alice.get("/spaces/invisible"), "NOT_FOUND");
  });

  it("has at most 10 tags of 1 to 50 characters and a description of 1,000 [S4.1-space-tags-max] [D9-space-lengths]", async () => {
    const tags = Array.from({ length: 10 }, (_, n) => `${n}`.padEnd(50, "é"));
    const description = "𝄞".repeat(1_000);
    const space = await createSpace(alice, "at-the-limits", { tags, description });
    expect(space).toMatchObject({ tags, description });
    expect(await faultsOf(create({ tags: [...tags, "x"] }))).toEqual(["/tags"]);
    expect(await faultsOf(create({ tags: [""] }))).toEqual(["/tags/0"]);
    expect(await faultsOf(create({ tags: ["x".repeat(51)] }))).toEqual(["/tags/0"]);
    expect(await faultsOf(create({ description: `${description}x` }))).toEqual(["/description"]);
    const update = (fields: object) => alice.put("/spaces/at-the-limits", fields);
    expect(await faultsOf(update({ tags: [...tags, "x"] }))).toEqual(["/tags"]);
    expect(await faultsOf(update({ description: `${description}x` }))).toEqual(["/description"]);
  });

  it("is refused with values outside of the lists [S4.1-space-optional]", async () => {
    expect(await faultsOf(create({ posting_rights: "nobody" }))).toEqual(["/posting_rights"]);
    expect(await faultsOf(create({ allow_wire_reply_rules: "yes" }))).toEqual(["/allow_wire_reply_rules"]);
    expect(await faultsOf(create({ root_rule: {} }))).toEqual(["/root_rule"]);
    expect(await faultsOf(create({ reply_rule: { allow_text: true, vote: true } }))).toEqual(["/reply_rule"]);
    expect(await faultsOf(create({ description: null }))).toEqual(["/description"]);
  });

  it("cannot take a slug that is taken, private ones included [D2-space-slug-taken]", async () => {
    await createSpace(alice, "taken-one", { visibility: "private" });
    expect(await faultsOf(bob.post("/spaces", { slug: "taken-one", visibility: "public" }))).toEqual([
      "/slug",
    ]);
    expect(await faultsOf(create({ slug: "taken-one" }))).toEqual(["/slug"]);
    expect(await ok(alice.get("/spaces/taken-one"))).toMatchObject({ visibility: "private" });
  });

  it("is made once where two ask for the slug at once: the other gets 400 [D2-space-slug-taken]", async () => {
    for (let round = 0; round < 5; round++) {
      const slug = `raced-${round}`;
      const replies = await Promise.all(
        [alice, bob, alice, bob].map((agent) => agent.post("/spaces", { slug, visibility: "public" })),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
      const made = replies.find(({ status }) => status === 201)!.body;
      expect((await ok(alice.get(`/spaces/${slug}`))).owner_handle_id).toBe(made.owner_handle_id);
    }
  });

  it("may have the slug of a handle: the name spaces are separate [D6-name-spaces]", async () => {
    const space = await createSpace(alice, "bob");
    const post = await send(alice, "#bob");
    const wire = await send(alice, "bob");
    expect(await ok(alice.get(`/wires/${post.id}`))).toMatchObject({
      space_id: space.id,
      recipient_id: null,
    });
    expect(await ok(alice.get(`/wires/${wire.id}`))).toMatchObject({ space_id: null, recipient_id: bob.id });
  });
});

describe("a space", () => {
  it("is read with its member counts, a public one by anyone [D8-space-get] [S2.6-space-detail]", async () => {
    const space = await createSpace(alice, "to-be-read");
    expect(await ok(bob.get("/spaces/to-be-read"))).toEqual({
      ...space,
      member_counts: { owner: 1, mod: 0, poster: 0, reader: 0 },
    });
  });

  it("that is private, and one that does not exist, answer a stranger alike [S4.1-feed-private]", async () => {
    await createSpace(alice, "hidden", { visibility: "private" });
    for (const path of ["", "/wires", "/members", "/search?q=x"]) {
      const hidden = await refused(bob.get(`/spaces/hidden${path}`), "NOT_FOUND");
      const missing = await refused(bob.get(`/spaces/no-such${path}`), "NOT_FOUND");
      expect(hidden.message.replace("hidden", "no-such")).toBe(missing.message);
    }
    await refused(bob.put("/spaces/hidden", { description: "mine" }), "NOT_FOUND");
    await refused(bob.put("/spaces/hidden", {}), "NOT_FOUND");
  });

  it("is not found under a slug with its sign, or in capitals [D1-space-bare]", async () => {
    await createSpace(alice, "signless");
    for (const name of ["%23signless", "SIGNLESS"]) {
      const { status } = await alice.get(`/spaces/${name}`);
      expect(status, name).toBe(400);
    }
  });
});

describe("the list of spaces", () => {
  it("holds those of which the caller is a member, joined last first, with its role [D8-spaces-list]", async () => {
    const carol = await daemon.agent("carol");
    expect(await ok(carol.get("/spaces"))).toEqual({ spaces: [], next_cursor: null });
    const first = await createSpace(carol, "carol-one");
    await createSpace(alice, "carol-two", { visibility: "private" });
    await createSpace(alice, "not-carols");
    await ok(alice.put("/spaces/carol-two", { members: [{ handle: "carol", role: "reader" }] }));
    const { spaces } = await ok(carol.get("/spaces"));
    expect(spaces.map(({ slug, role }: Body) => [slug, role])).toEqual([
      ["carol-two", "reader"],
      ["carol-one", "owner"],
    ]);
    expect(spaces[1]).toEqual({ ...first, role: "owner" });
    await ok(alice.put("/spaces/carol-two", { members: [{ handle: "carol", role: "remove" }] }));
    expect((await ok(carol.get("/spaces"))).spaces).toHaveLength(1);
  });

  it("is read page by page, each space once [D8-spaces-list]", async () => {
    const dave = await daemon.agent("dave");
    const slugs = Array.from({ length: 7 }, (_, n) => `dave-${n}`);
    for (const slug of slugs) await createSpace(dave, slug);
    for (const limit of [1, 3, 7]) {
      const spaces = await everyPage(dave, "/spaces", "spaces", limit);
      expect(spaces.map(({ slug }) => slug)).toEqual([...slugs].reverse());
    }
  });
});
