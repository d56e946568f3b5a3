import { describe, expect, it } from "vitest";
import {
  createSpace,
  expectOk,
  expectRefused,
  readWire,
  registerSchema,
  schemaRequiring,
  sendWire,
} from "../harness/api-helpers.js";
import type { Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";

const { daemon, alice, bob } = await hostedFixture(["alice", "bob"]);
let rooms = 0;

/** Creates a space with this root rule. Returns its address. */
async function createGatedSpace(rule: object): Promise<string> {
  const slug = `room-${rooms++}`;
  await createSpace(alice, slug, { root_rule: { allow_text: false, ...rule } });
  return `#${slug}`;
}

const post = (to: string, payload: unknown) => bob.post("/wires", { to, payload });
const expectSchemaError = (to: string, payload: unknown): Promise<Body> =>
  expectRefused(post(to, payload), "SCHEMA_VALIDATION_FAILED");

/**
 * Returns a schema whose validation time doubles with each level. `unevaluatedProperties` prevents caching of
 * verdicts.
 */
function slowSchema(): object {
  const $defs: Record<string, unknown> = { d0: { properties: { z: { type: "integer" } } } };
  for (let level = 1; level <= 40; level++) {
    const $ref = `#/$defs/d${level - 1}`;
    $defs[`d${level}`] = { anyOf: [{ $ref }, { $ref }] };
  }
  return { $ref: "#/$defs/d40", $defs, unevaluatedProperties: false };
}

describe("a post to a space that requires a schema", () => {
  // [S1-schema-contract] [D3-payload-refused]
  it("is rejected with reasons and not stored if it is invalid, and stored after correction", async () => {
    const ref = await registerSchema(
      alice,
      "incident",
      schemaRequiring({ title: "string", severity: "number" }),
    );
    const to = await createGatedSpace({ accepted_schemas: [ref] });
    const body = await expectSchemaError(to, { title: 7 });
    expect(body).toMatchObject({
      rule_source: "space_root",
      schema_ref: ref,
      schema_url: `${daemon.base}/schemas/${encodeURIComponent(ref)}`,
    });
    expect(body.errors.map((reason: Body) => [reason.instancePath, reason.keyword])).toEqual(
      expect.arrayContaining([
        ["", "required"],
        ["/title", "type"],
      ]),
    );
    expect((await expectOk(bob.get(`/spaces/${to.slice(1)}/wires`))).wires).toEqual([]);
    const sent = await sendWire(bob, to, { payload: { title: "x", severity: 1 } });
    expect(await readWire(alice, sent)).toMatchObject({
      schema_ref: ref,
      payload: { title: "x", severity: 1 },
    });
    const { json_schema } = await expectOk(bob.get(new URL(body.schema_url).pathname.slice("/v1".length)));
    expect(json_schema).toEqual(schemaRequiring({ title: "string", severity: "number" }));
  });

  // [D3-accepts-by-schema]
  it("is stored with the pinned ref of the schema that accepts it", async () => {
    const a = await registerSchema(alice, "kind-a", { const: "a" });
    await registerSchema(alice, "kind-b", { const: "b" });
    const to = await createGatedSpace({
      accepted_schemas: [a, "@alice/kind-b"],
      inline_schema: { const: "c" },
    });
    const refOf = async (payload: string) =>
      (await readWire(bob, await sendWire(bob, to, { payload }))).schema_ref;
    expect(await refOf("a")).toBe("@alice/kind-a@1");
    expect(await refOf("b")).toBe("@alice/kind-b@1");
    expect(await refOf("c")).toBeNull();
    expect((await expectSchemaError(to, "d")).schema_ref).toBe("@alice/kind-a@1");
  });

  // [D3-payload-refused]
  it("that only an inline schema rejects returns no schema ref", async () => {
    const body = await expectSchemaError(await createGatedSpace({ inline_schema: { type: "string" } }), 1);
    expect(Object.keys(body).sort()).toEqual(["code", "errors", "message", "rule_source"]);
  });

  // [D3-accepts-by-schema]
  it("is validated under the schema that matches its type", async () => {
    const values = { string: "x", number: 1.5, boolean: false, object: {}, array: [] };
    for (const type of Object.keys(values)) {
      const to = await createGatedSpace({ inline_schema: { type } });
      for (const [name, payload] of Object.entries(values)) {
        const { status } = await post(to, payload);
        expect(status, `${name} under ${type}`).toBe(name === type ? 201 : 422);
      }
    }
  });
});

describe("the schemas of a rule", () => {
  // [D3-refs-checked]
  it("must exist when the rule is set; there are at most 20", async () => {
    const ref = await registerSchema(alice, "known", {});
    const rule = (accepted_schemas: unknown[]) => ({ root_rule: { allow_text: true, accepted_schemas } });
    const set = async (refs: unknown[]) => {
      const slug = `refs-${rooms++}`;
      return alice.post("/spaces", { slug, visibility: "public", ...rule(refs) });
    };
    const errorPaths = async (refs: unknown[]) =>
      (await expectRefused(set(refs), "VALIDATION_ERROR")).errors.map((reason: Body) => reason.instancePath);
    expect(await errorPaths([ref, "@alice/unknown"])).toEqual(["/root_rule/accepted_schemas/1"]);
    expect(await errorPaths(["@alice/known@2", "@nobody-here/known"])).toEqual([
      "/root_rule/accepted_schemas/0",
      "/root_rule/accepted_schemas/1",
    ]);
    expect(await errorPaths(["known"])).toEqual(["/root_rule/accepted_schemas/0"]);
    expect(await errorPaths(Array(21).fill(ref))).toEqual(["/root_rule/accepted_schemas"]);
    await expectOk(set(Array(20).fill(ref)), 201);
  });

  // [D3-inline-as-registered]
  it("have the same restrictions inline and registered", async () => {
    for (const inline_schema of [
      { type: "objekt" },
      { nullable: true },
      { format: "phone" },
      { $ref: "https://example.com/x" },
      { pattern: "(?=a)" },
      { description: "x".repeat(32_768) },
    ]) {
      const create = {
        slug: "inline-refused",
        visibility: "public",
        reply_rule: { allow_text: true, inline_schema },
      };
      const { errors } = await expectRefused(alice.post("/spaces", create), "VALIDATION_ERROR");
      expect(errors[0].instancePath).toMatch(/^\/reply_rule\/inline_schema/);
    }
    for (const inline_schema of [true, [], "{}", null]) {
      const create = {
        slug: "inline-refused",
        visibility: "public",
        reply_rule: { allow_text: true, inline_schema },
      };
      await expectRefused(alice.post("/spaces", create), "VALIDATION_ERROR");
    }
  });
});

describe("the validation of a payload", () => {
  // [D7-formats]
  it.each<[string, unknown, unknown]>([
    ["date-time", "2026-01-02T03:04:05Z", "2026-02-30T03:04:05Z"],
    ["date", "2024-02-29", "2023-02-29"],
    ["email", "a@example.com", "a@"],
    ["uri", "https://example.com/x", "no uri"],
    ["uri", "https://example.com/KS", "https://example.com/\u212a\u017f"],
    ["iri", "https://example.com/\u212a\u017f", "no iri"],
    ["uri-template", "https://example.com/{KS}", "https://example.com/{\u212a}"],
    ["uuid", "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f", "019a2f6e"],
    ["ipv4", "127.0.0.1", "127.0.0.256"],
    ["hostname", "example.com", "-example-.com"],
  ])("asserts the format %s", async (format, valid, invalid) => {
    const to = await createGatedSpace({ inline_schema: { type: "string", format } });
    await expectOk(post(to, valid), 201);
    expect((await expectSchemaError(to, invalid)).errors).toMatchObject([
      { instancePath: "", keyword: "format" },
    ]);
  });

  // [D7-linear]
  it("runs patterns in linear time, even those that cause backtracking in other engines", async () => {
    const evil = `${"a".repeat(5_000)}!`;
    const to = await createGatedSpace({
      inline_schema: {
        anyOf: [
          { type: "string", pattern: "^(a+)+$" },
          { type: "object", patternProperties: { "^(a|a)*$": false }, minProperties: 9 },
          { type: "array", items: { pattern: "^(a|aa)+$" }, minItems: 1 },
        ],
      },
    });
    for (const payload of [evil, { [evil]: 1 }, [evil]]) {
      const { errors } = await expectSchemaError(to, payload);
      expect(errors.map((reason: Body) => reason.keyword)).not.toContain("timeout");
    }
    await expectOk(post(to, "a".repeat(5_000)), 201);
  });

  // [D7-deadline]
  it("stops at its deadline with 422 and one error of keyword timeout", async () => {
    const to = await createGatedSpace({
      accepted_schemas: [await registerSchema(alice, "endless", slowSchema())],
    });
    await expectSchemaError(to, { a: 1 });
    const started = performance.now();
    const body = await expectSchemaError(to, { a: 1 });
    expect(body).toMatchObject({
      schema_ref: "@alice/endless@1",
      errors: [{ instancePath: "", keyword: "timeout", message: expect.any(String) }],
    });
    expect(body.errors).toHaveLength(1);
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  // [D7-deadline]
  it("does not delay other requests while it reaches its deadline", async () => {
    const slow = await createGatedSpace({ inline_schema: slowSchema() });
    const quick = await createGatedSpace({ inline_schema: { type: "object" } });
    await expectOk(post(quick, {}), 201);
    const hostile = Array.from({ length: 6 }, () => post(slow, { a: 1 }));
    const waits: number[] = [];
    for (let n = 0; n < 10; n++) {
      const started = performance.now();
      await expectOk(post(quick, { n }), 201);
      await expectOk(bob.get("/profile"));
      waits.push(performance.now() - started);
    }
    expect((await Promise.all(hostile)).map(({ status }) => status)).toEqual(Array(6).fill(422));
    // Six validations in sequence on the event loop would delay other requests by 1,500 ms.
    expect(waits.sort((a, b) => a - b)[5]).toBeLessThan(750);
  });
});
