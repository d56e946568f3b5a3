/**
 * The connections of the HTTP server: how many there may be, which of them give way, and what happens to
 * malformed requests.
 */
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
  // Node's own 400 response has no JSON error body, so `assertValidHead` checks the Host header instead.
  requireHostHeader: false,
  maxHeaderSize: 32 * 1024,
  keepAliveTimeout: 75 * SECOND,
  headersTimeout: 20 * SECOND,
  requestTimeout: 2 * MINUTE,
  connectionsCheckingInterval: 5 * SECOND,
};
/**
 * Above this number, a connection that is idle or has an incomplete request is closed, or the new one if
 * there is none. 5,000 long polls are a normal load (docs/performance.md).
 */
const MAX_CONNECTIONS = 20_000;
/**
 * Open files that the daemon needs for everything else, such as the database, a pool of PostgreSQL, and
 * modules that it loads.
 */
const OWN_FILES = 128;
const MIN_CONNECTIONS = 16;
/** Connections above the limit whose predecessors have been asked to give way and are being answered. */
const MAX_EXCESS = 32;
const STALL_CHECK_INTERVAL_MS = 5 * SECOND;

/**
 * Passes the requests of the server to the application. Requests that are not valid HTTP also get a JSON
 * error response. Returns a function that closes the connections on which nothing has arrived.
 * `closeIdleConnections` does not close them.
 * @param giveOneUp ends a held request, so that its connection becomes idle; returns false if none is held
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
  // Node would silently drop all headers above its limit. `assertValidHead` rejects the request instead.
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
  // Ignores unknown values of the header `Expect`, as RFC 9110, section 10.1.1 allows. Node's own 417
  // response would have no JSON error body.
  server.on("checkExpectation", onRequest);
  // Node passes CONNECT to no other listener, and closes the connection if there is none.
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

/** Returns how many connections leave enough open files for the daemon itself. Each takes one. */
export function connectionLimit(): number {
  return Math.max(Math.min(openFilesLimit() - OWN_FILES, MAX_CONNECTIONS), MIN_CONNECTIONS);
}

/**
 * Returns how many files this process may open at a time. Node sets its soft limit to the hard limit when it
 * starts.
 */
function openFilesLimit(): number {
  const { report } = process;
  if (!report) return Number.POSITIVE_INFINITY;
  (report as { excludeNetwork?: boolean }).excludeNetwork = true;
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft: unknown } } };
  const limit = userLimits?.open_files?.soft;
  return typeof limit === "number" ? limit : Number.POSITIVE_INFINITY;
}
