/**
 * The connections of the HTTP server. A connection handles its requests one after the other, as most servers do (RFC 9112,
 * section 9.3.2 allows more). A client that pipelines requests therefore occupies no more of the daemon than one that waits for
 * each response. Connections that stop making progress are closed.
 */
import {
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { Socket } from "node:net";
import type { Logger } from "pino";
import { WireroomError } from "../../src/contract/errors.js";
import { MINUTE, monotonicMs, SECOND } from "../../src/kernel/clock.js";
import { newId } from "../../src/kernel/ids.js";
import { Batches, type Exchange } from "./batches.js";
import { headBytes, IncomingRequest } from "./request/incoming-request.js";
import { RequestMemory } from "./request/request-memory.js";
import type { SecurityHeaders } from "./security-headers.js";
import type { SourceOf } from "./source.js";

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
 * Above this number, a connection that is idle or has an incomplete request is closed, or the new one if there is none. 5,000 long
 * polls are a normal load (docs/performance.md).
 */
const MAX_CONNECTIONS = 20_000;
/** Open files that the daemon needs for everything else, such as the database, a pool of PostgreSQL, and modules that it loads. */
const OWN_FILES = 128;
const MIN_CONNECTIONS = 16;
/** Connections above the limit whose predecessors have been asked to give way and are being answered. */
const MAX_EXCESS = 32;
/** Requests of one connection that may wait for their responses. */
const MAX_PIPELINED = 100;
/**
 * Memory that the heads of the requests behind the first one may take: enough for a hundred usual ones. The connection is read on, so that
 * the end of a held request's client is noticed.
 */
const MAX_WAITING_HEAD_BYTES = 1024 * 1024;
/** Time in which a client must take a part of the response that it is being sent. */
const STALL_TIMEOUT_MS = 30 * SECOND;
const STALL_CHECK_INTERVAL_MS = 5 * SECOND;
/** Time that a client has to read the response to a malformed request (RFC 9112, section 9.6). */
const LINGER_MS = 2 * SECOND;

/**
 * Passes the requests of the server to the application. Requests that are not valid HTTP also get a JSON error response.
 * Returns a function that closes the connections on which nothing has arrived. `closeIdleConnections` does not close them.
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
  // Ignores unknown values of the header `Expect`, as RFC 9110, section 10.1.1 allows. Node's own 417 response would have no
  // JSON error body.
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

/** Returns how many files this process may open at a time. Node sets its soft limit to the hard limit when it starts. */
function openFilesLimit(): number {
  const { report } = process;
  if (!report) return Number.POSITIVE_INFINITY;
  (report as { excludeNetwork?: boolean }).excludeNetwork = true;
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft: unknown } } };
  const limit = userLimits?.open_files?.soft;
  return typeof limit === "number" ? limit : Number.POSITIVE_INFINITY;
}

/** The connections that give way to a new one if there are too many. */
class Places {
  /** Connections without a request that is being handled, in the order in which they became idle. */
  private readonly idle = new Set<Connection>();
  /** Connections whose last request was incomplete when its head arrived, in the order of these heads. */
  private readonly receiving = new Set<Connection>();

  constructor(readonly areTooFew: () => boolean) {}

  setIdle(connection: Connection): void {
    this.remove(connection);
    this.idle.add(connection);
  }

  setReceiving(connection: Connection): void {
    this.remove(connection);
    this.receiving.add(connection);
  }

  remove(connection: Connection): void {
    this.idle.delete(connection);
    this.receiving.delete(connection);
  }

  /** Returns the connection that has been idle for the longest time, or else the one whose request has been incomplete for the longest. */
  longestInactive(): Connection | undefined {
    const [idle] = this.idle;
    if (idle) return idle;
    for (const connection of this.receiving) {
      if (connection.isReceiving) return connection;
      this.receiving.delete(connection);
    }
    return undefined;
  }
}

class Connection {
  /** Exchanges that are not finished, in the order of their requests. Only the first one is being handled. */
  private readonly exchanges: Exchange[] = [];
  /** The exchange whose request body is still being received, even if its response was already sent. */
  private receiving: Exchange | undefined;
  /** The error of a malformed request. No request after it can be read. */
  private error: NodeJS.ErrnoException | undefined;
  private bytesWritten = 0;
  private progressAtMs = 0;

  constructor(
    private readonly socket: Socket,
    private readonly batches: Batches,
    private readonly headers: SecurityHeaders,
    private readonly log: Logger,
    private readonly places: Places,
    private readonly memory: RequestMemory,
  ) {
    places.setIdle(this);
  }

