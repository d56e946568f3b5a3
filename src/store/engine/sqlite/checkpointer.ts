/**
 * Runs WAL checkpoints in the background, on a dedicated connection. A checkpoint within a commit would delay
 * the commit by 10 to 17 ms. The writer is paused only for the rest of a checkpoint, if the WAL becomes
 * large.
 */
import { type FileHandle, open, stat } from "node:fs/promises";
import { StoreFailed, type StoreLog } from "../engine.js";
import type { StoreStatistics } from "../statistics.js";
import type { Connection } from "./connection.js";
import { isIoError } from "./errors.js";
import type { MarkerWriter } from "./marker.js";
import type { Writer } from "./writer.js";

const INTERVAL_MS = 1_000;
/** When the WAL reaches this size, its pages are copied into the database file. */
const PASSIVE_FROM_BYTES = 4 * 1024 * 1024;
/**
 * When the part of the WAL in use reaches this size, the writer is paused, so that the checkpoint reaches the
 * end of the WAL. The next transaction then writes to its beginning again.
 */
const RESTART_FROM_BYTES = 64 * 1024 * 1024;
/**
 * The writer is not paused before the rest is at most this large. Each checkpoint beside the writer leaves
 * less than the one before, unless the disk is slower than the writer.
 */
const REST_BYTES = 512 * 1024;
const MAX_CHECKPOINTS = 5;
/** A page with the header of its frame (https://www.sqlite.org/fileformat.html#the_write_ahead_log). */
const FRAME_BYTES = 4_096 + 24;

/**
 * The result of `PRAGMA wal_checkpoint`: the frames of the WAL in use when it began, and those of them that
 * are in the database file.
 */
interface Progress {
  log: number;
  checkpointed: number;
}

export class Checkpointer {
  private readonly timer: NodeJS.Timeout;
  private busy: Promise<void> | undefined;
  /** The database file, opened when it is first needed. */
  private handle: FileHandle | undefined;

  constructor(
    private readonly file: string,
    private readonly connection: Connection,
    private readonly writer: Writer,
    private readonly marker: MarkerWriter | undefined,
    private readonly log: StoreLog,
    private readonly statistics: StoreStatistics,
    private readonly onFailure: (failure: StoreFailed) => void,
  ) {
    this.timer = setInterval(() => {
      this.busy ??= this.check().finally(() => {
        this.busy = undefined;
      });
    }, INTERVAL_MS);
    this.timer.unref();
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.busy;
  }

  /**
   * Must be called after all connections to the file are closed: when a process closes a file, it loses its
   * POSIX locks on it, also those of SQLite (https://www.sqlite.org/howtocorrupt.html).
   */
  async closeFile(): Promise<void> {
    await this.handle?.close();
  }

  /** Writes the marker of the database. See {@link MarkerWriter}. */
  async mark(isDurable: boolean, isLast = false): Promise<void> {
    await this.marker?.write(isDurable, isLast);
  }

  /** Writes the marker, and runs a checkpoint if the WAL is large. */
  private async check(): Promise<void> {
    // A marker that cannot be written, for example on a full disk, is out of date, and then detects fewer
    // lost rows.
    await this.mark(false).catch(() => undefined);
    const size = await sizeOf(`${this.file}-wal`);
    this.statistics.walBytes = size;
    this.statistics.databaseBytes = await sizeOf(this.file);
    // The file keeps its size when the WAL restarts, so only the checkpoint tells how much of it is in use.
    if (size < PASSIVE_FROM_BYTES) return;
    for (let n = 0, before = 0, rest = size; n < MAX_CHECKPOINTS && rest > REST_BYTES; n++) {
      const progress = await this.run(this.connection);
      if (!progress || progress.log * FRAME_BYTES < RESTART_FROM_BYTES) return;
      if (!(await this.syncFile())) return;
      // This counts what was written since the last checkpoint. While this one ran, no more than that was
      // written.
      rest = (progress.log - before) * FRAME_BYTES;
      before = progress.checkpointed;
    }
    // Not with RESTART, which would wait for readers while the writer is paused.
    await this.writer.runExclusively(async (connection) => void (await this.run(connection)));
  }

  /**
   * Flushes the database file. SQLite does so only in a checkpoint that reaches the end of the WAL, for which
   * the writer is paused: then nearly all is flushed. After a failure the content of the file is unknown, so
   * the engine fails. Returns whether it succeeded.
   */
  private async syncFile(): Promise<boolean> {
    try {
      // Without a file handle, SQLite still flushes.
      this.handle ??= await open(this.file, "r+").catch(() => undefined);
      await this.handle?.datasync();
      return true;
    } catch (error) {
      this.onFailure(new StoreFailed((error as Error).message));
      return false;
    }
  }

  /**
   * Runs a checkpoint, and returns how far it came. It copies what no reader prevents, without waiting. If
   * the disk is full or the file is locked, the committed data stays in the WAL, and the next check retries.
   * After an I/O error the content of the file is unknown, so the engine fails.
   */
  private async run(connection: Connection): Promise<Progress | undefined> {
    try {
      return await connection.get<Progress>("PRAGMA wal_checkpoint(PASSIVE)");
    } catch (error) {
      const { message } = error as Error;
      if (isIoError(error)) this.onFailure(new StoreFailed(message));
      else {
        this.log.error(
          { err: error },
          `a checkpoint of ${this.file} failed; the next one is tried in a second`,
        );
      }
      return undefined;
    }
  }
}

function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}
