/**
 * A connection pool for PostgreSQL. While the server is unreachable, the pool rejects requests immediately
 * and limits how often it tries to connect.
 */
import pg from "pg";
import { MINUTE, monotonicMs } from "../../../kernel/clock.js";
import { StoreUnavailable } from "../engine.js";
import type { ConnectionPool } from "../statistics.js";
import { WaitingCalls } from "../statistics.js";
import { toStoreError } from "./errors.js";

/** The delay after a failed connection attempt. It doubles after each further failure, up to the maximum. */
const FIRST_RETRY_DELAY_MS = 50;
const MAX_RETRY_DELAY_MS = 1_000;

export interface Lease {
  client: pg.PoolClient;
  /** If true, the connection is closed on release. */
  isBroken: boolean;
}

export class Pool implements ConnectionPool {
  readonly waiting = new WaitingCalls();
  private readonly pool: pg.Pool;
  private retryDelayMs = 0;
  private unreachableUntil = 0;
  /** Connections that may be reused. All others are closed. */
  private current = new WeakSet<pg.PoolClient>();

  /** @param prepare called with each new connection before its first use */
  constructor(
    config: pg.ClientConfig,
    readonly maxConnections: number,
    prepare?: (client: pg.ClientBase) => Promise<void>,
  ) {
    const onConnect = prepare && { onConnect: prepare };
    this.pool = new pg.Pool({
      ...config,
      ...onConnect,
      max: maxConnections,
      idleTimeoutMillis: MINUTE,
      pipeline: true,
    });
    // Without these listeners, an "error" event would end the process. The pool replaces broken connections
    // itself.
    this.pool.on("connect", (client) => {
      this.current.add(client);
      client.on("error", () => undefined);
    });
    this.pool.on("error", () => undefined);
  }

  get usedConnections(): number {
    return this.pool.totalCount - this.pool.idleCount;
  }

  get waitingCalls(): number {
    return this.pool.waitingCount;
  }

  async use<Result>(work: (lease: Lease) => Promise<Result>): Promise<Result> {
    const lease = { client: await this.connect(), isBroken: false };
    try {
      return await work(lease);
    } finally {
      lease.client.release(lease.isBroken || !this.current.has(lease.client));
    }
  }

  /**
   * Closes each current connection at its next release or request, because it may lead to a server that was
   * replaced.
   */
  replaceConnections(): void {
    this.current = new WeakSet();
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  private async connect(): Promise<pg.PoolClient> {
    if (this.pool.idleCount === 0 && monotonicMs() < this.unreachableUntil)
      throw new StoreUnavailable("the database is unreachable");
    try {
      this.waiting.add();
      const client = await this.currentConnection().finally(() => this.waiting.remove());
      this.retryDelayMs = 0;
      return client;
    } catch (error) {
      // If the pool has connections, the server is reachable, and all of them are in use.
      if (this.pool.totalCount === 0) {
        this.retryDelayMs = Math.min(
          Math.max(this.retryDelayMs * 2, FIRST_RETRY_DELAY_MS),
          MAX_RETRY_DELAY_MS,
        );
        this.unreachableUntil = monotonicMs() + this.retryDelayMs;
      }
      throw toStoreError(error);
    }
  }

  private async currentConnection(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await this.pool.connect();
      if (this.current.has(client)) return client;
      client.release(true);
    }
  }
}
