/** Appends text to a file without making the caller wait. */
import { closeSync, mkdirSync, openSync, write, writeSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Writes one chunk at a time. Drops what cannot be written, for example on a full disk, because a log must
 * neither end the daemon nor keep it from ending, as pino's own writer does.
 */
export class FileAppender {
  private waiting: string[] = [];
  private isWriting = false;
  private readonly formerFiles: number[] = [];
  /** Number of characters that wait until a chunk is written. */
  writableLength = 0;

  constructor(private fd: number) {}

  /** Opens a file with mode 600, and creates its folder. Throws the error of the system if that fails. */
  static open(file: string): FileAppender {
    mkdirSync(dirname(file), { recursive: true });
    return new FileAppender(openToAppend(file));
  }

  write(text: string): void {
    this.waiting.push(text);
    this.writableLength += text.length;
    if (!this.isWriting) this.writeWaiting();
  }

  /** Continues in another file. If that fails, continues in the former one and throws. */
  reopen(file: string): void {
    const fd = openToAppend(file);
    this.formerFiles.push(this.fd);
    this.fd = fd;
    if (!this.isWriting) this.closeFormerFiles();
  }

  /** Writes what waits, as the process is about to exit. */
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
