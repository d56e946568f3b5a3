/**
 * The PostgreSQL engine, for any number of daemons on one database: pooled connections with prepared statements, writes
 * that lock what they rest on, events of commits by LISTEN and NOTIFY. docs/decisions/015 says what is locked and why.
 */
import type pg from "pg";
import { monotonicMs, SECOND } from "../../../kernel/clock.js";
import { Coalescer } from "../coalescer.js";
import {
  type BatchedRead,
  type BatchedWrite,
  type Engine,
  type Session,
  StoreRefused,
  StoreUnavailable,
  type Transaction,
} from "../engine.js";
import { EventBus } from "../events.js";
import { adviceOn, reasonOf } from "./advice.js";
import { translated } from "./errors.js";
import { Listener } from "./listener.js";
import { migrate } from "./migrate.js";
import { Pool } from "./pool.js";
import { PooledSession } from "./session.js";
import { readTarget } from "./url.js";
import { Writer } from "./writer.js";

/** Statements of one kind of read that run at once. */
const READ_LANES = 3;
/** How long a start waits for a server that is not there yet: daemon and database are often started together. */
const START_PATIENCE = 10 * SECOND;

export class PostgresEngine implements Engine {
  readonly isSoleWriter = false;

  private constructor(
    private readonly pools: readonly Pool[],
    readonly reader: Session,
    private readonly writer: Writer,
    private readonly coalescer: Coalescer,
    private readonly listener: Listener,
    private readonly events: EventBus,
  ) {}

  /** Connects and migrates. Throws `StoreRefused` where the database cannot be served as it is. */
  static async open(databaseUrl: string): Promise<PostgresEngine> {
    const { config, connections } = readTarget(databaseUrl);
    await prepare(config);
    // Writers that wait for each other's locks must not keep readers waiting.
    const writing = new Pool(config, Math.ceil(connections / 2));
    const reading = new Pool(config, Math.floor(connections / 2));
    const events = new EventBus();
    const listener = new Listener(config, events);
    await listener.connect();
    const reader = new PooledSession(reading);
    const writer = new Writer(writing, (items) => listener.send(items));
    return new PostgresEngine(
      [writing, reading],
      reader,
      writer,
      new Coalescer(reader, READ_LANES),
      listener,
      events,
    );
  }

  write<Result>(work: (tx: Transaction) => Promise<Result>, turn?: string): Promise<Result> {
    return this.writer.write(work, turn);
  }

  writeBatched<Item, Result>(batch: BatchedWrite<Item, Result>, item: Item): Promise<Result> {
    return this.writer.writeBatched(batch, item);
  }

  readBatched<Item, Result>(batch: BatchedRead<Item, Result>, item: Item): Promise<Result> {
    return this.coalescer.read(batch, item);
  }

  subscribe: EventBus["subscribe"] = (topics, listener) => this.events.subscribe(topics, listener);

  async close(): Promise<void> {
    await this.writer.close();
    await this.listener.close();
    for (const pool of this.pools) await pool.close();
  }
}

/** Migrates, once the server is there. */
async function prepare(config: pg.ClientConfig): Promise<void> {
  const deadline = monotonicMs() + START_PATIENCE;
  for (;;) {
    try {
      return await migrate(config);
    } catch (error) {
      if (error instanceof StoreRefused) throw error;
      const isWorthAnother = translated(error) instanceof StoreUnavailable && !isRefusal(error as Error);
      if (!isWorthAnother || monotonicMs() >= deadline) {
        throw new StoreRefused(`cannot open the database: ${reasonOf(error as Error)}`, { cause: error });
      }
    }
    await new Promise((resolve) => setTimeout(resolve, SECOND / 2));
  }
}

/** Wrong credentials, no such database, no such host, no trust, the wrong pooler: waiting does not help. */
function isRefusal(error: Error & { code?: string }): boolean {
  const { code = "" } = error;
  return code.startsWith("28") || code === "3D000" || code === "ENOTFOUND" || adviceOn(error) !== undefined;
}
