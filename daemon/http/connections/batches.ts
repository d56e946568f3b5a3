/** Hands the requests of a turn of the event loop to the application together. */
import type { RequestListener, ServerResponse } from "node:http";
import { monotonicMs } from "../../../src/kernel/clock.js";
import type { IncomingRequest } from "../request/incoming-request.js";

/** A request on a connection, which continues with its next request when the response has ended. */
export interface Exchange {
  request: IncomingRequest;
  response: ServerResponse;
  connection: { finishFirst(): void };
}

/**
 * Time for which requests wait while connections arrive. Node accepts one connection in a turn of the event
 * loop, as libuv does since 1.45 (https://github.com/libuv/libuv/pull/3696), so a new connection would
 * otherwise wait for a batch of requests for each one before it: for seconds, when many connect at once.
 */
const ACCEPT_MS = 10;

/**
 * Collects the requests of one event-loop turn, and handles them after all of them were read. The same code
 * then runs for many requests in a row, which uses the CPU caches better. docs/performance-internals.md
 * states how much CPU this saves.
 */
export class Batches {
  private batch: Exchange[] = [];
  private beganAtMs = 0;
  private hasAccepted = false;

  constructor(private readonly application: RequestListener) {}

  add(exchange: Exchange): void {
    if (this.batch.push(exchange) > 1) return;
    this.beganAtMs = monotonicMs();
    setImmediate(() => this.handle());
  }

  /** Must be called for each new connection. More may be waiting. */
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
      this.application(request, response);
    }
  }
}

/**
 * Adds one `close` listener to a response, so that Koa's dependency `on-finished` does not add seven
 * listeners. If the property `__onFinished` exists, `on-finished` only adds its callbacks to the queue in
 * that property. docs/performance-internals.md states how much CPU one listener instead of seven saves.
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
