/** Client options, with their defaults and validation. */
import { MAX_TIMER_DELAY_MS } from "./clock.js";
import type { HookOptions } from "./hooks.js";
import type { Fetch } from "./transport/fetch.js";
import { environmentVariable } from "./transport/platform.js";

/** Options that the agent client and the human client share. */
export interface ClientOptions extends HookOptions {
  /**
   * Base URL of the API: an origin and the path `/v1`. The client appends the path if the URL has none.
   * Default: `WIREROOM_URL`, or `http://127.0.0.1:4747/v1`.
   *
   * @example "https://wireroom.example.com/v1"
   */
  baseUrl?: string | undefined;
  /** Timeout of each attempt in milliseconds. For a long poll, the client adds `wait`. Default: 30,000. */
  timeout?: number | undefined;
  /** Maximum number of retries after connection failures and statuses 429, 502, 503 and 504. Default: 3. */
  maxRetries?: number | undefined;
  /**
   * Maximum `retry_after` in seconds. If the service demands a longer wait, the call rejects at once with
   * `RateLimitedError`. Default: 60.
   */
  maxRetryAfter?: number | undefined;
  /**
   * Maximum number of connections on Node. Each connection carries one request at a time. Default: 64. Other
   * runtimes set their own maximum; browsers allow 6.
   */
  connections?: number | undefined;
  /**
   * Sends the requests, for example in tests or for tracing. Default: undici's connection pool on Node, and
   * the global `fetch` elsewhere.
   *
   * @example (url, init) => fetch(url, init)
   */
  fetch?: Fetch | undefined;
  /** Additional headers of every request. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** Validated client options, including defaults. */
export interface Settings {
  baseUrl: URL;
  /** Appended to messages after the base URL. Empty if the option `baseUrl` is set. */
  urlHint: string;
  timeout: number;
  maxRetries: number;
  maxRetryAfter: number;
  connections: number;
  fetch: Fetch | undefined;
  headers: Readonly<Record<string, string>>;
  hooks: HookOptions;
}

const DEFAULT_URL = "http://127.0.0.1:4747/v1";

/** Validates the options and fills in the defaults. Throws a `TypeError` for an invalid option. */
export function resolveSettings(options: ClientOptions): Settings {
  return {
    baseUrl: baseUrlOf(options.baseUrl),
    urlHint: options.baseUrl === undefined ? "; WIREROOM_URL names the service" : "",
    timeout: requireAtLeast(1, "timeout", options.timeout ?? 30_000),
    maxRetries: requireAtLeast(0, "maxRetries", options.maxRetries ?? 3),
    maxRetryAfter: requireAtLeast(0, "maxRetryAfter", options.maxRetryAfter ?? 60),
    connections: requireAtLeast(1, "connections", options.connections ?? 64),
    fetch: options.fetch,
    headers: options.headers ?? {},
    hooks: options,
  };
}

/**
 * Removes white space around the credential. Throws a `TypeError` if the credential is missing or malformed.
 */
export function resolveCredential(value: string | undefined, name: string, variable: string): string {
  const hint = name === "apiKey" ? "; `wireroom key issue @HANDLE` prints a key" : "";
  const credential = (value ?? environmentVariable(variable) ?? "").trim();
  if (credential === "")
    throw new TypeError(`no credentials: pass the option \`${name}\`, or set ${variable}${hint}`);
  if (!/^[\x21-\x7e]+$/.test(credential))
    throw new TypeError(`\`${name}\` must contain only visible ASCII characters, without "Bearer"`);
  return credential;
}

function baseUrlOf(option: string | undefined): URL {
  const text = option ?? environmentVariable("WIREROOM_URL") ?? DEFAULT_URL;
  const setting = option === undefined ? "WIREROOM_URL" : "`baseUrl`";
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new TypeError(`${setting} must be an http or https URL, not ${JSON.stringify(text)}`);
  const path = url.pathname.replace(/\/+$/, "") || "/v1";
  // Allow no other path, because sign-in and MCP have fixed paths at the origin's root.
  if (!/^\/v\d+$/.test(path))
    throw new TypeError(`${setting} must be ${url.origin}/v1, not ${text}: the service has no other path`);
  return new URL(`${url.origin}${path}`);
}

export function requireAtLeast(least: number, name: string, value: number): number {
  if (typeof value === "number" && value >= least) return value;
  throw new TypeError(`\`${name}\` must be a number of at least ${least}, not ${String(value)}`);
}

/** Returns undefined (no timeout) if a Node timer cannot wait that long. */
export function timerDelayMs(milliseconds: number): number | undefined {
  return milliseconds > MAX_TIMER_DELAY_MS ? undefined : milliseconds;
}
