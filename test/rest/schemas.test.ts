import { describe, expect, it } from "vitest";
import { expectOk, expectRefused, registerSchema, schemaRequiring } from "../harness/api-helpers.js";
import type { Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";

const { daemon, alice, bob } = await hostedFixture(["alice", "bob"]);

const QUOTE = schemaRequiring({ price: "number" });

const post = (subject: unknown, json_schema: unknown = QUOTE, fields: object = {}) =>
  alice.post("/schemas", { subject, json_schema, ...fields });
const fetched = (ref: string, agent = bob) => agent.get(`/schemas/${encodeURIComponent(ref)}`);

/** Returns the reasons for which a document is rejected, as `position keyword`. */
async function rejectionReasons(json_schema: unknown): Promise<string[]> {
  const { errors } = await expectRefused(post("@alice/refused", json_schema), "VALIDATION_ERROR");
  return errors.map((reason: Body) => `${reason.instancePath} ${reason.keyword}`);
}

describe("a schema registration", () => {
  // [S4.1-schema-created] [S9.3-versions] [S4.1-schema-each-call]
  it("returns ref and version, starting at 1 for each subject", async () => {
    expect(await expectOk(post("@alice/counted"), 201)).toEqual({ ref: "@alice/counted@1", version: 1 });
    expect(await expectOk(post("@alice/counted", {}), 201)).toEqual({ ref: "@alice/counted@2", version: 2 });
    expect(await expectOk(post("@alice/counted", {}), 201)).toEqual({ ref: "@alice/counted@3", version: 3 });
    expect(await expectOk(post("@alice/other"), 201)).toEqual({ ref: "@alice/other@1", version: 1 });
  });

  // [S9.3-versions]
  it.each(["none", "backward"])(
    "numbers 20 concurrent versions from 1 to 20 without gaps in mode %s",
    async (compat) => {
      const subject = `@alice/raced-${compat}`;
      const schema = (n: number) => ({ type: "object", description: `${n}` });
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, n) => expectOk(post(subject, schema(n), { compat }), 201)),
      );
      const versions = replies.map(({ version }) => version).sort((a, b) => a - b);
      expect(versions).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
      for (const [n, { ref }] of replies.entries()) {
        expect((await expectOk(fetched(ref))).json_schema).toEqual(schema(n));
      }
    },
  );

  // [S4.1-schema-body]
  it("requires a subject and a document", async () => {
    for (const body of [{}, { subject: "@alice/x" }, { json_schema: {} }]) {
      await expectRefused(alice.post("/schemas", body), "VALIDATION_ERROR");
    }
    for (const compat of ["forward", "", null, true]) {
      await expectRefused(post("@alice/x", QUOTE, { compat }), "VALIDATION_ERROR");
    }
    await expectRefused(fetched("@alice/x"), "NOT_FOUND");
  });

  // [D7-subject-name] [S4.1-schema-body]
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
  ])("with the subject %j is valid: %j", async (subject, taken) => {
    expect((await post(subject)).status).toBe(taken ? 201 : 400);
  });

  // [D7-subject-handle] [S4.1-schema-owned]
  it("is allowed for handles of the account; it returns 403 for other handles and 404 for unknown ones", async () => {
    await daemon.createAgent("alices-second", {}, "alice");
    expect(await expectOk(post("@alices-second/a"), 201)).toMatchObject({ ref: "@alices-second/a@1" });
    await expectRefused(post("@bob/a"), "FORBIDDEN");
    await expectRefused(post("@nobody-here/a"), "NOT_FOUND");
    await expectRefused(fetched("@bob/a"), "NOT_FOUND");
  });
});

