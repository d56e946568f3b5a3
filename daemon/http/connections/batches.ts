/** Passes all requests of one event-loop iteration to the application as a batch. */
import type { RequestListener, ServerResponse } from "node:http";
import { monotonicMs } from "../../../src/kernel/clock.js";
import type { IncomingRequest } from "../request/incoming-request.js";

/** A request and its response. The connection handles its next request after the response has ended. */
export interface Exchange {
  request: IncomingRequest;
  response: ServerResponse;
  connection: { finishFirst(): void };
}

/**
 * While connections arrive, requests wait for this time. Node accepts only one connection per event-loop
 * iteration, as libuv does since 1.45 (https://github.com/libuv/libuv/pull/3696). Without this pause, a new
 * connection would wait for one batch of requests per connection before it, which takes seconds when many
 * clients connect at once.
 */
const ACCEPT_MS = 10;

/**
 * Collects the requests of one event-loop iteration, and handles them after reading all of them. The same
 * code then runs for many requests in a row, which uses the CPU caches better
 * (docs/performance-internals.md).
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

  /** Call this for each new connection: more may be waiting. */
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
 * Adds one `close` listener to a response, so that Koa's dependency `on-finished` does not add seven. If the
 * property `__onFinished` exists, `on-finished` only appends its callbacks to the queue in that property. One
 * listener costs less CPU time than seven (docs/performance-internals.md).
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
