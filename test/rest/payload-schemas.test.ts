import { describe, expect, it } from "vitest";
import type { Body } from "../harness/daemon.js";
import { fileDaemon } from "../harness/file-daemon.js";
import { createSpace, ok, refused, register, requiring, send, wireOf } from "../harness/talk.js";

const { daemon, alice, bob } = await fileDaemon(["alice", "bob"]);

/** Bob's inbox takes text, and payloads that these accept. */
const bobTakes = (rule: object) => ok(bob.put("/profile", { inbox_rule: { allow_text: true, ...rule } }));
const refOf = async (sent: Body) => (await wireOf(bob, sent)).schema_ref;
const rejected = (payload: unknown, fields = {}): Promise<Body> =>
  refused(alice.post("/wires", { to: "bob", payload, ...fields }), "SCHEMA_VALIDATION_FAILED");

describe("a payload under a rule that names schemas", () => {
  it("is stored with the pinned ref of the first schema in order that accepts it [D3-first-accepts] [D3-valid-under-one]", async () => {
    const a = await register(alice, "order-a", requiring({ a: "string" }));
    const b = await register(alice, "order-b", requiring({ b: "string" }));
    await bobTakes({ accepted_schemas: [b, a] });
    expect(await refOf(await send(alice, "bob", { payload: { a: "x" } }))).toBe("@alice/order-a@1");
    expect(await refOf(await send(alice, "bob", { payload: { a: "x", b: "y" } }))).toBe("@alice/order-b@1");
    await bobTakes({ accepted_schemas: [a, b] });
    expect(await refOf(await send(alice, "bob", { payload: { a: "x", b: "y" } }))).toBe("@alice/order-a@1");
  });

  it("is stored without a ref where the inline schema accepts it, which comes last [D3-first-accepts]", async () => {
    const a = await register(alice, "before-inline", requiring({ a: "string" }));
    await bobTakes({ accepted_schemas: [a], inline_schema: { type: "object" } });
    expect(await refOf(await send(alice, "bob", { payload: {} }))).toBeNull();
    expect(await refOf(await send(alice, "bob", { payload: { a: "x" } }))).toBe(a);
  });

  it("is 422 where none accepts it, with the reasons of the nearest, and is not stored [D3-none-accepts] [S4.1-send-422]", async () => {
    const far = await register(alice, "far", requiring({ a: "string", b: "string", c: "string" }));
    const near = await register(alice, "near", requiring({ a: "string", d: "string" }));
    await bobTakes({ accepted_schemas: [far, near] });
    const before = await ok(bob.get("/inbox?limit=100"));
    expect(await rejected({ a: "x" })).toEqual({
      code: "SCHEMA_VALIDATION_FAILED",
      message: expect.stringContaining(near),
      rule_source: "inbox",
      schema_ref: near,
      schema_url: `${daemon.base}/schemas/${encodeURIComponent(near)}`,
      errors: [{ instancePath: "", keyword: "required", message: expect.stringContaining("d") }],
    });
    expect(await ok(bob.get("/inbox?limit=100"))).toEqual(before);
  });

  it("names where each fault lies [D3-none-accepts]", async () => {
    const deep = { type: "object", properties: { "a/b": { items: { type: "string", format: "uri" } } } };
    await bobTakes({ accepted_schemas: [await register(alice, "deep", deep)] });
    const { errors } = await rejected({ "a/b": ["https://example.com", "no uri", 7] });
    expect(errors).toEqual([
      { instancePath: "/a~1b/1", keyword: "format", message: expect.any(String) },
      { instancePath: "/a~1b/2", keyword: "type", message: expect.any(String) },
    ]);
  });

  it("refused by an inline schema names no ref [D3-inline-no-ref]", async () => {
    await bobTakes({ inline_schema: requiring({ n: "number" }) });
    const body = await rejected({ n: "1" });
    expect(body).toMatchObject({ rule_source: "inbox", errors: [{ instancePath: "/n", keyword: "type" }] });
    expect(Object.keys(body).sort()).toEqual(["code", "errors", "message", "rule_source"]);
  });

  it("says which rule refused it: root, reply, the parent's own [D3-none-accepts]", async () => {
    const accepted_schemas = [await register(alice, "sources", requiring({ n: "number" }))];
    const rule = { allow_text: true, accepted_schemas };
    await createSpace(alice, "sources", { root_rule: rule, reply_rule: rule, allow_wire_reply_rules: true });
    const root = await send(alice, "#sources", { text: "x", payload: { n: 1 } });
    const own = await send(alice, "#sources", { text: "x", reply_rule: { ...rule, votable: false } });
    expect(await wireOf(bob, root)).toMatchObject({ schema_ref: accepted_schemas[0] });
    expect(await rejected({}, { to: "#sources" })).toMatchObject({ rule_source: "space_root" });
    expect(await rejected({}, { to: "#sources", reply_to: root.id })).toMatchObject({
      rule_source: "space_reply",
    });
    expect(await rejected({}, { to: "#sources", reply_to: own.id })).toMatchObject({
      rule_source: "wire_reply_rule",
    });
  });

  it.each([null, undefined])("may be absent (%s) where text is allowed [D3-null-absent]", async (payload) => {
    await bobTakes({ inline_schema: requiring({ n: "number" }) });
    expect(await refOf(await send(alice, "bob", { text: "only text", payload }))).toBeNull();
  });
});

describe("a ref", () => {
  it("without a version means the latest at the time of the post, a pinned one stays [D3-unpinned]", async () => {
    const first = await register(alice, "moving", requiring({ old: "string" }));
    await bobTakes({ accepted_schemas: ["@alice/moving"] });
    await daemon.agent("pinned", { inbox_rule: { allow_text: true, accepted_schemas: [first] } });
    expect(await refOf(await send(alice, "bob", { payload: { old: "x" } }))).toBe("@alice/moving@1");
    const second = await register(alice, "moving", requiring({ new: "string" }));
    expect(await rejected({ old: "x" })).toMatchObject({ schema_ref: second });
    expect(await refOf(await send(alice, "bob", { payload: { new: "x" } }))).toBe("@alice/moving@2");
    const pinned = await send(alice, "pinned", { payload: { old: "x" } });
    expect((await wireOf(alice, pinned)).schema_ref).toBe("@alice/moving@1");
  });

  it("is resolved anew for posts at the same time as a registration: each is judged by one version [D3-unpinned]", async () => {
    await register(alice, "racing", requiring({ v1: "string" }));
    await bobTakes({ accepted_schemas: ["@alice/racing"] });
    const payload = { v1: "x" };
    const posts = Array.from({ length: 20 }, () => alice.post("/wires", { to: "bob", payload }));
    const registered = register(alice, "racing", requiring({ v2: "string" }));
    for (const { status, body } of await Promise.all(posts)) {
      if (status === 201) expect(await refOf(body)).toBe("@alice/racing@1");
      else expect(body).toMatchObject({ code: "SCHEMA_VALIDATION_FAILED", schema_ref: "@alice/racing@2" });
    }
    await registered;
    expect(await rejected(payload)).toMatchObject({ schema_ref: "@alice/racing@2" });
  });
});
