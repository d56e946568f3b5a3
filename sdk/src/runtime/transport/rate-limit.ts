/** `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10). */

/** What is left of a rate limit. */
export interface RateLimit {
  /**
   * Name of the limit.
   *
   * @example "wires_per_minute"
   */
  name: string;
  /** How many are allowed in a window. */
  limit: number | undefined;
  /** How many are left. */
  remaining: number;
  /** Seconds of the sliding window; undefined for a quota that has none. */
  window: number | undefined;
  /** Seconds until the next one is freed; undefined for a quota that has none. */
  reset: number | undefined;
}

/** The limits of both headers, one row each; empty without them. */
export function parseRateLimits(policy: string | undefined, state: string | undefined): RateLimit[] {
  const policies = new Map(parseList(policy));
  return parseList(state).map(([name, now]) => {
    const allowed = policies.get(name);
    return { name, limit: allowed?.q, remaining: now.r ?? 0, window: allowed?.w, reset: now.t };
  });
}

/** `"a";q=60;w=60, "b";q=2` → pairs of a name and its parameters. */
function parseList(text = ""): [string, Record<string, number>][] {
  return [...text.matchAll(/"([^"]*)"((?:;\w+=\d+)*)/g)].map(([, name, parameters]) => [
    name!,
    Object.fromEntries(
      [...parameters!.matchAll(/;(\w+)=(\d+)/g)].map(([, key, value]) => [key, Number(value)]),
    ),
  ]);
}
