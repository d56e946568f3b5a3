/**
 * Refuses new requests during an overload, before the daemon has done any work for them. Without refusals,
 * the daemon would serve all requests so late that clients give up (docs/specification/limits.md#overload).
 */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Logger } from "pino";
import { overloaded, type WireroomError } from "../../src/contract/errors.js";
import { SECOND, uptimeMs } from "../../src/kernel/clock.js";
import { newId } from "../../src/kernel/ids.js";
import { networksOf } from "../../src/kernel/networks.js";
import type { SecurityHeaders } from "./security-headers.js";
import type { SourceOf } from "./source.js";

/**
 * The daemon refuses requests after a queue was never empty for this time. CoDel calls this time the interval
 * (RFC 8289).
 */
const INTERVAL_MS = SECOND;
/** During an overload, this shorter time applies, which is a tenth of the interval (RFC 8289). */
export const TARGET_MS = INTERVAL_MS / 10;

/** Below this number of requests in progress, the daemon refuses none, even if each takes long. */
const MIN_REQUESTS = 100;

/**
 * Number of requests in progress that all accounts share during an overload. Each account may have at least
 * one. Requests without an account share the same number, by network.
 */
const PLACES = MIN_REQUESTS / 2;

const LOG_INTERVAL_MS = 10 * SECOND;
const REFUSAL_INTERVAL_MS = 10;
/**
 * Maximum number of refusals per `REFUSAL_INTERVAL_MS`, because clients that ignore `retry_after` could
 * otherwise occupy the daemon with refusals.
 */
const MAX_REFUSALS = 25;
const PERIOD_MS = 20;

export type Resource = "event_loop" | "writer" | "readers";

const OPERATIONAL = /^\/(?:healthz|readyz|metrics)(?:$|\?)/;
const READS = new Set(["GET", "HEAD"]);

/**
 * An accepted request that counts toward its client's share until the request ends or becomes a long poll.
 */
interface Place {
  /** Number of accepted requests of each account or network. */
  counts: Map<number | string, number>;
  client: number | string;
}

export interface Load {
  /** Returns the time for which requests have been waiting for the resource without a break. */
  backlogMs: Readonly<Record<Resource, () => number>>;
  /** Returns the number of waiting long polls, which use none of the resources. */
  held: () => number;
  /** Returns the primary key of the credential's account, if the credential was used recently. */
  accountOf: (authorization: string | undefined) => number | undefined;
  sourceOf: SourceOf;
}

