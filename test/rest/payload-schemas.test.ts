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

/** Sets Bob's inbox rule to text and payloads that satisfy `rule`. */
const setBobInboxRule = (rule: object) =>
  expectOk(bob.put("/profile", { inbox_rule: { allow_text: true, ...rule } }));
const refOf = async (sent: Body) => (await readWire(bob, sent)).schema_ref;
const expectSchemaError = (payload: unknown, fields = {}): Promise<Body> =>
  expectRefused(alice.post("/wires", { to: "bob", payload, ...fields }), "SCHEMA_VALIDATION_FAILED");

describe("a payload under a rule with schemas", () => {
  // [D3-first-accepts] [D3-valid-under-one]
  it("is stored with the pinned ref of the first schema that accepts it", async () => {
    const a = await registerSchema(alice, "order-a", schemaRequiring({ a: "string" }));
    const b = await registerSchema(alice, "order-b", schemaRequiring({ b: "string" }));
    await setBobInboxRule({ accepted_schemas: [b, a] });
    expect(await refOf(await sendWire(alice, "bob", { payload: { a: "x" } }))).toBe("@alice/order-a@1");
    expect(await refOf(await sendWire(alice, "bob", { payload: { a: "x", b: "y" } }))).toBe(
      "@alice/order-b@1",
    );
    await setBobInboxRule({ accepted_schemas: [a, b] });
    expect(await refOf(await sendWire(alice, "bob", { payload: { a: "x", b: "y" } }))).toBe(
      "@alice/order-a@1",
    );
  });

  // [D3-first-accepts]
  it("is stored without a ref if only the inline schema accepts it, which is tried last", async () => {
    const a = await registerSchema(alice, "before-inline", schemaRequiring({ a: "string" }));
    await setBobInboxRule({ accepted_schemas: [a], inline_schema: { type: "object" } });
    expect(await refOf(await sendWire(alice, "bob", { payload: {} }))).toBeNull();
    expect(await refOf(await sendWire(alice, "bob", { payload: { a: "x" } }))).toBe(a);
  });

  // [D3-none-accepts] [S4.1-send-422]
  it("returns 422 with the errors of the closest schema, and is not stored, if no schema accepts it", async () => {
    const far = await registerSchema(
      alice,
      "far",
      schemaRequiring({ a: "string", b: "string", c: "string" }),
    );
    const near = await registerSchema(alice, "near", schemaRequiring({ a: "string", d: "string" }));
    await setBobInboxRule({ accepted_schemas: [far, near] });
    const before = await expectOk(bob.get("/inbox?limit=100"));
    expect(await expectSchemaError({ a: "x" })).toEqual({
      code: "SCHEMA_VALIDATION_FAILED",
      message: expect.stringContaining(near),
      rule_source: "inbox",
      schema_ref: near,
      schema_url: `${daemon.base}/schemas/${encodeURIComponent(near)}`,
      errors: [{ instancePath: "", keyword: "required", message: expect.stringContaining("d") }],
    });
    expect(await expectOk(bob.get("/inbox?limit=100"))).toEqual(before);
  });

  // [D3-none-accepts]
  it("returns the position of each error", async () => {
    const deep = { type: "object", properties: { "a/b": { items: { type: "string", format: "uri" } } } };
    await setBobInboxRule({ accepted_schemas: [await registerSchema(alice, "deep", deep)] });
    const { errors } = await expectSchemaError({ "a/b": ["https://example.com", "no uri", 7] });
    expect(errors).toEqual([
      { instancePath: "/a~1b/1", keyword: "format", message: expect.any(String) },
      { instancePath: "/a~1b/2", keyword: "type", message: expect.any(String) },
    ]);
  });

  // [D3-inline-no-ref]
  it("that only the inline schema rejects returns no schema ref", async () => {
    await setBobInboxRule({ inline_schema: schemaRequiring({ n: "number" }) });
    const body = await expectSchemaError({ n: "1" });
    expect(body).toMatchObject({ rule_source: "inbox", errors: [{ instancePath: "/n", keyword: "type" }] });
    expect(body.message).toBe(
      "the payload is not valid under the inline schema of @bob's inbox rule: /n must be number, not string",
    );
    expect(Object.keys(body).sort()).toEqual(["code", "errors", "message", "rule_source"]);
  });

  // [D3-none-accepts]
  it("returns the source of the rule: root, reply or the parent wire", async () => {
    const accepted_schemas = [await registerSchema(alice, "sources", schemaRequiring({ n: "number" }))];
    const rule = { allow_text: true, accepted_schemas };
    await createSpace(alice, "sources", { root_rule: rule, reply_rule: rule, allow_wire_reply_rules: true });
    const root = await sendWire(alice, "#sources", { text: "x", payload: { n: 1 } });
    const own = await sendWire(alice, "#sources", { text: "x", reply_rule: { ...rule, votable: false } });
    expect(await readWire(bob, root)).toMatchObject({ schema_ref: accepted_schemas[0] });
    const messageUnder = (rule: string) =>
      `the payload is not valid under ${accepted_schemas[0]} (${rule}): must have the property "n"`;
    expect(await expectSchemaError({}, { to: "#sources" })).toMatchObject({
      rule_source: "space_root",
      message: messageUnder("the root rule of #sources"),
    });
    expect(await expectSchemaError({}, { to: "#sources", reply_to: root.id })).toMatchObject({
      rule_source: "space_reply",
      message: messageUnder("the reply rule of #sources"),
    });
    expect(await expectSchemaError({}, { to: "#sources", reply_to: own.id })).toMatchObject({
      rule_source: "wire_reply_rule",
      message: messageUnder("the parent wire's reply rule"),
    });
  });

  // [D3-null-absent]
  it.each([null, undefined])("may be omitted (%s) if text is allowed", async (payload) => {
    await setBobInboxRule({ inline_schema: schemaRequiring({ n: "number" }) });
    expect(await refOf(await sendWire(alice, "bob", { text: "only text", payload }))).toBeNull();
  });
});

