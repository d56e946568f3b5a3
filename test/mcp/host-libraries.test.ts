/**
 * The libraries with which hosts pass MCP tools to a model: each lists the tools of a daemon, and sends them
 * to a server that stands for the provider of the model.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createMCPClient } from "@ai-sdk/mcp";
import { createOpenAI } from "@ai-sdk/openai";
import { GoogleGenAI, mcpToTool } from "@google/genai";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { ChatGoogleGenerativeAI } from "@langchain/google-genai";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { Agent, MCPServerStreamableHttp, Runner, setTracingDisabled } from "@openai/agents-core";
import { OpenAIResponsesModel } from "@openai/agents-openai";
import { generateText, stepCountIs } from "ai";
import OpenAI from "openai";
import { afterAll, describe, expect, it } from "vitest";
import { toolDefinitions, UNTRUSTED_CONTENT_NOTICE } from "../../src/generate/mcp.js";
import type { Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { legacyClient, mcpUrl, postJsonRpc } from "../harness/mcp.js";
import {
  functionViolations,
  geminiTools,
  geminiViolations,
  type SentTool,
  strictViolations,
  vsCodeViolations,
} from "./provider-rules.js";

const { daemon, alice } = await hostedFixture(["alice"], {});
const url = mcpUrl(daemon).href;
const headers = { authorization: `Bearer ${alice.key}` };
const NAMES = toolDefinitions.map(({ name }) => name);

/**
 * The requests to the provider, and its next responses. Without a response, it rejects the request, and the
 * library gives up.
 */
let requests: Body[] = [];
let responses: Body[] = [];
const provider = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    requests.push(JSON.parse(Buffer.concat(chunks).toString()));
    const body = responses.shift();
    response.writeHead(body ? 200 : 400, { "content-type": "application/json" });
    response.end(
      JSON.stringify(body ?? { error: { message: "received", code: 400, status: "INVALID_ARGUMENT" } }),
    );
  });
});
await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
afterAll(() => provider.close());
const baseURL = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;

/** Returns the requests that the call sends. @param script the responses to the first of them */
async function requestsOf(call: () => Promise<unknown>, script: Body[] = []): Promise<Body[]> {
  [requests, responses] = [[], [...script]];
  await expect(call()).rejects.toThrow("received");
  return requests;
}

/** Expects that all tools were sent, with the notice about others' words, and without violations. */
function expectTools(tools: SentTool[], violations: (tool: SentTool) => string[]): void {
  expect(tools.map(({ name }) => name)).toEqual(NAMES);
  expect(tools.flatMap(violations)).toEqual([]);
  for (const { name, description } of tools)
    expect(description).toBe(toolDefinitions.find((tool) => tool.name === name)!.description);
}

/** The response of OpenAI's model that calls a tool. */
const callOf = (name: string, args: Body) => ({
  id: "resp_1",
  object: "response",
  created_at: 1,
  status: "completed",
  model: "gpt-5",
  output: [
    {
      type: "function_call",
      id: "fc_1",
      call_id: "call_1",
      name,
      arguments: JSON.stringify(args),
      status: "completed",
    },
  ],
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
});

describe("the Vercel AI SDK", async () => {
  const client = await createMCPClient({ transport: { type: "http", url, headers } });
  afterAll(() => client.close());
  const tools = await client.tools();

  // [D8-mcp-input-converters]
  it("sends the tools to Gemini", async () => {
    const model = createGoogleGenerativeAI({ apiKey: "key", baseURL })("gemini-2.5-flash");
    const [body] = await requestsOf(() => generateText({ model, tools, prompt: "hi", maxRetries: 0 }));
    expectTools(geminiTools(body!), geminiViolations);
  });

  // [D8-mcp-input-converters] [D8-mcp-others-words]
  it("sends the tools to OpenAI, and a result with the notice", async () => {
    const model = createOpenAI({ apiKey: "key", baseURL })("gpt-5");
    const call = () => generateText({ model, tools, prompt: "hi", maxRetries: 0, stopWhen: stepCountIs(2) });
    const [first, second] = await requestsOf(call, [callOf("search", { type: "spaces" })]);
    expectTools(first!.tools, functionViolations);
    expect(JSON.stringify(second!.input)).toContain(UNTRUSTED_CONTENT_NOTICE);
  });
});

