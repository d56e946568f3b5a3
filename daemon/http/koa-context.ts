/** Functions for Koa's context: request state, authentication, abort signals and responses. */
import { Readable } from "node:stream";
import type { Context as KoaContext } from "koa";
import type { Logger } from "pino";
import type { WireroomError } from "../../src/contract/errors.js";
import { HOLD_FIELDS } from "../../src/contract/fields.js";
import type { LimitState } from "../../src/contract/limits.js";
import type { Operation } from "../../src/contract/operation.js";
import type { JsonText } from "../../src/kernel/raw-json.js";
import { toClientError } from "../../src/service/pipeline/client-error.js";
import type { Agent, Caller, Context, RequestRecord, Service } from "../../src/service/pipeline/context.js";
import type { TracedRequest } from "../tracing/index.js";
import type { IncomingRequest } from "./request/incoming-request.js";
import type { SecurityHeaders } from "./security-headers.js";
import type { WaitingBytes } from "./waiting-bytes.js";

/** `ctx.state` of every request. */
export interface RequestState extends RequestRecord {
  readonly trace: TracedRequest | undefined;
  requestId: string;
  /** Headers of every response, besides `X-Request-Id`. */
  headers: SecurityHeaders;
  log: Logger;
  waitingBytes: WaitingBytes;
  /** Id of the operation or name of the route. Undefined until a route matches. */
  operation: string | undefined;
  /**
   * Slug of the calling handle, or id of the calling account. Undefined until the credentials are checked.
   */
  caller: string | undefined;
  /**
   * HTTP status for the log and the metrics, if it differs from the response. A failed MCP tool call has
   * response status 200.
   */
  status: number | undefined;
  /** Ends the calls of the request that are held. Undefined until a call may be held. */
  holdSignal: RequestSignal | undefined;
}

export function stateOf(ctx: KoaContext): RequestState {
  return ctx.state as RequestState;
}

/**
 * Returns the agent whose API key is in the `Authorization` header. Throws UNAUTHORIZED if there is no valid
 * key.
 */
export function authenticateAgent(service: Service, authorization: string | undefined): Promise<Agent> {
  return service.authenticator.authenticateAgent(bearerCredential(authorization));
}

/** Returns the API key or token of an `Authorization` header, or undefined if the header has another form. */
export function bearerCredential(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
}

/**
 * Returns the error to send to the client. If the server caused the error, logs the original error with the
 * request id.
 */
export function logAndConvertError(ctx: KoaContext, error: unknown): WireroomError {
  const { clientError, isServerFault } = toClientError(error);
  if (isServerFault) {
    const { requestId, operation, log } = stateOf(ctx);
    log.error({ request_id: requestId, operation, err: error }, "request failed");
  }
  return clientError;
}

type HoldSignal = Context["signal"];
type HoldListener = Parameters<HoldSignal["addEventListener"]>[1];

/**
 * Returns a signal that is aborted when the daemon stops. The signal of a long poll is also aborted when its
 * client disconnects. The calls of an MCP batch share it.
 * @param input requests that cannot be held share the daemon's signal, which is cheaper
 */
export function createAbortSignal(ctx: KoaContext, input: object, { stopping }: Service): HoldSignal {
  if (stopping.aborted || !HOLD_FIELDS.some((field) => field in input)) return stopping;
  const state = stateOf(ctx);
  state.holdSignal ??= createHoldSignal(ctx, stopping);
  return state.holdSignal;
}

function createHoldSignal({ res }: KoaContext, stopping: AbortSignal): RequestSignal {
  const signal = new RequestSignal();
  // The client may have disconnected during authentication.
  if (res.destroyed) signal.abort();
  const longPolls = longPollsUntil(stopping);
  longPolls.add(signal);
  res.once("close", () => {
    longPolls.delete(signal);
    // `close` is emitted for every response. The client has disconnected only if the response is unfinished.
    if (!res.writableFinished) signal.abort();
  });
  return signal;
}

/**
 * The signal of one request. An `AbortSignal` needs 900 bytes more, and thousands of requests may be held.
 */
class RequestSignal implements HoldSignal {
  aborted = false;
  /** Never changed in place: a listener removes itself while `abort` calls them all. */
  private listeners: readonly HoldListener[] = [];

  abort(): void {
    this.aborted = true;
    for (const listener of this.listeners) listener.handleEvent();
  }

  addEventListener(_type: "abort", listener: HoldListener): void {
    this.listeners = [...this.listeners, listener];
  }

  removeEventListener(_type: "abort", listener: HoldListener): void {
    this.listeners = this.listeners.filter((other) => other !== listener);
  }
}

const longPollsByDaemon = new WeakMap<AbortSignal, Set<RequestSignal>>();

