/**
 * Connects the two MCP SDKs. The first serves protocol revisions up to 2025-11-25, in which a client begins
 * with `initialize`. The second serves revision 2026-07-28, whose requests are self-contained.
 */
import { Server as LegacyServer } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
  InitializeRequestSchema,
  isInitializeRequest,
  isJSONRPCRequest,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/sdk/types.js";
import { createMcpHandler, isLegacyRequest, Server } from "@modelcontextprotocol/server";
import { CONTRACT_VERSION } from "../../src/contract/index.js";
import type { Catalog } from "./catalog.js";
import type { McpExchange } from "./exchange.js";
import { handleRequest, isMethod } from "./methods.js";
import { progressTokenOf, withProgress } from "./progress.js";
import { INVALID_PARAMS, INVALID_REQUEST, RpcError, TRANSPORT_ERROR } from "./rpc-error.js";

/** Defined here, because the SDKs export only the versions that begin with a handshake. */
const MODERN_VERSION = "2026-07-28";

const NAME = { name: "wireroom", title: "Wireroom", version: CONTRACT_VERSION };

/**
 * Never called, because the server never requests input from the client. Without this validator, each
 * `Server` would create an Ajv instance.
 */
const jsonSchemaValidator = {
  getValidator: () => () =>
    ({ valid: false, data: undefined, errorMessage: "no input is elicited" }) as const,
};

const CAPABILITIES = { tools: {}, resources: {}, prompts: {}, completions: {} };

function optionsOf({ instructions }: Catalog) {
  return { capabilities: CAPABILITIES, instructions, jsonSchemaValidator };
}

/** Keeps no state between requests, so clients can continue after a restart of the daemon. */
export async function respond(
  request: Request,
  parsedBody: unknown,
  catalog: Catalog,
  exchange: McpExchange,
): Promise<Response> {
  if (await isLegacyRequest(request, parsedBody))
    return respondLegacy(request, parsedBody, catalog, exchange);
  const connect = () => {
    const server = new Server(NAME, optionsOf(catalog));
    // Without a handler, the SDK responds with 404, as this revision requires for unknown methods.
    if (isMethod((parsedBody as { method: string }).method))
      server.fallbackRequestHandler = (message, { mcpReq }) =>
        withProgress(tokenOf(message, exchange), mcpReq.notify, exchange.isReading, () =>
          handleRequest(message, catalog, exchange),
        );
    return server;
  };
  // The server announces no changes, so the SDK acknowledges no subscription and ends the stream.
  return createMcpHandler(connect, { legacy: "reject" }).fetch(request, { parsedBody });
}

async function respondLegacy(
  request: Request,
  parsedBody: unknown,
  catalog: Catalog,
  exchange: McpExchange,
): Promise<Response> {
  const refusal = versionError(request, parsedBody);
  if (refusal) {
    const { code, message } = refusal;
    return Response.json({ jsonrpc: "2.0", id: null, error: { code, message } }, { status: 400 });
  }
  // A JSON response cannot contain notifications, so a progress token requires an event stream.
  const enableJsonResponse = tokenOf(parsedBody, exchange) === undefined;
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse });
  const server = new LegacyServer(NAME, optionsOf(catalog));
  server.fallbackRequestHandler = (message, { sendNotification }) => {
    const token = enableJsonResponse ? undefined : progressTokenOf(message);
    return withProgress(token, sendNotification, exchange.isReading, () =>
      handleRequest(message, catalog, exchange),
    );
  };
  await server.connect(transport);
  const { onmessage } = transport;
  transport.onmessage = (message, extra) => {
    const error = initializeError(message);
    if (!error) return onmessage?.(message, extra);
    // The client may have disconnected.
    transport.send(error).catch(() => undefined);
  };
  return transport.handleRequest(request, { parsedBody });
}

/**
 * Returns an error if a header names a protocol version that the SDK for older versions does not support,
 * because that SDK's own error does not list the newest version. `initialize` is exempt, because it
 * negotiates the version.
 */
function versionError({ headers }: Request, parsedBody: unknown): RpcError | undefined {
  const version = headers.get("mcp-protocol-version");
  if (version === null || SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return undefined;
  if ([parsedBody].flat().some(isInitializeRequest)) return undefined;
  if (version === MODERN_VERSION)
    return new RpcError(
      INVALID_REQUEST,
      `protocol version ${version} has no batches, and no responses of clients`,
    );
  const supported = [MODERN_VERSION, ...SUPPORTED_PROTOCOL_VERSIONS].join(", ");
  const message = `unsupported protocol version ${version.slice(0, 100)}; supported versions: ${supported}`;
  return new RpcError(TRANSPORT_ERROR, message);
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  array: "a JSON array",
  boolean: "a boolean",
  number: "a number",
  object: "a JSON object",
  record: "a JSON object",
  string: "a string",
};

/**
 * Returns the error for an `initialize` request with invalid parameters. The SDK would respond with an
 * internal error whose message is a JSON list of problems.
 */
function initializeError(message: JSONRPCMessage): JSONRPCErrorResponse | undefined {
  if (!isJSONRPCRequest(message) || message.method !== "initialize") return undefined;
  const problem = InitializeRequestSchema.safeParse(message).error?.issues[0];
  if (!problem) return undefined;
  const expected = "expected" in problem ? TYPE_NAMES[problem.expected] : undefined;
  const reason = expected ? ` must be ${expected}` : `: ${problem.message}`;
  const error = { code: INVALID_PARAMS, message: `${problem.path.join(".")}${reason}` };
  return { jsonrpc: "2.0", id: message.id, error };
}

function tokenOf(message: unknown, { acceptsEvents }: McpExchange): string | number | undefined {
  return acceptsEvents ? progressTokenOf(message) : undefined;
}