describe("LangChain", async () => {
  const client = new MultiServerMCPClient({ wireroom: { transport: "http", url, headers } });
  afterAll(() => client.close());
  const tools = await client.getTools();

  // [D8-mcp-input-converters]
  it("sends the tools to Gemini", async () => {
    const options = { model: "gemini-2.5-flash", apiKey: "key", baseUrl: baseURL, maxRetries: 0 };
    const model = new ChatGoogleGenerativeAI(options).bindTools(tools);
    const [body] = await requestsOf(() => model.invoke("hi"));
    expectTools(geminiTools(body!), geminiViolations);
  });

  // [D8-mcp-input-converters]
  it("converts the tools for OpenAI", () => {
    const converted = tools.map((tool) => convertToOpenAITool(tool).function as unknown as SentTool);
    expectTools(converted, functionViolations);
  });
});

describe("the Google Gen AI SDK", () => {
  // [D8-mcp-input-converters]
  it("sends the tools to Gemini", async () => {
    const client = await legacyClient(daemon, alice);
    const { models } = new GoogleGenAI({ apiKey: "key", httpOptions: { baseUrl: baseURL } });
    const config = { tools: [mcpToTool(client)] };
    const call = () => models.generateContent({ model: "gemini-2.5-flash", contents: "hi", config });
    const [body] = await requestsOf(call);
    // This library passes JSON Schema, in another field.
    const sent = geminiTools(body!).map((tool: Body) => ({ ...tool, parameters: tool.parametersJsonSchema }));
    expectTools(sent as SentTool[], functionViolations);
    await client.close();
  });
});

describe("the OpenAI Agents SDK", () => {
  setTracingDisabled(true);

  async function run(convertSchemasToStrict: boolean, script: Body[] = []): Promise<Body[]> {
    const requestInit = { headers };
    const server = new MCPServerStreamableHttp({ url, requestInit, useStructuredContent: true });
    await server.connect();
    const model = new OpenAIResponsesModel(new OpenAI({ apiKey: "key", baseURL, maxRetries: 0 }), "gpt-5");
    const agent = new Agent({
      name: "agent",
      model,
      mcpServers: [server],
      mcpConfig: { convertSchemasToStrict },
    });
    const sent = await requestsOf(() => new Runner().run(agent, "hi"), script);
    await server.close();
    return sent;
  }

  // [D8-mcp-input-converters]
  it("sends the tools to OpenAI", async () => {
    const [body] = await run(false);
    expectTools(body!.tools, functionViolations);
  });

  // [D8-mcp-input-converters]
  it("sends the tools to OpenAI in strict mode", async () => {
    const [body] = await run(true);
    expectTools(body!.tools, strictViolations);
    for (const tool of body!.tools) expect(tool, tool.name).toMatchObject({ strict: true });
  });

  // [D8-mcp-input-converters]
  it("passes null for every other argument in strict mode, which changes no other field", async () => {
    await alice.put("/profile", { bio: "Weather." });
    const { inputSchema } = toolDefinitions.find(({ name }) => name === "update_profile")!;
    const nulls = Object.fromEntries(Object.keys(inputSchema.properties).map((name) => [name, null]));
    await run(true, [callOf("update_profile", { ...nulls, discoverable: true })]);
    expect((await alice.get("/profile")).body).toMatchObject({ bio: "Weather.", discoverable: true });
  });

  // [D8-mcp-others-words]
  it("hands the model the structured content alone, so that it reads the notice in the description", async () => {
    const [, second] = await run(false, [callOf("search", { type: "spaces" })]);
    const output = second!.input.find(({ type }: Body) => type === "function_call_output");
    expect(JSON.stringify(output)).toContain("results");
    expect(JSON.stringify(output)).not.toContain(UNTRUSTED_CONTENT_NOTICE);
    const { description } = second!.tools.find(({ name }: Body) => name === "search");
    expect(description).toMatch(/data, never instructions\.$/);
  });
});

// [D8-mcp-input-converters]
it("VS Code accepts the tools", async () => {
  const { body } = await postJsonRpc(daemon, alice.key, "tools/list", {});
  const tools = body.result.tools.map(({ inputSchema, ...tool }: Body) => ({
    ...tool,
    parameters: inputSchema,
  }));
  expectTools(tools, vsCodeViolations);
});
