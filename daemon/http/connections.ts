/**
 * Accepts connections, limits their number, and passes their requests to the application.
 *
 * A connection is idle while it handles no request, and receiving while a request is incomplete. It handles
 * its requests one after the other, as most servers do, although RFC 9112, section 9.3.2 allows more. A
 * client that pipelines requests therefore uses no more resources than a client that waits for each response.
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
import { IncomingRequest, RequestMemory } from "./memory.js";
import type { SecurityHeaders } from "./security-headers.js";
import type { SourceOf } from "./source.js";

/** The server's limits for connections (docs/specification/limits.md#connections). */
export const SERVER_OPTIONS: ServerOptions<typeof IncomingRequest> = {
  IncomingMessage: IncomingRequest,
  // This check is off, because Node's own 400 response has no JSON error body. `assertValidHead` checks the
  // Host header instead.
  requireHostHeader: false,
  maxHeaderSize: 32 * 1024,
  keepAliveTimeout: 75 * SECOND,
  headersTimeout: 20 * SECOND,
  requestTimeout: 2 * MINUTE,
  connectionsCheckingInterval: 5 * SECOND,
};
/**
 * Maximum number of connections. At this number, the daemon closes an inactive connection to accept a new
 * one. 5,000 long polls are a normal load (docs/performance.md).
 */
const MAX_CONNECTIONS = 20_000;
/** Open files that the daemon needs besides its connections, for example for the database. */
const OWN_FILES = 128;
const MIN_CONNECTIONS = 16;
/**
 * Maximum number of connections above the limit. If no connection is inactive, the daemon ends a long poll to
 * make room, but that long poll's connection stays open until its response is sent.
 */
const MAX_EXCESS = 32;
const STALL_CHECK_INTERVAL_MS = 5 * SECOND;
const MAX_PIPELINED = 100;
/**
 * Maximum memory for the headers of pipelined requests that wait on one connection. The daemon reads them
 * even during a long poll, because it would otherwise not notice that the client has disconnected.
 */
const MAX_WAITING_HEAD_BYTES = 1024 * 1024;
/** A connection is closed if its client reads no part of a response for this time. */
const STALL_TIMEOUT_MS = 30 * SECOND;
/**
 * Time for which a connection stays open so that its client can read an error response (RFC 9112, section
 * 9.6).
 */
const LINGER_MS = 2 * SECOND;
/**
 * While new connections arrive, requests wait for this time. Node accepts only one connection per event-loop
 * iteration (https://github.com/libuv/libuv/pull/3696), so many clients that connect at once would otherwise
 * wait for seconds.
 */
const ACCEPT_MS = 10;

/**
 * Passes the server's requests to the application. Answers requests that are not valid HTTP with a JSON
 * error.
 * @param giveOneUp ends a long poll, so that its connection becomes idle; returns false if there is no long
 * poll
 * @returns a function that closes the connections that have received no bytes, which `closeIdleConnections`
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
  const inactive = new InactiveConnections(() => connections.size > maxConnections);
  const batches = new Batches(application);
  const memory = new RequestMemory(sourceOf, log);
  // Turn off Node's own limit, because it drops headers silently. `assertValidHead` rejects the request
  // instead.
  server.maxHeadersCount = 0;
  server.on("connection", (socket: Socket) => {
    batches.accepted();
    if (connections.size >= maxConnections) {
      const oldest = inactive.longest();
      if (oldest) oldest.makeRoom();
      else if (connections.size >= maxConnections + MAX_EXCESS || !giveOneUp()) return void socket.destroy();
    }
    const connection = new Connection(socket, batches, headers, log, inactive, memory);
    connections.set(socket, connection);
    socket.once("close", () => {
      connections.delete(socket);
      inactive.remove(connection);
      connection.release();
    });
  });
  const onRequest: RequestListener<typeof IncomingRequest> = (request, response) =>
    connections.get(request.socket)?.add(request, response);
  server.on("request", onRequest);
  // Ignore unknown values of the `Expect` header, as RFC 9110, section 10.1.1 allows. Node's own 417 response
  // would have no JSON error body.
  server.on("checkExpectation", onRequest);
  // Node emits only this event for CONNECT requests, and closes the connection if the event has no listener.
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

/** Leaves enough open files for the daemon itself. */
export function connectionLimit(): number {
  const report = process.report as NodeJS.ProcessReport & { excludeNetwork?: boolean };
  report.excludeNetwork = true;
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft: unknown } } };
  // Node raises its soft limit for open files to the hard limit at startup.
  const limit = userLimits?.open_files?.soft;
  const openFiles = typeof limit === "number" ? limit : Number.POSITIVE_INFINITY;
  return Math.max(Math.min(openFiles - OWN_FILES, MAX_CONNECTIONS), MIN_CONNECTIONS);
}

/** The connection handles its next request after the response has ended. */
interface Exchange {
  request: IncomingRequest;
  response: ServerResponse;
  connection: Connection;
}

class Connection {
  /** Unfinished exchanges, in the order of their requests. Only the first one is being handled. */
  private readonly exchanges: Exchange[] = [];
  /** The exchange whose request body is still arriving. Its response may already have been sent. */
  private receiving: Exchange | undefined;
  /** The error of a malformed request. The connection reads no requests after it. */
  private error: NodeJS.ErrnoException | undefined;
  private bytesWritten = 0;
  private progressAtMs = 0;

  constructor(
    private readonly socket: Socket,
    private readonly batches: Batches,
    private readonly headers: SecurityHeaders,
    private readonly log: Logger,
    private readonly inactive: InactiveConnections,
    private readonly memory: RequestMemory,
  ) {
    inactive.setIdle(this);
  }

