import { describe, expect, it } from "vitest";
import { createSpace, expectOk, expectRefused, registerSchema } from "../harness/api-helpers.js";
import { type Body, NO_LIMITS, startDaemon } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";

const { daemon, alice } = await hostedFixture(["alice"]);

const search = (type: string, query: Record<string, string> = {}): Promise<Body[]> =>
  expectOk(alice.get(`/search?${new URLSearchParams({ type, ...query })}`));
/** Returns the sorted slugs or subjects of the search result. */
const names = async (type: string, query: Record<string, string> = {}): Promise<string[]> =>
  (await search(type, query)).map((row) => row.slug ?? row.subject).sort();

const rule = (...accepted_schemas: string[]) => ({ allow_text: true, accepted_schemas });

describe("a search on the switchboard", () => {
  // [S1-switchboard] [S2.8-handle-row] [S4.1-search-array]
  it("returns a handle with its profile and inbox rule", async () => {
    const profile = { display_name: "Heron", bio: "Fishes at dawn.", tags: ["bird", "river"] };
    await daemon.createAgent("heron", { ...profile, discoverable: true });
    const inbox_rule = { allow_text: true, accepted_schemas: [], votable: false };
    expect(await search("handles", { q: "heron" })).toEqual([
      { type: "handle", slug: "heron", ...profile, inbox_rule },
    ]);
    await daemon.createAgent("bare-egret", { discoverable: true });
    expect(await search("handles", { q: "egret" })).toEqual([
      { type: "handle", slug: "bare-egret", display_name: null, bio: null, tags: [], inbox_rule },
    ]);
  });

  // [S1-switchboard] [S2.8-space-row]
  it("returns a space with its posting rights and rules", async () => {
    const inline_schema = { type: "object" };
    const space = await createSpace(alice, "orchard", {
      description: "Apples.",
      tags: ["fruit"],
      posting_rights: "members",
      root_rule: { allow_text: false, inline_schema, votable: true },
    });
    const { slug, description, posting_rights, root_rule, reply_rule, tags } = space;
    expect(await search("spaces", { q: "orchard" })).toEqual([
      { type: "space", slug, description, posting_rights, root_rule, reply_rule, tags },
    ]);
  });

  // [S1-switchboard] [S2.8-schema-row]
  it("returns a schema once, with its latest version", async () => {
    await registerSchema(alice, "turnip-order", {});
    await expectOk(
      alice.post("/schemas", { subject: "@alice/turnip-order", json_schema: {}, compat: "backward" }),
      201,
    );
    expect(await search("schemas", { q: "turnip" })).toEqual([
      {
        type: "schema",
        subject: "@alice/turnip-order",
        ref: "@alice/turnip-order@2",
        latest_version: 2,
        compat: "backward",
      },
    ]);
  });

  // [S4.1-search-type]
  it("requires a type: handles, spaces or schemas", async () => {
    await expectRefused(alice.get("/search"), "VALIDATION_ERROR");
    for (const type of ["handle", "wires", "", "HANDLES"]) {
      await expectRefused(alice.get(`/search?type=${type}`), "VALIDATION_ERROR");
    }
    for (const type of ["handles", "spaces", "schemas"]) {
      expect(new Set((await search(type)).map((row) => `${row.type}s`)).size).toBeLessThanOrEqual(1);
    }
    await expectRefused(daemon.client().get("/search?type=handles"), "UNAUTHORIZED");
  });

  // [S4.1-search-listed]
  it("returns only handles that are discoverable at that moment", async () => {
    const ghost = await daemon.createAgent("ghost");
    const listed = () => names("handles", { q: "ghost" });
    expect(await listed()).toEqual([]);
    await expectOk(ghost.put("/profile", { discoverable: true }));
    expect(await listed()).toEqual(["ghost"]);
    await expectOk(ghost.put("/profile", { discoverable: false }));
    expect(await listed()).toEqual([]);
  });

  // [S4.1-search-listed]
  it("returns only public spaces, even to members of private ones", async () => {
    await createSpace(alice, "grotto-open");
    await createSpace(alice, "grotto-hidden", { visibility: "private" });
    expect(await names("spaces", { q: "grotto" })).toEqual(["grotto-open"]);
    await expectOk(alice.put("/spaces/grotto-hidden", { description: "a grotto" }));
    expect(await names("spaces", { q: "grotto" })).toEqual(["grotto-open"]);
  });

  // [D5-switchboard-words] [S4.1-search-listed]
  it("returns the current values", async () => {
    await createSpace(alice, "changing", { description: "first" });
    await expectOk(alice.put("/spaces/changing", { description: "second", tags: ["zebra"] }));
    expect(await names("spaces", { q: "changing first" })).toEqual([]);
    expect(await search("spaces", { q: "changing second" })).toMatchObject([
      { description: "second", tags: ["zebra"] },
    ]);
    expect(await names("spaces", { tags: "zebra" })).toEqual(["changing"]);
    await expectOk(alice.put("/spaces/changing", { tags: [] }));
    expect(await names("spaces", { tags: "zebra" })).toEqual([]);
  });
});

