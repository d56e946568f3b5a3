/** What never becomes a request of the application: not HTTP at all, or headers that Node would refuse by itself. */
import type { RequestListener, Server } from "node:http";
import type { Logger } from "pino";
import { WireroomError } from "../../src/contract/errors.js";
import { newId } from "../../src/kernel/ids.js";

/** Options of the server that leave the answers to `answerMalformedRequests` and to the application. */
export const UNANSWERED_BY_NODE = { requireHostHeader: false };

/** Answers what is not even HTTP with the envelope and closes the connection; hands the rest to the application. */
export function answerMalformedRequests(server: Server, application: RequestListener, log: Logger): void {
  // An expectation that nobody knows is ignored (RFC 9110, 10.1.1 allows it), rather than a 417 without an envelope.
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
