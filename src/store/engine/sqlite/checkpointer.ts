/**
 * Runs WAL checkpoints in the background, on a dedicated connection. A checkpoint within a commit would delay the commit
 * by 10 to 17 ms. The writer is paused for a checkpoint only if the WAL becomes large.
 */
import { stat } from "node:fs/promises";
import { StoreFailed, type StoreLog } from "../engine.js";
import type { Connection } from "./connection.js";
import { isIoError } from "./errors.js";
import type { MarkerWriter } from "./marker.js";
import type { Writer } from "./writer.js";

const INTERVAL_MS = 1_000;
/** When the WAL reaches this size, its pages are copied into the database file. */
const PASSIVE_FROM_BYTES = 4 * 1024 * 1024;
/** When the WAL reaches this size, the writer is paused, so that the WAL can restart from its beginning. */
const RESTART_FROM_BYTES = 64 * 1024 * 1024;

export class Checkpointer {
  private readonly timer: NodeJS.Timeout;
  private busy: Promise<void> | undefined;

  constructor(
    private readonly file: string,
    private readonly connection: Connection,
    private readonly writer: Writer,
    private readonly marker: MarkerWriter | undefined,
    private readonly log: StoreLog,
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

  /** Writes the marker of the database. See {@link MarkerWriter}. */
  async mark(isDurable: boolean): Promise<void> {
    await this.marker?.write(isDurable);
  }

  /** Writes the marker, and runs a checkpoint if the WAL is large. */
  private async check(): Promise<void> {
    // A marker that cannot be written, such as on a full disk, only states less.
    await this.mark(false).catch(() => undefined);
    const size = await stat(`${this.file}-wal`).then(
      (stats) => stats.size,
      () => 0,
    );
    if (size < PASSIVE_FROM_BYTES) return;
    await this.run("PASSIVE", () => this.connection.all("PRAGMA wal_checkpoint(PASSIVE)"));
    if (size < RESTART_FROM_BYTES) return;
    await this.run("RESTART", () =>
      this.writer.runExclusively(async (connection) => {
        await connection.all("PRAGMA wal_checkpoint(RESTART)");
      }),
    );
  }

  /**
   * Runs a checkpoint. If the disk is full or the file is locked, the committed data stays in the WAL, and the next check
   * retries. After an I/O error the content of the file is unknown, so the engine fails.
   */
  private async run(mode: string, checkpoint: () => Promise<unknown>): Promise<void> {
    try {
      await checkpoint();
    } catch (error) {
      const { message } = error as Error;
      if (isIoError(error)) return this.onFailure(new StoreFailed(message));
      this.log.error(
        { err: error },
        `a ${mode} checkpoint of ${this.file} failed; the next one is tried in a second`,
      );
    }
  }
}
