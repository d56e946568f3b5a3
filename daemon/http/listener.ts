/** Between Node's HTTP server and the application: batches of requests, and what is not valid HTTP. */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Logger } from "pino";
import { WireroomError } from "../../src/contract/errors.js";
import { newId } from "../../src/kernel/ids.js";

/** Node refuses a request without a Host header by itself, without the envelope; the application does it instead. */
export const SERVER_OPTIONS = { requireHostHeader: false };

/** Serves the application, and answers what is not valid HTTP with the error envelope. */
export function serve(server: Server, application: RequestListener, log: Logger): void {
  server.on("request", inBatches(application));
  // An unknown expectation is ignored (RFC 9110, 10.1.1 allows it); Node would answer 417 without the envelope.
  server.on("checkExpectation", application);
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
    const refusal = new WireroomError("VALIDATION_ERROR", reasonOf(error));
    const requestId = newId();
    const body = JSON.stringify(refusal.envelope());
    const head = [
      `HTTP/1.1 ${refusal.status} Bad Request`,
      "Connection: close",
      "Content-Type: application/json; charset=utf-8",
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
    ];
    socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
    log.info(
      { request_id: requestId, operation: "none", status: refusal.status, code: error.code },
      "request",
    );
  });
}

/**
 * Handles the requests that Node reads in one turn of the event loop together, after all of them are read. Each step then runs
 * for many requests with its code in the processor's caches: under load that takes a sixth to a quarter less CPU than
 * handling them one after the other (docs/performance.md).
 */
function inBatches(listener: RequestListener): RequestListener {
  let batch: [IncomingMessage, ServerResponse][] = [];
  const handleBatch = () => {
    const requests = batch;
    batch = [];
    for (const [request, response] of requests) {
      listenForClose(response);
      listener(request, response);
    }
  };
  return (request, response) => {
    if (batch.push([request, response]) === 1) setImmediate(handleBatch);
  };
}

/**
 * Makes Koa's `on-finished` cheaper: it attaches seven listeners to a response and its socket, though one `close` event of Node
 * says the same. It finds this listener in the property where it keeps its own, and adds its callbacks to the queue. That saves
 * 3 to 7 µs of CPU a request (docs/performance.md).
 */
function listenForClose(response: ServerResponse & { __onFinished?: unknown }): void {
  const queue: ((error: null, response: ServerResponse) => void)[] = [];
  const onClose = () => {
    for (const callback of queue) callback(null, response);
  };
  response.__onFinished = Object.assign(onClose, { queue });
  response.once("close", onClose);
}

function reasonOf({ code }: NodeJS.ErrnoException): string {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return "the headers are larger than 32 KiB";
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return "the request was not complete in time";
    default:
      return "this is not valid HTTP/1.1";
  }
}
