/** The transport for Node. */
import { Pool } from "undici";
import { ConnectionFault } from "./fault.js";
import type { Transport } from "./transport.js";

/** Error codes of undici for invalid requests. A retry cannot fix such a request. */
const MISUSE = new Set([
  "UND_ERR_INVALID_ARG",
  "UND_ERR_CLOSED",
  "UND_ERR_DESTROYED",
  "UND_ERR_NOT_SUPPORTED",
]);

/**
 * Returns a transport with undici's connection pool. Pipelining is off, because one slow response would delay
 * other responses.
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
  return {
    async request({ method, path, headers, body }, signal) {
      const { statusCode, ...response } = await pool
        .request({ method, path: root + path, headers, body: body ?? null, signal })
        .catch((error) => {
          throw MISUSE.has(error.code) ? error : new ConnectionFault(error);
        });
      return { status: statusCode, headers: response.headers, body: response.body };
    },
    close: () => pool.close(),
  };
}
