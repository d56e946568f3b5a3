import { describe, expect, it } from "vitest";
import type { Body } from "../harness/daemon.js";
import { fileDaemon } from "../harness/file-daemon.js";
import { createSpace, ok, refused, register, requiring, send, wireOf } from "../harness/talk.js";

const { daemon, alice, bob } = await fileDaemon(["alice", "bob"]);
let rooms = 0;

/** A space whose roots must be valid under the rule; gives its address. */
async function room(rule: object): Promise<string> {
  const slug = `room-${rooms++}`;
  await createSpace(alice, slug, { root_rule: { allow_text: false, ...rule } });
  return `#${slug}`;
}

const post = (to: string, payload: unknown) => bob.post("/wires", { to, payload });
const rejected = (to: string, payload: unknown): Promise<Body> =>
  refused(post(to, payload), "SCHEMA_VALIDATION_FAILED");

/** Takes twice as long with each level, and looks at what was evaluated, so that no verdict can be kept. */
function endless(): object {
  const $defs: Record<string, unknown> = { d0: { properties: { z: { type: "integer" } } } };
  for (let level = 1; level <= 40; level++) {
    const $ref = `#/$defs/d${level - 1}`;
    $defs[`d${level}`] = { anyOf: [{ $ref }, { $ref }] };
  }
  return { $ref: "#/$defs/d40", $defs, unevaluatedProperties: false };
}

describe("a post to a gated space", () => {
  it("that is not valid is refused with reasons and not stored; corrected it is stored [S1-schema-contract] [D3-payload-refused]", async () => {
    const ref = await register(alice, "incident", requiring({ title: "string", severity: "number" }));
    const to = await room({ accepted_schemas: [ref] });
    const body = await rejected(to, { title: 7 });
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
    expect((await ok(bob.get(`/spaces/${to.slice(1)}/wires`))).wires).toEqual([]);
    const sent = await send(bob, to, { payload: { title: "x", severity: 1 } });
    expect(await wireOf(alice, sent)).toMatchObject({
      schema_ref: ref,
      payload: { title: "x", severity: 1 },
    });
    const { json_schema } = await ok(bob.get(new URL(body.schema_url).pathname.slice("/v1".length)));
    expect(json_schema).toEqual(requiring({ title: "string", severity: "number" }));
  });

  it("is valid under one schema of several, whose pinned ref it carries [D3-accepts-by-schema]", async () => {
    const a = await register(alice, "kind-a", { const: "a" });
    await register(alice, "kind-b", { const: "b" });
    const to = await room({ accepted_schemas: [a, "@alice/kind-b"], inline_schema: { const: "c" } });
    const refOf = async (payload: string) => (await wireOf(bob, await send(bob, to, { payload }))).schema_ref;
    expect(await refOf("a")).toBe("@alice/kind-a@1");
    expect(await refOf("b")).toBe("@alice/kind-b@1");
    expect(await refOf("c")).toBeNull();
    expect((await rejected(to, "d")).schema_ref).toBe("@alice/kind-a@1");
  });

  it("refused by an inline schema alone names no schema [D3-payload-refused]", async () => {
    const body = await rejected(await room({ inline_schema: { type: "string" } }), 1);
    expect(Object.keys(body).sort()).toEqual(["code", "errors", "message", "rule_source"]);
  });

  it("with a value for each type is judged by its own type [D3-accepts-by-schema]", async () => {
    const values = { string: "x", number: 1.5, boolean: false, object: {}, array: [] };
    for (const type of Object.keys(values)) {
      const to = await room({ inline_schema: { type } });
      for (const [name, payload] of Object.entries(values)) {
        const { status } = await post(to, payload);
        expect(status, `${name} under ${type}`).toBe(name === type ? 201 : 422);
      }
    }
  });
});

