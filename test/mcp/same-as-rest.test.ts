import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { type OperationId, operation, operations } from "../../src/contract/index.js";
import type { Field, Operation } from "../../src/contract/operation.js";
import { mcpTools, UNTRUSTED_CONTENT_NOTICE } from "../../src/generate/mcp.js";
import type { Body, JsonResponse } from "../harness/daemon.js";
import { jsonRpcToolCaller, type ToolResult } from "../harness/mcp.js";
import { callOverRest, normalise, type SeededDaemon, startSeededDaemon } from "../harness/seeded-daemon.js";
import { story } from "../harness/story.js";

type Input = Record<string, unknown>;
type Case = [who: keyof SeededDaemon["agents"], input: (ids: SeededDaemon["ids"]) => Input];

let rest: SeededDaemon;
let mcp: SeededDaemon;

beforeAll(async () => {
  [rest, mcp] = [await startSeededDaemon(), await startSeededDaemon()];
});
afterAll(() => Promise.all([rest.daemon.stop(), mcp.daemon.stop()]));

/**
 * Calls of every operation with a tool, in this order, on both daemons. The first call of each operation
 * succeeds.
 */
const CASES: Partial<Record<OperationId, Case[]>> = {
  "wires.send": [
    ["alice", () => ({ to: "@bob", text: "hi", payload: { a: [1, null, "é"] } })],
    ["alice", () => ({ to: "#ops", text: "posted" })],
    ["alice", (ids) => ({ to: "#ops", text: "answered", reply_to: ids.root })],
    ["alice", () => ({ to: "#quotes", payload: { price: 3 } })],
    ["alice", () => ({ to: "#quotes", payload: { price: -1 } })],
    ["alice", () => ({ to: "#quotes", text: "no text here" })],
    ["alice", () => ({ to: "@carol", text: "no contact" })],
    ["alice", () => ({ to: "@nobody", text: "lost" })],
    ["alice", () => ({ to: "#secret", text: "no member" })],
    [
      "alice",
      () => ({
        to: "@bob",
        text: "own rule",
        reply_rule: { allow_text: false, accepted_schemas: ["@alice/quote"] },
      }),
    ],
    ["alice", () => ({ to: "@bob" })],
    ["alice", () => ({ to: "@bob", text: null, payload: null })],
  ],
  "wires.get": [
    ["alice", (ids) => ({ id: ids.dm })],
    ["alice", (ids) => ({ id: ids.root })],
    ["alice", (ids) => ({ id: ids["between others"] })],
    ["alice", (ids) => ({ id: ids.private })],
  ],
  "sent.list": [
    ["alice", () => ({ to: "@bob", limit: 2 })],
    ["bob", () => ({})],
    ["alice", () => ({ to: "#nowhere" })],
  ],
  "threads.get": [
    ["alice", (ids) => ({ id: ids.reply })],
    ["alice", (ids) => ({ id: ids.root, limit: 1 })],
    ["alice", (ids) => ({ id: ids["between others"] })],
  ],
  "inbox.read": [
    ["alice", () => ({})],
    ["alice", () => ({ limit: 1 })],
    ["bob", () => ({ wait: 0 })],
  ],
  "knocks.send": [
    ["alice", () => ({ handle: "@carol", intro: "Alice here." })],
    ["alice", () => ({ handle: "carol", intro: "Alice again." })],
    ["alice", () => ({ handle: "@alice", intro: "Me." })],
    ["alice", () => ({ handle: "@nobody", intro: "Who?" })],
  ],
  "knocks.list": [
    ["alice", () => ({ status: "pending" })],
    ["alice", () => ({ status: "pending", direction: "sent" })],
    ["alice", () => ({ status: "rejected" })],
  ],
  "knocks.answer": [
    ["alice", (ids) => ({ id: ids["from bob"], status: "accepted" })],
    ["alice", (ids) => ({ id: ids["from bob"], status: "accepted" })],
    ["alice", (ids) => ({ id: ids["from bob"], status: "rejected" })],
    ["alice", (ids) => ({ id: ids["from carol"], status: "accepted" })],
    ["alice", (ids) => ({ id: ids["from dave"], status: "rejected" })],
  ],
  "spaces.create": [
    [
      "alice",
      () => ({
        slug: "fresh",
        visibility: "private",
        tags: ["a"],
        reply_rule: { allow_text: true, votable: true },
      }),
    ],
    ["alice", () => ({ slug: "fresh", visibility: "public" })],
    [
      "alice",
      () => ({
        slug: "other",
        visibility: "public",
        root_rule: { allow_text: true, accepted_schemas: ["@no-one/x"] },
      }),
    ],
  ],
  "spaces.update": [
    ["alice", () => ({ slug: "fresh", description: "A room.", members: [{ handle: "@bob", role: "mod" }] })],
    ["alice", () => ({ slug: "fresh" })],
    ["bob", () => ({ slug: "fresh", members: [{ handle: "@dave", role: "reader" }] })],
    ["bob", () => ({ slug: "fresh", description: "Mine now." })],
    ["carol", () => ({ slug: "fresh" })],
    ["alice", () => ({ slug: "fresh", members: [{ handle: "@nobody", role: "mod" }] })],
    ["alice", () => ({ slug: "fresh", transfer_owner: "@dave" })],
  ],
  "spaces.feed": [
    ["alice", () => ({ slug: "ops" })],
    ["alice", () => ({ slug: "ops", roots_only: "true", order: "top", limit: 1 })],
    ["alice", () => ({ slug: "secret" })],
  ],
  "spaces.search": [
    ["alice", () => ({ slug: "ops", q: '"disk is" -test' })],
    ["alice", () => ({ slug: "ops", q: "" })],
    ["alice", () => ({ slug: "secret", q: "quiet" })],
  ],
  "wires.search": [
    ["alice", () => ({ q: "hello" })],
    ["bob", () => ({ q: "hello -test", limit: 1 })],
  ],
  "schemas.register": [
    ["alice", () => ({ subject: "@alice/note", json_schema: { type: "string" } })],
    ["alice", () => ({ subject: "@alice/note", json_schema: { type: "string", nonsense: 1 } })],
    ["alice", () => ({ subject: "@alice/quote", json_schema: { type: "string" }, compat: "backward" })],
    ["alice", () => ({ subject: "@bob/note", json_schema: {} })],
    ["alice", () => ({ subject: "@nobody/note", json_schema: {} })],
  ],
  "schemas.get": [
    ["bob", () => ({ ref: "@alice/quote" })],
    ["bob", () => ({ ref: "@alice/quote@1" })],
    ["bob", () => ({ ref: "@alice/quote@9" })],
  ],
  "switchboard.search": [
    ["bob", () => ({ type: "handles", q: "weather" })],
    ["bob", () => ({ type: "spaces", tags: "prices", accepts_schema: "@alice/quote" })],
    ["bob", () => ({ type: "schemas", limit: 1 })],
  ],
  "profile.update": [
    ["alice", () => ({ display_name: "Alice", bio: "Sells weather.", inbox_rule: { allow_text: true } })],
    ["alice", () => ({})],
  ],
  "wires.vote": [
    ["alice", (ids) => ({ id: ids.root })],
    ["alice", (ids) => ({ id: ids.root })],
    ["alice", (ids) => ({ id: ids.dm })],
    ["alice", (ids) => ({ id: ids["between others"] })],
    ["alice", (ids) => ({ id: ids.private })],
  ],
  "wires.unvote": [
    ["alice", (ids) => ({ id: ids.root })],
    ["alice", (ids) => ({ id: ids.root })],
    ["alice", (ids) => ({ id: ids.dm })],
  ],
  "wires.claim": [
    ["alice", (ids) => ({ id: ids.root })],
    ["alice", (ids) => ({ id: ids.root, seconds: 60 })],
    ["alice", (ids) => ({ id: ids.dm })],
    ["alice", (ids) => ({ id: ids.private })],
  ],
  "wires.unclaim": [
    ["alice", (ids) => ({ id: ids.root })],
    ["alice", (ids) => ({ id: ids.root, token: "1.x" })],
    ["alice", (ids) => ({ id: ids.dm })],
  ],
  "spaces.claim": [
    ["alice", () => ({ slug: "ops", limit: 1 })],
    ["alice", () => ({ slug: "secret" })],
  ],
  "wires.delete": [
    ["alice", (ids) => ({ id: ids.own })],
    ["alice", (ids) => ({ id: ids.own })],
    ["alice", (ids) => ({ id: ids.dm })],
  ],
};

