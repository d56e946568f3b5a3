/** A request on Koa's context: its state, who calls, when its work must stop; and its response. */
import { Readable } from "node:stream";
import type { Context as KoaContext } from "koa";
import type { Logger } from "pino";
import type { WireroomError } from "../../src/contract/errors.js";
import type { LimitState } from "../../src/contract/limits.js";
import type { Json } from "../../src/kernel/verbatim.js";
import type { Agent, Service } from "../../src/service/pipeline/context.js";
import { toAnswer } from "../../src/service/pipeline/fault.js";

/** `ctx.state` of every request. */
export interface RequestState {
  requestId: string;
  log: Logger;
  /** Id of the operation or name of the route; undefined until one matches. */
  operation: string | undefined;
  /** Slug of the calling handle or id of the calling account; undefined until the credentials are checked. */
  caller: string | undefined;
  /** Status for log and metrics where it differs from the response's: MCP answers 200 to a tool call that failed. */
  status: number | undefined;
}

export function stateOf(ctx: KoaContext): RequestState {
  return ctx.state as RequestState;
}

/** The agent whose key is in the `Authorization` header. Throws UNAUTHORIZED. */
export function callingAgent(service: Service, authorization: string | undefined): Promise<Agent> {
  return service.authenticator.agent(/^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1]);
}

/** Logs an error that is the server's fault, with the request id. Returns the error that the caller is told. */
export function reportError(ctx: KoaContext, error: unknown): WireroomError {
  const { answer, isFault } = toAnswer(error);
  if (isFault) {
    const { requestId, operation, log } = stateOf(ctx);
    log.error({ request_id: requestId, operation, err: error }, "request failed");
  }
  return answer;
}

/**
 * Aborted when the daemon stops and, for a long-poll, when the client disconnects.
 * @param isLongPoll whether the call asks to wait; most do not, and need no controller of their own
 */
export function abortSignal({ res }: KoaContext, isLongPoll: boolean, { stopping }: Service): AbortSignal {
  if (!isLongPoll || stopping.aborted) return stopping;
  const controller = new AbortController();
  // The client may have disconnected while its key was looked up.
  if (res.destroyed) controller.abort();
  const longPolls = longPollsUntil(stopping);
  longPolls.add(controller);
  res.once("close", () => {
    longPolls.delete(controller);
    // Every response closes, most of them after they were written.
    if (!res.writableFinished) controller.abort();
  });
  return controller.signal;
}

const longPollsByDaemon = new WeakMap<AbortSignal, Set<AbortController>>();

/** Long-polls to abort when the daemon stops. They share one listener: removing one of thousands searches them all. */
function longPollsUntil(stopping: AbortSignal): Set<AbortController> {
  let longPolls = longPollsByDaemon.get(stopping);
  if (!longPolls) {
    const controllers = new Set<AbortController>();
    stopping.addEventListener("abort", () => {
      for (const controller of controllers) controller.abort();
    });
    longPollsByDaemon.set(stopping, controllers);
    longPolls = controllers;
  }
  return longPolls;
}

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
