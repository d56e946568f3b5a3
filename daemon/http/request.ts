/**
 * The request data that handlers use: the state (which Koa keeps in `ctx.state`), the credential and the
 * abort signal.
 */
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
  headers: SecurityHeaders;
  log: Logger;
  waitingBytes: WaitingBytes;
  /** The operation's id or the route's name. Undefined until a route matches. */
  operation: string | undefined;
  /** Undefined before authentication. */
  caller: string | undefined;
  /**
   * HTTP status for logs and metrics if it differs from the response's status, as for a failed MCP tool call.
   */
  status: number | undefined;
  holdSignals: HoldSignals;
  holdSignal: HoldSignal | undefined;
}

export function stateOf(ctx: KoaContext): RequestState {
  return ctx.state as RequestState;
}

/** Returns the error for the client. Logs the original error if the daemon caused it. */
export function logAndConvertError(ctx: KoaContext, error: unknown): WireroomError {
  const { clientError, isServerFault } = toClientError(error);
  if (isServerFault) {
    const { requestId, operation, log } = stateOf(ctx);
    log.error({ request_id: requestId, operation, err: error }, "request failed");
  }
  return clientError;
}

/** Throws UNAUTHORIZED if the header has no valid API key. */
export function authenticateAgent(service: Service, authorization: string | undefined): Promise<Agent> {
  return service.authenticator.authenticateAgent(bearerCredential(authorization));
}

/** Returns undefined for schemes other than Bearer (RFC 6750). */
export function bearerCredential(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
}

/**
 * Returns a signal that aborts when the daemon stops, or when a long poll's client disconnects. All calls in
 * an MCP batch share one signal.
 * @param input shows whether the call may become a long poll; if not, the daemon's own signal is enough,
 * which is cheaper
 */
export function createAbortSignal(ctx: KoaContext, input: object): HoldSignal {
  const state = stateOf(ctx);
  const { holdSignals } = state;
  const { stopping } = holdSignals;
  if (stopping.aborted || !HOLD_FIELDS.some((field) => field in input)) return stopping;
  state.holdSignal ??= holdSignals.create(ctx.res);
  return state.holdSignal;
}

/** The abort signals of all long polls. */
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

/**
 * The abort signal of a long poll. It uses less memory than an `AbortSignal`, because there may be thousands.
 */
class RequestSignal implements HoldSignal {
  aborted = false;
  /**
   * The array is replaced and never changed, because listeners remove themselves while `abort` iterates over
   * it.
   */
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
