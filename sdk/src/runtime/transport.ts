/** How requests travel: undici's pool, or a `fetch` of the user's own. */
import { Pool } from "undici";
import type { RawAnswer } from "./answer.js";
import type { Request } from "./request.js";

/** What the SDK needs of a `fetch`; the platform's own fits. */
export type Fetch = (
  url: string,
  init: {
    method: string;
    headers: Record<string, string>;
    body?: string;
    signal: AbortSignal;
    redirect: "manual";
  },
) => Promise<{ status: number; headers: Headers; text(): Promise<string> }>;

/** A way to the service. */
export interface Transport {
  /** One attempt. Rejects with whatever went wrong, and with an abort once the signal aborts. */
  send(request: Request, signal: AbortSignal): Promise<RawAnswer>;
  /** Waits for what is under way, and closes the connections. */
  close(): Promise<void>;
}

/** undici's connections. One request at a time on each: pipelining makes a slow answer hold up the others. */
export function poolTransport(baseUrl: URL, connections: number): Transport {
  // Timeouts are the client's own, one for a whole attempt.
  const pool = new Pool(baseUrl.origin, {
    connections: connections === Infinity ? null : connections,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const root = baseUrl.pathname;
  return {
    async send({ method, path, headers, body }, signal) {
      const answer = await pool.request({ method, path: root + path, headers, body: body ?? null, signal });
      return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
    },
    close: () => pool.close(),
  };
}

/** A `fetch` of the user's own. */
export function fetchTransport(baseUrl: URL, fetch: Fetch): Transport {
  const root = baseUrl.href;
  return {
    async send({ method, path, headers, body }, signal) {
      const init = { method, headers, signal, redirect: "manual" as const };
      const answer = await fetch(root + path, body === undefined ? init : { ...init, body });
      return { status: answer.status, headers: answer.headers, text: await answer.text() };
    },
    close: async () => {},
  };
}

/** Codes of faults that happen before anything is sent. */
const NEVER_SENT = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Codes of undici for a request that no repetition makes right. */
const MISUSE = new Set([
  "UND_ERR_INVALID_ARG",
  "UND_ERR_CLOSED",
  "UND_ERR_DESTROYED",
  "UND_ERR_NOT_SUPPORTED",
]);

/** What is known of a request that got no answer. */
export interface Fault {
  /** The system's or undici's code. */
  code: string | undefined;
  /** Whether the request may have reached the service. */
  mayHaveArrived: boolean;
  isMisuse: boolean;
}

/** What a transport's rejection says of the request. */
export function faultOf(error: unknown): Fault {
  const code = codeOf(error);
  return {
    code,
    mayHaveArrived: code === undefined || !NEVER_SENT.has(code),
    isMisuse: code !== undefined && MISUSE.has(code),
  };
}

/** The first code in a chain of causes: `fetch` wraps what really happened. */
function codeOf(error: unknown): string | undefined {
  let current = error as { code?: unknown; cause?: unknown } | undefined;
  for (let depth = 0; current && typeof current === "object" && depth < 5; depth++) {
    if (typeof current.code === "string") return current.code;
    current = current.cause as typeof current;
  }
  return undefined;
}
