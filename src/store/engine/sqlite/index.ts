/**
 * The SQLite engine. Uses WAL mode and three connections: one for writes with group commit, one for batched
 * reads, and one for searches.
 */

import { stat } from "node:fs/promises";
import { ReadCoalescer } from "../coalescer.js";
import {
  type Engine,
  MAX_READ_MS,
  NO_LOG,
  type Session,
  StoreDamaged,
  type StoreFailed,
  type StoreLog,
  StoreRefused,
} from "../engine.js";
import { beginEpoch } from "../epochs.js";
import { EventBus } from "../events.js";
import { Searcher } from "../searcher.js";
import { createStatistics, type StoreStatistics } from "../statistics.js";
import { Checkpointer } from "./checkpointer.js";
import { Connection } from "./connection.js";
import { refusalOfDamage } from "./errors.js";
import {
  assertOneName,
  assertUsable,
  assertWritable,
  createIfAbsent,
  DAEMON_DATABASE_HINT,
} from "./files.js";
import { lockFile } from "./lock.js";
import { recordLostLog } from "./lost-log.js";
import { assertNotLost, MarkerWriter } from "./marker.js";
import { assertMigrated, assertOwnOrEmpty, migrate } from "./migrate.js";
import { rewriteWal } from "./rewrite-wal.js";
import { Writer } from "./writer.js";

const COMMON = `
  PRAGMA busy_timeout = 5000;
  PRAGMA foreign_keys = ON;
  PRAGMA temp_store = MEMORY;
  PRAGMA mmap_size = 268435456;
`;
/**
 * With synchronous = FULL, acknowledged writes survive a power failure. The checkpointer runs the
 * checkpoints. The cache is small, because SQLite scans it at a commit after a page split, which delays
 * posts. If a long read makes the WAL larger than `journal_size_limit`, SQLite truncates the WAL when it next
 * starts over.
 */
const WRITER = `${COMMON} PRAGMA cache_size = -4096; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0;
  PRAGMA journal_size_limit = 268435456;`;
const SEARCHER = `${COMMON} PRAGMA cache_size = -16384; PRAGMA query_only = ON;`;
const READER = `${COMMON} PRAGMA cache_size = -65536; PRAGMA query_only = ON;`;

export class SqliteEngine implements Engine {
  readonly isSoleWriter = true;

  readonly write: Engine["write"];
  readonly writeBatched: Engine["writeBatched"];
  readonly readBatched: Engine["readBatched"];
  readonly subscribe: Engine["subscribe"];
  readonly backlogMs: Engine["backlogMs"];

  private constructor(
    private readonly connections: Connection[],
    readonly reader: Session,
    readonly searcher: Session,
    private readonly writer: Writer,
    private readonly checkpointer: Checkpointer,
    readonly failed: Promise<StoreFailed>,
    events: EventBus,
    statistics: StoreStatistics,
  ) {
    const coalescer = new ReadCoalescer(reader, 1, statistics);
    this.write = writer.write.bind(writer);
    this.writeBatched = writer.writeBatched.bind(writer);
    this.readBatched = coalescer.read.bind(coalescer);
    this.backlogMs = { read: () => coalescer.backlogMs(), write: () => writer.backlogMs() };
    this.subscribe = events.subscribe.bind(events);
  }

  get isWriteFailing(): boolean {
    return this.writer.isFailing;
  }

  set isWriteFailing(isFailing: boolean) {
    this.writer.isFailing = isFailing;
  }

  /** Opens and locks the file, and applies pending migrations. */
  static async open(
    file: string,
    log: StoreLog = NO_LOG,
    statistics = createStatistics(),
  ): Promise<SqliteEngine> {
    await assertWritable(file);
    await assertNotLost(file);
    await createIfAbsent(file);
    return SqliteEngine.connect(file, log, statistics, lockFile, migrate);
  }

  /**
   * Opens an existing, migrated file, even while a daemon uses it. Use it only for a few short transactions,
   * because the two processes wait for each other. A write rejects if the file was replaced since, for
   * example by a restore.
   */
  static async openWithoutLock(file: string): Promise<SqliteEngine> {
    await assertUsable(file, "read and write", DAEMON_DATABASE_HINT);
    await assertOneName(file);
    await recordLostLog(file, false);
    const opened = await stat(file);
    const assertSame = async () => {
      const { ino } = await stat(file);
      if (ino !== opened.ino)
        throw new StoreRefused(`another database has replaced ${file} meanwhile; run the command again`);
    };
    const engine = await SqliteEngine.connect(file, NO_LOG, createStatistics(), undefined, assertMigrated);
    const { write } = engine;
    const writeToSame: Engine["write"] = async (work, mutexKey) => {
      // Check inside the transaction, during which only a restore can replace the file.
      const result = await write(async (tx) => {
        await assertSame();
        return work(tx);
      }, mutexKey);
      await assertSame();
      return result;
    };
    return Object.assign(engine, { write: writeToSame });
  }

  private static async connect(
    file: string,
    log: StoreLog,
    statistics: StoreStatistics,
    lock: ((file: string) => Promise<Connection>) | undefined,
    prepare: (connection: Connection, file: string, log: StoreLog) => Promise<void>,
  ): Promise<SqliteEngine> {
    const connections: Connection[] = [];
    let fail!: (failure: StoreFailed) => void;
    const failed = new Promise<StoreFailed>((resolve) => {
      fail = resolve;
    });
    const connect = async (pragmas: string) => {
      const connection = await Connection.open(file, fail);
      connections.push(connection);
      await connection.exec(pragmas);
      return connection;
    };
    try {
      if (lock) {
        connections.push(await lock(file));
        await assertOneName(file);
        await recordLostLog(file, true);
        await assertOwnOrEmpty(file);
      }
      const writing = await connect(WRITER);
      if (lock) await rewriteWal(writing, file);
      await prepare(writing, file, log);
      const reading = await connect(READER);
      const searching = await connect(SEARCHER);
      for (const connection of [reading, searching]) connection.limitStatements(MAX_READ_MS);
      const copying = await connect(`${COMMON} PRAGMA synchronous = FULL;`);
      const marker = lock && new MarkerWriter(file, copying);
      if (await marker?.compare(log)) await beginEpoch(copying);
      const events = new EventBus();
      const writer = new Writer(writing, events, statistics);
      void failed.then((failure) => writer.fail(failure));
      const checkpointer = new Checkpointer(file, copying, writer, marker, log, statistics, fail);
      return new SqliteEngine(
        connections,
        reading,
        // A connection runs one statement at a time, so waiting searches would only occupy threads that other
        // statements need.
        new Searcher(searching, 1),
        writer,
        checkpointer,
        failed,
        events,
        statistics,
      );
    } catch (error) {
      for (const connection of connections.reverse()) await connection.close().catch(() => undefined);
      if (error instanceof StoreRefused) throw error;
      if (error instanceof StoreDamaged) throw refusalOfDamage(file, error);
      throw new StoreRefused(`cannot open the database ${file}: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }

  recordProgress(): Promise<void> {
    return this.checkpointer.mark(true);
  }

  async close(): Promise<void> {
    // Close the writer first, so that it rejects new writes during the last checkpoint.
    const writerClosed = this.writer.close();
    await this.checkpointer.close();
    await writerClosed;
    await this.checkpointer.mark(true, true).catch(() => undefined);
    // Close them in reverse order, so that the lock is released last.
    for (const connection of this.connections.reverse()) await connection.close();
    await this.checkpointer.closeFile();
  }
}