describe("the compatibility mode", () => {
  // [S4.1-schema-compat-kept] [S9.4-modes]
  it("is none for a new subject, and does not change if a registration omits it", async () => {
    const compatOf = async (name: string) => (await expectOk(fetched(`@alice/${name}`))).compat;
    await expectOk(post("@alice/modes"), 201);
    expect(await compatOf("modes")).toBe("none");
    await expectOk(post("@alice/modes", QUOTE, { compat: "backward" }), 201);
    await expectOk(post("@alice/modes"), 201);
    expect(await compatOf("modes")).toBe("backward");
    await expectOk(post("@alice/modes", { type: "string" }, { compat: "none" }), 201);
    await expectOk(post("@alice/modes", { type: "number" }), 201);
    expect(await compatOf("modes")).toBe("none");
    expect((await expectOk(fetched("@alice/modes@2"))).compat).toBe("backward");
  });
});

describe("a schema", () => {
  // [S4.1-schema-get] [S2.7-schema-record] [S9.3-latest]
  it("is returned by ref as it was registered, in a pinned or the latest version", async () => {
    const second = { $schema: "https://json-schema.org/draft/2020-12/schema", title: "é 𝄞", ...QUOTE };
    await registerSchema(alice, "fetched", QUOTE);
    await expectOk(post("@alice/fetched", second, { compat: "backward" }), 201);
    const subject = "@alice/fetched";
    const first = { ref: `${subject}@1`, subject, version: 1, compat: "none", json_schema: QUOTE };
    const latest = { ref: `${subject}@2`, subject, version: 2, compat: "backward", json_schema: second };
    expect(await expectOk(fetched(`${subject}@1`))).toEqual(first);
    expect(await expectOk(fetched(`${subject}@2`))).toEqual(latest);
    expect(await expectOk(fetched(subject))).toEqual(latest);
    expect(JSON.stringify((await expectOk(fetched(subject))).json_schema)).toBe(JSON.stringify(second));
  });

  // [S4.1-schema-get-statuses]
  it("returns 404 if it does not exist, 400 for an invalid ref and 401 without a key", async () => {
    await registerSchema(alice, "once", QUOTE);
    await expectRefused(fetched("@alice/once@2"), "NOT_FOUND");
    await expectRefused(fetched("@alice/once@999999999"), "NOT_FOUND");
    await expectRefused(fetched("@alice/never"), "NOT_FOUND");
    await expectRefused(fetched("@nobody-here/once"), "NOT_FOUND");
    for (const ref of [
      "alice/once",
      "@alice/once@0",
      "@alice/once@01",
      "@alice/once@x",
      "@alice",
      "@alice/once@",
    ]) {
      await expectRefused(fetched(ref), "VALIDATION_ERROR");
    }
    await expectRefused(daemon.client().get(`/schemas/${encodeURIComponent("@alice/once")}`), "UNAUTHORIZED");
  });

  // [S4.1-schema-get]
  it("with a ref that is not percent-encoded is an unknown path", async () => {
    await registerSchema(alice, "slashed", QUOTE);
    await expectRefused(bob.get("/schemas/@alice/slashed"), "NOT_FOUND");
    await expectOk(bob.get("/schemas/@alice%2Fslashed"));
  });
});

