/** Appends text to a file without blocking the caller. */
import { closeSync, mkdirSync, openSync, write, writeSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Writes one chunk at a time, and drops text that cannot be written, for example on a full disk. A failing
 * log must not end the daemon or prevent its exit, as pino's own writer does.
 */
export class FileAppender {
  private waiting: string[] = [];
  private isWriting = false;
  private readonly formerFiles: number[] = [];
  /** Number of buffered characters that are not written yet. */
  writableLength = 0;

  constructor(private fd: number) {}

  /** Opens a file with mode 600, and creates its folder. Throws the system error if that fails. */
  static open(file: string): FileAppender {
    mkdirSync(dirname(file), { recursive: true });
    return new FileAppender(openToAppend(file));
  }

  write(text: string): void {
    this.waiting.push(text);
    this.writableLength += text.length;
    if (!this.isWriting) this.writeWaiting();
  }

  /** Switches to another file. If opening that file fails, keeps writing to the current file, and throws. */
  reopen(file: string): void {
    const fd = openToAppend(file);
    this.formerFiles.push(this.fd);
    this.fd = fd;
    if (!this.isWriting) this.closeFormerFiles();
  }

  /** Writes the buffered text synchronously, because the process is about to exit. */
  endSync(): void {
    const text = this.takeWaiting();
    try {
      if (text.length > 0) writeSync(this.fd, text);
    } catch {}
  }

  private writeWaiting(): void {
    this.isWriting = true;
    this.writeRest(Buffer.from(this.takeWaiting()));
  }

  private writeRest(chunk: Buffer): void {
    write(this.fd, chunk, (error, written) => {
      if (!error && written < chunk.length) return this.writeRest(chunk.subarray(written));
      this.closeFormerFiles();
      if (this.waiting.length > 0) this.writeWaiting();
      else this.isWriting = false;
    });
  }

  private takeWaiting(): string {
    const text = this.waiting.join("");
    this.waiting = [];
    this.writableLength = 0;
    return text;
  }

  private closeFormerFiles(): void {
    for (const fd of this.formerFiles.splice(0)) closeSync(fd);
  }
}

function openToAppend(file: string): number {
  return openSync(file, "a", 0o600);
}
