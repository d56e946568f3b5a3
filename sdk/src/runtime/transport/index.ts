/** Sends requests with undici's connection pool, or with a `fetch` function of the user. */
import { Pool } from "undici";
import type { Request } from "./request.js";
import { type RawHeaders, type RawResponse, readText } from "./response.js";

/** The subset of the `fetch` API that the SDK needs. The global `fetch` is compatible. */
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
  /** The body as a stream. Only operations that stream JSON lines use it. */
  body?: AsyncIterable<Uint8Array> | null;
}>;

/** Sends requests to the service. */
export interface Transport {
  /** Sends a request once and reads the whole response. Rejects with the original error, or when the signal aborts. */
  send(request: Request, signal: AbortSignal): Promise<RawResponse>;
  /** Sends a request once. The body of a successful response is a stream, which the signal can also abort. */
  openStream(request: Request, signal: AbortSignal): Promise<StreamedResponse>;
  /** Waits for pending requests and closes the connections. */
  close(): Promise<void>;
}

/** A successful response whose body is a stream, or an error response that was read completely. */
export type StreamedResponse =
  | RawResponse
  | { status: number; headers: Headers | RawHeaders; body: AsyncIterable<Uint8Array> };

/**
 * Returns a transport with undici's connection pool. Pipelining is off, because one slow response would delay other
 * responses.
 */
export function poolTransport(baseUrl: URL, connections: number): Transport {
  // The client itself limits the time of each attempt, so undici's timeouts are off.
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
      const { statusCode: status, headers, body } = await request(of, signal);
      return { status, headers, text: await readText(status, headers, body) };
    },
    async openStream(of, signal) {
      const { statusCode: status, headers, body } = await request(of, signal);
      return isSuccess(status)
        ? { status, headers, body }
        : { status, headers, text: await readText(status, headers, body) };
    },
    close: () => pool.close(),
  };
}

/** Returns a transport that uses the `fetch` option of the client. */
export function fetchTransport(baseUrl: URL, fetch: Fetch): Transport {
  const root = baseUrl.href;
  const request = ({ method, path, headers, body }: Request, signal: AbortSignal) => {
    const init = { method, headers, signal, redirect: "manual" as const };
    return fetch(root + path, body === undefined ? init : { ...init, body });
  };
  return {
    async send(of, signal) {
      const response = await request(of, signal);
      return { status: response.status, headers: response.headers, text: await textOf(response) };
    },
    async openStream(of, signal) {
      const response = await request(of, signal);
      const { status, headers, body } = response;
      return isSuccess(status) && body
        ? { status, headers, body }
        : { status, headers, text: await textOf(response) };
    },
    close: async () => {},
  };
}

/** Reads the body as a stream, so that its size is limited. Without a stream, only `text()` is left. */
function textOf(response: Awaited<ReturnType<Fetch>>): Promise<string> {
  const { status, headers, body } = response;
  return body ? readText(status, headers, body) : response.text();
}

const isSuccess = (status: number) => status >= 200 && status <= 299;

/** Error codes of connections that failed before any data was sent. */
const NEVER_SENT = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Error codes of a certificate that was rejected: https://nodejs.org/api/tls.html#x509-certificate-error-codes. */
const UNTRUSTED = new Set([
  "CERT_CHAIN_TOO_LONG",
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "CERT_REJECTED",
  "CERT_REVOKED",
  "CERT_SIGNATURE_FAILURE",
  "CERT_UNTRUSTED",
  "CRL_HAS_EXPIRED",
  "CRL_NOT_YET_VALID",
  "CRL_SIGNATURE_FAILURE",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "ERR_TLS_CERT_ALTNAME_FORMAT",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "ERROR_IN_CERT_NOT_AFTER_FIELD",
  "ERROR_IN_CERT_NOT_BEFORE_FIELD",
  "ERROR_IN_CRL_LAST_UPDATE_FIELD",
  "ERROR_IN_CRL_NEXT_UPDATE_FIELD",
  "HOSTNAME_MISMATCH",
  "INVALID_CA",
  "INVALID_PURPOSE",
  "PATH_LENGTH_EXCEEDED",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY",
  "UNABLE_TO_DECRYPT_CERT_SIGNATURE",
  "UNABLE_TO_DECRYPT_CRL_SIGNATURE",
  "UNABLE_TO_GET_CRL",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/** Error codes of OpenSSL if the server's first bytes are not TLS, for example plain HTTP. */
const NOT_TLS = new Set(["ERR_SSL_WRONG_VERSION_NUMBER", "ERR_SSL_PACKET_LENGTH_TOO_LONG"]);

/** Error codes of undici for invalid requests. A retry cannot fix such a request. */
const MISUSE = new Set([
  "UND_ERR_INVALID_ARG",
  "UND_ERR_CLOSED",
  "UND_ERR_DESTROYED",
  "UND_ERR_NOT_SUPPORTED",
]);

/** Describes the failure of a request that got no response. */
export interface RequestFault {
  /** The error code of the operating system or of undici. */
  code: string | undefined;
  /** True if the request may have reached the service. */
  mayHaveArrived: boolean;
  /** Describes why the TLS handshake failed; undefined for other failures. */
  tlsProblem: string | undefined;
  /** True if the request is invalid, so that a retry cannot succeed. */
  isMisuse: boolean;
}

/** Classifies an error of a transport. */
export function classifyFault(error: unknown): RequestFault {
  const code = codeOf(error);
  return {
    code,
    mayHaveArrived: code === undefined || !NEVER_SENT.has(code),
    tlsProblem: code === undefined ? undefined : tlsProblemOf(code),
    isMisuse: code !== undefined && MISUSE.has(code),
  };
}

function tlsProblemOf(code: string): string | undefined {
  if (UNTRUSTED.has(code)) return "its TLS certificate is not trusted";
  return NOT_TLS.has(code) ? "the server does not use TLS" : undefined;
}

/** Returns the first error code in the chain of causes. `fetch` wraps the original error as a cause. */
function codeOf(error: unknown): string | undefined {
  let current = error as { code?: unknown; cause?: unknown } | undefined;
  for (let depth = 0; current && typeof current === "object" && depth < 5; depth++) {
    if (typeof current.code === "string") return current.code;
    current = current.cause as typeof current;
  }
  return undefined;
}
