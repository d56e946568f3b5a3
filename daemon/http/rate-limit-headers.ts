/** The headers `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10). */
import type { Context as KoaContext } from "koa";
import type { LimitState } from "../../src/contract/limits.js";

export function setRateLimitHeaders(ctx: KoaContext, states: readonly LimitState[]): void {
  for (const [name, value] of rateLimitHeaders(states)) ctx.set(name, value);
}

/** Returns both headers, with one item per active limit. */
export function rateLimitHeaders(states: readonly LimitState[]): [name: string, value: string][] {
  const inForce = states.filter(({ limit }) => limit !== null);
  if (inForce.length === 0) return [];
  return [
    ["RateLimit-Policy", inForce.map(policyItem).join(", ")],
    ["RateLimit", inForce.map(limitItem).join(", ")],
  ];
}

/** Returns an item with the quota `q`, and its window `w` in seconds if the limit has one. */
function policyItem({ name, limit, window }: LimitState): string {
  return `"${name}";q=${limit}${window === null ? "" : `;w=${window}`}`;
}

/** Returns an item with the remaining calls `r`, and the seconds `t` until calls are added. */
function limitItem({ name, remaining, reset }: LimitState): string {
  return `"${name}";r=${remaining}${reset === null ? "" : `;t=${reset}`}`;
}
