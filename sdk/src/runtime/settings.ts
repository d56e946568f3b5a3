/** The options of a client, their defaults and their validation. */
import { MAX_TIMER_DELAY_MS } from "./clock.js";
import type { HookOptions } from "./hooks.js";
import type { Fetch } from "./transport/fetch.js";
import { environmentVariable } from "./transport/platform.js";

/** Options that the clients of agents and humans share. */
export interface ClientOptions extends HookOptions {
  /**
   * The base URL of the API, which ends in `/v1`. `/v1` is appended to a URL without a path. Default:
   * `WIREROOM_URL`, or `http://127.0.0.1:4747/v1`.
   *
   * @example "https://wireroom.example.com/v1"
   */
  baseUrl?: string | undefined;
  /**
   * Timeout of each attempt in milliseconds. For a long poll, `wait` is added to the timeout. Default:
   * 30,000.
   */
  timeout?: number | undefined;
  /** Maximum number of retries after a connection failure or the status 429, 502, 503 or 504. Default: 3. */
  maxRetries?: number | undefined;
  /**
   * Maximum `retry_after` in seconds. If the service requires a longer wait, the call immediately rejects
   * with `RateLimitedError`. Default: 60.
   */
  maxRetryAfter?: number | undefined;
  /**
   * Maximum number of connections on Node, each with one request at a time. Default: 64. Other runtimes have
   * a maximum of their own; that of browsers is 6.
   */
  connections?: number | undefined;
  /**
   * Replaces undici's connection pool on Node, and the global `fetch` elsewhere, for example for mocks,
   * proxies or tracing.
   *
   * @example (url, init) => fetch(url, init)
   */
  fetch?: Fetch | undefined;
  /** Additional headers of every request. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** Validated options with all defaults filled in. */
export interface Settings {
  baseUrl: URL;
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
    baseUrl: baseUrlOf(options.baseUrl ?? environmentVariable("WIREROOM_URL") ?? DEFAULT_URL),
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
 * Returns an API key, access token or ID token. Removes white space around it, such as the line break at the
 * end of a file.
 */
export function resolveCredential(value: string | undefined, name: string, variable: string): string {
  const credential = (value ?? environmentVariable(variable) ?? "").trim();
  if (credential === "")
    throw new TypeError(`no credentials: pass the option \`${name}\`, or set ${variable}`);
  if (!/^[\x21-\x7e]+$/.test(credential))
    throw new TypeError(`\`${name}\` must contain only visible ASCII characters`);
  return credential;
}

function baseUrlOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new TypeError(`\`baseUrl\` must be an http or https URL, not ${JSON.stringify(text)}`);
  const path = url.pathname.replace(/\/+$/, "");
  if (path === "") return new URL(`${url.origin}/v1`);
  if (!/\/v\d+$/.test(path)) throw new TypeError(`\`baseUrl\` must end in /v1: ${DEFAULT_URL}, not ${text}`);
  return new URL(`${url.origin}${path}`);
}

/**
 * Returns the value if it is a number of at least `least`. `Infinity` is allowed. Throws a `TypeError` for
 * any other value.
 */
export function requireAtLeast(least: number, name: string, value: number): number {
  if (typeof value === "number" && value >= least) return value;
  throw new TypeError(`\`${name}\` must be a number of at least ${least}, not ${String(value)}`);
}

/**
 * Returns the delay. Returns undefined, which means no timeout, for a delay that is too long for a Node
 * timer.
 */
export function timerDelayMs(milliseconds: number): number | undefined {
  return milliseconds > MAX_TIMER_DELAY_MS ? undefined : milliseconds;
}
