import { describe, expect, it } from "vitest";
import type { Body } from "../harness/daemon.js";
import { fileDaemon } from "../harness/file-daemon.js";
import { ok, refused, register, requiring } from "../harness/talk.js";

const { daemon, alice, bob } = await fileDaemon(["alice", "bob"]);

const QUOTE = requiring({ price: "number" });

const post = (subject: unknown, json_schema: unknown = QUOTE, fields: object = {}) =>
  alice.post("/schemas", { subject, json_schema, ...fields });
const fetched = (ref: string, agent = bob) => agent.get(`/schemas/${encodeURIComponent(ref)}`);

/** The reasons why a document is refused, as `place keyword`. */
async function faultsOf(json_schema: unknown): Promise<string[]> {
  const { errors } = await refused(post("@alice/refused", json_schema), "VALIDATION_ERROR");
  return errors.map((reason: Body) => `${reason.instancePath} ${reason.keyword}`);
}

describe("a registration", () => {
  it("answers ref and version, from 1 for each subject [S4.1-schema-created] [S9.3-versions] [S4.1-schema-each-call]", async () => {
    expect(await ok(post("@alice/counted"), 201)).toEqual({ ref: "@alice/counted@1", version: 1 });
    expect(await ok(post("@alice/counted", {}), 201)).toEqual({ ref: "@alice/counted@2", version: 2 });
    expect(await ok(post("@alice/counted", {}), 201)).toEqual({ ref: "@alice/counted@3", version: 3 });
    expect(await ok(post("@alice/other"), 201)).toEqual({ ref: "@alice/other@1", version: 1 });
  });

  it.each(["none", "backward"])(
    "of 20 versions at once under compat %s numbers them 1 to 20 without gaps [S9.3-versions]",
    async (compat) => {
      const subject = `@alice/raced-${compat}`;
      const schema = (n: number) => ({ type: "object", description: `${n}` });
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, n) => ok(post(subject, schema(n), { compat }), 201)),
      );
      const versions = replies.map(({ version }) => version).sort((a, b) => a - b);
      expect(versions).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
      for (const [n, { ref }] of replies.entries()) {
        expect((await ok(fetched(ref))).json_schema).toEqual(schema(n));
      }
    },
  );

  it("needs a subject and a document [S4.1-schema-body]", async () => {
    for (const body of [{}, { subject: "@alice/x" }, { json_schema: {} }]) {
      await refused(alice.post("/schemas", body), "VALIDATION_ERROR");
    }
    for (const compat of ["forward", "", null, true]) {
      await refused(post("@alice/x", QUOTE, { compat }), "VALIDATION_ERROR");
    }
    await refused(fetched("@alice/x"), "NOT_FOUND");
  });

  it.each([
    ["@alice/a", true],
    ["@alice/0", true],
    ["@alice/price-quote_v1.2", true],
    [`@alice/${"a".repeat(64)}`, true],
    [`@alice/${"a".repeat(65)}`, false],
    ["@alice/", false],
    ["@alice/-a", false],
    ["@alice/.a", false],
    ["@alice/Quote", false],
    ["@alice/a b", false],
    ["@alice/a/b", false],
    ["@alice/a@1", false],
    ["alice/a", false],
    ["#alice/a", false],
    ["@alice", false],
    ["@al/a", false],
    [7, false],
  ])("under the subject %j is taken: %j [D7-subject-name] [S4.1-schema-body]", async (subject, taken) => {
    expect((await post(subject)).status).toBe(taken ? 201 : 400);
  });

  it("is for a handle of one's own account; another's is 403, an unknown one 404 [S4.1-schema-owned] [D7-subject-handle]", async () => {
    await daemon.agent("alices-second", {}, "alice");
    expect(await ok(post("@alices-second/a"), 201)).toMatchObject({ ref: "@alices-second/a@1" });
    await refused(post("@bob/a"), "FORBIDDEN");
    await refused(post("@nobody-here/a"), "NOT_FOUND");
    await refused(fetched("@bob/a"), "NOT_FOUND");
  });
});