const inTools = operations.filter(({ tool }) => tool);

/** Returns the tool of an operation, the input that selects the operation, and its default input. */
function toolOf({ id, tool }: Operation): { name: string; choice: Input; defaults: Input } {
  if (tool && "name" in tool) return { name: tool.name, choice: {}, defaults: {} };
  const { into, defaults = {} } = tool!;
  const choice: Input =
    { "wires.unvote": { vote: false }, "wires.unclaim": { release: true } }[id as string] ?? {};
  const { fields } = operation(id as OperationId);
  const own = Object.entries(defaults).filter(([name]) => name in fields);
  return { name: into, choice, defaults: Object.fromEntries(own) };
}

/** Returns values for a field, most of them invalid. Path and query accept only strings and numbers. */
function oddValues({ place, schema }: Field): unknown[] {
  if (place === "query" && (schema as Body).type === "integer") return [0, -1, 1.5, 51, 61, 101, "many"];
  const strings = ["nonsense", "a b", "@x", "%", "../up", "x".repeat(2_500)];
  if (place === "path") return [...strings, "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"];
  if (place === "query") return [...strings, ""];
  return [...strings, "", "x".repeat(9_000), 0, true, null, [], {}, [{}], { nonsense: 1 }, [null]];
}

/** Returns whether MCP treats an optional field with this value as absent, which REST does not. */
const isAbsent = (name: string, value: unknown) =>
  value === "" ||
  (typeof value === "object" && Object.keys(value ?? {}).length === 0) ||
  (name === "wait" && value === 0);

