/** Creates the HTTP server and its Koa application, which handles every request. */
import type { RequestListener } from "node:http";
import { Router } from "@koa/router";
import Koa, { type Context as KoaContext, type Middleware } from "koa";
import type { Logger } from "pino";
import { shuttingDown, WireroomError } from "../../src/contract/errors.js";
import { monotonicMs } from "../../src/kernel/clock.js";
import { newId } from "../../src/kernel/ids.js";
import type { Service } from "../../src/service/pipeline/context.js";
import { CONSOLE_PATHS, consolePage } from "../console/index.js";
import type { IdentityService } from "../identity/index.js";
import type { Catalog } from "../mcp/catalog.js";
import { mcpEndpoint } from "../mcp/endpoint.js";
import type { ServedHosts } from "../mcp/served-hosts.js";
import type { Settings } from "../settings.js";
import type { Tracing } from "../tracing/index.js";
import { Admission, TARGET_MS } from "./admission.js";
import { bearerCredential } from "./bearer.js";
import { crossOriginRequests, errorHeaders } from "./cross-origin.js";
import { EventLoopDelay } from "./event-loop-delay.js";
import { Metrics } from "./metrics.js";
import { challenges, metadataRoutes, operationalRoutes } from "./operational.js";
import { assertValidHead, queryOf } from "./request/head.js";
import type { IncomingRequest } from "./request/incoming-request.js";
import { logAndConvertError, type RequestState, stateOf } from "./request-state.js";
import { sendError, setCommonHeaders } from "./responses.js";
import { ROUTER_OPTIONS, restRoutes } from "./rest.js";
import type { SecurityHeaders } from "./security-headers.js";
import type { SourceOf } from "./source.js";
import { WaitingBytes } from "./waiting-bytes.js";

export function createApp(
  service: Service,
  identity: IdentityService,
  hosts: ServedHosts,
  sourceOf: SourceOf,
  { corsOrigins, console }: Pick<Settings, "corsOrigins" | "console">,
  headers: SecurityHeaders,
  log: Logger,
  catalog: Catalog,
  tracing: Tracing | undefined,
): RequestListener {
  const waitingBytes = new WaitingBytes(log);
  const eventLoop = new EventLoopDelay(TARGET_MS);
  service.stopping.addEventListener("abort", () => eventLoop.stop());
  const { standingMs } = service.store.engine;
  const admission = new Admission(
    {
      standingMs: {
        event_loop: () => eventLoop.standingMs,
        writer: standingMs.write,
        readers: standingMs.read,
      },
      held: () => service.store.notifier.size,
      accountOf: (authorization) => service.authenticator.cachedAccount(bearerCredential(authorization)),
      sourceOf,
    },
    headers,
    errorHeaders(corsOrigins),
    log,
  );
  const metrics = new Metrics({
    refused: admission.refused,
    eventLoop,
    service,
    waitingBytes: () => waitingBytes.total,
  });

  const router = new Router(ROUTER_OPTIONS);
  router.all("/mcp", mcpEndpoint(service, hosts, catalog, admission));
  if (identity.middleware) {
    const checkHost: Middleware = (ctx, next) => {
      hosts.checkHost(ctx.req);
      return next();
    };
    router.all(/^\/identity(\/|$)/, named("identity"), checkHost, identity.middleware);
    // The console signs in at the authorization server, so both exist or neither does.
    if (console)
      router.all(
        CONSOLE_PATHS,
        checkHost,
        consolePage(new URL(service.baseUrl).origin, identity.describe().mode),
      );
  }
  operationalRoutes(router, service, metrics);
  metadataRoutes(router, service, identity);

  const app = new Koa();
  Object.defineProperty(app.request, "query", { get: queryOf });
  app.use(logRequests(log, metrics, waitingBytes, service.stopping, headers, admission, tracing));
  if (corsOrigins.length > 0) app.use(commonHeaders).use(crossOriginRequests(corsOrigins));
  app.use(sendErrors(service.stopping, challenges(service, identity)));
  app.use(restRoutes(service, identity.verify));
  app.use(commonHeaders);
  app.use(router.routes() as unknown as Middleware);
  app.use(notFound);
  // Koa emits this event for errors after the headers were sent, for example when a client disconnects.
  app.on("error", (error: Error) => log.debug({ err: error }, "connection failed"));
  return admission.guard(app.callback());
}

/** Returns middleware that assigns a request id, and logs and counts the request when it ends. */
function logRequests(
  log: Logger,
  metrics: Metrics,
  waitingBytes: WaitingBytes,
  stopping: AbortSignal,
  headers: SecurityHeaders,
  admission: Admission,
  tracing: Tracing | undefined,
): Middleware {
  return async (ctx, next) => {
    const startedMs = monotonicMs();
    const state: RequestState = {
      requestId: newId(),
      headers,
      log,
      waitingBytes,
      operation: undefined,
      caller: undefined,
      status: undefined,
      heldMs: 0,
      limits: undefined,
      holdSignal: undefined,
      onHold: () => admission.leave(ctx.req),
      trace: tracing?.begin(ctx.headers.traceparent?.toString()),
    };
    ctx.state = state;
    admission.inProgress++;
    await next();
    if (stopping.aborted) ctx.set("Connection", "close");
    const end = () => {
      admission.inProgress--;
      admission.leave(ctx.req);
      const elapsedMs = monotonicMs() - startedMs;
      const { operation = "none", status = ctx.status } = state;
      metrics.observe({ operation, status, seconds: elapsedMs / 1_000, heldSeconds: state.heldMs / 1_000 });
      state.trace?.end({ requestId: state.requestId, method: ctx.method, operation, status });
      // Omit the query string and the body, because they contain private content of agents.
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
    // An MCP tool call that reports progress still runs while its response is being sent.
    if (ctx.response.type === "text/event-stream" && !ctx.res.destroyed) ctx.res.once("close", end);
    else end();
  };
}

/** Sets the headers that every response has. For REST operations, `sendResult` sets them instead. */
const commonHeaders: Middleware = (ctx, next) => {
  setCommonHeaders(ctx);
  return next();
};

/** Returns middleware that converts every thrown error to an error response. */
function sendErrors(stopSignal: AbortSignal, challengeOf: (path: string) => string): Middleware {
  return async (ctx, next) => {
    const request = ctx.req as IncomingRequest;
    try {
      if (stopSignal.aborted) throw shuttingDown();
      assertValidHead(request);
      await next();
      // When oidc-provider cannot read a body, it sends a response of its own. Throw the real error instead.
      if (request.refusal) throw request.refusal;
    } catch (error) {
      const clientError = logAndConvertError(ctx, request.refusal ?? error);
      if (!ctx.headerSent) setCommonHeaders(ctx);
      if (clientError.status === 401) ctx.set("WWW-Authenticate", challengeOf(ctx.path));
      sendError(ctx, clientError);
    }
  };
}

/** Returns middleware that sets the operation name for logs and metrics. */
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
    `there is no ${method} ${shown}; GET /v1/openapi.json lists all operations`,
  );
}
