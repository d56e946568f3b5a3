/** Every input has a bound, so that no input can cost more than its bound. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { operations } from "../../src/contract/index.js";
import { mcpTools } from "../../src/generate/mcp.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { mapConcurrently } from "../harness/map-concurrently.js";
import { jsonRpcToolCaller, postToMcp } from "../harness/mcp.js";

const { daemon, alice } = await hostedFixture(["alice"]);

type Json = Record<string, unknown>;

/** Any JSON value, which only the size and depth of the request body bound. */
const ANY_JSON = ["payload"];

/** Returns the pointers of the parts of a schema that accept a value of any size. */
function unbounded(schema: Json, path: string, resolve: (ref: string) => Json = () => ({})): string[] {
  const inner = (part: unknown, name: string) => unbounded(part as Json, `${path}/${name}`, resolve);
  if (typeof schema.$ref === "string") return unbounded(resolve(schema.$ref), path, resolve);
  const branches = ["anyOf", "oneOf", "allOf"].find((keyword) => keyword in schema);
  if (branches) return (schema[branches] as Json[]).flatMap((part, n) => inner(part, `${branches}/${n}`));
  if ("enum" in schema || "const" in schema) return [];
  const types = [schema.type].flat();
  const found: string[] = [];
  if (types[0] === undefined) found.push(`${path}: any value`);
  if (types.includes("string") && !(isCount(schema.maxLength) || isFinitePattern(schema.pattern)))
    found.push(`${path}: string`);
  if (
    (types.includes("integer") || types.includes("number")) &&
    !(isCount(schema.minimum) && isCount(schema.maximum))
  )
    found.push(`${path}: integer`);
  if (types.includes("array")) {
    if (!isCount(schema.maxItems)) found.push(`${path}: array`);
    found.push(...inner(schema.items ?? {}, "items"));
  }
  if (types.includes("object")) {
    const { properties = {}, additionalProperties } = schema as {
      properties?: Json;
      additionalProperties?: unknown;
    };
    if (additionalProperties !== false && !isCount(schema.maxProperties)) found.push(`${path}: object`);
    for (const [name, part] of Object.entries(properties)) {
      if (!ANY_JSON.includes(name)) found.push(...inner(part, name));
    }
  }
  return found;
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value);
}

/** Returns whether only texts of limited length match: the pattern is anchored and repeats nothing without a limit. */
function isFinitePattern(pattern: unknown): boolean {
  return (
    typeof pattern === "string" &&
    /^\^.*\$$/.test(pattern) &&
    !/[*+]|,\}/.test(pattern.replace(/\[[^\]]*\]/g, "C"))
  );
}

describe("every input of every operation has a bound", () => {
  it.each(operations.map((operation) => [operation.id, operation.input as Json] as const))(
    "in the contract: %s [D2-bounded]",
    (id, input) => expect(unbounded(input, id)).toEqual([]),
  );

  it("in the OpenAPI document [D2-bounded]", () => {
    const document = JSON.parse(readFileSync("docs/openapi.json", "utf8")) as Json;
    const resolve = (ref: string) =>
      ref
        .slice(2)
        .split("/")
        .reduce((part, key) => part[key.replaceAll("~1", "/")] as Json, document);
    const found: string[] = [];
    for (const [path, methods] of Object.entries(document.paths as Record<string, Record<string, Json>>)) {
      for (const [method, { parameters = [], requestBody }] of Object.entries(methods)) {
        for (let parameter of parameters as Json[]) {
          if (typeof parameter.$ref === "string") parameter = resolve(parameter.$ref);
          found.push(...unbounded(parameter.schema as Json, `${method} ${path} ${parameter.name}`, resolve));
        }
        const content = (requestBody as Json | undefined)?.content as Record<string, Json> | undefined;
        for (const { schema } of Object.values(content ?? {}))
          found.push(...unbounded(schema as Json, `${method} ${path} body`, resolve));
      }
    }
    expect(found).toEqual([]);
  });
});

