/** Sends results and errors, with the headers that every response has. */
import { Readable } from "node:stream";
import type { Context as KoaContext } from "koa";
import type { WireroomError } from "../../src/contract/errors.js";
import type { LimitState } from "../../src/contract/limits.js";
import type { JsonText } from "../../src/kernel/raw-json.js";
import { logAndConvertError, stateOf } from "./request.js";

const JSON_TYPE = "application/json; charset=utf-8";
/** Longer bodies are written in parts, because the progress of a single large write cannot be observed. */
const MAX_WRITE_LENGTH = 256 * 1024;
const PART_LENGTH = 64 * 1024;
/** Characters to collect before a write, because a system call for each line would be slow. */
const CHUNK_LENGTH = 32 * 1024;

export function setCommonHeaders(ctx: KoaContext): void {
  const { requestId, headers } = stateOf(ctx);
  ctx.res.setHeader("X-Request-Id", requestId);
  for (const [name, value] of headers) ctx.res.setHeader(name, value);
}

/**
 * Calls `writeHead` once, which is faster than `setHeader` for each header
 * (docs/performance-internals.md#optimisations).
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

export function sendJson(ctx: KoaContext, status: number, json: JsonText): void {
  ctx.status = status;
  ctx.set("Content-Type", JSON_TYPE);
  if (json.length <= MAX_WRITE_LENGTH) {
    ctx.body = json;
    return;
  }
  const bytes = Buffer.isBuffer(json) ? json : Buffer.from(json);
  ctx.body = Readable.from(partsOf(bytes), { objectMode: false, highWaterMark: PART_LENGTH });
  ctx.length = bytes.length;
}

function* partsOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += PART_LENGTH)
    yield bytes.subarray(start, start + PART_LENGTH);
}

/** Streams JSON texts, one per line. An error closes the connection, because the status was already sent. */
export function sendLines(ctx: KoaContext, lines: AsyncIterable<string>): void {
  setCommonHeaders(ctx);
  ctx.set("Content-Type", "application/x-ndjson; charset=utf-8");
  // Object mode is off, so that `highWaterMark` counts characters and a slow client pauses the source.
  ctx.body = Readable.from(chunksOf(ctx, lines), { objectMode: false, highWaterMark: CHUNK_LENGTH });
}

async function* chunksOf(ctx: KoaContext, lines: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = "";
  try {
    for await (const line of lines) {
      chunk += `${line}\n`;
      if (chunk.length < CHUNK_LENGTH) continue;
      yield chunk;
      chunk = "";
    }
  } catch (error) {
    // A disconnected client also causes an error here, which must not be logged.
    if (ctx.writable) logAndConvertError(ctx, error);
    throw error;
  }
  if (chunk !== "") yield chunk;
}

export function sendError(ctx: KoaContext, error: WireroomError): void {
  setRetryAfter(ctx, error);
  sendJson(ctx, error.status, JSON.stringify(error.envelope()));
}

export function setRetryAfter(ctx: KoaContext, { details: { retry_after } }: WireroomError): void {
  if (retry_after !== undefined) ctx.set("Retry-After", String(retry_after));
}

export function setRateLimitHeaders(ctx: KoaContext, states: readonly LimitState[]): void {
  for (const [name, value] of rateLimitHeaders(states)) ctx.set(name, value);
}

/**
 * Each header has an item per active limit: the quota `q`, the window `w` in seconds, the remaining calls
 * `r`, and the seconds `t` until calls are added (draft-ietf-httpapi-ratelimit-headers-10).
 */
function rateLimitHeaders(states: readonly LimitState[]): [name: string, value: string][] {
  const inForce = states.filter(({ limit }) => limit !== null);
  if (inForce.length === 0) return [];
  const policies = inForce.map(
    ({ name, limit, window }) => `"${name}";q=${limit}${window === null ? "" : `;w=${window}`}`,
  );
  const items = inForce.map(
    ({ name, remaining, reset }) => `"${name}";r=${remaining}${reset === null ? "" : `;t=${reset}`}`,
  );
  return [
    ["RateLimit-Policy", policies.join(", ")],
    ["RateLimit", items.join(", ")],
  ];
}