/**
 * Returns the signals to abort when the daemon stops. All long polls share one abort listener, because with
 * thousands of listeners each removal would take linear time.
 */
function longPollsUntil(stopping: AbortSignal): Set<RequestSignal> {
  let longPolls = longPollsByDaemon.get(stopping);
  if (!longPolls) {
    const signals = new Set<RequestSignal>();
    stopping.addEventListener("abort", () => {
      for (const signal of signals) signal.abort();
    });
    longPollsByDaemon.set(stopping, signals);
    longPolls = signals;
  }
  return longPolls;
}

/** Sets the request id and the security headers of a response. */
export function setCommonHeaders({ res, state }: KoaContext): void {
  const { requestId, headers } = state as RequestState;
  res.setHeader("X-Request-Id", requestId);
  for (const [name, value] of headers) res.setHeader(name, value);
}

/**
 * Sends the successful response of an operation, with all its headers. A call of `writeHead` for a short body
 * takes a third of the CPU time of a call of `setHeader` for each header
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

const JSON_TYPE = "application/json; charset=utf-8";

export function sendJson(ctx: KoaContext, status: number, json: JsonText): void {
  ctx.status = status;
  ctx.set("Content-Type", JSON_TYPE);
  if (json.length > MAX_WRITE_LENGTH) sendParts(ctx, Buffer.isBuffer(json) ? json : Buffer.from(json));
  else ctx.body = json;
}

/**
 * Longer bodies are written in parts, because the progress of a single write cannot be observed (see
 * `connections.ts`).
 */
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

/**
 * Counts the body of a response among the bytes that wait for clients.
 * @throws WireroomError UNAVAILABLE if too many bytes are waiting and the operation is a read
 */
export function countWaitingBytes(
  ctx: KoaContext,
  { method }: Operation,
  { account }: Caller,
  bytes: number,
): void {
  stateOf(ctx).waitingBytes.add(ctx.res, account.id, bytes, method !== "GET");
}

/** Counts the memory of a request for the account that sends it. Its body may be read afterwards. */
export function countRequest({ req }: KoaContext, { account }: Caller): void {
  (req as IncomingRequest).belongsTo(account.id);
}

export function sendError(ctx: KoaContext, error: WireroomError): void {
  setRetryAfter(ctx, error);
  sendJson(ctx, error.status, JSON.stringify(error.envelope()));
}

export function setRetryAfter(ctx: KoaContext, { details: { retry_after } }: WireroomError): void {
  if (retry_after !== undefined) ctx.set("Retry-After", String(retry_after));
}

/** Minimum number of characters per write, because a system call for each line would be slow. */
const CHUNK_LENGTH = 32 * 1024;

/**
 * Streams JSON texts, one per line. If the source fails, the connection is closed, because the status was
 * already sent.
 */
export function sendLines(ctx: KoaContext, lines: AsyncIterable<string>): void {
  setCommonHeaders(ctx);
  ctx.set("Content-Type", "application/x-ndjson; charset=utf-8");
  // Object mode is off, so that the buffer limit counts characters. A slow client then pauses the source
  // after two chunks.
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
    // A client that disconnects also ends the stream with an error. This error is not logged.
    if (ctx.writable) logAndConvertError(ctx, error);
    throw error;
  }
  if (chunk !== "") yield chunk;
}

export function setRateLimitHeaders(ctx: KoaContext, states: readonly LimitState[]): void {
  for (const [name, value] of rateLimitHeaders(states)) ctx.set(name, value);
}

/**
 * Returns the headers `RateLimit-Policy` and `RateLimit`, with one item per active limit
 * (draft-ietf-httpapi-ratelimit-headers-10).
 */
function rateLimitHeaders(states: readonly LimitState[]): [name: string, value: string][] {
  if (states.length === 0) return [];
  const inForce = states.filter(({ limit }) => limit !== null);
  if (inForce.length === 0) return [];
  return [
    ["RateLimit-Policy", inForce.map(policyItem).join(", ")],
    ["RateLimit", inForce.map(limitItem).join(", ")],
  ];
}

/**
 * Returns one item of the header `RateLimit-Policy`, with the quota `q` and the window `w` in seconds. A
 * quota without a window has no `w`.
 */
function policyItem({ name, limit, window }: LimitState): string {
  return `"${name}";q=${limit}${window === null ? "" : `;w=${window}`}`;
}

/**
 * Returns one item of the header `RateLimit`, with the remaining calls `r` and the seconds `t` until the
 * quota increases.
 */
function limitItem({ name, remaining, reset }: LimitState): string {
  return `"${name}";r=${remaining}${reset === null ? "" : `;t=${reset}`}`;
}