export class Admission {
  /** Number of refused requests, by overloaded resource. */
  readonly refused: Record<Resource, number> = { event_loop: 0, writer: 0, readers: 0 };
  private readonly refusals: Refusals;
  private readonly refusedAtMs: Partial<Record<Resource, number>> = {};
  private readonly places = new Map<IncomingMessage, Place>();
  private readonly accounts: Place["counts"] = new Map();
  private readonly networks: Place["counts"] = new Map();
  inProgress = 0;
  private loggedAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly load: Load,
    headers: SecurityHeaders,
    private readonly crossOriginHeaders: (request: IncomingMessage) => readonly string[],
    private readonly log: Logger,
  ) {
    this.refusals = new Refusals(headers);
  }

  guard(application: RequestListener): RequestListener {
    return (request, response) => {
      const { url = "", method = "GET" } = request;
      const isExempt = method === "OPTIONS" || OPERATIONAL.test(url);
      const error = isExempt ? undefined : this.refusal(request, url.startsWith("/mcp") ? undefined : method);
      if (error === undefined) application(request, response);
      else this.refusals.enqueue(response, this.crossOriginHeaders(request));
    };
  }

  /**
   * Returns an error if the request must be refused.
   * @param method the HTTP method of a REST request; undefined if it is not yet known whether the request
   * reads or writes
   */
  refusal(request: IncomingMessage, method: string | undefined): WireroomError | undefined {
    if (this.isTooLong("event_loop", request)) return this.refusals.error;
    return method === undefined ? undefined : this.refusalOfStore(request, method);
  }

  /** Returns an error if an accepted request would wait too long for the database. */
  refusalOfStore(request: IncomingMessage, method: string): WireroomError | undefined {
    return this.isTooLong(READS.has(method) ? "readers" : "writer", request)
      ? this.refusals.error
      : undefined;
  }

  /** Removes a request from its client's share, because it has ended or waits in a long poll. */
  leave(request: IncomingMessage): void {
    const place = this.places.get(request);
    if (!place) return;
    this.places.delete(request);
    const { counts, client } = place;
    const count = counts.get(client)! - 1;
    if (count === 0) counts.delete(client);
    else counts.set(client, count);
  }

  private isTooLong(resource: Resource, request: IncomingMessage): boolean {
    const backlogMs = this.load.backlogMs[resource]();
    if (backlogMs <= TARGET_MS) return false;
    if (this.inProgress - this.load.held() < MIN_REQUESTS) return false;
    const atMs = uptimeMs();
    const refusedAtMs = this.refusedAtMs[resource] ?? Number.NEGATIVE_INFINITY;
    const isOverload = backlogMs > INTERVAL_MS || atMs - refusedAtMs < INTERVAL_MS;
    if (this.takePlace(request) || !isOverload) return false;
    this.refusedAtMs[resource] = atMs;
    this.refused[resource]++;
    if (atMs - this.loggedAtMs >= LOG_INTERVAL_MS) {
      this.loggedAtMs = atMs;
      this.log.warn({ resource, refused: this.refused }, "requests are refused, because too many wait");
    }
    return true;
  }

  /**
   * Counts a request toward its client's share. Returns false if the share is used up. A request counts for
   * an account only if its credential is known to be valid, because clients could otherwise get more shares
   * with invented credentials.
   */
  private takePlace(request: IncomingMessage): boolean {
    if (this.places.has(request)) return true;
    const account = this.load.accountOf(request.headers.authorization);
    const counts = account === undefined ? this.networks : this.accounts;
    // Count the client's widest network, because a home or a company has many source addresses.
    const client = account ?? networksOf(this.load.sourceOf(request))[0]!;
    const count = counts.get(client) ?? 0;
    const share = Math.floor(PLACES / (count === 0 ? counts.size + 1 : counts.size));
    if (count >= Math.max(share, account === undefined ? 0 : 1)) return false;
    counts.set(client, count + 1);
    this.places.set(request, { counts, client });
    return true;
  }
}

/**
 * Sends each refusal after a delay, without calling the application. A connection handles no other request
 * until then, so each connection has at most one waiting refusal.
 */
class Refusals {
  readonly error: WireroomError = overloaded();
  private readonly body = JSON.stringify(this.error.envelope());
  private readonly headers: readonly string[];
  private waiting: { response: ServerResponse; crossOriginHeaders: readonly string[] }[] = [];
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

  enqueue(response: ServerResponse, crossOriginHeaders: readonly string[]): void {
    this.waiting.push({ response, crossOriginHeaders });
    this.timer ??= setTimeout(() => this.sendNext(), REFUSAL_INTERVAL_MS);
  }

  private sendNext(): void {
    const waiting = this.waiting.filter(({ response }) => !response.destroyed);
    for (const { response, crossOriginHeaders } of waiting.splice(0, MAX_REFUSALS)) {
      response
        .writeHead(this.error.status, [...this.headers, ...crossOriginHeaders, "X-Request-Id", newId()])
        .end(this.body);
    }
    this.waiting = waiting;
    this.timer = waiting.length > 0 ? setTimeout(() => this.sendNext(), REFUSAL_INTERVAL_MS) : undefined;
  }
}

export class EventLoopDelay {
  onDelay: (delayMs: number) => void = () => undefined;
  private readonly timer: NodeJS.Timeout;
  private tickedAtMs = uptimeMs();
  private lateSinceMs: number | undefined;

  /** @param lateMs the delay above which a tick is late */
  constructor(private readonly lateMs: number) {
    this.timer = setInterval(() => this.tick(), PERIOD_MS);
    this.timer.unref();
  }

  /** Milliseconds since the timer's ticks began to be late, or 0 if the last tick was on time. */
  get backlogMs(): number {
    return this.lateSinceMs === undefined ? 0 : uptimeMs() - this.lateSinceMs;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private tick(): void {
    const atMs = uptimeMs();
    const delayMs = Math.max(0, atMs - this.tickedAtMs - PERIOD_MS);
    this.tickedAtMs = atMs;
    if (delayMs <= this.lateMs) this.lateSinceMs = undefined;
    else this.lateSinceMs ??= atMs;
    this.onDelay(delayMs);
  }
}
