/** Reads API keys and tokens from the `Authorization` header (RFC 6750). */
import type { Agent } from "../../src/service/pipeline/caller.js";
import type { Service } from "../../src/service/pipeline/context.js";

/** Returns the agent of an `Authorization` header. Throws UNAUTHORIZED without a valid API key. */
export function authenticateAgent(service: Service, authorization: string | undefined): Promise<Agent> {
  return service.authenticator.authenticateAgent(bearerCredential(authorization));
}

/** Returns the API key or token in an `Authorization` header, or undefined for any other form. */
export function bearerCredential(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
}