  add(request: IncomingRequest, response: ServerResponse): void {
    // Node reads the rest of a chunk even after the connection was closed.
    if (this.socket.destroyed) return;
    const exchange = { request, response, connection: this };
    this.receiving = exchange;
    this.places.setReceiving(this);
    const waiting = this.exchanges.push(exchange);
    request.meter(this.memory, waiting > 1);
    if (waiting === 1) this.batches.add(exchange);
    else if (waiting > MAX_PIPELINED || this.waitingHeadBytes() > MAX_WAITING_HEAD_BYTES)
      this.close("the client sent too many requests without waiting");
  }

  private waitingHeadBytes(): number {
    return this.exchanges.slice(1).reduce((sum, { request }) => sum + headBytes(request), 0);
  }

  /** Continues with the next request after a response was sent, or after its client disconnected. */
  finishFirst(): void {
    const finished = this.exchanges.shift();
    finished?.request.release();
    // oidc-provider stops reading a body that is too large, so the end of the connection would go unnoticed.
    if (finished && !finished.request.complete) finished.request.discard();
    const [next] = this.exchanges;
    if (this.receiving?.request.complete) this.receiving = undefined;
    if (this.socket.destroyed) this.exchanges.length = 0;
    else if (next) this.batches.add(next);
    else {
      this.places.setIdle(this);
      if (this.error) this.sendError(this.error);
      else if (this.places.areTooFew()) this.makeRoom();
    }
  }

  /** Stops counting the requests, because the connection is closed. */
  release(): void {
    for (const { request } of this.exchanges) request.release();
  }

  /** Whether its client has not sent the whole request yet. */
  get isReceiving(): boolean {
    return this.receiving !== undefined && !this.receiving.request.complete;
  }

  /** Closes the connection, because there are too many and this one does not use its place. */
  makeRoom(): void {
    this.places.remove(this);
    this.close(
      `there are too many connections, and this one ${this.isReceiving ? "has an incomplete request" : "is idle"}`,
    );
  }

  /** Rejects a malformed request, after the responses to the requests before it. */
  reject(error: NodeJS.ErrnoException): void {
    // Node reports an error again for each further chunk.
    if (this.error) return;
    this.error = error;
    const { receiving, exchanges } = this;
    // A handler would wait for the rest of a malformed body, so the exchange ends here.
    if (
      receiving &&
      !receiving.request.complete &&
      !receiving.response.headersSent &&
      receiving === exchanges.at(-1)
    )
      exchanges.pop()!.request.release();
    if (exchanges.length === 0) this.sendError(error);
  }

  /** Rejects a CONNECT request. Node has removed its own listeners from the socket, so the connection cannot be used afterwards. */
  rejectConnect(): void {
    this.socket.on("error", () => this.socket.destroy()).resume();
    if (this.exchanges.length > 0) {
      this.close("the client sent CONNECT without waiting");
      return;
    }
    const message = "there is no CONNECT; GET /v1/openapi.json lists all operations";
    this.sendRefusal(new WireroomError("NOT_FOUND", message), { method: "CONNECT" });
  }

  /** Closes the connection if its client has not taken any bytes for `STALL_TIMEOUT_MS`. */
  closeIfStalled(atMs: number): void {
    const { writableLength, bytesWritten } = this.socket;
    if (writableLength === 0 || bytesWritten !== this.bytesWritten) {
      this.bytesWritten = bytesWritten;
      this.progressAtMs = atMs;
    } else if (atMs - this.progressAtMs >= STALL_TIMEOUT_MS) {
      this.close("the client does not read its response");
    }
  }

  private close(reason: string): void {
    this.log.info({ operation: "none", reason }, "connection closed");
    this.socket.destroy();
  }

  private sendError(error: NodeJS.ErrnoException): void {
    const { socket } = this;
    // Without a request there must be no response: a client that has sent nothing expects none, and a response was already sent
    // to a request whose body turned out to be malformed.
    const isAnswered = this.receiving?.response.headersSent;
    if (socket.bytesRead === 0 || !socket.writable || isAnswered) return void socket.destroySoon();
    this.sendRefusal(new WireroomError("VALIDATION_ERROR", reasonOf(error)), { code: error.code });
  }

  /** @param logged further fields of the log line */
  private sendRefusal(refusal: WireroomError, logged: object): void {
    const { socket, log } = this;
    const { status } = refusal;
    const requestId = newId();
    const body = JSON.stringify(refusal.envelope());
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      "Connection: close",
      "Content-Type: application/json; charset=utf-8",
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      ...this.headers.map(([name, value]) => `${name}: ${value}`),
    ];
    socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
    // The connection stays open for reading, because closing it at once could discard the response on its way.
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
    log.info({ request_id: requestId, operation: "none", status, ...logged }, "request");
  }
}

function reasonOf({ code }: NodeJS.ErrnoException): string {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return "the request headers are larger than 32 KiB";
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return "the request was not complete in time";
    default:
      return "the request is not valid HTTP/1.1";
  }
}
