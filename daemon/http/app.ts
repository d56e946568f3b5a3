/** Creates the Koa application, which handles every request. */
import type { IncomingMessage, RequestListener } from "node:http";
import { Router } from "@koa/router";
import Koa, { type Context as KoaContext, type Middleware } from "koa";
import type { Logger } from "pino";
import { shuttingDown, WireroomError } from "../../src/contract/errors.js";
import { monotonicMs } from "../../src/kernel/clock.js";
import { newId } from "../../src/kernel/ids.js";
import type { Service } from "../../src/service/pipeline/context.js";
import { CONSOLE_PATHS, consolePage, leadToConsole } from "../console/index.js";
import type { IdentityService } from "../identity/index.js";
import type { Catalog } from "../mcp/catalog.js";
import { mcpEndpoint } from "../mcp/endpoint.js";
import type { ServedHosts } from "../mcp/served-hosts.js";
import type { Settings } from "../settings.js";
import type { Tracing } from "../tracing/index.js";
import { Admission, EventLoopDelay, TARGET_MS } from "./admission.js";
import { crossOriginRequests, errorHeaders } from "./cross-origin.js";
import { type IncomingRequest, WaitingBytes } from "./memory.js";
import { Metrics } from "./metrics.js";
import { challenges, metadataRoutes, operationalRoutes } from "./operational.js";
import { bearerCredential, HoldSignals, logAndConvertError, type RequestState, stateOf } from "./request.js";
import { sendError, setCommonHeaders } from "./responses.js";
import { ROUTER_OPTIONS, restRoutes } from "./rest.js";
import type { SecurityHeaders } from "./security-headers.js";
import type { SourceOf } from "./source.js";

/** Real requests have far fewer headers, but a head of 32 KiB could contain 8,000. */
const MAX_HEADERS = 2_000;
/** Real requests have far fewer parameters, but a head of 32 KiB could contain 16,000. */
const MAX_QUERY_PARAMETERS = 200;
/** Matches a host name or IP address with an optional port (RFC 9110, section 7.2), or an empty value. */
const HOST = /^(?:\[[0-9a-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

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
  const { backlogMs } = service.store.engine;
  const admission = new Admission(
    {
      backlogMs: {
        event_loop: () => eventLoop.backlogMs,
        writer: backlogMs.write,
        readers: backlogMs.read,
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
  router.all(/^\/mcp\/?$/, mcpEndpoint(service, hosts, catalog, admission));
  if (identity.middleware) {
    const named: Middleware = (ctx, next) => {
      stateOf(ctx).operation = "identity";
      return next();
    };
    const checkHost: Middleware = (ctx, next) => {
      hosts.checkHost(ctx.req);
      return next();
    };
    router.all(/^\/identity(\/|$)/, named, checkHost, identity.middleware);
    // The console signs in at the authorization server, so the daemon serves either both or neither.
    if (console) {
      router.all(
        CONSOLE_PATHS,
        checkHost,
        consolePage(new URL(service.baseUrl).origin, identity.describe().mode),
      );
      router.get("/", checkHost, leadToConsole);
    }
  }
  operationalRoutes(router, service, metrics);
  metadataRoutes(router, service, identity);

  const app = new Koa();
  app.use(logRequests(log, metrics, waitingBytes, service.stopping, headers, admission, tracing));
  if (corsOrigins.length > 0) app.use(commonHeaders).use(crossOriginRequests(corsOrigins));
  app.use(sendErrors(service.stopping, challenges(service, identity)));
  app.use(restRoutes(service, identity.verify));
  app.use(commonHeaders);
  app.use(router.routes() as unknown as Middleware);
  app.use(notFound);
  // Koa emits this event for errors after the headers were sent, for example when a client disconnects.
  app.on("error", (error: Error) => log.debug({ err: error }, "connection failed"));
  const application = admission.guard(app.callback());
  return (request, response) => {
    useOriginForm(request);
    application(request, response);
  };
}

/**
 * Shortens an absolute URL to its path and query (RFC 9112, section 3.2.2). Koa's parser throws for some
 * absolute URLs, and finds no path in others.
 */
function useOriginForm(request: IncomingMessage): void {
  const { url = "" } = request;
  if (!url.startsWith("/")) request.url = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?]*\/?/i, "/");
}

function logRequests(
  log: Logger,
  metrics: Metrics,
  waitingBytes: WaitingBytes,
  stopping: AbortSignal,
  headers: SecurityHeaders,
  admission: Admission,
  tracing: Tracing | undefined,
): Middleware {
  const holdSignals = new HoldSignals(stopping);
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
      holdSignals,
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
      // Do not log the query string and the body, because they contain agents' private content.
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
    // Log an event stream only when it closes, because its MCP tool call is still running until then.
    if (ctx.response.type === "text/event-stream" && !ctx.res.destroyed) ctx.res.once("close", end);
    else end();
  };
}

/** For REST operations, `sendResult` sets these headers instead. */
const commonHeaders: Middleware = (ctx, next) => {
  setCommonHeaders(ctx);
  return next();
};

function sendErrors(stopSignal: AbortSignal, challengeOf: (ctx: KoaContext) => string): Middleware {
  return async (ctx, next) => {
    const request = ctx.req as IncomingRequest;
    try {
      if (stopSignal.aborted) throw shuttingDown();
      assertValidHead(request);
      await next();
      // If oidc-provider cannot read a body, it sends its own error response. Throw the original error
      // instead.
      if (request.refusal) throw request.refusal;
    } catch (error) {
      const clientError = logAndConvertError(ctx, request.refusal ?? error);
      if (!ctx.headerSent) setCommonHeaders(ctx);
      if (clientError.status === 401) ctx.set("WWW-Authenticate", challengeOf(ctx));
      sendError(ctx, clientError);
    }
  };
}

function notFound({ method, path }: KoaContext): never {
  const shown = path.length > 100 ? `${path.slice(0, 100)}…` : path;
  throw new WireroomError(
    "NOT_FOUND",
    `there is no ${method} ${shown}; the MCP endpoint is /mcp, and GET /v1/openapi.json lists all operations`,
  );
}

/** As HTTP/1.1 requires, there must be exactly one valid `Host` header (RFC 9112, section 3.2). */
function assertValidHead({ headers, httpVersion, rawHeaders, url = "" }: IncomingMessage): void {
  const { host } = headers;
  if (url.split("&", MAX_QUERY_PARAMETERS + 1).length > MAX_QUERY_PARAMETERS) {
    throw invalid(`the URL must have at most ${MAX_QUERY_PARAMETERS} query parameters`);
  }
  if (rawHeaders.length > 2 * MAX_HEADERS) {
    throw invalid(`the request must have at most ${MAX_HEADERS} headers`);
  }
  if (host === undefined) {
    if (httpVersion !== "1.1") return;
    throw invalid("the request must have a Host header");
  }
  let hosts = 0;
  for (let name = 0; name < rawHeaders.length; name += 2) {
    if (rawHeaders[name]!.length === 4 && rawHeaders[name]!.toLowerCase() === "host") hosts++;
  }
  if (hosts > 1) throw invalid("the request must have only one Host header");
  if (!HOST.test(host)) throw invalid("the Host header must be a host name with an optional port");
}

function invalid(message: string): WireroomError {
  return new WireroomError("VALIDATION_ERROR", message);
}
