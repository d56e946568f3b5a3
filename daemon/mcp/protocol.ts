/**
 * The two SDKs of the protocol. Revisions up to 2025-11-25 begin with `initialize`; from 2026-07-28 on each request is
 * self-contained, and its headers repeat what it says. Both SDKs serve the same tools.
 */
import { Server as LegacyServer } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { createMcpHandler, isLegacyRequest, Server } from "@modelcontextprotocol/server";
import { CONTRACT_VERSION } from "../../src/contract/index.js";
import { INSTRUCTIONS } from "../../src/generate/mcp.js";
import type { Exchange } from "./exchange.js";

const NAME = { name: "wireroom", title: "Wireroom", version: CONTRACT_VERSION };

/** The server elicits no input, so nothing is validated; without this option each `Server` would build an Ajv of its own. */
const jsonSchemaValidator = {
  getValidator: () => () =>
    ({ valid: false, data: undefined, errorMessage: "no input is elicited" }) as const,
};

const OPTIONS = { capabilities: { tools: {} }, instructions: INSTRUCTIONS, jsonSchemaValidator };

/** Answers a message or a batch. No state outlives the response, so a restart of the daemon breaks no client. */
export async function respond(request: Request, parsedBody: unknown, exchange: Exchange): Promise<Response> {
  if (await isLegacyRequest(request, parsedBody)) return respondLegacy(request, parsedBody, exchange);
  const connect = () => {
    const server = new Server(NAME, OPTIONS);
    server.fallbackRequestHandler = (message) => exchange.answer(message);
    return server;
  };
  return createMcpHandler(connect, { legacy: "reject", maxSubscriptions: 0 }).fetch(request, { parsedBody });
}

async function respondLegacy(request: Request, parsedBody: unknown, exchange: Exchange): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = new LegacyServer(NAME, OPTIONS);
  server.fallbackRequestHandler = (message) => exchange.answer(message);
  await server.connect(transport);
  return transport.handleRequest(request, { parsedBody });
}
