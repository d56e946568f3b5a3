/** MCP at `/mcp`: Streamable HTTP without sessions, answered as JSON (decisions, section 8). */
import type { Context as KoaContext, Middleware } from "koa";
import type { Logger } from "pino";
import { WireroomError } from "../../src/contract/errors.js";
import type { Service } from "../../src/service/context.js";
import { callingAgent } from "../http/agent.js";
import { ClientGone } from "../http/body.js";
import { answerJson, type RequestState } from "../http/requests.js";
import { Exchange } from "./exchange.js";
import { receive } from "./message.js";
import { plainCall } from "./plain-call.js";
import type { ServedHosts } from "./served-hosts.js";

/** Codes of JSON-RPC; the transport's own refusals have the first one that is left to servers. */
const PARSE_ERROR = -32_700;
const REFUSED = -32_000;

const JSON_TYPE = "application/json";

/** Headers by which the protocol is spoken. */
const HEADERS = ["accept", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name"];

export function mcp(service: Service, hosts: ServedHosts, log: Logger): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== "/mcp") return next();
    const state = ctx.state as RequestState;
    state.operation = "mcp";
    const caller = await callingAgent(service, ctx.headers.authorization);
    state.caller = caller.slug;
    hosts.check(ctx.req);
    if (ctx.method !== "POST") {
      ctx.set("Allow", "POST");
      return refuse(ctx, 405, REFUSED, "there are no sessions and no streams: send messages with POST");
    }
    if (ctx.headers["content-type"] !== JSON_TYPE && !ctx.is(JSON_TYPE)) {
      return refuse(ctx, 415, REFUSED, "the message must be sent as Content-Type: application/json");
    }
    try {
      const { message, refusal } = await receive(ctx.req);
      const exchange = new Exchange(ctx, service, caller, refusal, log);
      const call = plainCall(ctx.req, message);
      if (call) return answerJson(ctx, 200, await exchange.answerPlainly(call));
      // Loaded with the first message: two SDKs would double the time that a daemon takes to start.
      const { respond } = await import("./protocol.js");
      const response = await respond(webRequest(ctx), message, exchange);
      send(ctx, response.status, exchange.complete(await response.text()));
    } catch (error) {
      if (!(error instanceof WireroomError) || error instanceof ClientGone) throw error;
      refuse(ctx, error.status, PARSE_ERROR, error.message, error.envelope());
    }
  };
}

/** The request as the SDKs take it; its body has been read. */
function webRequest(ctx: KoaContext): Request {
  const headers = HEADERS.flatMap((name) =>
    ctx.get(name) ? [[name, ctx.get(name)] as [string, string]] : [],
  );
  return new Request("http://localhost/mcp", { method: "POST", headers });
}

function send(ctx: KoaContext, status: number, json: string): void {
  if (json === "") {
    ctx.body = null;
    // Koa takes a null body for 204; a notification is answered 202.
    ctx.status = status;
  } else answerJson(ctx, status, json);
}

/** A JSON-RPC error that answers no request in particular. */
function refuse(ctx: KoaContext, status: number, code: number, message: string, data?: object): void {
  answerJson(ctx, status, JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message, data } }));
}
