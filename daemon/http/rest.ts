/** REST routes. Each operation of the contract has one route under `/v1`. */
import { Router } from "@koa/router";
import type { Context as KoaContext, Middleware } from "koa";
import { invalid, type Reason, WireroomError } from "../../src/contract/errors.js";
import { operations } from "../../src/contract/index.js";
import type { Field, Operation } from "../../src/contract/operation.js";
import { contextOf, invoke } from "../../src/service/dispatch/invoke.js";
import type { Caller } from "../../src/service/pipeline/caller.js";
import type { Service } from "../../src/service/pipeline/context.js";
import type { Verify } from "../identity/index.js";
import { readJsonBody } from "./body.js";
import type { IncomingRequest } from "./memory.js";
import { authenticateAgent, createAbortSignal, stateOf } from "./request.js";
import { sendLines, sendResult, setRateLimitHeaders } from "./responses.js";

type Fields = Record<string, unknown>;
type ReadInput = (ctx: KoaContext) => Promise<Fields> | Fields;

const NO_BODY: Fields = {};
const NO_QUERY: KoaContext["query"] = {};

/**
 * Selects a router by the first path segment after `/v1`. A single Koa router for all operations would be
 * slower, because it tries one route after the other (docs/performance-internals.md#optimisations).
 */
export function restRoutes(service: Service, verify: Verify): Middleware {
  const routers = new Map<string, Router>();
  for (const operation of operations) {
    const noun = operation.path.split("/")[1]!;
    const router = routers.get(noun) ?? new Router(ROUTER_OPTIONS);
    routers.set(noun, router);
    const path = operation.path.replace(/\{(\w+)\}/g, ":$1");
    const readInput = inputReader(operation);
    router.register(`/v1${path}`, [operation.method], (ctx: KoaContext) =>
      handle(ctx, operation, readInput, service, verify),
    );
  }
  const routes = new Map(
    [...routers].map(([noun, router]) => [noun, router.routes() as unknown as Middleware]),
  );
  return (ctx, next) => {
    const noun = /^\/v1\/([^/]+)/.exec(ctx.path)?.[1];
    const route = noun === undefined ? undefined : routes.get(noun);
    return route ? route(ctx, next) : next();
  };
}

/** Makes routes match paths exactly: upper and lower case differ, and a trailing slash matters. */
export const ROUTER_OPTIONS = { sensitive: true, strict: true };

async function handle(
  ctx: KoaContext,
  operation: Operation,
  readInput: ReadInput,
  service: Service,
  verify: Verify,
): Promise<void> {
  const state = stateOf(ctx);
  state.operation = operation.id;
  const caller = await authenticate(ctx, operation, service, verify);
  state.caller = caller.kind === "agent" ? caller.slug : caller.account.id;
  (ctx.req as IncomingRequest).belongsTo(caller.account.id);
  const input = await inputOrError(() => readInput(ctx));
  const signal = createAbortSignal(ctx, input);
  // Do not use `ctx.get`, which returns "" for an absent header, because an empty key must be rejected.
  const idempotencyKey = ctx.headers["idempotency-key"]?.toString();
  const context = contextOf(service, caller, state.requestId, signal, state);
  const outcome = await invoke(operation, context, { input, idempotencyKey });
  if (outcome.error || outcome.lines) setRateLimitHeaders(ctx, outcome.limits);
  if (outcome.error) throw outcome.error;
  if (outcome.lines) return sendLines(ctx, outcome.lines);
  const body = outcome.body!;
  state.waitingBytes.add(ctx.res, caller.account.id, body.length, operation.method !== "GET");
  sendResult(ctx, successStatus(operation, body), body, outcome.limits, service.stopping.aborted);
}

/**
 * Returns 202 if the wire or knock waits for approval. Reads this from the end of the body, so that a
 * replayed response has the same status. A caller's text cannot imitate the end, because its quotes are
 * escaped.
 */
export function successStatus(operation: Operation, body: string | Uint8Array): number {
  return operation.mayBeHeld && typeof body === "string" && body.endsWith('"status":"held"}')
    ? 202
    : operation.status;
}

function authenticate(
  { headers: { authorization } }: KoaContext,
  { auth }: Operation,
  service: Service,
  verify: Verify,
): Promise<Caller> {
  if (auth === "token")
    return verify(authorization).then((identity) => service.authenticator.authenticateHuman(identity));
  return authenticateAgent(service, authorization);
}

/** Returns an error instead of throwing it, so that `invoke` can add the rate limits. */
export async function inputOrError(read: () => Promise<Fields> | Fields): Promise<Fields | WireroomError> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof WireroomError) return error;
    throw error;
  }
}

/**
 * The returned function merges path, query and body. It ignores unknown query parameters, and keeps unknown
 * body fields, which `invoke` rejects.
 */
function inputReader({ fields, method }: Operation): ReadInput {
  const namesIn = (place: Field["place"]) =>
    Object.keys(fields).filter((name) => fields[name]!.place === place);
  const [inPath, inQuery] = [namesIn("path"), namesIn("query")];
  const merge = (ctx: KoaContext, body: Fields): Fields => {
    // The object has no prototype, so that a field named `__proto__` is rejected like any other unknown
    // field.
    const input = Object.create(null) as Fields;
    const { params } = ctx;
    for (const name of inPath) input[name] = params[name];
    const query = inQuery.length > 0 ? ctx.query : NO_QUERY;
    for (const name of inQuery) {
      const value = query[name];
      if (value !== undefined) input[name] = queryValue(name, fields[name]!, value);
    }
    for (const name of Object.keys(body)) {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (field && field.place !== "body") throw invalid(misplaced(name, field));
      input[name] = body[name];
    }
    return input;
  };
  if (method === "GET") return (ctx) => merge(ctx, NO_BODY);
  return async (ctx) => merge(ctx, await readJsonBody(ctx));
}

function misplaced(name: string, { place }: Field): Reason {
  const message = `unknown field ${JSON.stringify(name)}; it belongs in the ${place}`;
  return { instancePath: "", keyword: "additionalProperties", message };
}

/** Converts a query parameter: joins repeated `tags` with commas and parses integers. */
export function queryValue(name: string, field: Field, value: string | string[]): unknown {
  if (Array.isArray(value)) {
    if (name === "tags") return value.join(",");
    throw invalid({
      instancePath: `/${name}`,
      keyword: "query",
      message: `the query parameter ${name} must occur only once`,
    });
  }
  const { type } = field.schema as { type?: unknown };
  return type === "integer" && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
}
