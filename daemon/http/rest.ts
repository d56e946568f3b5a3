/** REST: every operation of the contract is a route under `/v1`. */
import { Router } from "@koa/router";
import type { Context as KoaContext, Middleware } from "koa";
import { invalid, type Reason, WireroomError } from "../../src/contract/errors.js";
import { operations } from "../../src/contract/index.js";
import type { Field, Operation } from "../../src/contract/operation.js";
import type { Caller, Service } from "../../src/service/pipeline/context.js";
import { contextOf, invoke } from "../../src/service/pipeline/invoke.js";
import type { Verify } from "../identity/index.js";
import { readJsonBody } from "./body.js";
import {
  abortSignal,
  callingAgent,
  sendJson,
  sendLines,
  setRateLimitHeaders,
  stateOf,
} from "./koa-context.js";

type Fields = Record<string, unknown>;
type ReadInput = (ctx: KoaContext) => Promise<Fields>;

/**
 * The routes of operations: a router for each noun, in the order of the contract. A router tries every route that it has, so one of
 * all would cost a short request a tenth of its CPU.
 */
export function restRoutes(service: Service, verify: Verify): Middleware[] {
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
  return [...routers.values()].map((router) => router.routes() as unknown as Middleware);
}

/** The raw path is matched and its parameters are decoded afterwards: schema refs and wire URIs contain slashes. */
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
  const input = await inputOrError(ctx, readInput);
  const signal = abortSignal(ctx, "wait" in input, service);
  // Not `ctx.get`, which returns "" for an absent header, too: an empty key is malformed.
  const idempotencyKey = ctx.headers["idempotency-key"]?.toString();
  const context = contextOf(service, caller, state.requestId, signal);
  const outcome = await invoke(operation, context, { input, idempotencyKey });
  setRateLimitHeaders(ctx, outcome.limits);
  if (outcome.error) throw outcome.error;
  if (outcome.lines) sendLines(ctx, outcome.lines);
  else sendJson(ctx, statusOf(operation, outcome.body!), outcome.body!);
}

/**
 * The status of a success. The body tells, so that a replay answers as the first time; `status` is
 * the last field of one that is held, and nothing in it is of the caller's making.
 * @param body the response body, as JSON
 */
export function statusOf(operation: Operation, body: string | Uint8Array): number {
  return operation.mayBeHeld && typeof body === "string" && body.endsWith('"status":"held"}')
    ? 202
    : operation.status;
}

async function authenticate(
  { headers: { authorization } }: KoaContext,
  { auth }: Operation,
  service: Service,
  verify: Verify,
): Promise<Caller> {
  if (auth === "token") return service.authenticator.human(await verify(authorization));
  return callingAgent(service, authorization);
}

/** The error, which `invoke` answers together with the rate limits, if the input of a request is malformed. */
async function inputOrError(ctx: KoaContext, read: ReadInput): Promise<Fields | WireroomError> {
  try {
    return await read(ctx);
  } catch (error) {
    if (error instanceof WireroomError) return error;
    throw error;
  }
}

/** Merges path, query and body. Unknown query parameters are ignored; `invoke` refuses unknown body fields. */
function inputReader({ fields, method }: Operation): ReadInput {
  const hasBody = method === "POST" || method === "PUT";
  const namesIn = (place: Field["place"]) =>
    Object.keys(fields).filter((name) => fields[name]!.place === place);
  const [inPath, inQuery] = [namesIn("path"), namesIn("query")];
  return async (ctx) => {
    const body = hasBody ? await readJsonBody(ctx) : {};
    // Without a prototype, so that a field named `__proto__` is one more unknown field.
    const input = Object.create(null) as Fields;
    const { params, query } = ctx;
    for (const name of inPath) input[name] = params[name];
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
}

function misplaced(name: string, { place }: Field): Reason {
  const message = `unknown field ${JSON.stringify(name)}; it belongs into the ${place}`;
  return { instancePath: "", keyword: "additionalProperties", message };
}

/** Repeated `tags` equal the comma-joined form; integers become numbers. */
function queryValue(name: string, field: Field, value: string | string[]): unknown {
  if (Array.isArray(value)) {
    if (name === "tags") return value.join(",");
    throw invalid({ instancePath: `/${name}`, keyword: "query", message: `${name} must be given once` });
  }
  const { type } = field.schema as { type?: unknown };
  return type === "integer" && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
}
