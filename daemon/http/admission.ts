/**
 * Refuses requests while the daemon has more of them than it can serve, before it has spent work on them. What it has accepted, it then
 * serves at its full rate, instead of everything later and later until clients give up (docs/specification/limits.md#overload).
 */
import type { IncomingMessage, RequestListener } from "node:http";
import type { Logger } from "pino";
import type { WireroomError } from "../../src/contract/errors.js";
import { SECOND, uptimeMs } from "../../src/kernel/clock.js";
import { Refusals } from "./refusals.js";
import type { SecurityHeaders } from "./security-headers.js";

/**
 * A queue that has not been empty for this time is too long. It is the time after which refused clients try again (`retry_after`): a
 * shorter wait is better for a client than a refusal. In CoDel's terms it is the interval, which is the time that clients need to react
 * (RFC 8289).
 */
const INTERVAL_MS = SECOND;
/** During an overload, a queue is too long after this time: a tenth of the interval, CoDel's ratio (RFC 8289). */
export const TARGET_MS = INTERVAL_MS / 10;

/**
 * Fewer requests than this are never an overload, however long each takes: for example, a few clients of a slow operation on a busy machine. At
 * 2,000 requests a second, the last of them waits for 50 ms.
 */
const MIN_REQUESTS = 100;

const LOG_INTERVAL_MS = 10 * SECOND;
/** Clients that are remembered. More cannot be served within the interval. */
const MAX_TURNS = 10_000;

/** A request waits for the thread that runs everything, for the writer of the database, or for its readers. */
export type Resource = "event_loop" | "writer" | "readers";

const OPERATIONAL = /^\/(?:healthz|readyz|metrics)(?:$|\?)/;
const READS = new Set(["GET", "HEAD"]);

/** The requests that wait for a resource. */
interface Queue {
  /** Returns for how many milliseconds requests have been waiting without a pause. */
  standingMs: () => number;
  refusedAtMs: number;
  /** Clients that had a turn beyond the target since the queue was last empty. */
  turns: Set<string | number>;
}

/** What admission knows about the daemon. */
export interface Load {
  /** Returns for each resource for how many milliseconds requests have been waiting for it without a pause. */
  standingMs: Readonly<Record<Resource, () => number>>;
  /** Returns the number of requests that are held, such as long polls. They wait for nothing of the daemon. */
  held: () => number;
  /** Returns the primary key of the handle that a credential identifies, if the credential was used a short time ago. */
  handleOf: (authorization: string | undefined) => number | undefined;
}

type Head = Pick<IncomingMessage, "headers" | "socket">;

export class Admission {
  /** Number of refused requests by what they would have waited for. */
  readonly refused: Record<Resource, number> = { event_loop: 0, writer: 0, readers: 0 };
  private readonly refusals: Refusals;
  private readonly queues: Record<Resource, Queue>;
  /** Number of accepted requests that have not ended. The application counts them. */
  inProgress = 0;
  private loggedAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly load: Load,
    headers: SecurityHeaders,
    private readonly crossOriginHeaders: (request: IncomingMessage) => readonly string[],
    private readonly log: Logger,
  ) {
    this.refusals = new Refusals(headers);
    const queueOf = (resource: Resource): Queue => ({
      standingMs: load.standingMs[resource],
      refusedAtMs: Number.NEGATIVE_INFINITY,
      turns: new Set(),
    });
    this.queues = {
      event_loop: queueOf("event_loop"),
      writer: queueOf("writer"),
      readers: queueOf("readers"),
    };
  }

  /** Returns a listener that refuses requests, or passes them to the application. */
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
   * Returns the error of a request that must be refused.
   * @param method the method in REST; undefined if it is not known yet whether the request reads or writes
   */
  refusal(request: Head, method: string | undefined): WireroomError | undefined {
    if (this.isTooLong("event_loop", request)) return this.refusals.error;
    return method === undefined ? undefined : this.refusalOfStore(request, method);
  }

  /** Returns the error of a request that has been accepted so far, but would wait for the database for too long. */
  refusalOfStore(request: Head, method: string): WireroomError | undefined {
    return this.isTooLong(READS.has(method) ? "readers" : "writer", request)
      ? this.refusals.error
      : undefined;
  }

  private isTooLong(resource: Resource, request: Head): boolean {
    const queue = this.queues[resource];
    const standingMs = queue.standingMs();
    if (standingMs <= TARGET_MS) {
      if (standingMs === 0 && queue.turns.size > 0) queue.turns.clear();
      return false;
    }
    if (this.inProgress - this.load.held() < MIN_REQUESTS) return false;
    const atMs = uptimeMs();
    if (standingMs <= INTERVAL_MS) {
      const isOverload = atMs - queue.refusedAtMs < INTERVAL_MS;
      if (!isOverload || this.takeTurn(queue, request)) return false;
    }
    queue.refusedAtMs = atMs;
    this.refused[resource]++;
    if (atMs - this.loggedAtMs >= LOG_INTERVAL_MS) {
      this.loggedAtMs = atMs;
      this.log.warn({ resource, refused: this.refused }, "requests are refused, because too many wait");
    }
    return true;
  }

  /**
   * Gives each client one request beyond the target, so that a client with many does not take the turns of the others. A credential
   * counts only if it is known to be valid. Otherwise a client would get a turn for each one that it makes up.
   */
  private takeTurn({ turns }: Queue, { headers, socket }: Head): boolean {
    const client = this.load.handleOf(headers.authorization) ?? socket.remoteAddress ?? "";
    if (turns.has(client) || turns.size >= MAX_TURNS) return false;
    turns.add(client);
    return true;
  }
}
