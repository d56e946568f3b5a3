/** Reads the log file and its rotated predecessor, even while the daemon writes and rotates them. */
import { type FileHandle, open, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { previousLogFile } from "./log-file.js";

const POLL_INTERVAL_MS = 200;
const LINE_FEED = 10;
const CHUNK_BYTES = 64 * 1024;

export async function* lastLines(file: string, count: number): AsyncGenerator<string> {
  const { lines, reader } = await readToEnd(file, count);
  await reader?.close();
  yield* lines;
}

/** Yields the last `count` lines and then every new line. Never ends. */
export async function* followLog(file: string, count: number): AsyncGenerator<string> {
  let { lines, reader } = await readToEnd(file, count);
  yield* lines;
  for (;;) {
    const isReplaced = reader === undefined || (await reader.isReplaced(file));
    // Wait, because the daemon may still write to the old file shortly after the rotation.
    if (isReplaced) await sleep(POLL_INTERVAL_MS);
    if (reader) yield* reader.lines();
    if (isReplaced) {
      await reader?.close();
      reader = await LogReader.open(file);
      if (reader) yield* reader.lines();
    }
    await sleep(POLL_INTERVAL_MS);
  }
}

async function readToEnd(file: string, count: number) {
  const lines: string[] = [];
  const previous = await LogReader.open(previousLogFile(file));
  const reader = await LogReader.open(file);
  for (const each of [previous, reader]) {
    if (!each) continue;
    for await (const line of each.lines()) {
      lines.push(line);
      if (lines.length > 2 * count) lines.splice(0, lines.length - count);
    }
  }
  await previous?.close();
  return { lines: lines.slice(Math.max(lines.length - count, 0)), reader };
}

class LogReader {
  private position = 0;

  private constructor(private readonly handle: FileHandle) {}

  /** Returns undefined if the file does not exist. */
  static async open(file: string): Promise<LogReader | undefined> {
    try {
      return new LogReader(await open(file, "r"));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  }

  /** Yields all complete lines. A later call yields the lines written since then. */
  async *lines(): AsyncGenerator<string> {
    let rest = Buffer.alloc(0);
    for (;;) {
      const from = this.position + rest.length;
      const { buffer, bytesRead } = await this.handle.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, from);
      if (bytesRead === 0) return;
      rest = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
      for (let end = rest.indexOf(LINE_FEED); end !== -1; end = rest.indexOf(LINE_FEED)) {
        const line = rest.toString("utf8", 0, end);
        rest = rest.subarray(end + 1);
        this.position += end + 1;
        yield line;
      }
    }
  }

  async isReplaced(file: string): Promise<boolean> {
    const named = await stat(file).catch(() => undefined);
    const read = await this.handle.stat();
    return named !== undefined && (named.ino !== read.ino || named.size < this.position);
  }

  async close(): Promise<void> {
    await this.handle.close();
  }
}
