/** Limits the number of connections, closes inactive ones, and responds to malformed requests. */
import type { RequestListener, Server, ServerOptions } from "node:http";
import type { Socket } from "node:net";
import type { Logger } from "pino";
import { MINUTE, monotonicMs, SECOND } from "../../../src/kernel/clock.js";
import { IncomingRequest } from "../request/incoming-request.js";
import { RequestMemory } from "../request/request-memory.js";
import type { SecurityHeaders } from "../security-headers.js";
import type { SourceOf } from "../source.js";
import { Batches } from "./batches.js";
import { Connection } from "./connection.js";
import { Places } from "./places.js";

/** The limits of connections (docs/specification/limits.md#connections). */
export const SERVER_OPTIONS: ServerOptions<typeof IncomingRequest> = {
  IncomingMessage: IncomingRequest,
  // `assertValidHead` checks the Host header instead, because Node's own 400 response has no JSON error body.
  requireHostHeader: false,
  maxHeaderSize: 32 * 1024,
  keepAliveTimeout: 75 * SECOND,
  headersTimeout: 20 * SECOND,
  requestTimeout: 2 * MINUTE,
  connectionsCheckingInterval: 5 * SECOND,
};
/**
 * Above this number, a new connection replaces an idle one, or else one with an incomplete request. If all
 * connections are busy, the daemon ends a held request, or else closes the new connection. 5,000 long polls
 * are a normal load (docs/performance.md).
 */
const MAX_CONNECTIONS = 20_000;
/**
 * Number of open files that the daemon needs besides its connections, for example for the database, a
 * PostgreSQL pool, and the modules that it loads.
 */
const OWN_FILES = 128;
const MIN_CONNECTIONS = 16;
/**
 * Maximum number of connections above the limit, while ended requests that make room for them still send
 * their responses.
 */
const MAX_EXCESS = 32;
const STALL_CHECK_INTERVAL_MS = 5 * SECOND;

/**
 * Passes the server's requests to the application. Requests that are not valid HTTP also get a JSON error
 * response.
 * @param giveOneUp ends a held request, so that its connection becomes idle; returns false if none is held
 * @returns a function that closes the connections on which nothing has arrived, which `closeIdleConnections`
 * does not close
 */
export function serve(
  server: Server<typeof IncomingRequest>,
  application: RequestListener,
  headers: SecurityHeaders,
  log: Logger,
  sourceOf: SourceOf,
  maxConnections: number,
  giveOneUp: () => boolean,
): () => void {
  const connections = new Map<Socket, Connection>();
  const places = new Places(() => connections.size > maxConnections);
  const batches = new Batches(application);
  const memory = new RequestMemory(sourceOf, log);
  // 0 turns off Node's limit, which drops headers silently. `assertValidHead` rejects the request instead.
  server.maxHeadersCount = 0;
  server.on("connection", (socket: Socket) => {
    batches.accepted();
    if (connections.size >= maxConnections) {
      const inactive = places.longestInactive();
      if (inactive) inactive.makeRoom();
      else if (connections.size >= maxConnections + MAX_EXCESS || !giveOneUp()) return void socket.destroy();
    }
    const connection = new Connection(socket, batches, headers, log, places, memory);
    connections.set(socket, connection);
    socket.once("close", () => {
      connections.delete(socket);
      places.remove(connection);
      connection.release();
    });
  });
  const onRequest: RequestListener<typeof IncomingRequest> = (request, response) =>
    connections.get(request.socket)?.add(request, response);
  server.on("request", onRequest);
  // Ignore unknown values of the `Expect` header, as RFC 9110, section 10.1.1, allows. Node's own 417
  // response would have no JSON error body.
  server.on("checkExpectation", onRequest);
  // Node passes CONNECT requests only to this event, and closes the connection if nothing listens to it.
  server.on("connect", ({ socket }) => connections.get(socket)?.rejectConnect());
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    const connection = connections.get(socket);
    if (!connection || error.code === "ECONNRESET" || !socket.writable) socket.destroy();
    else connection.reject(error);
  });
  const check = setInterval(() => {
    const atMs = monotonicMs();
    for (const connection of connections.values()) connection.closeIfStalled(atMs);
  }, STALL_CHECK_INTERVAL_MS).unref();
  server.once("close", () => clearInterval(check));
  return () => {
    for (const socket of connections.keys()) if (socket.bytesRead === 0) socket.destroy();
  };
}

/** Returns the maximum number of connections. It leaves enough open files for the daemon itself. */
export function connectionLimit(): number {
  return Math.max(Math.min(openFilesLimit() - OWN_FILES, MAX_CONNECTIONS), MIN_CONNECTIONS);
}

/** Returns this process's limit of open files. Node raises its soft limit to the hard limit at startup. */
function openFilesLimit(): number {
  const { report } = process;
  if (!report) return Number.POSITIVE_INFINITY;
  (report as { excludeNetwork?: boolean }).excludeNetwork = true;
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft: unknown } } };
  const limit = userLimits?.open_files?.soft;
  return typeof limit === "number" ? limit : Number.POSITIVE_INFINITY;
}
