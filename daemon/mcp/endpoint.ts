/** The MCP endpoint `/mcp`: the "Streamable HTTP" transport without sessions, usually with JSON responses. */
import { Readable } from "node:stream";
import type { Context as KoaContext, Middleware } from "koa";
import { WireroomError } from "../../src/contract/errors.js";
import { concatJson } from "../../src/kernel/raw-json.js";
import type { Agent } from "../../src/service/pipeline/caller.js";
import type { Service } from "../../src/service/pipeline/context.js";
import type { Admission } from "../http/admission.js";
import { ClientDisconnected, hasJsonType, readBytes } from "../http/body.js";
import type { IncomingRequest } from "../http/memory.js";
import { authenticateAgent, stateOf } from "../http/request.js";
import { sendJson, setRateLimitHeaders } from "../http/responses.js";
import type { Catalog } from "./catalog.js";
import { McpExchange } from "./exchange.js";
import { parseMessage, plainCall } from "./message.js";
import { PARSE_ERROR, TRANSPORT_ERROR } from "./rpc-error.js";
import type { ServedHosts } from "./served-hosts.js";

export function mcpEndpoint(
  service: Service,
  hosts: ServedHosts,
  catalog: Catalog,
  admission: Admission,
): Middleware {
  return async (ctx) => {
    const state = stateOf(ctx);
    state.operation = "mcp";
    const caller = await authenticateAgent(service, ctx.headers.authorization);
    state.caller = caller.slug;
    hosts.check(ctx.req);
    if (ctx.method !== "POST") {
      ctx.set("Allow", "POST");
      return sendRpcError(
        ctx,
        405,
        TRANSPORT_ERROR,
        "the endpoint has no sessions and no streams; send messages with POST",
      );
    }
    if (!hasJsonType(ctx)) {
      return sendRpcError(
        ctx,
        415,
        TRANSPORT_ERROR,
        "the message must be sent as Content-Type: application/json (UTF-8)",
      );
    }
    try {
      const message = await receive(ctx, service, caller);
      const exchange = new McpExchange(ctx, service, caller, admission);
      const call = plainCall(ctx.headers, message);
      const result = call && (await catalog.runPlainCall?.(call, exchange));
      if (result) {
        exchange.assertStillAuthorized();
        const end = `,"jsonrpc":"2.0","id":${JSON.stringify(call.id)}}`;
        return sendJson(ctx, 200, concatJson(['{"result":', ...result, end]));
      }
      // Load the SDKs only when needed, because loading them at startup would double the startup time.
      const { respond } = await import("./protocol.js");
      const response = await respond(webRequest(ctx), message, catalog, exchange);
      await send(ctx, response, exchange, Array.isArray(message));
    } catch (error) {
      const isMalformed = error instanceof WireroomError && error.code === "VALIDATION_ERROR";
      if (!isMalformed || error instanceof ClientDisconnected) throw error;
      sendRpcError(ctx, error.status, PARSE_ERROR, error.message, error.envelope());
    }
  };
}

/** A separate function, so that the bytes can be freed while the call is a long poll. */
async function receive(ctx: KoaContext, service: Service, caller: Agent): Promise<unknown> {
  (ctx.req as IncomingRequest).belongsTo(caller.account.id);
  const bytes = await readBytes(ctx);
  // Check the credential again, because the body may arrive long after the headers.
  await service.authenticator.assertStillValid(caller);
  return parseMessage(bytes);
}

const HEADERS = ["mcp-protocol-version", "mcp-method", "mcp-name"];

function webRequest(ctx: KoaContext): Request {
  const headers = new Headers({
    // The SDKs require both types, even if the response will be JSON.
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
  });
  for (const name of HEADERS) if (ctx.get(name)) headers.set(name, ctx.get(name));
  return new Request("http://localhost/mcp", { method: "POST", headers });
}

async function send(
  ctx: KoaContext,
  response: Response,
  exchange: McpExchange,
  isBatch: boolean,
): Promise<void> {
  const type = response.headers.get("content-type");
  if (response.body && type?.startsWith("text/event-stream")) {
    const events = eventsOf(response.body, exchange);
    // The headers are sent with the first event and must contain the rate limits.
    const first = await events.next();
    exchange.assertStillAuthorized();
    setRateLimitHeaders(ctx, stateOf(ctx).limits ?? []);
    ctx.status = response.status;
    ctx.set("Content-Type", type);
    // Without this header, nginx buffers the progress notifications until the response ends.
    ctx.set("X-Accel-Buffering", "no");
    ctx.body = Readable.from(startingWith(first, events));
    return;
  }
  const body = exchange.fillPlaceholders(await response.text());
  // A batch must not fail as a whole, because its other calls may have had effects to report.
  if (!isBatch) exchange.assertStillAuthorized();
  if (body === "") {
    ctx.body = null;
    // Koa sets status 204 for a null body, but MCP requires 202 for a notification.
    ctx.status = response.status;
  } else {
    // For a batch with a single request, the SDK returns an object instead of an array.
    const isBare = isBatch && response.ok && !body.startsWith("[");
    sendJson(ctx, response.status, isBare ? `[${body}]` : body);
  }
}

async function* eventsOf(stream: ReadableStream<Uint8Array>, exchange: McpExchange): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const event of stream) yield exchange.fillPlaceholders(decoder.decode(event));
}

async function* startingWith<Item>(
  first: IteratorResult<Item>,
  rest: AsyncGenerator<Item>,
): AsyncGenerator<Item> {
  if (!first.done) yield first.value;
  yield* rest;
}

/** Sends a JSON-RPC error for a message without a valid request id. */
function sendRpcError(ctx: KoaContext, status: number, code: number, message: string, data?: object): void {
  sendJson(ctx, status, JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message, data } }));
}
