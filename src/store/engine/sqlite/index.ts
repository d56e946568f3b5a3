/** The SQLite engine: WAL, synchronous FULL, one writer with group commit, one reader whose reads are coalesced. */
import { Coalescer } from "../coalescer.js";
import type { Engine, Session } from "../engine.js";
import { StoreRefused } from "../engine.js";
import { EventBus } from "../events.js";
import { Checkpointer } from "./checkpointer.js";
import { Connection } from "./connection.js";
import { assertThere, assertWritable } from "./folder.js";
import { lockFile } from "./lock.js";
import { assertMigrated, migrate } from "./migrate.js";
import { Writer } from "./writer.js";

const COMMON = `
  PRAGMA busy_timeout = 5000;
  PRAGMA foreign_keys = ON;
  PRAGMA temp_store = MEMORY;
  PRAGMA mmap_size = 268435456;
`;
/**
 * FULL: what answered 2xx survives a power cut. Checkpoints are the checkpointer's business. The cache is small (4 MiB), as with each
 * commit that has split a page, SQLite searches all of it for pages beyond the file's end; with 64 MiB that took 6 % of a post.
 */
const WRITER = `${COMMON} PRAGMA cache_size = -4096; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0;`;
const READER = `${COMMON} PRAGMA cache_size = -65536; PRAGMA query_only = ON;`;

export class SqliteEngine implements Engine {
  readonly isSoleWriter = true;

  readonly write: Engine["write"];
  readonly writeBatched: Engine["writeBatched"];
  readonly readBatched: Engine["readBatched"];
  readonly subscribe: Engine["subscribe"];

  private constructor(
    private readonly connections: Connection[],
    readonly reader: Session,
    private readonly writer: Writer,
    private readonly checkpointer: Checkpointer,
    events: EventBus,
  ) {
    // One reader suffices, as its reads are coalesced.
    const coalescer = new Coalescer(reader, 1);
    this.write = writer.write.bind(writer);
    this.writeBatched = writer.writeBatched.bind(writer);
    this.readBatched = coalescer.read.bind(coalescer);
    this.subscribe = events.subscribe.bind(events);
  }

  /** Opens, locks and migrates the file. Throws `StoreRefused` where it cannot be served as it is. */
  static async open(file: string): Promise<SqliteEngine> {
    await assertWritable(file);
    return SqliteEngine.connect(file, lockFile, migrate);
  }

  /**
   * Opens the file beside the daemon that may hold the lock, as it is. In WAL mode SQLite lets two processes write by turns,
   * each waiting for the other's transaction: right for a few short ones, not for a second daemon.
   */
  static async openBeside(file: string): Promise<SqliteEngine> {
    await assertThere(file);
    return SqliteEngine.connect(file, undefined, assertMigrated);
  }

  private static async connect(
    file: string,
    lock: ((file: string) => Promise<Connection>) | undefined,
    prepare: (connection: Connection, file: string) => Promise<void>,
  ): Promise<SqliteEngine> {
    const connections: Connection[] = [];
    const connect = async (pragmas: string) => {
      const connection = await Connection.open(file);
      connections.push(connection);
      await connection.exec(pragmas);
      return connection;
    };
    try {
      if (lock) connections.push(await lock(file));
      const writing = await connect(WRITER);
      await prepare(writing, file);
      const reading = await connect(READER);
      const copying = await connect(`${COMMON} PRAGMA synchronous = FULL;`);
      const events = new EventBus();
      const writer = new Writer(writing, events);
      const checkpointer = new Checkpointer(file, copying, writer);
      return new SqliteEngine(connections, reading, writer, checkpointer, events);
    } catch (error) {
      for (const connection of connections.reverse()) await connection.close().catch(() => undefined);
      if (error instanceof StoreRefused) throw error;
      throw new StoreRefused(`cannot open the database ${file}: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }

  async close(): Promise<void> {
    // Writes are refused from here on, not only once the last checkpoint is done.
    const written = this.writer.close();
    await this.checkpointer.close();
    await written;
    // The lock was taken first and goes last.
    for (const connection of this.connections.reverse()) await connection.close();
  }
}
