/**
 * Connects the two MCP SDKs, which serve the same tools. One SDK serves protocol revisions up to 2025-11-25, which begin with
 * `initialize`. The other SDK serves revision 2026-07-28. Its requests are self-contained and repeat their method in headers.
 */
import { Server as LegacyServer } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { createMcpHandler, isLegacyRequest, Server } from "@modelcontextprotocol/server";
import { CONTRACT_VERSION } from "../../src/contract/index.js";
import { INSTRUCTIONS } from "../../src/generate/mcp.js";
import type { McpExchange } from "./exchange.js";

const NAME = { name: "wireroom", title: "Wireroom", version: CONTRACT_VERSION };

/**
 * A validator that is never used, because the server never requests input from the client. Without this option, each `Server`
 * would create an Ajv instance.
 */
const jsonSchemaValidator = {
  getValidator: () => () =>
    ({ valid: false, data: undefined, errorMessage: "no input is elicited" }) as const,
};

const OPTIONS = { capabilities: { tools: {} }, instructions: INSTRUCTIONS, jsonSchemaValidator };

/**
 * Returns the response to one MCP message or to a batch. It keeps no state between requests, so that clients survive a restart
 * of the daemon.
 */
export async function respond(
  request: Request,
  parsedBody: unknown,
  exchange: McpExchange,
): Promise<Response> {
  if (await isLegacyRequest(request, parsedBody)) return respondLegacy(request, parsedBody, exchange);
  const connect = () => {
    const server = new Server(NAME, OPTIONS);
    server.fallbackRequestHandler = (message) => exchange.handle(message);
    return server;
  };
  return createMcpHandler(connect, { legacy: "reject", maxSubscriptions: 0 }).fetch(request, { parsedBody });
}

async function respondLegacy(
  request: Request,
  parsedBody: unknown,
  exchange: McpExchange,
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = new LegacyServer(NAME, OPTIONS);
  server.fallbackRequestHandler = (message) => exchange.handle(message);
  await server.connect(transport);
  return transport.handleRequest(request, { parsedBody });
}
