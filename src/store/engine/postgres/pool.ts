/** Connections that are kept and shared, at most so many. */
import pg from "pg";
import { MINUTE, monotonicMs } from "../../../kernel/clock.js";
import { StoreUnavailable } from "../engine.js";
import { translated } from "./errors.js";

/** While the server is away it is asked again after this, then after twice as long, and so on up to a second. */
const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 1_000;

/** A connection that is lent. */
export interface Lent {
  client: pg.PoolClient;
  /** Set where it is of no use any more: it is then closed instead of kept. */
  lost: boolean;
}

export class Pool {
  private readonly pool: pg.Pool;
  /** The pause after the last failure to connect, and when it ends: until then the server is not asked. */
  private pause = 0;
  private awayUntil = 0;

  constructor(config: pg.ClientConfig, connections: number) {
    this.pool = new pg.Pool({ ...config, max: connections, idleTimeoutMillis: MINUTE, pipeline: true });
    // A connection that breaks is replaced when the next one is needed; what runs on it fails by itself. Unheard, the error
    // of one that is lent would end the process.
    this.pool.on("connect", (client) => client.on("error", () => undefined));
    this.pool.on("error", () => undefined);
  }

  /** Runs `work` on a connection of its own. Throws `StoreUnavailable` where there is none to be had. */
  async use<Result>(work: (lent: Lent) => Promise<Result>): Promise<Result> {
    const lent = { client: await this.take(), lost: false };
    try {
      return await work(lent);
    } finally {
      lent.client.release(lent.lost);
    }
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  private async take(): Promise<pg.PoolClient> {
    if (this.pool.idleCount === 0 && monotonicMs() < this.awayUntil)
      throw new StoreUnavailable("the database is away");
    try {
      const client = await this.pool.connect();
      this.pause = 0;
      return client;
    } catch (error) {
      // Where all connections are busy for too long, the server is there.
      if (this.pool.idleCount + this.pool.totalCount === 0) {
        this.pause = Math.min(Math.max(this.pause * 2, FIRST_PAUSE), LONGEST_PAUSE);
        this.awayUntil = monotonicMs() + this.pause;
      }
      throw translated(error);
    }
  }
}
