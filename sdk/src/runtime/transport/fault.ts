/** Classifies connection failures. */

/**
 * Thrown by a transport if a connection fails or breaks. Any other error from a transport is a bug or an
 * invalid request, so retrying cannot help.
 */
export class ConnectionFault extends Error {
  constructor(override readonly cause: unknown) {
    super("the connection failed");
  }
}

/** Error codes for connections that failed before any data was sent. */
const NEVER_SENT = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_INVALID_ARG",
]);

/** undici's codes that say too little, for example if a proxy refuses a request or a tunnel. */
const VAGUE = new Set(["UND_ERR_ABORTED", "UND_ERR_INVALID_ARG"]);

/** Error codes for a rejected certificate: https://nodejs.org/api/tls.html#x509-certificate-error-codes. */
const UNTRUSTED =
  /^(CERT_|CRL_|DEPTH_ZERO_|ERR_TLS_CERT_|ERROR_IN_|HOSTNAME_MISMATCH|INVALID_|PATH_LENGTH_|SELF_SIGNED_|UNABLE_TO_)/;

/** Error codes for other failed TLS handshakes, mostly with servers without TLS. Bun uses `EPROTO`. */
const NO_HANDSHAKE = new Set(["ERR_SSL_WRONG_VERSION_NUMBER", "ERR_SSL_PACKET_LENGTH_TOO_LONG", "EPROTO"]);

/** Messages of Deno's errors, which have no codes. The messages come from hyper and rustls. */
const DENO_NEVER_SENT = /client error \(Connect\)/;
const DENO_UNTRUSTED = /invalid peer certificate/;
const DENO_NO_HANDSHAKE = /received corrupt message/;

export interface FaultDescription {
  /** The operating system's or undici's error code, or the message of the root cause. */
  why: string;
  mayHaveArrived: boolean;
  /** Undefined if the TLS handshake did not fail. */
  tlsProblem: string | undefined;
}

export function describeFault(error: unknown): FaultDescription {
  const { code, message } = rootOf(error);
  return {
    why: code === undefined || VAGUE.has(code) ? message : code,
    mayHaveArrived: code === undefined ? !DENO_NEVER_SENT.test(message) : !NEVER_SENT.has(code),
    tlsProblem: tlsProblemOf(code, message),
  };
}

function tlsProblemOf(code = "", message: string): string | undefined {
  if (UNTRUSTED.test(code) || DENO_UNTRUSTED.test(message)) return "its TLS certificate is not trusted";
  if (NO_HANDSHAKE.has(code) || DENO_NO_HANDSHAKE.test(message))
    return "the TLS handshake failed; check that the server uses TLS";
  return undefined;
}

/** `fetch` wraps the original error, so this function looks for the first cause that has a code. */
function rootOf(error: unknown): { code: string | undefined; message: string } {
  let message = String(error);
  let current = error as { code?: unknown; message?: unknown; cause?: unknown } | undefined;
  for (let depth = 0; current && typeof current === "object" && depth < 5; depth++) {
    if (typeof current.message === "string") message = current.message;
    if (typeof current.code === "string") return { code: current.code, message };
    current = current.cause as typeof current;
  }
  return { code: undefined, message };
}
