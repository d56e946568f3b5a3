/**
 * The two eras of the protocol. Revisions up to 2025-11-25 begin with `initialize`; from 2026-07-28 on each request says by
 * itself what it needs, and its headers repeat it. Each era has an SDK of its own; both get the same tools.
 */
import { Server as LegacyServer } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from "@modelcontextprotocol/sdk/types.js";
import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type Tool,
} from "@modelcontextprotocol/server";
import { CONTRACT_VERSION } from "../../src/contract/index.js";
import { INSTRUCTIONS, toolDefinitions } from "../../src/generate/mcp.js";
import type { Exchange } from "./exchange.js";

const NAME = { name: "wireroom", title: "Wireroom", version: CONTRACT_VERSION };

/** Tools alone are offered, so a schema of a client's is never validated. One is shared, as each server would build its own. */
const jsonSchemaValidator = {
  getValidator: () => () =>
    ({ valid: false, data: undefined, errorMessage: "nothing is asked of clients" }) as const,
};

const OPTIONS = { capabilities: { tools: {} }, instructions: INSTRUCTIONS, jsonSchemaValidator };

/** The tools are the same for every caller and change with the daemon's version alone. */
const TOOLS_STAY = { ttlMs: 3_600_000, cacheScope: "public" } as const;

/** Both SDKs call it a list of JSON, which TypeScript cannot tell of an interface. */
const TOOLS = toolDefinitions as unknown as Tool[];

/** Answers a message. Nothing outlives the answer, so a restart of the daemon breaks no client. */
export async function respond(request: Request, parsedBody: unknown, exchange: Exchange): Promise<Response> {
  if (!(await isLegacyRequest(request, parsedBody))) {
    const handler = createMcpHandler(() => modernServer(exchange), { legacy: "reject", maxSubscriptions: 0 });
    return handler.fetch(request, { parsedBody });
  }
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await legacyServer(exchange).connect(transport);
  return transport.handleRequest(request, { parsedBody });
}

function legacyServer(exchange: Exchange): LegacyServer {
  const server = new LegacyServer(NAME, OPTIONS);
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    if (params?.cursor !== undefined) throw new McpError(ErrorCode.InvalidParams, NO_CURSOR);
    return { tools: TOOLS };
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name } }, { requestId }) => {
    const result = await exchange.call(name, requestId);
    if (!result) throw new McpError(ErrorCode.InvalidParams, unknownTool(name));
    return result;
  });
  return server;
}

function modernServer(exchange: Exchange): Server {
  const server = new Server(NAME, { ...OPTIONS, cacheHints: { "tools/list": TOOLS_STAY } });
  server.setRequestHandler("tools/list", ({ params }) => {
    if (params?.cursor !== undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, NO_CURSOR);
    return { tools: TOOLS };
  });
  server.setRequestHandler("tools/call", async ({ params: { name } }, { mcpReq: { id } }) => {
    const result = await exchange.call(name, id);
    if (!result) throw new ProtocolError(ProtocolErrorCode.InvalidParams, unknownTool(name));
    return result;
  });
  return server;
}

const NO_CURSOR = "the list of tools is one page; it has no cursor";

function unknownTool(name: string): string {
  return `Unknown tool: ${name.slice(0, 100)}; tools/list names those there are`;
}
