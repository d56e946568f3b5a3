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
export function signalOf(response: ServerResponse, isHeld: boolean, service: Service): AbortSignal {
  if (!isHeld) return service.stopping;
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  return AbortSignal.any([service.stopping, gone.signal]);
}