describe("a schema ref in a rule", () => {
  // [D3-unpinned]
  it("without a version refers to the latest version at the time of the post", async () => {
    const first = await registerSchema(alice, "moving", schemaRequiring({ old: "string" }));
    await setBobInboxRule({ accepted_schemas: ["@alice/moving"] });
    await daemon.createAgent("pinned", { inbox_rule: { allow_text: true, accepted_schemas: [first] } });
    expect(await refOf(await sendWire(alice, "bob", { payload: { old: "x" } }))).toBe("@alice/moving@1");
    const second = await registerSchema(alice, "moving", schemaRequiring({ new: "string" }));
    expect(await expectSchemaError({ old: "x" })).toMatchObject({ schema_ref: second });
    expect(await refOf(await sendWire(alice, "bob", { payload: { new: "x" } }))).toBe("@alice/moving@2");
    const pinned = await sendWire(alice, "pinned", { payload: { old: "x" } });
    expect((await readWire(alice, pinned)).schema_ref).toBe("@alice/moving@1");
  });

  // [D3-unpinned]
  it("is resolved for each post: a concurrent registration never mixes two versions", async () => {
    await registerSchema(alice, "racing", schemaRequiring({ v1: "string" }));
    await setBobInboxRule({ accepted_schemas: ["@alice/racing"] });
    const payload = { v1: "x" };
    const posts = Array.from({ length: 20 }, () => alice.post("/wires", { to: "bob", payload }));
    const registered = registerSchema(alice, "racing", schemaRequiring({ v2: "string" }));
    for (const { status, body } of await Promise.all(posts)) {
      if (status === 201) expect(await refOf(body)).toBe("@alice/racing@1");
      else expect(body).toMatchObject({ code: "SCHEMA_VALIDATION_FAILED", schema_ref: "@alice/racing@2" });
    }
    await registered;
    expect(await expectSchemaError(payload)).toMatchObject({ schema_ref: "@alice/racing@2" });
  });
});
