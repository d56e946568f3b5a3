/** What REST and MCP share of a request: who calls, and when its work is to end. */
import type { ServerResponse } from "node:http";
import type { Agent, Service } from "../../src/service/context.js";

/** The agent whose key is in an `Authorization` header. Throws UNAUTHORIZED. */
export function callingAgent(service: Service, authorization: string | undefined): Promise<Agent> {
  return service.authenticator.agent(/^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1]);
}

/**
 * Ends when the daemon stops and, where the answer may be held, when the client goes away.
 * @param isHeld whether the call asks to wait; most do not, and are spared the cost
 */
export function signalOf(response: ServerResponse, isHeld: boolean, { stopping }: Service): AbortSignal {
  if (!isHeld || stopping.aborted) return stopping;
  const gone = new AbortController();
  // It may have gone while its key was looked up.
  if (response.destroyed) gone.abort();
  const held = heldUntil(stopping);
  held.add(gone);
  response.once("close", () => {
    held.delete(gone);
    // Every response closes, most of them once they were written.
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}

const heldRequests = new WeakMap<AbortSignal, Set<AbortController>>();

/** Requests that are held until a daemon stops. One listener for all of them: removing one of thousands would search them all. */
function heldUntil(stopping: AbortSignal): Set<AbortController> {
  let held = heldRequests.get(stopping);
  if (!held) {
    const controllers = new Set<AbortController>();
    stopping.addEventListener("abort", () => {
      for (const controller of controllers) controller.abort();
    });
    heldRequests.set(stopping, controllers);
    held = controllers;
  }
  return held;
}
