/** What handlers know about a request: its state (which Koa keeps in `ctx.state`), credential and signal. */
import type { ServerResponse } from "node:http";
import type { Context as KoaContext } from "koa";
import type { Logger } from "pino";
import type { WireroomError } from "../../src/contract/errors.js";
import { HOLD_FIELDS } from "../../src/contract/fields.js";
import type { Agent } from "../../src/service/pipeline/caller.js";
import { toClientError } from "../../src/service/pipeline/client-error.js";
import type { Context, RequestRecord, Service } from "../../src/service/pipeline/context.js";
import type { TracedRequest } from "../tracing/index.js";
import type { WaitingBytes } from "./memory.js";
import type { SecurityHeaders } from "./security-headers.js";

type HoldSignal = Context["signal"];
type HoldListener = Parameters<HoldSignal["addEventListener"]>[1];

export interface RequestState extends RequestRecord {
  readonly trace: TracedRequest | undefined;
  requestId: string;
  /** Headers of every response, besides `X-Request-Id`. */
  headers: SecurityHeaders;
  log: Logger;
  waitingBytes: WaitingBytes;
  /** Id of the operation or name of the route. Undefined until a route matches. */
  operation: string | undefined;
  /** Slug of the calling handle, or id of the calling account. Undefined before authentication. */
  caller: string | undefined;
  /** HTTP status for logs and metrics if the response has another one, as for a failed MCP tool call. */
  status: number | undefined;
  holdSignals: HoldSignals;
  /** Aborts the request's held calls. Undefined until a call may be held. */
  holdSignal: HoldSignal | undefined;
}

export function stateOf(ctx: KoaContext): RequestState {
  return ctx.state as RequestState;
}

/** Returns the error for the client. Logs the original error if the server is at fault. */
export function logAndConvertError(ctx: KoaContext, error: unknown): WireroomError {
  const { clientError, isServerFault } = toClientError(error);
  if (isServerFault) {
    const { requestId, operation, log } = stateOf(ctx);
    log.error({ request_id: requestId, operation, err: error }, "request failed");
  }
  return clientError;
}

/** Returns the agent of an `Authorization` header. Throws UNAUTHORIZED without a valid API key. */
export function authenticateAgent(service: Service, authorization: string | undefined): Promise<Agent> {
  return service.authenticator.authenticateAgent(bearerCredential(authorization));
}

/** Returns the API key or token in an `Authorization` header (RFC 6750), or undefined for any other form. */
export function bearerCredential(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
}

/**
 * Returns a signal that aborts when the daemon stops, or when the client of a held request disconnects. The
 * calls of an MCP batch share one signal.
 * @param input shows whether the request can be held; otherwise the daemon's own signal is enough, and
 * cheaper
 */
export function createAbortSignal(ctx: KoaContext, input: object): HoldSignal {
  const state = stateOf(ctx);
  const { holdSignals } = state;
  const { stopping } = holdSignals;
  if (stopping.aborted || !HOLD_FIELDS.some((field) => field in input)) return stopping;
  state.holdSignal ??= holdSignals.create(ctx.res);
  return state.holdSignal;
}

/** Abort signals of a daemon's held requests, such as long polls. */
export class HoldSignals {
  private readonly signals = new Set<RequestSignal>();

  constructor(readonly stopping: AbortSignal) {
    // All signals share this listener, because removing one of thousands of listeners takes linear time.
    stopping.addEventListener("abort", () => {
      for (const signal of this.signals) signal.abort();
    });
  }

  create(response: ServerResponse): HoldSignal {
    const signal = new RequestSignal();
    // The client may have disconnected during authentication.
    if (response.destroyed) signal.abort();
    this.signals.add(signal);
    response.once("close", () => {
      this.signals.delete(signal);
      // Every response emits `close`. The client has disconnected only if the response is unfinished.
      if (!response.writableFinished) signal.abort();
    });
    return signal;
  }
}

/** Abort signal of one held request. Smaller than an `AbortSignal`, because there may be thousands. */
class RequestSignal implements HoldSignal {
  aborted = false;
  /** Replaced, never mutated, because a listener removes itself while `abort` iterates over the array. */
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