describe("compat", () => {
  it("is none for a new subject, and kept where it is not given [S4.1-schema-compat-kept] [S9.4-modes]", async () => {
    const compatOf = async (name: string) => (await ok(fetched(`@alice/${name}`))).compat;
    await ok(post("@alice/modes"), 201);
    expect(await compatOf("modes")).toBe("none");
    await ok(post("@alice/modes", QUOTE, { compat: "backward" }), 201);
    await ok(post("@alice/modes"), 201);
    expect(await compatOf("modes")).toBe("backward");
    await ok(post("@alice/modes", { type: "string" }, { compat: "none" }), 201);
    await ok(post("@alice/modes", { type: "number" }), 201);
    expect(await compatOf("modes")).toBe("none");
    expect((await ok(fetched("@alice/modes@2"))).compat).toBe("backward");
  });
});

describe("a schema", () => {
  it("is fetched by ref as it was registered, pinned or latest [S4.1-schema-get] [S2.7-schema-record] [S9.3-latest]", async () => {
    const second = { $schema: "https://json-schema.org/draft/2020-12/schema", title: "é 𝄞", ...QUOTE };
    await register(alice, "fetched", QUOTE);
    await ok(post("@alice/fetched", second, { compat: "backward" }), 201);
    const subject = "@alice/fetched";
    const first = { ref: `${subject}@1`, subject, version: 1, compat: "none", json_schema: QUOTE };
    const latest = { ref: `${subject}@2`, subject, version: 2, compat: "backward", json_schema: second };
    expect(await ok(fetched(`${subject}@1`))).toEqual(first);
    expect(await ok(fetched(`${subject}@2`))).toEqual(latest);
    expect(await ok(fetched(subject))).toEqual(latest);
    expect(JSON.stringify((await ok(fetched(subject))).json_schema)).toBe(JSON.stringify(second));
  });

  it("that does not exist is 404, a ref that is none 400, without a key 401 [S4.1-schema-get-statuses]", async () => {
    await register(alice, "once", QUOTE);
    await refused(fetched("@alice/once@2"), "NOT_FOUND");
    await refused(fetched("@alice/once@999999999"), "NOT_FOUND");
    await refused(fetched("@alice/never"), "NOT_FOUND");
    await refused(fetched("@nobody-here/once"), "NOT_FOUND");
    for (const ref of [
      "alice/once",
      "@alice/once@0",
      "@alice/once@01",
      "@alice/once@x",
      "@alice",
      "@alice/once@",
    ]) {
      await refused(fetched(ref), "VALIDATION_ERROR");
    }
    await refused(daemon.client().get(`/schemas/${encodeURIComponent("@alice/once")}`), "UNAUTHORIZED");
  });

  it("whose ref is not percent-encoded is an unknown path [S4.1-schema-get]", async () => {
    await register(alice, "slashed", QUOTE);
    await refused(bob.get("/schemas/@alice/slashed"), "NOT_FOUND");
    await ok(bob.get("/schemas/@alice%2Fslashed"));
  });
});