/** Yields the input with one field changed or omitted, and with an unknown field. */
function* variants(op: Operation, input: Input): Generator<Input> {
  const { fields, method } = op;
  const { required } = mcpTools.find(({ tool }) => tool.name === toolOf(op).name)!.arguments;
  for (const [name, field] of Object.entries(fields)) {
    const { [name]: _, ...rest } = input;
    if (field.place !== "path") yield rest;
    for (const value of oddValues(field))
      if (required.includes(name) || !isAbsent(name, value)) yield { ...input, [name]: value };
  }
  if (method === "POST" || method === "PUT") {
    yield { ...input, nonsense: 1 };
    yield { ...input, constructor: 1 };
  }
}

interface Pair {
  reply: JsonResponse;
  called: ToolResult;
}

async function callBoth(
  op: Operation,
  [slug, input]: Case,
  change: (input: Input) => Input = (same) => same,
): Promise<Pair> {
  const { name, choice, defaults } = toolOf(op);
  const args = { ...choice, ...change(input(mcp.ids)) };
  return {
    reply: await callOverRest(rest.agents[slug], op, { ...defaults, ...change(input(rest.ids)) }),
    called: await jsonRpcToolCaller(mcp.daemon, mcp.agents[slug]).call(name, args),
  };
}

/** Expects the same body from both interfaces, and an error from both or neither. */
function expectSame(op: Operation, { reply, called }: Pair, what: unknown): void {
  const context = `${op.id} ${JSON.stringify(what).slice(0, 300)}`;
  const body = Array.isArray(reply.body) ? { results: reply.body } : reply.body;
  expect(normalise(called.body, mcp), context).toEqual(normalise(body, rest));
  expect(called.isError, context).toBe(reply.status >= 400);
  expect(reply.status, context).toBeLessThan(500);
  expect(JSON.parse(called.texts.at(-1)!), context).toEqual(called.body);
}

describe("REST and MCP", () => {
  const it = story();

  // [S1-mcp-same-operations]
  it("are compared for every operation with a tool", () => {
    expect(Object.keys(CASES).sort()).toEqual(inTools.map(({ id }) => id).sort());
  });

  describe.each(Object.keys(CASES) as OperationId[])("%s", (id) => {
    const op = operation(id) as Operation;
    const [first] = CASES[id]!;

    // [S1-mcp-same-operations] [D8-mcp-structured-content] [D8-mcp-error-result]
    it("return the same results and the same errors", async () => {
      for (const [n, one] of CASES[id]!.entries()) {
        const pair = await callBoth(op, one);
        expectSame(op, pair, one[1](rest.ids));
        if (n === 0) expect(pair.reply.status).toBe(op.status);
        expectShape(op, pair.called);
      }
    });

    // [S1-mcp-same-operations] [S1-mcp-same-envelope]
    it("return the same response to invalid input in any field", async () => {
      const count = [...variants(op, first![1](rest.ids))].length;
      for (let n = 0; n < count; n++) {
        const nth = (input: Input) => [...variants(op, input)][n]!;
        expectSame(op, await callBoth(op, first!, nth), nth(first![1](rest.ids)));
      }
    });
  });
});

const ajv = new Ajv2020({ strict: false });
const shapes = new Map(
  mcpTools.map(({ definition }) => [definition.name, ajv.compile(definition.outputSchema)]),
);

/** Expects that the output schema accepts the response, and that a notice precedes untrusted content. */
function expectShape(op: Operation, { body, isError, texts }: ToolResult): void {
  const { name } = toolOf(op);
  const validate = shapes.get(name)!;
  expect(validate(body), JSON.stringify(validate.errors)).toBe(true);
  const { tool } = mcpTools.find(({ definition }) => definition.name === name)!;
  const untrusted = tool.returnsUntrustedContent;
  const announced = !isError && (typeof untrusted === "boolean" ? untrusted : Boolean(body[untrusted.field]));
  expect(texts).toHaveLength(announced ? 2 : 1);
  if (announced) expect(texts[0]).toBe(UNTRUSTED_CONTENT_NOTICE);
}
