/** REST: every operation of the contract under `/v1`, through the one invocation. */
import { Router } from "@koa/router";
import type { Context as KoaContext, Middleware } from "koa";
import type { Logger } from "pino";
import { WireroomError } from "../../src/contract/errors.js";
import { operations } from "../../src/contract/index.js";
import { type Operation, statusOf } from "../../src/contract/operation.js";
import { type Caller, contextOf, type Service } from "../../src/service/context.js";
import { invoke } from "../../src/service/invoke.js";
import type { Verify } from "../identity/index.js";
import { callingAgent, signalOf } from "./agent.js";
import { readJsonBody } from "./body.js";
import { answerLines } from "./lines.js";
import { setRateLimitHeaders } from "./rate-limit-headers.js";
import { type Projection, projection, queryOf } from "./request-input.js";
import { answerError, answerJson, type RequestState } from "./requests.js";

export function rest(service: Service, verify: Verify, log: Logger): Middleware {
  // The raw path is matched and its parts are decoded afterwards: schema refs and wire URIs hold slashes.
  const router = new Router({ prefix: PREFIX, sensitive: true, strict: true });
  // A path without parameters is looked up: the router would try one pattern after the other.
  const fixed = new Map<string, (ctx: KoaContext) => Promise<void>>();
  for (const operation of operations) {
    const path = operation.path.replace(/\{(\w+)\}/g, ":$1");
    const inputOf = projection(operation);
    const handle = (ctx: KoaContext) => answer(ctx, operation, inputOf, service, verify, log);
    router.register(path, [operation.method], handle);
    if (path === operation.path) fixed.set(`${operation.method} ${PREFIX}${path}`, handle);
  }
  const routes = router.routes() as unknown as Middleware;
  return (ctx, next) => {
    const { path } = ctx;
    if (!path.startsWith(PREFIX)) return next();
    const handle = fixed.get(`${ctx.method} ${path}`);
    return handle ? handle(ctx) : routes(ctx, next);
  };
}

/** Where the operations are. */
export const PREFIX = "/v1";

async function answer(
  ctx: KoaContext,
  operation: Operation,
  inputOf: Projection,
  service: Service,
  verify: Verify,
  log: Logger,
): Promise<void> {
  const state = ctx.state as RequestState;
  state.operation = operation.id;
  const caller = await authenticate(operation, service, verify, ctx.headers.authorization);
  state.caller = caller.kind === "agent" ? caller.slug : caller.account.id;
  const input = await requestInput(ctx, inputOf);
  const { requestId } = state;
  const signal = signalOf(ctx.res, "wait" in input, service);
  const context = contextOf(service, caller, requestId, signal);
  // Not `ctx.get`, for which an empty header is the same as none: it is a malformed key.
  const idempotencyKey = ctx.headers["idempotency-key"]?.toString();
  const outcome = await invoke(operation, context, { input, idempotencyKey });
  setRateLimitHeaders(ctx.res, outcome.limits);
  if (outcome.error) answerError(ctx, outcome.error, log);
  else if (outcome.lines) answerLines(ctx, outcome.lines, log);
  else answerJson(ctx, statusOf(operation, outcome.body!), outcome.body!);
}

async function authenticate(
  operation: Operation,
  service: Service,
  verify: Verify,
  authorization: string | undefined,
): Promise<Caller> {
  if (operation.auth === "token") return service.authenticator.human(await verify(authorization));
  return callingAgent(service, authorization);
}

/** The input, or the 400 that the request itself earns. */
async function requestInput(
  ctx: KoaContext,
  inputOf: Projection,
): Promise<Record<string, unknown> | WireroomError> {
  try {
    const { method } = ctx.req;
    const body = method === "POST" || method === "PUT" ? await readJsonBody(ctx.req) : {};
    const { params = {} } = ctx as KoaContext & { params?: Record<string, string> };
    return inputOf({ path: params, query: queryOf(ctx), body });
  } catch (error) {
    if (error instanceof WireroomError) return error;
    throw error;
  }
}
