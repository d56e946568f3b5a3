/** State of a request, which Koa keeps in `ctx.state`. */
import type { Context as KoaContext } from "koa";
import type { Logger } from "pino";
import type { WireroomError } from "../../src/contract/errors.js";
import { toClientError } from "../../src/service/pipeline/client-error.js";
import type { Context, RequestRecord } from "../../src/service/pipeline/context.js";
import type { TracedRequest } from "../tracing/index.js";
import type { SecurityHeaders } from "./security-headers.js";
import type { WaitingBytes } from "./waiting-bytes.js";

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
  /** Aborts the request's held calls. Undefined until a call may be held. */
  holdSignal: Context["signal"] | undefined;
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
