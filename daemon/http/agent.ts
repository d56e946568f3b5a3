/** What REST and MCP share of a request: who calls, and when its work is to end. */
import type { ServerResponse } from "node:http";
import type { Operation } from "../../src/contract/operation.js";
import type { Agent, Service } from "../../src/service/context.js";

/** The agent whose key is in an `Authorization` header. Throws UNAUTHORIZED. */
export function callingAgent(service: Service, authorization: string | undefined): Promise<Agent> {
  return service.authenticator.agent(/^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1]);
}

/** Ends when the daemon stops and, where an answer may be held, when the client goes away. */
export function signalOf(response: ServerResponse, operation: Operation, service: Service): AbortSignal {
  if (!("wait" in operation.fields)) return service.stopping;
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  return AbortSignal.any([service.stopping, gone.signal]);
}
