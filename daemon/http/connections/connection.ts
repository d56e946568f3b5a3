/**
 * Handles a connection's requests one after the other, as most servers do (RFC 9112, section 9.3.2, allows
 * more). A client that pipelines requests therefore uses no more resources than a client that waits for each
 * response.
 */
import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Logger } from "pino";
import { WireroomError } from "../../../src/contract/errors.js";
import { SECOND } from "../../../src/kernel/clock.js";
import { newId } from "../../../src/kernel/ids.js";
import { headBytes, type IncomingRequest } from "../request/incoming-request.js";
import type { RequestMemory } from "../request/request-memory.js";
import type { SecurityHeaders } from "../security-headers.js";
import type { Batches, Exchange } from "./batches.js";
import type { Places } from "./places.js";

/** Maximum number of pipelined requests that may wait for their responses on one connection. */
const MAX_PIPELINED = 100;
/**
 * Maximum memory for the heads of pipelined requests that wait behind the first one. The daemon reads on
 * during a held request, because otherwise it would not notice that the client has disconnected.
 */
const MAX_WAITING_HEAD_BYTES = 1024 * 1024;
/** The connection is closed if its client reads no part of a response for this time. */
const STALL_TIMEOUT_MS = 30 * SECOND;
/** Time that a client has to read the response to a malformed request (RFC 9112, section 9.6). */
const LINGER_MS = 2 * SECOND;

export class Connection {
  /** Unfinished exchanges, in the order of their requests. Only the first one is being handled. */
  private readonly exchanges: Exchange[] = [];
  /** The exchange whose request body is still arriving, even if its response was already sent. */
  private receiving: Exchange | undefined;
  /** Error of a malformed request. The connection reads no requests after it. */
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
    // Node parses the rest of a chunk even after the connection was closed.
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

  /** Continues with the next request, after a response was sent or its client disconnected. */
  finishFirst(): void {
    const finished = this.exchanges.shift();
    finished?.request.release();
    // oidc-provider stops reading a body that is too large. Read the rest, because otherwise the daemon would
    // not notice the end of the connection.
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

  /** Stops counting the requests' memory, because the connection is closed. */
  release(): void {
    for (const { request } of this.exchanges) request.release();
  }

  /** True while the request has not arrived completely. */
  get isReceiving(): boolean {
    return this.receiving !== undefined && !this.receiving.request.complete;
  }

  /** Closes this inactive connection, because there are too many connections. */
  makeRoom(): void {
    this.places.remove(this);
    this.close(
      `there are too many connections, and this one ${this.isReceiving ? "has an incomplete request" : "is idle"}`,
    );
  }

  /** Rejects a malformed request after the responses to earlier requests were sent. */
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

  /** Rejects a CONNECT request and closes the connection, because Node has removed its socket listeners. */
  rejectConnect(): void {
    this.socket.on("error", () => this.socket.destroy()).resume();
    if (this.exchanges.length > 0) {
      this.close("the client sent CONNECT without waiting");
      return;
    }
    const message = "there is no CONNECT; GET /v1/openapi.json lists all operations";
    this.sendRefusal(new WireroomError("NOT_FOUND", message), { method: "CONNECT" });
  }

  /** Closes the connection if its client has not read any bytes for `STALL_TIMEOUT_MS`. */
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
    // Send no response if the client has sent nothing, because it expects none. Send no second response if a
    // request was already answered before its body turned out to be malformed.
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
    // Keep the connection open for reading: closing it at once could discard the response in transit.
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