describe("a value beyond its bound", () => {
  /** Returns a value that is larger than any bound, but of the right type. */
  function tooLarge(schema: Json): unknown {
    const types = [schema.type].flat();
    if (types.includes("string")) return "a".repeat(100_000);
    if (types.includes("integer")) return Number.MAX_SAFE_INTEGER;
    if (types.includes("array")) return Array.from({ length: 10_000 }, () => "@bob");
    if (types.includes("object"))
      return Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, 0]));
    return undefined;
  }

  it.each(mcpTools.map((tool) => [tool.definition.name, tool] as const))(
    "is refused by the tool %s for each of its arguments [D2-bounded]",
    async (name, { operation }) => {
      for (const [field, { schema }] of Object.entries(operation.fields)) {
        const value = tooLarge(schema as Json);
        if (value === undefined) continue;
        const { isError, body } = await jsonRpcToolCaller(daemon, alice).call(name, { [field]: value });
        expect({ field, isError, body }).toMatchObject({
          field,
          isError: true,
          body: { code: "VALIDATION_ERROR" },
        });
        const pointers = body.errors.map(({ instancePath }: Json) => instancePath);
        expect(
          pointers.some((pointer: string) => pointer.startsWith(`/${field}`)),
          JSON.stringify(body),
        ).toBe(true);
      }
    },
  );
});

describe("a hostile text", () => {
  /** Texts that are slow to match for an expression that backtracks. */
  const HOSTILE = ["a", "-", ",", "/", '"', "a.", "a@", "<a ", "-a ", '"a the" '];

  it.each(mcpTools.map((tool) => [tool.definition.name, tool] as const))(
    "in any argument of the tool %s is answered at once [D2-bounded] [D2-no-5xx]",
    async (name, { operation }) => {
      const began = performance.now();
      for (const [field, { schema }] of Object.entries(operation.fields)) {
        if (![(schema as Json).type].flat().includes("string")) continue;
        const texts = HOSTILE.map((part) => part.repeat(30_000 / part.length));
        await mapConcurrently(texts, async (text) => {
          const required =
            name === "search" ? { type: "handles" } : name === "search_wires" ? { slug: "none", q: "x" } : {};
          const { body } = await jsonRpcToolCaller(daemon, alice).call(name, { ...required, [field]: text });
          expect(body.code, JSON.stringify(body)).not.toBe("INTERNAL");
        });
      }
      // Each call takes milliseconds; an expression that backtracks would take minutes.
      expect(performance.now() - began).toBeLessThan(30_000);
    },
  );
});

describe("the JSON of an attacker", () => {
  const post = (text: string) => alice.post("/wires", text);

  it("cannot change the prototype of anything, in input, payload or query [D2-unknown-field] [D2-text-verbatim]", async () => {
    for (const name of ["__proto__", "constructor", "prototype"]) {
      const payload = `{"${name}":{"polluted":true,"text":"x"}}`;
      const { body } = await post(`{"to":"alice","payload":${payload}}`);
      const response = await fetch(`${daemon.base}/wires/${body.id}`, {
        headers: { authorization: `Bearer ${alice.key}` },
      });
      expect(await response.text()).toContain(`"payload":${payload}`);
      expect((await post(`{"to":"alice","${name}":{"text":"x"}}`)).status).toBe(400);
      expect((await alice.get(`/search?type=handles&${name}[text]=x&${name}=y`)).body).toEqual([]);
      const tool = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"send_wire","arguments":{"to":"alice","${name}":{"text":"x"}}}}`;
      expect((await postToMcp(daemon, alice.key, tool)).body.result.structuredContent).toMatchObject({
        code: "VALIDATION_ERROR",
      });
    }
    expect((await alice.post("/wires", { to: "alice" })).status).toBe(400);
  });

  it("with a duplicate key is rejected at every level of an MCP message [D2-duplicate-keys]", async () => {
    const call = (args: string, extra = "") =>
      postToMcp(
        daemon,
        alice.key,
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"send_wire"${extra},"arguments":${args}}}`,
      );
    for (const args of [
      '{"to":"alice","text":"a","text":"b"}',
      '{"to":"alice","payload":{"a":[{"b":1,"\\u0062":2}]}}',
    ])
      expect((await call(args)).body.result.structuredContent).toMatchObject({ code: "VALIDATION_ERROR" });
    const outside = await call('{"to":"alice","text":"a"}', ',"name":"delete_wire"');
    expect({ status: outside.status, result: outside.body.result }).toEqual({
      status: 400,
      result: undefined,
    });
  });
});