describe("the query of a switchboard search", () => {
  // [D5-switchboard-words]
  it.each([
    ["the slug", "kingfisher"],
    ["a part of the slug", "kingfisher blue"],
    ["the display name", "Halcyon"],
    ["the bio, stemmed", "diving"],
    ["a tag", "waterside"],
    ["words from different fields", "halcyon waterside dives"],
    ["capitals", "HALCYON"],
  ])("matches a handle by %s", async (_, q) => {
    const human = await daemon.humanClient("kingfisher-owner");
    await human.post("/handles", {
      slug: "kingfisher-blue",
      display_name: "Halcyon",
      bio: "It dives for fish.",
      tags: ["waterside"],
      discoverable: true,
    });
    expect(await names("handles", { q })).toEqual(["kingfisher-blue"]);
    expect(await names("handles", { q: `${q} nonsense` })).toEqual([]);
  });

  // [D5-switchboard-words]
  it("matches a space by slug, description and tags, and a schema by its subject", async () => {
    await createSpace(alice, "harbour-master", { description: "Ships arriving.", tags: ["tide"] });
    for (const q of ["harbour", "harbour-master", "arrival ship", "tides", "master tide"]) {
      expect(await names("spaces", { q }), q).toEqual(["harbour-master"]);
    }
    await registerSchema(alice, "ship-manifest", {});
    for (const q of ["manifest", "alice ship", "@alice/ship-manifest", "ships"]) {
      expect(await names("schemas", { q }), q).toEqual(["@alice/ship-manifest"]);
    }
  });

  // [D5-search-no-error]
  it.each([
    '"',
    "or",
    "-x",
    "a OR b",
    "(",
    "*",
    "NEAR",
    "\0",
    "x".repeat(5_000),
    "-".repeat(99),
    "%",
    "'; --",
  ])("causes no error: %j", async (q) => {
    for (const type of ["handles", "spaces", "schemas"])
      expect(await search(type, { q })).toBeInstanceOf(Array);
  });

  // [D5-switchboard-words]
  it("matches a name that consists of stop words", async () => {
    const now = await daemon.createAgent("now", { discoverable: true });
    await daemon.createAgent("all-the-same", { discoverable: true });
    await createSpace(alice, "you");
    await registerSchema(now, "all", {});
    for (const q of ["now", "@now", " Now "]) expect(await names("handles", { q }), q).toEqual(["now"]);
    expect(await names("handles", { q: "all-the-same" })).toEqual(["all-the-same"]);
    for (const q of ["you", "#you"]) expect(await names("spaces", { q }), q).toEqual(["you"]);
    for (const q of ["@now/all", "now/all"]) expect(await names("schemas", { q }), q).toEqual(["@now/all"]);
    expect(await names("handles", { q: "now", tags: "none" })).toEqual([]);
    expect(await names("handles", { q: "the" })).toEqual([]);
  });

  // [D5-switchboard-words] [S4.1-search-browse]
  it("returns everything of the type if it is missing or empty", async () => {
    const fresh = await startDaemon({ isHosted: true, args: NO_LIMITS });
    try {
      const agent = await fresh.createAgent("browser");
      const browse = async (query: string): Promise<string[]> =>
        (await expectOk(agent.get(`/search?type=spaces${query}`))).map((row: Body) => row.slug);
      expect(await browse("")).toEqual([]);
      for (const slug of ["one", "two", "three"]) await createSpace(agent, slug);
      expect((await browse("")).sort()).toEqual(["one", "three", "two"]);
      for (const blank of ["&q=", "&q=%20", "&q=+%09"]) expect(await browse(blank)).toEqual(await browse(""));
    } finally {
      await fresh.stop();
    }
  });
});

