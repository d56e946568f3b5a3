import { SECOND } from "../../../src/kernel/clock.js";

/** The headers of a response that HTTP caching reads. A header that occurs several times is an array. */
export type CacheHeaders = Record<string, string | string[] | undefined>;

const DAY_SECONDS = 24 * 60 * 60;

/**
 * Returns how long a cache that several users share may use a response, in seconds, at most a day (RFC 9111,
 * sections 3.5, 4.2 and 5.2.2). Returns 0 without an explicit lifetime.
 * @param now milliseconds since 1970
 */
export function freshnessSeconds(headers: CacheHeaders, now: number): number {
  const directives = directivesOf(textOf(headers["cache-control"]));
  if (["no-store", "no-cache", "private"].some((name) => directives.has(name))) return 0;
  if (textOf(headers.vary).includes("*")) return 0;
  const lifetime = lifetimeSeconds(headers, directives, now);
  const age = secondsOf(textOf(headers.age)) ?? 0;
  return Math.min(DAY_SECONDS, Math.max(0, Math.floor(lifetime - age)));
}

function lifetimeSeconds(
  headers: CacheHeaders,
  directives: ReadonlyMap<string, string>,
  now: number,
): number {
  for (const name of ["s-maxage", "max-age"]) {
    const value = directives.get(name);
    // An invalid value makes the response stale (RFC 9111, section 4.2.1).
    if (value !== undefined) return secondsOf(value) ?? 0;
  }
  const expires = Date.parse(textOf(headers.expires));
  if (Number.isNaN(expires)) return 0;
  const date = Date.parse(textOf(headers.date));
  return (expires - (Number.isNaN(date) ? now : date)) / SECOND;
}

/** Parses `Cache-Control`. The first of several equal directives counts. */
function directivesOf(text: string): ReadonlyMap<string, string> {
  const directives = new Map<string, string>();
  for (const part of text.split(",")) {
    const [name = "", value = ""] = part.trim().split(/=(.*)/s);
    const key = name.trim().toLowerCase();
    if (!directives.has(key)) directives.set(key, value.trim().replace(/^"(.*)"$/, "$1"));
  }
  return directives;
}

function secondsOf(text: string): number | undefined {
  return /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}

function textOf(header: string | string[] | undefined): string {
  return Array.isArray(header) ? header.join(",") : (header ?? "");
}
