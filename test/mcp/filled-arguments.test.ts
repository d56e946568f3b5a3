/**
 * Hosts that fill in every argument of a tool, as OpenAI's strict mode and some proxies make a model do. Each
 * library calls every tool with a value for each argument of the schema that it hands to the model.
 */
import { createMCPClient } from "@ai-sdk/mcp";
import { mcpToTool } from "@google/genai";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { type FunctionTool, getAllMcpTools, MCPServerStreamableHttp, RunContext } from "@openai/agents-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toolDefinitions } from "../../src/generate/mcp.js";
import { expectOk } from "../harness/api-helpers.js";
import type { Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { legacyClient, mcpUrl } from "../harness/mcp.js";

const { daemon, alice } = await hostedFixture(["alice", "bob", "carol"], {
  args: ["--limit", "knocks_per_hour=none", "--limit", "spaces_per_hour=none"],
});
const url = mcpUrl(daemon).href;
const headers = { authorization: `Bearer ${alice.key}` };

/** A tool as a library passes it to a model. */
interface HostTool {
  name: string;
  /** The JSON Schema of the arguments, after the library has converted it. */
  parameters: Body;
  call(args: Body): Promise<unknown>;
}

const vercel = await createMCPClient({ transport: { type: "http", url, headers } });
const langChain = new MultiServerMCPClient({ wireroom: { transport: "http", url, headers } });
const agentsServer = new MCPServerStreamableHttp({ url, requestInit: { headers } });
const official = await legacyClient(daemon, alice);
afterAll(() => Promise.all([vercel.close(), langChain.close(), agentsServer.close(), official.close()]));

async function ofVercel(): Promise<HostTool[]> {
  const options = { toolCallId: "1", messages: [] };
  const tools = Object.entries(await vercel.tools());
  return Promise.all(
    tools.map(async ([name, tool]) => ({
      name,
      parameters: await (tool.inputSchema as unknown as { jsonSchema: Body }).jsonSchema,
      call: async (args: Body) => tool.execute(args, options),
    })),
  );
}

async function ofLangChain(): Promise<HostTool[]> {
  const tools = await langChain.getTools();
  return tools.map((tool) => ({
    name: tool.name,
    parameters: tool.schema as Body,
    call: (args) => tool.invoke(args),
  }));
}

async function ofAgents(): Promise<HostTool[]> {
  await agentsServer.connect();
  const options = { mcpServers: [agentsServer], convertSchemasToStrict: true };
  const tools = (await getAllMcpTools(options)) as FunctionTool[];
  return tools.map(({ name, parameters, invoke }) => ({
    name,
    parameters,
    call: (args) => invoke(new RunContext(), JSON.stringify(args)),
  }));
}

async function ofGoogle(): Promise<HostTool[]> {
  const callable = mcpToTool(official);
  const { functionDeclarations = [] } = await callable.tool();
  return functionDeclarations.map(({ name = "", parametersJsonSchema }) => ({
    name,
    parameters: parametersJsonSchema as Body,
    call: (args) => callable.callTool([{ name, args }]),
  }));
}

/** The arguments that each tool requires. */
let needed: Record<string, () => Body>;
let calls = 0;

beforeAll(async () => {
  await alice.post("/spaces", { slug: "ops", visibility: "public" });
  const votable = { allow_text: true, votable: true, claimable: true };
  await alice.post("/spaces", { slug: "polls", visibility: "public", root_rule: votable });
  const { id: poll } = await expectOk(alice.post("/wires", { to: "#polls", text: "yes?" }), 201);
  await alice.post("/schemas", { subject: "@alice/quote", json_schema: {} });
  const { id } = await expectOk(alice.post("/wires", { to: "#ops", text: "hello" }), 201);
  const { id: own } = await expectOk(alice.post("/wires", { to: "@bob", text: "hello" }), 201);
  await alice.put("/profile", PROFILE);
  await alice.put("/spaces/ops", SPACE);
  needed = {
    send_wire: () => ({ to: "@bob", text: "hi" }),
    get_wire: () => (calls % 2 ? { id } : {}),
    delete_wire: () => ({ id: own }),
    vote_wire: () => ({ id: poll }),
    claim_wire: () => ({ id: poll, limit: 1 }),
    read_thread: () => ({ id }),
    send_knock: () => ({ handle: "@carol", intro: "hi" }),
    create_space: () => ({ slug: `space-${calls}`, visibility: "public" }),
    manage_space: () => ({ slug: "ops" }),
    read_space: () => ({ slug: "ops" }),
    search_wires: () => ({ ...(calls % 2 && { slug: "ops" }), q: "hello" }),
    register_schema: () => ({ subject: `@alice/s${calls}`, json_schema: "{}" }),
    get_schema: () => ({ ref: "@alice/quote" }),
    search: () => ({ type: "spaces" }),
  };
});

/** Values that no filled argument may change. */
const PROFILE = { display_name: "Alice", bio: "Weather.", tags: ["weather"] };
const SPACE = { description: "A room.", tags: ["room"], retain_days: 30 };

/** The defaults that the descriptions state. `false` is that of every other boolean. */
const DEFAULTS: Body = {
  ...{ limit: 50, wait: 0, wait_for_reply: 0, vote: true, order: "newest", direction: "received" },
  ...{ status: "pending", posting_rights: "anyone", compat: "none", contact_policy: "open" },
  ...{
    seconds: 600,
    space_notices: "all",
    allow_text: true,
    delivery_receipts: true,
    retain_days: SPACE.retain_days,
  },
};

type Fill = (name: string, type: string) => unknown;
const FILLS: Record<string, Fill> = {
  null: () => null,
  "empty values": (_, type) => (type === "array" ? [] : ""),
  "the default of each": (name, type) =>
    DEFAULTS[name] ?? { array: [], boolean: false, string: "" }[type] ?? null,
};

/** Returns a value for a property, and for all properties of an object. */
function filled(name: string, schema: Body, fill: Fill): unknown {
  const union = [schema, ...(schema.anyOf ?? [])];
  const properties = union.find((each) => each.properties)?.properties;
  const type = union.flatMap((each) => each.type ?? []).find((each) => each !== "null");
  return properties ? fillIn(properties, {}, fill) : fill(name, type);
}

function fillIn(properties: Record<string, Body>, args: Body, fill: Fill): Body {
  const names = Object.keys(properties);
  return Object.fromEntries(names.map((name) => [name, args[name] ?? filled(name, properties[name]!, fill)]));
}

describe.each([
  ["the Vercel AI SDK", ofVercel, FILLS],
  // LangChain itself rejects null, and "" for a number.
  ["LangChain", ofLangChain, { "the default of each": FILLS["the default of each"]! }],
  ["the OpenAI Agents SDK in strict mode", ofAgents, FILLS],
  ["the Google Gen AI SDK", ofGoogle, FILLS],
])("%s", (_, toolsOf, fills) => {
  // [D8-mcp-absent] [D8-mcp-input-converters]
  it.each(Object.entries(fills))("calls every tool with %s, and changes nothing", async (_, fill) => {
    const tools = await toolsOf();
    expect(tools.map(({ name }) => name)).toEqual(toolDefinitions.map(({ name }) => name));
    for (const { name, parameters, call } of tools) {
      calls++;
      const args = fillIn(parameters.properties, needed[name]?.() ?? {}, fill);
      const result = JSON.stringify(await call(args));
      expect(result, `${name} ${JSON.stringify(args)}`).not.toMatch(/"isError":true|[A-Z]+_ERROR/);
    }
    expect((await alice.get("/profile")).body).toMatchObject(PROFILE);
    expect((await alice.get("/spaces/ops")).body).toMatchObject(SPACE);
  });
});
