/** MCP at `/mcp`: Streamable HTTP without sessions, answered as JSON. */
import type { Context as KoaContext, Middleware } from "koa";
import { invalid, WireroomError } from "../../src/contract/errors.js";
import { JsonError, parseJsonBytes } from "../../src/kernel/strict-json.js";
import type { Service } from "../../src/service/pipeline/context.js";
import { ClientGone, readBytes } from "../http/body.js";
import { callingAgent, sendJson, stateOf } from "../http/koa-context.js";
import { Exchange } from "./exchange.js";
import { plainCall } from "./plain-call.js";
import type { ServedHosts } from "./served-hosts.js";

/** JSON-RPC error codes; the second is the first that JSON-RPC leaves to servers. */
const PARSE_ERROR = -32_700;
const TRANSPORT_ERROR = -32_000;

export function mcpEndpoint(service: Service, hosts: ServedHosts): Middleware {
  return async (ctx) => {
    const state = stateOf(ctx);
    state.operation = "mcp";
    const caller = await callingAgent(service, ctx.headers.authorization);
    state.caller = caller.slug;
    hosts.check(ctx.req);
    if (ctx.method !== "POST") {
      ctx.set("Allow", "POST");
      return refuse(
        ctx,
        405,
        TRANSPORT_ERROR,
        "there are no sessions and no streams: send messages with POST",
      );
    }
    if (!ctx.is("application/json")) {
      return refuse(ctx, 415, TRANSPORT_ERROR, "the message must be sent as Content-Type: application/json");
    }
    try {
      const { message, refusal } = parseMessage(await readBytes(ctx));
      const exchange = new Exchange(ctx, service, caller, refusal);
      const call = plainCall(ctx.req, message);
      if (call) return sendJson(ctx, 200, await exchange.answerPlainCall(call));
      // Loaded with the first message that needs it: the two SDKs would double the time that the daemon takes to start.
      const { respond } = await import("./protocol.js");
      const response = await respond(webRequest(ctx), message, exchange);
      send(ctx, response.status, exchange.complete(await response.text()));
    } catch (error) {
      if (!(error instanceof WireroomError) || error instanceof ClientGone) throw error;
      refuse(ctx, error.status, PARSE_ERROR, error.message, error.envelope());
    }
  };
}

interface Received {
  /** The JSON-RPC message, or the batch that protocol 2025-03-26 allows. */
  message: unknown;
  /** What is wrong with the arguments of a tool call if all else is well: the tool answers it. */
  refusal?: WireroomError;
}

const ARGUMENTS = "/params/arguments";

/** Parses a message as strictly as a REST body. Throws VALIDATION_ERROR. */
function parseMessage(bytes: Buffer): Received {
  const isBatch = /^\s*\[/.test(bytes.toString("latin1", 0, 64));
  try {
    // The depth counts from the arguments, which correspond to a REST body.
    return { message: withoutCancellations(parseJsonBytes(bytes, isBatch ? 3 : 2)) };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const { pointer, message } = error;
    if (!pointer.startsWith(`${ARGUMENTS}/`)) throw malformed(pointer, message);
    return {
      message: JSON.parse(bytes.toString("utf8")) as unknown,
      refusal: malformed(pointer.slice(ARGUMENTS.length), message),
    };
  }
}

function malformed(instancePath: string, message: string): WireroomError {
  return invalid({ instancePath, keyword: "json", message });
}

/** Without sessions a client can only cancel requests of the same batch, which would then never be answered. */
function withoutCancellations(message: unknown): unknown {
  if (!Array.isArray(message)) return message;
  return message.filter((one) => one?.method !== "notifications/cancelled");
}

/** Headers that carry the protocol. */
const HEADERS = ["accept", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name"];

/** The request as the SDKs take it, without its body. */
function webRequest(ctx: KoaContext): Request {
  const headers = HEADERS.flatMap((name) =>
    ctx.get(name) ? [[name, ctx.get(name)] as [string, string]] : [],
  );
  return new Request("http://localhost/mcp", { method: "POST", headers });
}

function send(ctx: KoaContext, status: number, json: string): void {
  if (json === "") {
    ctx.body = null;
    // Koa answers a null body with 204; the protocol answers a notification with 202.
    ctx.status = status;
  } else sendJson(ctx, status, json);
}

/** Answers with a JSON-RPC error that belongs to no request. */
function refuse(ctx: KoaContext, status: number, code: number, message: string, data?: object): void {
  sendJson(ctx, status, JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message, data } }));
}
