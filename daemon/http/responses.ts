/** Responses: JSON, the error envelope, lines of JSON, and the rate-limit headers. */
import { Readable } from "node:stream";
import type { Context as KoaContext } from "koa";
import type { WireroomError } from "../../src/contract/errors.js";
import type { LimitState } from "../../src/contract/limits.js";
import type { Json } from "../../src/kernel/verbatim.js";
import { reportError } from "./request-context.js";

export function sendJson(ctx: KoaContext, status: number, json: Json): void {
  ctx.status = status;
  ctx.set("Content-Type", "application/json; charset=utf-8");
  ctx.body = json;
}

export function sendError(ctx: KoaContext, error: WireroomError): void {
  const { retry_after } = error.details;
  if (retry_after !== undefined) ctx.set("Retry-After", String(retry_after));
  if (error.status === 401) ctx.set("WWW-Authenticate", "Bearer");
  sendJson(ctx, error.status, JSON.stringify(error.envelope()));
}

/** Characters written at once: a system call for each line would be slow. */
const CHUNK_LENGTH = 32 * 1024;

/** Sends JSON texts, one a line. If reading them fails, the connection is cut: the status is already sent. */
export function sendLines(ctx: KoaContext, lines: AsyncIterable<string>): void {
  ctx.set("Content-Type", "application/x-ndjson; charset=utf-8");
  // Measured in characters, not objects, so that a slow client pauses the reading after two chunks.
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
    // A client that disconnects ends the stream with an error, too; that one is not logged.
    if (ctx.writable) reportError(ctx, error);
    throw error;
  }
  if (chunk !== "") yield chunk;
}

/** Sets `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10), one item for each limit in force. */
export function setRateLimitHeaders(ctx: KoaContext, states: readonly LimitState[]): void {
  const inForce = states.filter(({ limit }) => limit !== null);
  if (inForce.length === 0) return;
  ctx.set("RateLimit-Policy", inForce.map(policyItem).join(", "));
  ctx.set("RateLimit", inForce.map(limitItem).join(", "));
}

/** q: quota; w: window in seconds, absent for a quota without one. */
function policyItem({ name, limit, window }: LimitState): string {
  return `"${name}";q=${limit}${window === null ? "" : `;w=${window}`}`;
}

/** r: remaining; t: seconds until more of the quota is available. */
function limitItem({ name, remaining, reset }: LimitState): string {
  return `"${name}";r=${remaining}${reset === null ? "" : `;t=${reset}`}`;
}
