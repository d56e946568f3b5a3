/**
 * The PostgreSQL engine. Any number of daemons can share a database. Uses connection pools, prepared
 * statements, row locks (docs/decisions/015), and LISTEN and NOTIFY for change events.
 */
import type pg from "pg";
import { monotonicMs, SECOND } from "../../../kernel/clock.js";
import { ReadCoalescer } from "../coalescer.js";
import {
  type Engine,
  MAX_READ_MS,
  NO_LOG,
  type Session,
  type StoreLog,
  StoreRefused,
  StoreUnavailable,
} from "../engine.js";
import { EventBus } from "../events.js";
import { migrations } from "../migrations/index.js";
import { Searcher } from "../searcher.js";
import { createStatistics, type StoreStatistics } from "../statistics.js";
import { connectionHint, describeConnectionError, isConflict, toStoreError } from "./errors.js";
import { inspectServer } from "./inspect.js";
import { Listener } from "./listener.js";
import { migrate, OLDER_VERSION } from "./migrate.js";
import { Pool } from "./pool.js";
import { PooledSession } from "./session.js";
import { limitStatements, type PostgresSettings, parsePostgresUrl } from "./url.js";
import { Writer } from "./writer.js";

const MAX_CONCURRENT_READS = 3;
const MAX_CONCURRENT_SEARCHES = 2;
/** A starting daemon retries for this long, because the database server may be starting at the same time. */
const START_TIMEOUT_MS = 10 * SECOND;
/** Counts conflicts instead of time, because a migration can run long before it deadlocks. */
const MAX_CONFLICTS = 10;

export class PostgresEngine implements Engine {
  readonly isSoleWriter = false;
  /** Never resolves, because the server handles its own disk failures. */
  readonly failed = new Promise<never>(() => undefined);

  private constructor(
    private readonly pools: readonly Pool[],
    readonly reader: Session,
    readonly searcher: Session,
    private readonly writer: Writer,
    private readonly coalescer: ReadCoalescer,
    private readonly listener: Listener,
    private readonly events: EventBus,
  ) {}

  /** Connects and applies pending migrations. Throws `StoreRefused` if the database cannot be used. */
  static async open(
    databaseUrl: string,
    log: StoreLog = NO_LOG,
    statistics = createStatistics(),
  ): Promise<PostgresEngine> {
    const settings = parsePostgresUrl(databaseUrl);
    await migrateWithRetry(settings.config, log);
    return PostgresEngine.connect(settings, statistics);
  }

  /** Throws `StoreRefused` if migrations are pending. */
  static async openMigrated(databaseUrl: string): Promise<PostgresEngine> {
    const { pendingMigrations } = await inspectServer(databaseUrl);
    if (pendingMigrations === migrations.length)
      throw new StoreRefused("the database is not a Wireroom database");
    if (pendingMigrations > 0) throw new StoreRefused(OLDER_VERSION);
    return PostgresEngine.connect(parsePostgresUrl(databaseUrl), createStatistics());
  }

  private static async connect(
    { config, connections }: PostgresSettings,
    statistics: StoreStatistics,
  ): Promise<PostgresEngine> {
    // Use separate pools, so that writers that wait for locks cannot use up the connections of readers.
    const writing = new Pool(config, Math.ceil(connections / 2));
    const reading = new Pool(config, Math.floor(connections / 2), limitStatements(MAX_READ_MS));
    statistics.pools = { read: reading, write: writing };
    const events = new EventBus();
    const listener = new Listener(config, events, statistics);
    await listener.connect();
    const reader = new PooledSession(reading);
    const replaceConnections = () => {
      for (const pool of [writing, reading]) pool.replaceConnections();
      listener.replaceConnection();
    };
    const writer = new Writer(writing, (items) => listener.send(items), replaceConnections, statistics);
    const engine = new PostgresEngine(
      [writing, reading],
      reader,
      new Searcher(reader, MAX_CONCURRENT_SEARCHES),
      writer,
      new ReadCoalescer(reader, MAX_CONCURRENT_READS, statistics),
      listener,
      events,
    );
    // Read the server's clock before the startup code stores or corrects any time.
    await listener.ensureClock(reader).catch(async (error: unknown) => {
      await engine.close();
      throw error;
    });
    return engine;
  }

  get isWriteFailing(): boolean {
    return this.writer.isFailing;
  }

  set isWriteFailing(isFailing: boolean) {
    this.writer.isFailing = isFailing;
  }

  readonly write: Engine["write"] = (work, key) => this.writer.write(work, key);
  readonly writeBatched: Engine["writeBatched"] = (...write) => this.writer.writeBatched(...write);
  readonly readBatched: Engine["readBatched"] = (...read) => this.coalescer.read(...read);
  readonly subscribe: Engine["subscribe"] = (topics, listener) => this.events.subscribe(topics, listener);
  readonly backlogMs: Engine["backlogMs"] = {
    read: () => Math.max(this.pools[1]!.waiting.backlogMs, this.coalescer.backlogMs()),
    write: () => Math.max(this.pools[0]!.waiting.backlogMs, this.writer.backlogMs()),
  };

  async recordProgress(): Promise<void> {}

  async close(): Promise<void> {
    await this.writer.close();
    await this.listener.close();
    for (const pool of this.pools) await pool.close();
  }
}

/** Retries while the server is unreachable, and after a conflict with an older daemon. */
async function migrateWithRetry(config: pg.ClientConfig, log: StoreLog): Promise<void> {
  const deadline = monotonicMs() + START_TIMEOUT_MS;
  for (let conflicts = 0; ; ) {
    try {
      return await migrate(config, log);
    } catch (error) {
      if (error instanceof StoreRefused) throw error;
      const isUnavailable = toStoreError(error) instanceof StoreUnavailable && !isPermanent(error as Error);
      const isTemporary = isConflict(error)
        ? ++conflicts < MAX_CONFLICTS
        : isUnavailable && monotonicMs() < deadline;
      if (!isTemporary) {
        throw new StoreRefused(`cannot open the database: ${describeConnectionError(error as Error)}`, {
          cause: error,
        });
      }
    }
    await new Promise((resolve) => setTimeout(resolve, SECOND / 2));
  }
}

/**
 * Returns whether a retry cannot help, for example because the credentials are wrong or the host is unknown.
 */
function isPermanent(error: Error & { code?: string }): boolean {
  const { code = "" } = error;
  return (
    code.startsWith("28") || code === "3D000" || code === "ENOTFOUND" || connectionHint(error) !== undefined
  );
}
