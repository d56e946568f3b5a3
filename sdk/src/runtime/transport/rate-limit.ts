/** Parses the headers `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10). */

/** The current state of one rate limit. */
export interface RateLimit {
  /**
   * The name of the limit.
   *
   * @example "wires_per_minute"
   */
  name: string;
  /** How much is allowed per window. */
  limit: number | undefined;
  /** How much of the limit is left now. */
  remaining: number;
  /** Length of the sliding window in seconds; undefined for a quota. */
  window: number | undefined;
  /** Seconds until `remaining` increases; undefined for a quota. */
  reset: number | undefined;
}

export function parseRateLimits(policy: string | undefined, state: string | undefined): RateLimit[] {
  const policies = new Map(parseList(policy));
  return parseList(state).map(([name, now]) => {
    const allowed = policies.get(name);
    return { name, limit: allowed?.q, remaining: now.r ?? 0, window: allowed?.w, reset: now.t };
  });
}

/** Parses `"a";q=60;w=60, "b";q=2` into `[["a", { q: 60, w: 60 }], ["b", { q: 2 }]]`. */
function parseList(text = ""): [string, Record<string, number>][] {
  return [...text.matchAll(/"([^"]*)"((?:;\w+=\d+)*)/g)].map(([, name, parameters]) => [
    name!,
    Object.fromEntries(
      [...parameters!.matchAll(/;(\w+)=(\d+)/g)].map(([, key, value]) => [key, Number(value)]),
    ),
  ]);
}
