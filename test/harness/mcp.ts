/** MCP clients for the daemon: plain JSON-RPC, and both official SDKs. */
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Operation } from "../../src/contract/operation.js";
import type { AgentClient, Body, JsonResponse, TestDaemon } from "./daemon.js";

const NAME = { name: "wireroom-tests", version: "1.0.0" };

export function mcpUrl(daemon: TestDaemon): URL {
  return new URL("/mcp", daemon.origin);
}

export interface ToolResult {
  isError: boolean;
  /** The field `structuredContent`. */
  body: Body;
  /** The texts in the field `content`. */
  texts: string[];
}

/** Calls tools as an agent. */
export interface ToolCaller {
  call(name: string, args?: Record<string, unknown>): Promise<ToolResult>;
}

export async function legacyClient(daemon: TestDaemon, agent: AgentClient): Promise<LegacyClient> {
  const client = new LegacyClient(NAME);
  const headers = { authorization: `Bearer ${agent.key}` };
  await client.connect(new LegacyTransport(mcpUrl(daemon), { requestInit: { headers } }) as never);
  return client;
}

/** @param mode "auto" negotiates the protocol version; `pin` allows only this version */
export async function modernClient(
  daemon: TestDaemon,
  agent: AgentClient,
  mode: "auto" | { pin: string } = "auto",
): Promise<ModernClient> {
  const client = new ModernClient(NAME, { versionNegotiation: { mode } });
  const headers = { authorization: `Bearer ${agent.key}` };
  await client.connect(new ModernTransport(mcpUrl(daemon), { requestInit: { headers } }));
  return client;
}

/** Returns a caller that uses an official client. */
export function sdkToolCaller(client: LegacyClient | ModernClient): ToolCaller {
  return {
    call: async (name, args = {}) => toToolResult(await client.callTool({ name, arguments: args })),
  };
}

/** Returns a caller that uses plain JSON-RPC, without the checks of a client library. */
export function jsonRpcToolCaller(daemon: TestDaemon, agent: AgentClient): ToolCaller {
  return {
    async call(name, args = {}) {
      const { status, body } = await postJsonRpc(daemon, agent.key, "tools/call", { name, arguments: args });
      if (status !== 200 || body.error) throw new Error(`${status} ${JSON.stringify(body)}`);
      return toToolResult(body.result);
    },
  };
}

export function toToolResult(result: Body): ToolResult {
  return {
    isError: result.isError === true,
    body: result.structuredContent,
    texts: result.content.map(({ text }: { text: string }) => text),
  };
}

export function postJsonRpc(
  daemon: TestDaemon,
  key: string | undefined,
  method: string,
  params: unknown,
): Promise<JsonResponse> {
  return postToMcp(daemon, key, { jsonrpc: "2.0", id: 1, method, params });
}

/** Returns a request of the newest protocol revision, whose metadata stand in the body and in headers. */
export function modernMessage(
  method: string,
  params: Record<string, unknown> = {},
  version = "2026-07-28",
  id: string | number = 1,
) {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": version,
    "io.modelcontextprotocol/clientInfo": NAME,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const name = params.name ?? params.uri;
  return {
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": version,
      "mcp-method": method,
      ...(typeof name === "string" && { "mcp-name": name }),
    },
    body: { jsonrpc: "2.0", id, method, params: { ...params, _meta } },
  };
}

/** Sends one request of the newest protocol revision. */
export function postModern(
  daemon: TestDaemon,
  key: string,
  ...request: Parameters<typeof modernMessage>
): Promise<JsonResponse> {
  const { headers, body } = modernMessage(...request);
  return postToMcp(daemon, key, body, headers);
}

/** Sends an HTTP request to the MCP endpoint. @param message JSON value or raw text */
export async function postToMcp(
  daemon: TestDaemon,
  key: string | undefined,
  message: unknown,
  headers: Record<string, string> = {},
  method = "POST",
): Promise<JsonResponse> {
  const response = await fetch(mcpUrl(daemon), {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    ...(message !== undefined && { body: typeof message === "string" ? message : JSON.stringify(message) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === "" ? undefined : JSON.parse(text),
  };
}

/** Calls the tool of an operation. Returns undefined if the operation has no tool. */
export async function callOverMcp(
  daemon: TestDaemon,
  agent: AgentClient,
  { tool }: Operation,
  input: Record<string, unknown>,
): Promise<ToolResult | undefined> {
  if (!tool) return undefined;
  const { call } = jsonRpcToolCaller(daemon, agent);
  if ("name" in tool) return call(tool.name, input);
  return call(tool.into, "isFalse" in tool.chosenBy ? { ...input, [tool.chosenBy.isFalse]: false } : input);
}
