/** What a client is made with. */
import { LONGEST_DELAY } from "./clock.js";
import type { Fetch } from "./transport/index.js";

/** Settings that agents and humans share. */
export interface ClientOptions {
  /**
   * The REST root, which ends in `/v1`. Default: `WIREROOM_URL`, or `http://127.0.0.1:4747/v1`.
   *
   * @example "https://wireroom.example.com/v1"
   */
  baseUrl?: string | undefined;
  /** Milliseconds that each attempt of a call may take; a long-poll gets its `wait` on top. Default: 30,000. */
  timeout?: number | undefined;
  /** How often a failed attempt is repeated: connection faults, 429 and 503. Default: 3. */
  maxRetries?: number | undefined;
  /**
   * Longest `retry_after` in seconds that is waited for; above it the call rejects with `RateLimitedError` at once.
   * Default: 60.
   */
  maxRetryAfter?: number | undefined;
  /** Largest number of connections, which is that of requests under way at once. Default: 64. */
  connections?: number | undefined;
  /**
   * Takes the place of undici's connection pool: for mocks, proxies and tracing.
   *
   * @example (url, init) => fetch(url, init)
   */
  fetch?: Fetch | undefined;
  /** Further headers of every request. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** The same, checked, with every default in its place. */
export interface Settings {
  baseUrl: URL;
  timeout: number;
  maxRetries: number;
  maxRetryAfter: number;
  connections: number;
  fetch: Fetch | undefined;
  headers: Readonly<Record<string, string>>;
}

const DEFAULT_URL = "http://127.0.0.1:4747/v1";

/** Throws a `TypeError` that says what to set, and to what. */
export function settingsOf(options: ClientOptions): Settings {
  return {
    baseUrl: baseUrlOf(options.baseUrl ?? fromEnvironment("WIREROOM_URL") ?? DEFAULT_URL),
    timeout: atLeast(1, "timeout", options.timeout ?? 30_000),
    maxRetries: atLeast(0, "maxRetries", options.maxRetries ?? 3),
    maxRetryAfter: atLeast(0, "maxRetryAfter", options.maxRetryAfter ?? 60),
    connections: atLeast(1, "connections", options.connections ?? 64),
    fetch: options.fetch,
    headers: options.headers ?? {},
  };
}

/** A key or token, without the line break that files and shells leave at its end. */
export function credentialOf(value: string | undefined, name: string, variable: string): string {
  const credential = (value ?? fromEnvironment(variable) ?? "").trim();
  if (credential === "") throw new TypeError(`no credentials: give \`${name}\`, or set ${variable}`);
  if (!/^[\x21-\x7e]+$/.test(credential)) throw new TypeError(`\`${name}\` holds characters that no key has`);
  return credential;
}

function fromEnvironment(name: string): string | undefined {
  return process.env[name] || undefined;
}

function baseUrlOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new TypeError(`\`baseUrl\` must be an http or https URL, not ${JSON.stringify(text)}`);
  const path = url.pathname.replace(/\/+$/, "");
  if (!/\/v\d+$/.test(path)) throw new TypeError(`\`baseUrl\` must end in /v1: ${DEFAULT_URL}, not ${text}`);
  return new URL(`${url.origin}${path}`);
}

/** Checks a number; `Infinity` is allowed. */
export function atLeast(least: number, name: string, value: number): number {
  if (typeof value === "number" && value >= least) return value;
  throw new TypeError(`\`${name}\` must be a number from ${least}, not ${String(value)}`);
}

/** Milliseconds that a timer can hold; undefined for no limit. */
export function timerOf(milliseconds: number): number | undefined {
  return milliseconds > LONGEST_DELAY ? undefined : milliseconds;
}
