/**
 * Runs WAL checkpoints in the background on a dedicated connection, because a checkpoint inside a commit
 * would delay the commit. If the WAL becomes large, the checkpointer pauses the writer, but only for the last
 * part of a checkpoint.
 */
import { type FileHandle, open, stat } from "node:fs/promises";
import { StoreFailed, type StoreLog } from "../engine.js";
import type { StoreStatistics } from "../statistics.js";
import type { Connection } from "./connection.js";
import { isIoError } from "./errors.js";
import type { MarkerWriter } from "./marker.js";
import type { Writer } from "./writer.js";

const INTERVAL_MS = 1_000;
/** From this WAL size on, a checkpoint copies the WAL's pages into the database file. */
const PASSIVE_FROM_BYTES = 4 * 1024 * 1024;
/**
 * When this much of the WAL is in use, the writer is paused so that a checkpoint can reach the WAL's end. The
 * next transaction then overwrites the WAL from its start, so the WAL stops growing.
 */
const RESTART_FROM_BYTES = 64 * 1024 * 1024;
/** The writer is paused only when at most this much of the WAL remains to be copied. */
const REST_BYTES = 512 * 1024;
const MAX_CHECKPOINTS = 5;
/** A page and its header (https://www.sqlite.org/fileformat.html#the_write_ahead_log). */
const FRAME_BYTES = 4_096 + 24;

/** The result of `PRAGMA wal_checkpoint`: `log` frames are in use, and `checkpointed` of them are copied. */
interface Progress {
  log: number;
  checkpointed: number;
}

export class Checkpointer {
  private readonly timer: NodeJS.Timeout;
  private busy: Promise<void> | undefined;
  /** The database file. Opened on first use. */
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
   * Must be called after all connections to the file are closed. When a process closes any handle of a file,
   * it loses all its locks on the file, including SQLite's locks (https://www.sqlite.org/howtocorrupt.html).
   */
  async closeFile(): Promise<void> {
    await this.handle?.close();
  }

  async mark(isDurable: boolean, isLast = false): Promise<void> {
    await this.marker?.write(isDurable, isLast);
  }

  private async check(): Promise<void> {
    // If writing fails, for example on a full disk, the old marker stays, which never reports a false loss.
    await this.mark(false).catch(() => undefined);
    const size = await sizeOf(`${this.file}-wal`);
    this.statistics.walBytes = size;
    this.statistics.databaseBytes = await sizeOf(this.file);
    // SQLite overwrites a WAL from its start without shortening the file, so only a checkpoint tells how much
    // of it is in use.
    if (size < PASSIVE_FROM_BYTES) return;
    for (let n = 0, before = 0, rest = size; n < MAX_CHECKPOINTS && rest > REST_BYTES; n++) {
      const progress = await this.run(this.connection);
      if (!progress || progress.log * FRAME_BYTES < RESTART_FROM_BYTES) return;
      if (!(await this.syncFile())) return;
      // The next checkpoint copies at most the frames that were written since the previous one began.
      rest = (progress.log - before) * FRAME_BYTES;
      before = progress.checkpointed;
    }
    // A RESTART checkpoint would wait for readers while the writer is paused, so use PASSIVE.
    await this.writer.runExclusively(async (connection) => void (await this.run(connection)));
  }

  /**
   * Flushes the database file early. SQLite flushes it only while the writer is paused, which would lengthen
   * the pause. After a failed flush, the file's content is unknown, so the engine fails.
   */
  private async syncFile(): Promise<boolean> {
    try {
      // If the file cannot be opened here, SQLite still flushes it during the checkpoint.
      this.handle ??= await open(this.file, "r+").catch(() => undefined);
      await this.handle?.datasync();
      return true;
    } catch (error) {
      this.onFailure(new StoreFailed((error as Error).message));
      return false;
    }
  }

  /**
   * On a full disk or a locked file, the committed data stays in the WAL, and the next check retries. After
   * an I/O error, the file's content is unknown, so the engine fails.
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
