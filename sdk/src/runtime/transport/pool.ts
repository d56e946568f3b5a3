/** The transport for Node. */
import { Pool } from "undici";
import { ConnectionFault } from "./fault.js";
import { environmentProxy } from "./proxy.js";
import type { Transport } from "./transport.js";

/** Does not pipeline requests, because a slow response would delay the responses behind it. */
export function poolTransport(baseUrl: URL, connections: number): Transport {
  // Turn off undici's timeouts, because the client itself limits the time of each attempt.
  const options = {
    connections: connections === Infinity ? null : connections,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const { origin, pathname: root } = baseUrl;
  const pool = environmentProxy(options) ?? new Pool(origin, options);
  return {
    async request({ method, path, headers, body }, signal) {
      const { statusCode, ...response } = await pool
        .request({ origin, method, path: root + path, headers, body: body ?? null, signal })
        .catch((error) => {
          throw new ConnectionFault(error);
        });
      return { status: statusCode, headers: response.headers, body: response.body };
    },
    close: () => pool.close(),
  };
}