describe("the filters of a switchboard search", () => {
  // [D5-switchboard-tags] [S4.1-search-tags]
  it("match all of the tags, comma-separated or repeated", async () => {
    await createSpace(alice, "tag-ab", { tags: ["tag a", "tag-b"] });
    await createSpace(alice, "tag-a", { tags: ["tag a"] });
    await createSpace(alice, "tag-b", { tags: ["tag-b", "tag-b"] });
    expect(await names("spaces", { tags: "tag a" })).toEqual(["tag-a", "tag-ab"]);
    expect(await names("spaces", { tags: "tag a,tag-b" })).toEqual(["tag-ab"]);
    expect(await names("spaces", { tags: "tag-b" })).toEqual(["tag-ab", "tag-b"]);
    expect(await names("spaces", { tags: "tag" })).toEqual([]);
    expect(await names("spaces", { tags: "tag a,none" })).toEqual([]);
    const joined = await expectOk(alice.get("/search?type=spaces&tags=tag%20a,tag-b"));
    expect(await expectOk(alice.get("/search?type=spaces&tags=tag%20a&tags=tag-b"))).toEqual(joined);
    expect(await expectOk(alice.get("/search?type=spaces&tags=tag%20a&tags=tag-b,tag-b"))).toEqual(joined);
  });

  // [D5-switchboard-tags] [D5-switchboard-accepts]
  it("can be combined with a query and with each other", async () => {
    const ref = await registerSchema(alice, "combined", {});
    await createSpace(alice, "combined-one", { tags: ["combi"], root_rule: rule(ref) });
    await createSpace(alice, "combined-two", { tags: ["combi"] });
    const filters = { tags: "combi", accepts_schema: ref };
    expect(await names("spaces", filters)).toEqual(["combined-one"]);
    expect(await names("spaces", { ...filters, q: "combined" })).toEqual(["combined-one"]);
    expect(await names("spaces", { ...filters, q: "two" })).toEqual([]);
  });

  // [D5-switchboard-accepts]
  it("match handles and spaces that accept a schema: by its ref, or without version by any version", async () => {
    const first = await registerSchema(alice, "accepted", {});
    const second = await registerSchema(alice, "accepted", {});
    await createSpace(alice, "pins-1", { root_rule: rule(first) });
    await createSpace(alice, "pins-2-in-replies", { reply_rule: rule(second) });
    await createSpace(alice, "accepts-nothing");
    await daemon.createAgent("acceptor", { discoverable: true, inbox_rule: rule(first) });
    await daemon.createAgent("hidden-acceptor", { inbox_rule: rule(first) });
    const accepts = (type: string, accepts_schema: string) => names(type, { accepts_schema });
    expect(await accepts("spaces", first)).toEqual(["pins-1"]);
    expect(await accepts("spaces", second)).toEqual(["pins-2-in-replies"]);
    expect(await accepts("spaces", "@alice/accepted")).toEqual(["pins-1", "pins-2-in-replies"]);
    expect(await accepts("handles", first)).toEqual(["acceptor"]);
    expect(await accepts("handles", "@alice/accepted")).toEqual(["acceptor"]);
    expect(await accepts("spaces", "@alice/accepted@3")).toEqual([]);
    expect(await accepts("spaces", "@alice/accept")).toEqual([]);
  });

  // [D5-switchboard-pinned]
  it("treat a pinned ref as unpinned while it is the latest version", async () => {
    const first = await registerSchema(alice, "floating", {});
    await createSpace(alice, "floats", { root_rule: rule("@alice/floating") });
    const accepts = (accepts_schema: string) => names("spaces", { accepts_schema });
    expect(await accepts(first)).toEqual(["floats"]);
    const second = await registerSchema(alice, "floating", {});
    expect(await accepts(first)).toEqual([]);
    expect(await accepts(second)).toEqual(["floats"]);
    expect(await accepts("@alice/floating")).toEqual(["floats"]);
    for (const version of ["02", "2.0", "+2", " 2", "0x2"])
      expect(await accepts(`@alice/floating@${version}`)).toEqual([]);
  });

  // [S4.1-search-filters]
  it("are ignored for schemas", async () => {
    await registerSchema(alice, "unfiltered", {});
    for (const [filter, value] of [
      ["tags", "none"],
      ["accepts_schema", "@alice/none"],
      ["accepts_schema", "no ref"],
    ] as const) {
      expect(await names("schemas", { q: "unfiltered", [filter]: value })).toEqual(["@alice/unfiltered"]);
    }
  });

  // [D5-search-no-error]
  it("cause no server error, with any value", async () => {
    const versions = ["99999999999999999999", "-99999999999999999999", "-1e300", "1e300", "1.5", "0x1", " 1"];
    const refs = versions.map((version) => `@alice/x@${version}`);
    for (const value of ["", ",", ",,a,", "x", "@", "@a/b@", "\0", "@a/b@-1e300", ...refs]) {
      for (const name of ["tags", "accepts_schema"]) {
        const { status } = await alice.get(
          `/search?${new URLSearchParams({ type: "spaces", [name]: value })}`,
        );
        expect([200, 400], `${name}=${value}`).toContain(status);
      }
    }
  });
});

describe("the result of a switchboard search", () => {
  // [D5-switchboard-limit] [S4.1-search-limit] [S4.1-search-array]
  it("has 20 rows by default, 1 to 50 with a limit, and no pages", async () => {
    await Promise.all(Array.from({ length: 60 }, (_, n) => createSpace(alice, `many-${n}`)));
    const searchMany = (limit?: string) => search("spaces", { q: "many", ...(limit && { limit }) });
    expect(await searchMany()).toHaveLength(20);
    expect(await searchMany("1")).toHaveLength(1);
    expect(await searchMany("50")).toHaveLength(50);
    expect((await search("spaces", { limit: "50" })).length).toBe(50);
    for (const limit of ["0", "51", "-1", "2.5", "x"]) {
      await expectRefused(alice.get(`/search?type=spaces&limit=${limit}`), "VALIDATION_ERROR");
    }
  });
});
