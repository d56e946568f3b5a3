/**
 * Refuses requests while the daemon has more of them than it can serve, before it has spent work on them.
 * What it has accepted, it then serves at its full rate, instead of everything later and later until clients
 * give up (docs/specification/limits.md#overload).
 */
import type { IncomingMessage, RequestListener } from "node:http";
import type { Logger } from "pino";
import type { WireroomError } from "../../src/contract/errors.js";
import { SECOND, uptimeMs } from "../../src/kernel/clock.js";
import { networksOf } from "../../src/kernel/networks.js";
import { Refusals } from "./refusals.js";
import type { SecurityHeaders } from "./security-headers.js";
import type { SourceOf } from "./source.js";

/**
 * A queue that has not been empty for this time is too long. It is the time after which refused clients try
 * again (`retry_after`): a shorter wait is better for a client than a refusal. In CoDel's terms it is the
 * interval, which is the time that clients need to react (RFC 8289).
 */
const INTERVAL_MS = SECOND;
/**
 * During an overload, a queue is too long after this time: a tenth of the interval, CoDel's ratio (RFC 8289).
 */
export const TARGET_MS = INTERVAL_MS / 10;

/**
 * Fewer requests than this are never an overload, however long each takes: for example, a few clients of a
 * slow operation on a busy machine. At 2,000 requests a second, the last of them waits for 50 ms.
 */
const MIN_REQUESTS = 100;

/** Places for accounts during an overload, and as many for clients whose credential is not known. */
const PLACES = MIN_REQUESTS / 2;

const LOG_INTERVAL_MS = 10 * SECOND;

/**
 * A request waits for the thread that runs everything, for the writer of the database, or for its readers.
 */
export type Resource = "event_loop" | "writer" | "readers";

const OPERATIONAL = /^\/(?:healthz|readyz|metrics)(?:$|\?)/;
const READS = new Set(["GET", "HEAD"]);

/** The requests that wait for a resource. */
interface Queue {
  /** Returns for how many milliseconds requests have been waiting without a pause. */
  standingMs: () => number;
  refusedAtMs: number;
}

type Client = number | string;

/** A request that was accepted while a queue was too long, until it ends or is held. */
interface Place {
  /** Number of such requests by client, for accounts or for networks. */
  counts: Map<Client, number>;
  client: Client;
}

/** What admission knows about the daemon. */
export interface Load {
  /**
   * Returns for each resource for how many milliseconds requests have been waiting for it without a pause.
   */
  standingMs: Readonly<Record<Resource, () => number>>;
  /**
   * Returns the number of requests that are held, such as long polls. They wait for nothing of the daemon.
   */
  held: () => number;
  /**
   * Returns the primary key of the account that a credential identifies, if the credential was used a short
   * time ago.
   */
  accountOf: (authorization: string | undefined) => number | undefined;
  sourceOf: SourceOf;
}

export class Admission {
  /** Number of refused requests by what they would have waited for. */
  readonly refused: Record<Resource, number> = { event_loop: 0, writer: 0, readers: 0 };
  private readonly refusals: Refusals;
  private readonly queues: Record<Resource, Queue>;
  private readonly places = new Map<IncomingMessage, Place>();
  private readonly accounts: Place["counts"] = new Map();
  private readonly networks: Place["counts"] = new Map();
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
  refusal(request: IncomingMessage, method: string | undefined): WireroomError | undefined {
    if (this.isTooLong("event_loop", request)) return this.refusals.error;
    return method === undefined ? undefined : this.refusalOfStore(request, method);
  }

  /**
   * Returns the error of a request that has been accepted so far, but would wait for the database for too
   * long.
   */
  refusalOfStore(request: IncomingMessage, method: string): WireroomError | undefined {
    return this.isTooLong(READS.has(method) ? "readers" : "writer", request)
      ? this.refusals.error
      : undefined;
  }

  /** Must be called when a request has ended, or waits for nothing of the daemon any more. */
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
    const queue = this.queues[resource];
    const standingMs = queue.standingMs();
    if (standingMs <= TARGET_MS) return false;
    if (this.inProgress - this.load.held() < MIN_REQUESTS) return false;
    const atMs = uptimeMs();
    const isOverload = standingMs > INTERVAL_MS || atMs - queue.refusedAtMs < INTERVAL_MS;
    if (this.takePlace(request) || !isOverload) return false;
    queue.refusedAtMs = atMs;
    this.refused[resource]++;
    if (atMs - this.loggedAtMs >= LOG_INTERVAL_MS) {
      this.loggedAtMs = atMs;
      this.log.warn({ resource, refused: this.refused }, "requests are refused, because too many wait");
    }
    return true;
  }

  /**
   * Takes a place for a request, unless its client has an equal share of the places already. So the client
   * with the most requests in progress is refused first. An account always has one place. A credential counts
   * only if it is known to be valid: otherwise a client would get a share for each one that it makes up.
   */
  private takePlace(request: IncomingMessage): boolean {
    if (this.places.has(request)) return true;
    const account = this.load.accountOf(request.headers.authorization);
    const counts = account === undefined ? this.networks : this.accounts;
    // A home or a company has many sources, but one widest network.
    const client = account ?? networksOf(this.load.sourceOf(request))[0]!;
    const count = counts.get(client) ?? 0;
    const share = Math.floor(PLACES / (count === 0 ? counts.size + 1 : counts.size));
    if (count >= Math.max(share, account === undefined ? 0 : 1)) return false;
    counts.set(client, count + 1);
    this.places.set(request, { counts, client });
    return true;
  }
}