describe("a document", () => {
  /** A document of so many bytes. */
  const ofBytes = (bytes: number) => ({ description: "x".repeat(bytes - '{"description":""}'.length) });

  it("has at most 32,768 bytes, however it was written [D7-bytes] [S4.1-schema-size]", async () => {
    await register(alice, "largest", ofBytes(32_768));
    expect(await faultsOf(ofBytes(32_769))).toEqual(["/json_schema size"]);
    expect(await faultsOf({ description: "é".repeat(16_384) })).toEqual(["/json_schema size"]);
    const spaced = `{"subject":"@alice/spaced","json_schema":{${" ".repeat(40_000)}}}`;
    await ok(alice.post("/schemas", spaced), 201);
  });

  it.each([true, false, null, [], "{}", 1])("is an object, not %j [D7-document]", async (document) => {
    await refused(post("@alice/no-object", document), "VALIDATION_ERROR");
  });

  it("is valid against the meta-schema [D7-document] [S4.1-schema-strict] [D7-refused]", async () => {
    expect(await faultsOf({ type: "objekt" })).toContain("/json_schema/type enum");
    expect(await faultsOf({ properties: { a: { minLength: -1 } } })).toEqual([
      "/json_schema/properties/a/minLength minimum",
    ]);
    expect(await faultsOf({ required: ["a", "a"] })).not.toEqual([]);
    expect(await faultsOf({ required: "a" })).not.toEqual([]);
  });

  it.each([
    "$async",
    "nullable",
    "discriminator",
    "formatMinimum",
    "$recursiveRef",
    "additionalItems",
    "x-own",
    "id",
  ])("with the keyword %s is refused [D7-dialect] [D7-refused] [D7-document]", async (keyword) => {
    expect(await faultsOf({ [keyword]: "#" })).toEqual([`/json_schema/${keyword} ${keyword}`]);
    expect(await faultsOf({ items: { [keyword]: "#" } })).toEqual([
      `/json_schema/items/${keyword} ${keyword}`,
    ]);
  });

  it("is of the dialect 2020-12, said or not [D7-dialect]", async () => {
    await register(alice, "dialect", { $schema: "https://json-schema.org/draft/2020-12/schema" });
    for (const $schema of [
      "http://json-schema.org/draft-07/schema#",
      "https://json-schema.org/draft/2019-09/schema",
      "https://example.com/own",
    ]) {
      expect(await faultsOf({ $schema })).toEqual(["/json_schema/$schema $schema"]);
    }
  });

  it("names known formats only [D7-document]", async () => {
    await register(alice, "formats", { format: "date-time" });
    expect(await faultsOf({ format: "phone" })).toEqual(["/json_schema/format format"]);
  });

  it("refers to itself alone: by pointer, anchor or $id inside of it [D7-refs-inside]", async () => {
    await register(alice, "inside", {
      $id: "https://example.com/root",
      $defs: { a: { $anchor: "here" }, b: { $id: "other", type: "string" }, c: { $dynamicAnchor: "there" } },
      allOf: [
        { $ref: "#/$defs/a" },
        { $ref: "#here" },
        { $ref: "other" },
        { $ref: "https://example.com/other" },
        { $dynamicRef: "#there" },
        { properties: { again: { $ref: "#" } } },
      ],
    });
    for (const $ref of [
      "#/$defs/none",
      "#none",
      "https://example.com/x",
      "other.json",
      "file:///etc/passwd",
    ]) {
      expect(await faultsOf({ items: { $ref } })).toEqual(["/json_schema/items/$ref $ref"]);
      expect(await faultsOf({ $dynamicRef: $ref })).toEqual(["/json_schema/$dynamicRef $dynamicRef"]);
    }
    expect(await faultsOf({ $ref: "https://json-schema.org/draft/2020-12/schema" })).not.toEqual([]);
  });

  it.each(["(?=a)b", "(?!a)b", "(?<=a)b", "(?<!a)b", "(a)\\1", "(?<n>a)\\k<n>", "(", "[z-a]"])(
    "with the pattern %s is refused, as the engine cannot run it [D7-pattern-refused]",
    async (pattern) => {
      expect(await faultsOf({ pattern })).toEqual(["/json_schema/pattern pattern"]);
      expect((await faultsOf({ patternProperties: { [pattern]: {} } }))[0]).toContain("patternProperties");
    },
  );

  it("may be deep, but the body's depth counts: refused, never failed [D7-refused]", async () => {
    const nested = (depth: number) => {
      let schema: Body = {};
      for (let n = 0; n < depth; n++) schema = { not: schema };
      return schema;
    };
    await register(alice, "deep", nested(60));
    await refused(post("@alice/deeper", nested(64)), "VALIDATION_ERROR");
  });
});
