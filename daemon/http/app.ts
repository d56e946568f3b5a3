/** The path of every HTTP request: from Node's server into the Koa application, and through it from top to bottom. */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
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
import { type RequestState, reportError, sendError, stateOf } from "./koa-context.js";
import { Metrics } from "./metrics.js";
import { operationalRoutes } from "./operational.js";
import { ROUTER_OPTIONS, restRoutes } from "./rest.js";

export function createApp(
  service: Service,
  identity: IdentityService,
  hosts: ServedHosts,
  log: Logger,
): RequestListener {
  const metrics = new Metrics(() => service.store.notifier.size);

  const router = new Router(ROUTER_OPTIONS);
  router.all("/mcp", mcpEndpoint(service, hosts));
  if (identity.middleware) router.all(/^\/identity(\/|$)/, named("identity"), identity.middleware);
  operationalRoutes(router, service, identity, metrics);

  const app = new Koa();
  app.use(recordRequest(log, metrics, service.stopping));
  app.use(answerErrors(service.stopping));
  for (const routes of restRoutes(service, identity.verify)) app.use(routes);
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

/** Node refuses a request without a Host header by itself, without the envelope; the application does it instead. */
export const SERVER_OPTIONS = { requireHostHeader: false };

/** Serves the application, and answers what is not valid HTTP with the error envelope. */
export function serve(server: Server, application: RequestListener, log: Logger): void {
  server.on("request", inBatches(application));
  // An unknown expectation is ignored (RFC 9110, 10.1.1 allows it); Node would answer 417 without the envelope.
  server.on("checkExpectation", application);
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
    const refusal = new WireroomError("VALIDATION_ERROR", reasonOf(error));
    const requestId = newId();
    const body = JSON.stringify(refusal.envelope());
    const head = [
      `HTTP/1.1 ${refusal.status} Bad Request`,
      "Connection: close",
      "Content-Type: application/json; charset=utf-8",
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
    ];
    socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
    log.info(
      { request_id: requestId, operation: "none", status: refusal.status, code: error.code },
      "request",
    );
  });
}

/**
 * Handles the requests that Node reads in one turn of the event loop together, after all of them are read. Each step then runs
 * for many requests with its code in the processor's caches: under load that takes a sixth to a quarter less CPU than
 * handling them one after the other (docs/performance.md).
 */
function inBatches(listener: RequestListener): RequestListener {
  let batch: [IncomingMessage, ServerResponse][] = [];
  const handleBatch = () => {
    const requests = batch;
    batch = [];
    for (const [request, response] of requests) {
      listenForClose(response);
      listener(request, response);
    }
  };
  return (request, response) => {
    if (batch.push([request, response]) === 1) setImmediate(handleBatch);
  };
}

/**
 * Makes Koa's `on-finished` cheaper: it attaches seven listeners to a response and its socket, though one `close` event of Node
 * says the same. It finds this listener in the property where it keeps its own, and adds its callbacks to the queue. That saves
 * 3 to 7 µs of CPU a request (docs/performance.md).
 */
function listenForClose(response: ServerResponse & { __onFinished?: unknown }): void {
  const queue: ((error: null, response: ServerResponse) => void)[] = [];
  const onClose = () => {
    for (const callback of queue) callback(null, response);
  };
  response.__onFinished = Object.assign(onClose, { queue });
  response.once("close", onClose);
}

function reasonOf({ code }: NodeJS.ErrnoException): string {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return "the headers are larger than 32 KiB";
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return "the request was not complete in time";
    default:
      return "this is not valid HTTP/1.1";
  }
}
