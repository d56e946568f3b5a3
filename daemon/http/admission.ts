/**
 * Refuses new requests during an overload, before the daemon has spent work on them. The daemon then serves
 * the accepted requests at its full rate, instead of serving all requests so late that clients give up
 * (docs/specification/limits.md#overload).
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
 * A queue is too long if it has not been empty for this time. The value equals `retry_after`, after which
 * refused clients try again, because a shorter wait is better for a client than a refusal. CoDel calls this
 * time the interval (RFC 8289).
 */
const INTERVAL_MS = SECOND;
/** During an overload, this shorter limit applies: a tenth of the interval, as in CoDel (RFC 8289). */
export const TARGET_MS = INTERVAL_MS / 10;

/**
 * With fewer requests than this in progress, the daemon refuses none, even if each takes long: a few clients
 * of a slow operation on a busy machine are not an overload.
 */
const MIN_REQUESTS = 100;

/** Accounts may have this many requests in progress during an overload, and other clients as many again. */
const PLACES = MIN_REQUESTS / 2;

const LOG_INTERVAL_MS = 10 * SECOND;

/** A resource that requests wait for: the event loop, the database writer, or the database readers. */
export type Resource = "event_loop" | "writer" | "readers";

const OPERATIONAL = /^\/(?:healthz|readyz|metrics)(?:$|\?)/;
const READS = new Set(["GET", "HEAD"]);

interface Queue {
  /** Returns how many milliseconds ago the queue was last empty. */
  standingMs: () => number;
  refusedAtMs: number;
}

type Client = number | string;

/** An accepted request that counts toward its client's share, until the request ends or is held. */
interface Place {
  /** Number of such requests per client. The clients are either all accounts or all networks. */
  counts: Map<Client, number>;
  client: Client;
}

/** The daemon's load, from which admission decides. */
export interface Load {
  /** For each resource, returns how many milliseconds ago no request was waiting for it. */
  standingMs: Readonly<Record<Resource, () => number>>;
  /** Returns the number of held requests, such as long polls. A held request uses none of the resources. */
  held: () => number;
  /** Returns the primary key of the credential's account, if the credential was used recently. */
  accountOf: (authorization: string | undefined) => number | undefined;
  sourceOf: SourceOf;
}

export class Admission {
  /** Number of refused requests per resource that was overloaded. */
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
   * Returns an error if the request must be refused.
   * @param method the HTTP method in REST; undefined while the daemon does not know whether the request reads
   * or writes
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

  /** Call this when a request has ended or is held, because it then uses no resource. */
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
   * Counts a request toward its client's share. Returns false if the share is used up, so clients with the
   * most requests are refused first. An account may always have one request. Only a credential that is known
   * to be valid counts for an account, because otherwise a client could invent credentials to get more
   * shares.
   */
  private takePlace(request: IncomingMessage): boolean {
    if (this.places.has(request)) return true;
    const account = this.load.accountOf(request.headers.authorization);
    const counts = account === undefined ? this.networks : this.accounts;
    // Count by the widest network, because a home or a company has many source addresses.
    const client = account ?? networksOf(this.load.sourceOf(request))[0]!;
    const count = counts.get(client) ?? 0;
    const share = Math.floor(PLACES / (count === 0 ? counts.size + 1 : counts.size));
    if (count >= Math.max(share, account === undefined ? 0 : 1)) return false;
    counts.set(client, count + 1);
    this.places.set(request, { counts, client });
    return true;
  }
}
