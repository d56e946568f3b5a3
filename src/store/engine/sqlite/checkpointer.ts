/**
 * WAL checkpoints off the request's path: on the commit path they cause tails of 10 to 17 ms. A connection of its own
 * copies pages in the background; only where the log still grows does the writer pause for the small rest.
 */
import { stat } from "node:fs/promises";
import type { Connection } from "./connection.js";
import type { Writer } from "./writer.js";

const INTERVAL = 1_000;
/** Bytes of log from which pages are copied back. */
const COPY_FROM = 4 * 1024 * 1024;
/** Bytes of log from which the writer pauses so that the log can start anew. */
const RESTART_FROM = 64 * 1024 * 1024;

export class Checkpointer {
  private readonly timer: NodeJS.Timeout;
  private busy: Promise<void> | undefined;

  constructor(
    private readonly file: string,
    private readonly connection: Connection,
    private readonly writer: Writer,
  ) {
    this.timer = setInterval(() => {
      this.busy ??= this.check().finally(() => {
        this.busy = undefined;
      });
    }, INTERVAL);
    this.timer.unref();
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.busy;
  }

  /** A failed checkpoint loses nothing: the log keeps what is committed, and the next round tries again. */
  private async check(): Promise<void> {
    const size = await stat(`${this.file}-wal`).then(
      (stats) => stats.size,
      () => 0,
    );
    if (size < COPY_FROM) return;
    await this.connection.all("PRAGMA wal_checkpoint(PASSIVE)").catch(() => undefined);
    if (size < RESTART_FROM) return;
    await this.writer
      .exclusively(async (connection) => void (await connection.all("PRAGMA wal_checkpoint(RESTART)")))
      .catch(() => undefined);
  }
}