describe("a schema document", () => {
  /** Returns a document of exactly `bytes` bytes. */
  const ofBytes = (bytes: number) => ({ description: "x".repeat(bytes - '{"description":""}'.length) });

  // [D7-bytes] [S4.1-schema-size]
  it("has at most 32,768 bytes, independently of its formatting", async () => {
    await registerSchema(alice, "largest", ofBytes(32_768));
    expect(await rejectionReasons(ofBytes(32_769))).toEqual(["/json_schema size"]);
    expect(await rejectionReasons({ description: "é".repeat(16_384) })).toEqual(["/json_schema size"]);
    const spaced = `{"subject":"@alice/spaced","json_schema":{${" ".repeat(40_000)}}}`;
    await expectOk(alice.post("/schemas", spaced), 201);
  });

  // [D7-document]
  it.each([true, false, null, [], "{}", 1])("must be an object, not %j", async (document) => {
    await expectRefused(post("@alice/no-object", document), "VALIDATION_ERROR");
  });

  // [D7-document] [D7-refused] [S4.1-schema-strict]
  it("must be valid against the meta-schema", async () => {
    expect(await rejectionReasons({ type: "objekt" })).toContain("/json_schema/type enum");
    const headline = async (document: unknown) =>
      (await expectRefused(post("@alice/refused", document), "VALIDATION_ERROR")).message;
    expect(await headline({ type: "objekt" })).toMatch(/^\/json_schema\/type: must be one of "array", /);
    expect(await headline({ type: ["string", "objekt"] })).toMatch(
      /^\/json_schema\/type\/1: must be one of /,
    );
    expect(await headline({ required: "a" })).toBe("/json_schema/required: must be array, not string");
    expect(await rejectionReasons({ properties: { a: { minLength: -1 } } })).toEqual([
      "/json_schema/properties/a/minLength minimum",
    ]);
    expect(await rejectionReasons({ required: ["a", "a"] })).not.toEqual([]);
    expect(await rejectionReasons({ required: "a" })).not.toEqual([]);
  });

  // [D7-dialect] [D7-refused] [D7-document]
  it.each([
    "$async",
    "nullable",
    "discriminator",
    "formatMinimum",
    "$recursiveRef",
    "additionalItems",
    "x-own",
    "id",
  ])("with the keyword %s is rejected", async (keyword) => {
    expect(await rejectionReasons({ [keyword]: "#" })).toEqual([`/json_schema/${keyword} ${keyword}`]);
    expect(await rejectionReasons({ items: { [keyword]: "#" } })).toEqual([
      `/json_schema/items/${keyword} ${keyword}`,
    ]);
  });

  // [D7-dialect]
  it("has the dialect 2020-12, declared or not", async () => {
    await registerSchema(alice, "dialect", { $schema: "https://json-schema.org/draft/2020-12/schema" });
    for (const $schema of [
      "http://json-schema.org/draft-07/schema#",
      "https://json-schema.org/draft/2019-09/schema",
      "https://example.com/own",
    ]) {
      expect(await rejectionReasons({ $schema })).toEqual(["/json_schema/$schema $schema"]);
    }
  });

  // [D7-document]
  it("may use known formats only", async () => {
    await registerSchema(alice, "formats", { format: "date-time" });
    expect(await rejectionReasons({ format: "phone" })).toEqual(["/json_schema/format format"]);
  });

  // [D7-refs-inside]
  it("may refer only to itself: by pointer, anchor or $id", async () => {
    await registerSchema(alice, "inside", {
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
      expect(await rejectionReasons({ items: { $ref } })).toEqual(["/json_schema/items/$ref $ref"]);
      expect(await rejectionReasons({ $dynamicRef: $ref })).toEqual(["/json_schema/$dynamicRef $dynamicRef"]);
    }
    expect(await rejectionReasons({ $ref: "https://json-schema.org/draft/2020-12/schema" })).not.toEqual([]);
  });

  // [D7-pattern-refused]
  it.each(["(?=a)b", "(?!a)b", "(?<=a)b", "(?<!a)b", "(a)\\1", "(?<n>a)\\k<n>", "(", "[z-a]"])(
    "with the pattern %s is rejected, because the RE2 engine does not support it",
    async (pattern) => {
      expect(await rejectionReasons({ pattern })).toEqual(["/json_schema/pattern pattern"]);
      expect((await rejectionReasons({ patternProperties: { [pattern]: {} } }))[0]).toContain(
        "patternProperties",
      );
    },
  );

  // [D7-refused]
  it("is rejected without an internal error if it is nested too deeply for a request body", async () => {
    const nested = (depth: number) => {
      let schema: Body = {};
      for (let n = 0; n < depth; n++) schema = { not: schema };
      return schema;
    };
    await registerSchema(alice, "deep", nested(61));
    await expectOk(
      alice.put("/profile", { inbox_rule: { allow_text: true, inline_schema: nested(61) } }),
      200,
    );
    expect(await rejectionReasons(nested(62))).toEqual(["/json_schema depth"]);
    await expectRefused(post("@alice/deeper", nested(64)), "VALIDATION_ERROR");
  });
});
