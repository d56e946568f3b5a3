/** Writes and rotates the log file. When `daemon.log` is full, it is renamed to `daemon.log.1`. */
import { appendFile, appendFileSync, closeSync, fstatSync, openSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolder } from "../../src/kernel/make-folder.js";

const MAX_LOG_BYTES = 10 * 1024 * 1024;
export function previousLogFile(file: string): string {
  return `${file}.1`;
}

export function rotateIfFull(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size >= MAX_LOG_BYTES) renameSync(file, previousLogFile(file));
}

/**
 * Appends text without blocking the caller. Drops text that cannot be written, for example if the disk is
 * full. A failing log must not end the daemon or prevent its exit, as it would with pino's own writer.
 */
export class FileAppender {
  private waiting: string[] = [];
  private isWriting = false;
  /** Number of characters that wait until the current write has ended. */
  writableLength = 0;

  constructor(private fd: number) {}

  static open(file: string): FileAppender {
    makeFolder(dirname(file));
    return new FileAppender(openToAppend(file));
  }

  write(text: string): void {
    this.waiting.push(text);
    this.writableLength += text.length;
    if (!this.isWriting) this.writeWaiting();
  }

  /**
   * Rotates a full file and opens the new one. If that fails, throws the system error, and later writes go to
   * the old file.
   */
  rotate(file: string): void {
    rotateIfFull(file);
    const isSame = statSync(file, { throwIfNoEntry: false })?.ino === fstatSync(this.fd).ino;
    if (isSame || this.isWriting) return;
    const fd = openToAppend(file);
    closeSync(this.fd);
    this.fd = fd;
  }

  /** Writes synchronously, because the process is about to exit. */
  endSync(): void {
    try {
      appendFileSync(this.fd, this.takeWaiting());
    } catch {}
  }

  private writeWaiting(): void {
    this.isWriting = true;
    appendFile(this.fd, this.takeWaiting(), () => {
      this.isWriting = false;
      if (this.waiting.length > 0) this.writeWaiting();
    });
  }

  private takeWaiting(): string {
    const text = this.waiting.join("");
    this.waiting = [];
    this.writableLength = 0;
    return text;
  }
}

/** Uses mode 600, because the log may contain confirmation codes. */
function openToAppend(file: string): number {
  return openSync(file, "a", 0o600);
}
