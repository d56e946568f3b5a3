/** Sends results and errors as JSON, with the headers that every response has. */
import { Readable } from "node:stream";
import type { Context as KoaContext } from "koa";
import type { WireroomError } from "../../src/contract/errors.js";
import type { LimitState } from "../../src/contract/limits.js";
import type { JsonText } from "../../src/kernel/raw-json.js";
import { rateLimitHeaders, setRateLimitHeaders } from "./rate-limit-headers.js";
import { type RequestState, stateOf } from "./request-state.js";

/** Sets the request id and the security headers of a response. */
export function setCommonHeaders({ res, state }: KoaContext): void {
  const { requestId, headers } = state as RequestState;
  res.setHeader("X-Request-Id", requestId);
  for (const [name, value] of headers) res.setHeader(name, value);
}

/**
 * Sends an operation's successful response with one call of `writeHead`, which is faster than one call of
 * `setHeader` per header (docs/performance-internals.md#optimisations).
 * @param isLast whether the connection is closed after the response
 */
export function sendResult(
  ctx: KoaContext,
  status: number,
  json: JsonText,
  limits: readonly LimitState[],
  isLast: boolean,
): void {
  if (json.length > MAX_WRITE_LENGTH) {
    setCommonHeaders(ctx);
    setRateLimitHeaders(ctx, limits);
    sendJson(ctx, status, json);
    return;
  }
  const { requestId, headers } = stateOf(ctx);
  const fields = ["X-Request-Id", requestId];
  for (const [name, value] of headers) fields.push(name, value);
  for (const [name, value] of rateLimitHeaders(limits)) fields.push(name, value);
  fields.push("Content-Type", JSON_TYPE, "Content-Length", String(Buffer.byteLength(json)));
  if (isLast) fields.push("Connection", "close");
  ctx.respond = false;
  ctx.res.writeHead(status, fields);
  ctx.res.end(json);
}

const JSON_TYPE = "application/json; charset=utf-8";

export function sendJson(ctx: KoaContext, status: number, json: JsonText): void {
  ctx.status = status;
  ctx.set("Content-Type", JSON_TYPE);
  if (json.length > MAX_WRITE_LENGTH) sendParts(ctx, Buffer.isBuffer(json) ? json : Buffer.from(json));
  else ctx.body = json;
}

/** Longer bodies are written in parts, because the progress of a single write is not observable. */
const MAX_WRITE_LENGTH = 256 * 1024;
const PART_LENGTH = 64 * 1024;

function sendParts(ctx: KoaContext, bytes: Buffer): void {
  ctx.body = Readable.from(partsOf(bytes), { objectMode: false, highWaterMark: PART_LENGTH });
  ctx.length = bytes.length;
}

function* partsOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += PART_LENGTH)
    yield bytes.subarray(start, start + PART_LENGTH);
}

export function sendError(ctx: KoaContext, error: WireroomError): void {
  setRetryAfter(ctx, error);
  sendJson(ctx, error.status, JSON.stringify(error.envelope()));
}

export function setRetryAfter(ctx: KoaContext, { details: { retry_after } }: WireroomError): void {
  if (retry_after !== undefined) ctx.set("Retry-After", String(retry_after));
}