describe("the schemas of a rule", () => {
  it("must exist when it is set, 20 at most [D3-refs-checked]", async () => {
    const ref = await register(alice, "known", {});
    const rule = (accepted_schemas: unknown[]) => ({ root_rule: { allow_text: true, accepted_schemas } });
    const set = async (refs: unknown[]) => {
      const slug = `refs-${rooms++}`;
      return alice.post("/spaces", { slug, visibility: "public", ...rule(refs) });
    };
    const places = async (refs: unknown[]) =>
      (await refused(set(refs), "VALIDATION_ERROR")).errors.map((reason: Body) => reason.instancePath);
    expect(await places([ref, "@alice/unknown"])).toEqual(["/root_rule/accepted_schemas/1"]);
    expect(await places(["@alice/known@2", "@nobody-here/known"])).toEqual([
      "/root_rule/accepted_schemas/0",
      "/root_rule/accepted_schemas/1",
    ]);
    expect(await places(["known"])).toEqual(["/root_rule/accepted_schemas/0"]);
    expect(await places(Array(21).fill(ref))).toEqual(["/root_rule/accepted_schemas"]);
    await ok(set(Array(20).fill(ref)), 201);
  });

  it("obey the same checks inline as registered [D3-inline-as-registered]", async () => {
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
      const { errors } = await refused(alice.post("/spaces", create), "VALIDATION_ERROR");
      expect(errors[0].instancePath).toMatch(/^\/reply_rule\/inline_schema/);
    }
    for (const inline_schema of [true, [], "{}", null]) {
      const create = {
        slug: "inline-refused",
        visibility: "public",
        reply_rule: { allow_text: true, inline_schema },
      };
      await refused(alice.post("/spaces", create), "VALIDATION_ERROR");
    }
  });
});

describe("a validation", () => {
  it.each<[string, unknown, unknown]>([
    ["date-time", "2026-01-02T03:04:05Z", "2026-02-30T03:04:05Z"],
    ["date", "2024-02-29", "2023-02-29"],
    ["email", "a@example.com", "a@"],
    ["uri", "https://example.com/x", "no uri"],
    ["uuid", "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f", "019a2f6e"],
    ["ipv4", "127.0.0.1", "127.0.0.256"],
    ["hostname", "example.com", "-example-.com"],
  ])("asserts the format %s [D7-formats]", async (format, valid, invalid) => {
    const to = await room({ inline_schema: { type: "string", format } });
    await ok(post(to, valid), 201);
    expect((await rejected(to, invalid)).errors).toMatchObject([{ instancePath: "", keyword: "format" }]);
  });

  it("runs patterns in linear time: what makes others backtrack is answered at once [D7-linear]", async () => {
    const evil = `${"a".repeat(5_000)}!`;
    const to = await room({
      inline_schema: {
        anyOf: [
          { type: "string", pattern: "^(a+)+$" },
          { type: "object", patternProperties: { "^(a|a)*$": false }, minProperties: 9 },
          { type: "array", items: { pattern: "^(a|aa)+$" }, minItems: 1 },
        ],
      },
    });
    for (const payload of [evil, { [evil]: 1 }, [evil]]) {
      const { errors } = await rejected(to, payload);
      expect(errors.map((reason: Body) => reason.keyword)).not.toContain("timeout");
    }
    await ok(post(to, "a".repeat(5_000)), 201);
  });

  it("that takes too long is refused within its deadline: 422 with one error of keyword timeout [D7-deadline]", async () => {
    const to = await room({ accepted_schemas: [await register(alice, "endless", endless())] });
    await rejected(to, { a: 1 });
    const started = performance.now();
    const body = await rejected(to, { a: 1 });
    expect(body).toMatchObject({
      schema_ref: "@alice/endless@1",
      errors: [{ instancePath: "", keyword: "timeout", message: expect.any(String) }],
    });
    expect(body.errors).toHaveLength(1);
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it("that takes too long leaves other requests unhindered [D7-deadline]", async () => {
    const slow = await room({ inline_schema: endless() });
    const quick = await room({ inline_schema: { type: "object" } });
    await ok(post(quick, {}), 201);
    const hostile = Array.from({ length: 6 }, () => post(slow, { a: 1 }));
    const waits: number[] = [];
    for (let n = 0; n < 10; n++) {
      const started = performance.now();
      await ok(post(quick, { n }), 201);
      await ok(bob.get("/profile"));
      waits.push(performance.now() - started);
    }
    expect((await Promise.all(hostile)).map(({ status }) => status)).toEqual(Array(6).fill(422));
    // One after the other on the event loop, the six would hold up the others for 1,500 ms.
    expect(waits.sort((a, b) => a - b)[5]).toBeLessThan(750);
  });
});
