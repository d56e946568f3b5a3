/** How requests travel: undici's pool, or a `fetch` of the user's own. */
import { Pool } from "undici";
import type { RawAnswer, RawHeaders } from "./answer.js";
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
) => Promise<{
  status: number;
  headers: Headers;
  text(): Promise<string>;
  /** Needed for answers of many lines alone. */
  body?: AsyncIterable<Uint8Array> | null;
}>;

/** A way to the service. */
export interface Transport {
  /** One attempt. Rejects with whatever went wrong, and with an abort once the signal aborts. */
  send(request: Request, signal: AbortSignal): Promise<RawAnswer>;
  /** The same, but gives a success as it comes in. The signal ends that as well. */
  open(request: Request, signal: AbortSignal): Promise<OpenAnswer>;
  /** Waits for what is under way, and closes the connections. */
  close(): Promise<void>;
}

/** A success whose body is still to come, or a refusal that was read. */
export type OpenAnswer =
  | RawAnswer
  | { status: number; headers: Headers | RawHeaders; body: AsyncIterable<Uint8Array> };

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
  const request = ({ method, path, headers, body }: Request, signal: AbortSignal) =>
    pool.request({ method, path: root + path, headers, body: body ?? null, signal });
  return {
    async send(of, signal) {
      const answer = await request(of, signal);
      return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
    },
    async open(of, signal) {
      const { statusCode: status, headers, body } = await request(of, signal);
      return isSuccess(status) ? { status, headers, body } : { status, headers, text: await body.text() };
    },
    close: () => pool.close(),
  };
}

/** A `fetch` of the user's own. */
export function fetchTransport(baseUrl: URL, fetch: Fetch): Transport {
  const root = baseUrl.href;
  const request = ({ method, path, headers, body }: Request, signal: AbortSignal) => {
    const init = { method, headers, signal, redirect: "manual" as const };
    return fetch(root + path, body === undefined ? init : { ...init, body });
  };
  return {
    async send(of, signal) {
      const answer = await request(of, signal);
      return { status: answer.status, headers: answer.headers, text: await answer.text() };
    },
    async open(of, signal) {
      const answer = await request(of, signal);
      const { status, headers, body } = answer;
      return isSuccess(status) && body
        ? { status, headers, body }
        : { status, headers, text: await answer.text() };
    },
    close: async () => {},
  };
}

const isSuccess = (status: number) => status >= 200 && status <= 299;

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
