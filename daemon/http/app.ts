/** The Koa application: the path of every HTTP request, from top to bottom. */
import type { RequestListener } from "node:http";
import { Router } from "@koa/router";
import Koa, { type Context as KoaContext, type Middleware } from "koa";
import type { Logger } from "pino";
import { WireroomError } from "../../src/contract/errors.js";
import { monotonicMs } from "../../src/kernel/clock.js";
import { newId } from "../../src/kernel/ids.js";
import type { Service } from "../../src/service/pipeline/context.js";
import { stopping } from "../../src/service/pipeline/fault.js";
import type { IdentityService } from "../identity/index.js";
import { mcpEndpoint } from "../mcp/endpoint.js";
import type { ServedHosts } from "../mcp/served-hosts.js";
import { Metrics } from "./metrics.js";
import { operationalRoutes } from "./operational.js";
import { type RequestState, reportError, stateOf } from "./request-context.js";
import { sendError } from "./responses.js";
import { restRoutes } from "./rest.js";

export function createApp(
  service: Service,
  identity: IdentityService,
  hosts: ServedHosts,
  log: Logger,
): RequestListener {
  const metrics = new Metrics(() => service.store.notifier.size);

  // The router matches the raw path and decodes parameters afterwards: schema refs and wire URIs contain slashes.
  const router = new Router({ sensitive: true, strict: true });
  restRoutes(router, service, identity.verify);
  router.all("/mcp", mcpEndpoint(service, hosts));
  if (identity.middleware) router.all(/^\/identity(\/|$)/, named("identity"), identity.middleware);
  operationalRoutes(router, service, identity, metrics);

  const app = new Koa();
  app.use(recordRequest(log, metrics, service.stopping));
  app.use(answerErrors(service.stopping));
  app.use(router.routes() as unknown as Middleware);
  app.use(notFound);
  // Errors after the headers are sent, such as a client that disconnects.
  app.on("error", (error: Error) => log.debug({ err: error }, "connection failed"));
  return app.callback();
}

/** Gives the request its id; logs and counts it once it is answered. */
function recordRequest(log: Logger, metrics: Metrics, stopping: AbortSignal): Middleware {
  return async (ctx, next) => {
    const startedMs = monotonicMs();
    const state: RequestState = {
      requestId: newId(),
      log,
      operation: undefined,
      caller: undefined,
      status: undefined,
    };
    ctx.state = state;
    ctx.set("X-Request-Id", state.requestId);
    await next();
    if (stopping.aborted) ctx.set("Connection", "close");
    const elapsedMs = monotonicMs() - startedMs;
    const { operation = "none", status = ctx.status } = state;
    metrics.observe(operation, status, elapsedMs / 1_000);
    // Neither the query string nor the body: they hold what agents wrote.
    log.info(
      {
        request_id: state.requestId,
        method: ctx.method,
        operation,
        caller: state.caller,
        status,
        ms: Math.round(elapsedMs * 100) / 100,
      },
      "request",
    );
  };
}

/** Answers whatever is thrown with the error envelope. */
function answerErrors(stopSignal: AbortSignal): Middleware {
  return async (ctx, next) => {
    try {
      if (stopSignal.aborted) throw stopping();
      assertHost(ctx);
      await next();
    } catch (error) {
      sendError(ctx, reportError(ctx, error));
    }
  };
}

/** RFC 9112, 3.2: an HTTP/1.1 request without a Host header is a 400. */
function assertHost({ req }: KoaContext): void {
  if (req.headers.host !== undefined || req.httpVersion !== "1.1") return;
  throw new WireroomError("VALIDATION_ERROR", "the request must have a Host header");
}

/** Names the route for log and metrics. */
function named(operation: string): Middleware {
  return (ctx, next) => {
    stateOf(ctx).operation = operation;
    return next();
  };
}

function notFound({ method, path }: KoaContext): never {
  const shown = path.length > 100 ? `${path.slice(0, 100)}…` : path;
  throw new WireroomError(
    "NOT_FOUND",
    `there is no ${method} ${shown}; GET /v1/openapi.json lists what there is`,
  );
}
