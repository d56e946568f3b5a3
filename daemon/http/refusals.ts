/** Sends the responses to refused requests. */
import type { ServerResponse } from "node:http";
import { overloaded, type WireroomError } from "../../src/contract/errors.js";
import { newId } from "../../src/kernel/ids.js";
import type { SecurityHeaders } from "./security-headers.js";

const TICK_MS = 10;
/**
 * Maximum number of refusals per tick. Otherwise clients that ignore `retry_after` would make the daemon
 * spend all its time on refusals (docs/performance-internals.md#other-changes).
 */
const MAX_PER_TICK = 25;

interface Refusal {
  response: ServerResponse;
  crossOriginHeaders: readonly string[];
}

/**
 * Sends refusals in later timer ticks, without the application. Until then, the connection handles no other
 * request, so at most one refusal per connection is waiting.
 */
export class Refusals {
  readonly error: WireroomError = overloaded();
  private readonly body = JSON.stringify(this.error.envelope());
  private readonly headers: readonly string[];
  private waiting: Refusal[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(headers: SecurityHeaders) {
    this.headers = [
      ...headers.flat(),
      "Retry-After",
      String(this.error.details.retry_after),
      "Content-Type",
      "application/json; charset=utf-8",
      "Content-Length",
      String(Buffer.byteLength(this.body)),
    ];
  }

  /** Queues the refusal for a later tick. Node discards the request body. */
  enqueue(response: ServerResponse, crossOriginHeaders: readonly string[]): void {
    this.waiting.push({ response, crossOriginHeaders });
    this.timer ??= setTimeout(() => this.sendNext(), TICK_MS);
  }

  private sendNext(): void {
    // Drop the refusals of clients that have disconnected.
    const waiting = this.waiting.filter(({ response }) => !response.destroyed);
    for (const { response, crossOriginHeaders } of waiting.splice(0, MAX_PER_TICK)) {
      response
        .writeHead(this.error.status, [...this.headers, ...crossOriginHeaders, "X-Request-Id", newId()])
        .end(this.body);
    }
    this.waiting = waiting;
    this.timer = waiting.length > 0 ? setTimeout(() => this.sendNext(), TICK_MS) : undefined;
  }
}
