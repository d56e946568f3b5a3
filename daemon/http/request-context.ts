/** What the layers of one request share: its state, who calls, when its work must stop, and how its errors are reported. */
import type { Context as KoaContext } from "koa";
import type { Logger } from "pino";
import type { WireroomError } from "../../src/contract/errors.js";
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