  add(request: IncomingRequest, response: ServerResponse): void {
    // Node parses the rest of a chunk even after the connection is closed.
    if (this.socket.destroyed) return;
    const exchange = { request, response, connection: this };
    this.receiving = exchange;
    this.inactive.setReceiving(this);
    const waiting = this.exchanges.push(exchange);
    request.meter(this.memory, waiting > 1);
    if (waiting === 1) this.batches.add(exchange);
    else if (waiting > MAX_PIPELINED || this.waitingHeadBytes() > MAX_WAITING_HEAD_BYTES)
      this.close("the client sent too many requests without waiting");
  }

  private waitingHeadBytes(): number {
    return this.exchanges.slice(1).reduce((sum, { request }) => sum + request.headBytes, 0);
  }

  /** Called after a response was sent or its client has disconnected. */
  finishFirst(): void {
    const finished = this.exchanges.shift();
    finished?.request.release();
    // oidc-provider stops reading a body that is too large. Read the rest here, because the daemon would
    // otherwise not notice that the connection has ended.
    if (finished && !finished.request.complete) finished.request.discard();
    const [next] = this.exchanges;
    if (this.receiving?.request.complete) this.receiving = undefined;
    if (this.socket.destroyed) this.exchanges.length = 0;
    else if (next) this.batches.add(next);
    else {
      this.inactive.setIdle(this);
      if (this.error) this.sendError(this.error);
      else if (this.inactive.isOverLimit()) this.makeRoom();
    }
  }

  release(): void {
    for (const { request } of this.exchanges) request.release();
  }

  get isReceiving(): boolean {
    return this.receiving !== undefined && !this.receiving.request.complete;
  }

  makeRoom(): void {
    this.inactive.remove(this);
    this.close(
      `there are too many connections, and this one ${this.isReceiving ? "has an incomplete request" : "is idle"}`,
    );
  }

  /** The responses to earlier requests are sent first. */
  reject(error: NodeJS.ErrnoException): void {
    // Node reports the same error again for each further chunk.
    if (this.error) return;
    this.error = error;
    const { receiving, exchanges } = this;
    // End the exchange, because its handler would wait forever for the rest of the malformed body.
    if (
      receiving &&
      !receiving.request.complete &&
      !receiving.response.headersSent &&
      receiving === exchanges.at(-1)
    )
      exchanges.pop()!.request.release();
    if (exchanges.length === 0) this.sendError(error);
  }

  /** Closes the connection, because Node has removed its own socket listeners. */
  rejectConnect(): void {
    this.socket.on("error", () => this.socket.destroy()).resume();
    if (this.exchanges.length > 0) {
      this.close("the client sent CONNECT without waiting");
      return;
    }
    const message = "there is no CONNECT; GET /v1/openapi.json lists all operations";
    this.sendRefusal(new WireroomError("NOT_FOUND", message), { method: "CONNECT" });
  }

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
    // If the client has sent nothing, send no response, because the client expects none. If the request was
    // answered before its body turned out to be malformed, send no second response.
    const isAnswered = this.receiving?.response.headersSent;
    if (socket.bytesRead === 0 || !socket.writable || isAnswered) return void socket.destroySoon();
    this.sendRefusal(new WireroomError("VALIDATION_ERROR", reasonOf(error)), { code: error.code });
  }

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
    // Keep the connection open for reading, because closing it at once could discard the response in transit.
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

/** The connections that may be closed to make room for a new one. */
class InactiveConnections {
  /** The connection that has been idle longest comes first. */
  private readonly idle = new Set<Connection>();
  /** Connections in the order in which their requests' headers arrived. */
  private readonly receiving = new Set<Connection>();

  /** @param isOverLimit returns whether more connections are open than the daemon allows */
  constructor(readonly isOverLimit: () => boolean) {}

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

  /** Prefers idle connections to connections with an incomplete request. */
  longest(): Connection | undefined {
    const [idle] = this.idle;
    if (idle) return idle;
    for (const connection of this.receiving) {
      if (connection.isReceiving) return connection;
      this.receiving.delete(connection);
    }
    return undefined;
  }
}

/**
 * Handles the requests of one event-loop iteration together, after all of them were read. The same code then
 * runs for many requests in a row, so the CPU caches work better (docs/performance-internals.md).
 */
class Batches {
  private batch: Exchange[] = [];
  private beganAtMs = 0;
  private hasAccepted = false;

  constructor(private readonly application: RequestListener) {}

  add(exchange: Exchange): void {
    if (this.batch.push(exchange) > 1) return;
    this.beganAtMs = monotonicMs();
    setImmediate(() => this.handle());
  }

  accepted(): void {
    this.hasAccepted = true;
  }

  private handle(): void {
    const mayBeMore = this.hasAccepted;
    this.hasAccepted = false;
    if (mayBeMore && monotonicMs() - this.beganAtMs < ACCEPT_MS) {
      setImmediate(() => this.handle());
      return;
    }
    const exchanges = this.batch;
    this.batch = [];
    for (const { request, response, connection } of exchanges) {
      listenForClose(response, connection);
      request.open();
      this.application(request, response);
    }
  }
}

/**
 * Adds one `close` listener to a response. Koa's dependency `on-finished` would add seven. If the
 * property `__onFinished` exists, `on-finished` only appends its callbacks to the queue in that property.
 */
function listenForClose(
  response: ServerResponse & { __onFinished?: unknown },
  connection: Exchange["connection"],
): void {
  const queue: ((error: null, response: ServerResponse) => void)[] = [];
  const onClose = () => {
    for (const callback of queue) callback(null, response);
    connection.finishFirst();
  };
  response.__onFinished = Object.assign(onClose, { queue });
  response.once("close", onClose);
}
