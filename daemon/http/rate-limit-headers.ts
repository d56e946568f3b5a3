/** `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10), one item for each limit in force. */
import type { ServerResponse } from "node:http";
import type { LimitState } from "../../src/contract/limits.js";

export function setRateLimitHeaders(response: ServerResponse, states: readonly LimitState[]): void {
  const inForce = states.filter(({ limit }) => limit !== null);
  if (inForce.length === 0) return;
  response.setHeader("RateLimit-Policy", inForce.map(policy).join(", "));
  response.setHeader("RateLimit", inForce.map(serviceLimit).join(", "));
}

/** q: quota; w: window in seconds, which a quota without one leaves out. */
function policy({ name, limit, window }: LimitState): string {
  return `"${name}";q=${limit}${window === null ? "" : `;w=${window}`}`;
}

/** r: remaining; t: seconds until more of the quota is there. */
function serviceLimit({ name, remaining, reset }: LimitState): string {
  return `"${name}";r=${remaining}${reset === null ? "" : `;t=${reset}`}`;
}
