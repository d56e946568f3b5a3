/** Clients that speak MCP to the daemon: plain JSON-RPC, and the two official SDKs. */
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { AgentClient, Body, Reply, TestDaemon } from "./daemon.js";

const NAME = { name: "wireroom-tests", version: "1.0.0" };

export function mcpUrl(daemon: TestDaemon): URL {
  return new URL("/mcp", daemon.origin);
}

/** A tool's result as a caller sees it. */
export interface Called {
  isError: boolean;
  /** `structuredContent`. */
  body: Body;
  /** The texts of `content`. */
  texts: string[];
}

/** An agent that calls tools, by whatever client. */
export interface ToolCaller {
  call(name: string, args?: Record<string, unknown>): Promise<Called>;
}

export async function legacyClient(daemon: TestDaemon, agent: AgentClient): Promise<LegacyClient> {
  const client = new LegacyClient(NAME);
  const headers = { authorization: `Bearer ${agent.key}` };
  await client.connect(new LegacyTransport(mcpUrl(daemon), { requestInit: { headers } }) as never);
  return client;
}

/** @param mode the newest protocol alone, or whatever both sides speak */
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

/** Calls tools through an official client. */
export function caller(client: LegacyClient | ModernClient): ToolCaller {
  return {
    call: async (name, args = {}) => called(await client.callTool({ name, arguments: args })),
  };
}

/** Calls tools by plain JSON-RPC: no client's own opinion stands between. */
export function plainCaller(daemon: TestDaemon, agent: AgentClient): ToolCaller {
  return {
    async call(name, args = {}) {
      const { status, body } = await rpc(daemon, agent.key, "tools/call", { name, arguments: args });
      if (status !== 200 || body.error) throw new Error(`${status} ${JSON.stringify(body)}`);
      return called(body.result);
    },
  };
}

export function called(result: Body): Called {
  return {
    isError: result.isError === true,
    body: result.structuredContent,
    texts: result.content.map(({ text }: { text: string }) => text),
  };
}

/** One JSON-RPC request. */
export function rpc(
  daemon: TestDaemon,
  key: string | undefined,
  method: string,
  params: unknown,
): Promise<Reply> {
  return post(daemon, key, { jsonrpc: "2.0", id: 1, method, params });
}

/** @param message as JSON, or ready-made text */
export async function post(
  daemon: TestDaemon,
  key: string | undefined,
  message: unknown,
  headers: Record<string, string> = {},
  method = "POST",
): Promise<Reply> {
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
