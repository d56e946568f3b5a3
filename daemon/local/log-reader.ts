/** Reads lines from a file that another process is writing. */
import { type FileHandle, open, stat } from "node:fs/promises";

const LINE_FEED = 10;
const CHUNK_BYTES = 64 * 1024;

export class LogReader {
  /** Byte offset of the next line. */
  private position = 0;

  private constructor(private readonly handle: FileHandle) {}

  /** Opens a file at its beginning. Returns undefined if the file does not exist. */
  static async open(file: string): Promise<LogReader | undefined> {
    try {
      return new LogReader(await open(file, "r"));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  }

  /** Moves the position to the start of the last `count` lines. Returns the number of lines from there on. */
  async skipToLast(count: number): Promise<number> {
    let { size: from } = await this.handle.stat();
    this.position = 0;
    let feeds = 0;
    while (from > 0) {
      const length = Math.min(CHUNK_BYTES, from);
      from -= length;
      const chunk = await this.read(from, length);
      for (
        let i = chunk.lastIndexOf(LINE_FEED);
        i !== -1;
        i = i === 0 ? -1 : chunk.lastIndexOf(LINE_FEED, i - 1)
      ) {
        // This line feed ends the line before the last `count` lines.
        if (feeds === count) {
          this.position = from + i + 1;
          return count;
        }
        feeds++;
      }
    }
    return feeds;
  }

  /** Yields all complete lines from the current position. A later call yields the lines written since. */
  async *lines(): AsyncGenerator<string> {
    let rest = Buffer.alloc(0);
    for (;;) {
      const chunk = await this.read(this.position + rest.length, CHUNK_BYTES);
      if (chunk.length === 0) return;
      rest = Buffer.concat([rest, chunk]);
      for (let end = rest.indexOf(LINE_FEED); end !== -1; end = rest.indexOf(LINE_FEED)) {
        const line = rest.toString("utf8", 0, end);
        rest = rest.subarray(end + 1);
        this.position += end + 1;
        yield line;
      }
    }
  }

  /** Returns whether the log file was rotated or truncated after this reader opened it. */
  async isReplaced(file: string): Promise<boolean> {
    const named = await stat(file).catch(() => undefined);
    const read = await this.handle.stat();
    return named !== undefined && (named.ino !== read.ino || named.size < this.position);
  }

  async close(): Promise<void> {
    await this.handle.close();
  }

  private async read(from: number, length: number): Promise<Buffer> {
    const { buffer, bytesRead } = await this.handle.read(Buffer.alloc(length), 0, length, from);
    return buffer.subarray(0, bytesRead);
  }
}
