/** Around every request: its id, its log line, its metrics, and the answer to whatever was thrown. */
import type { Readable } from "node:stream";
import type { Context as KoaContext, Middleware, Next } from "koa";
import type { Logger } from "pino";
import { WireroomError } from "../../src/contract/errors.js";
import { monotonicMs } from "../../src/kernel/clock.js";
import { newId } from "../../src/kernel/ids.js";
import type { Json } from "../../src/kernel/verbatim.js";
import { stopping, toAnswer } from "../../src/service/fault.js";
import type { Metrics } from "./metrics.js";

/** What the layers of one request share. */
export interface RequestState {
  requestId: string;
  /** Id of the operation, once it is known. */
  operation: string | undefined;
  /** Slug of the calling handle or id of the calling account, once it is known. */
  caller: string | undefined;
  /** Status of the operation where that of the response does not tell: MCP answers 200 to a call that failed. */
  status: number | undefined;
  /** What is answered, where it is JSON. */
  answer: { status: number; json: Json } | undefined;
  /** The same, where it is lines of JSON (`application/x-ndjson`). */
  lines: Readable | undefined;
}

export function aroundRequests(log: Logger, metrics: Metrics, signal: AbortSignal): Middleware {
  return async (ctx: KoaContext, next: Next) => {
    const started = monotonicMs();
    // With all its fields, as Koa's own is a dictionary, which takes long to write to.
    const state: RequestState = {
      requestId: newId(),
      operation: undefined,
      caller: undefined,
      status: undefined,
      answer: undefined,
      lines: undefined,
    };
    ctx.state = state;
    ctx.res.setHeader("X-Request-Id", state.requestId);
    try {
      if (signal.aborted) throw stopping();
      assertHost(ctx);
      await next();
    } catch (error) {
      answerError(ctx, error, log);
    }
    if (signal.aborted) ctx.res.setHeader("Connection", "close");
    if (state.answer) sendJson(ctx, state.answer);
    else if (state.lines) sendLines(ctx, state.lines);
    const milliseconds = monotonicMs() - started;
    const operation = state.operation ?? (ctx.path.startsWith("/identity/") ? "identity" : "none");
    const status = state.status ?? ctx.res.statusCode;
    metrics.observe(operation, status, milliseconds / 1_000);
    // Never the query string or a body: they hold what agents wrote.
    log.info(
      {
        request_id: state.requestId,
        method: ctx.req.method,
        operation,
        caller: state.caller,
        status,
        ms: Math.round(milliseconds * 100) / 100,
      },
      "request",
    );
  };
}

/** RFC 9112, 3.2: an HTTP/1.1 request without a Host header is a 400. */
function assertHost({ req }: KoaContext): void {
  if (req.headers.host !== undefined || req.httpVersion !== "1.1") return;
  throw new WireroomError("VALIDATION_ERROR", "the request must have a Host header");
}

/** What the caller is told of an error; what is the server's fault is logged, with the request's id. */
export function explain(ctx: KoaContext, error: unknown, log: Logger): WireroomError {
  const { answer, isFault } = toAnswer(error);
  if (isFault) {
    const { requestId, operation } = ctx.state as RequestState;
    log.error({ request_id: requestId, operation, err: error }, "request failed");
  }
  return answer;
}

/** Answers with the envelope. */
export function answerError(ctx: KoaContext, error: unknown, log: Logger): void {
  const answer = explain(ctx, error, log);
  const { retry_after } = answer.details;
  if (retry_after !== undefined) ctx.res.setHeader("Retry-After", String(retry_after));
  if (answer.status === 401) ctx.res.setHeader("WWW-Authenticate", "Bearer");
  answerJson(ctx, answer.status, JSON.stringify(answer.envelope()));
}

/** @param json the body */
export function answerJson(ctx: KoaContext, status: number, json: Json): void {
  (ctx.state as RequestState).answer = { status, json };
}

/** Past Koa's own answering, which would find out anew what is known here: type and length of the body. */
function sendJson(ctx: KoaContext, { status, json }: { status: number; json: Json }): void {
  const { res } = ctx;
  ctx.respond = false;
  if (res.headersSent || res.destroyed) return;
  const length = Buffer.byteLength(json);
  res.writeHead(status, { "Content-Type": JSON_TYPE, "Content-Length": length });
  if (typeof json !== "string") res.end(json);
  // Where there are as many bytes as characters all is ASCII, which Node writes faster under the other name.
  else res.end(json, length === json.length ? "latin1" : "utf8");
}

const JSON_TYPE = "application/json; charset=utf-8";

/** Where they fail, or the client goes, both ends are closed. */
function sendLines(ctx: KoaContext, lines: Readable): void {
  const { res } = ctx;
  ctx.respond = false;
  res.writeHead(200, { "Content-Type": "application/x-ndjson; charset=utf-8" });
  if (ctx.method === "HEAD" || res.destroyed) {
    // Nobody reads them.
    lines.destroy();
    res.end();
    return;
  }
  // Not by `pipeline`, for which a client that goes is an error of the lines. Theirs are logged where they come from.
  lines.on("error", () => res.destroy());
  res.on("close", () => lines.destroy());
  lines.pipe(res);
}
