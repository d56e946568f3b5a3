/** A file with the items of a watch whose command failed, a JSON object per line. */
import { existsSync } from "node:fs";
import { type FileHandle, open, readFile, rename, rm } from "node:fs/promises";
import type { InboxItem } from "../../../sdk/src/api.js";
import { now } from "../../clock.js";
import { Failure } from "../../failure.js";
import { jsonText } from "../../output/safe.js";
import { inboxItemJson, inboxItemOf } from "../../output/show/inbox.js";
import type { EventDetails } from "./log.js";

const NEW_LINE = 0x0a;

export class DeadLetters {
  #last: Promise<void> = Promise.resolve();

  constructor(readonly file: string) {}

  /** Appends an item. When the promise resolves, the line is on disk. */
  append(item: InboxItem, details: EventDetails): Promise<void> {
    const failed_at = new Date(now()).toISOString();
    const line = `${jsonText({ failed_at, ...details, item: inboxItemJson(item) })}\n`;
    const writing = this.#last.then(() => appendLine(this.file, line));
    this.#last = writing.catch(() => {});
    return writing;
  }

  /**
   * Moves the file aside, so that items that fail again go to a new file, and returns its items. After an
   * interruption, returns the same items again until `forgetTaken` is called.
   */
  async take(): Promise<InboxItem[]> {
    if (!existsSync(this.#taken)) {
      if (!existsSync(this.file)) return [];
      await rename(this.file, this.#taken);
    }
    const text = await readFile(this.#taken, "utf8");
    return text.split("\n").flatMap((line) => {
      try {
        return [inboxItemOf(JSON.parse(line).item)];
      } catch {
        // Skip an empty or incomplete line. The item of an incomplete line was not acknowledged, so it is not
        // lost.
        return [];
      }
    });
  }

  forgetTaken(): Promise<void> {
    return rm(this.#taken, { force: true });
  }

  get #taken(): string {
    return `${this.file}.taken`;
  }
}

/** Writes each line with a single write in append mode, because several watches may share the file. */
async function appendLine(file: string, line: string): Promise<void> {
  const handle = await open(file, "a+", 0o600);
  try {
    const bytes = Buffer.from((await isTorn(handle)) ? `\n${line}` : line);
    const { bytesWritten } = await handle.write(bytes);
    await handle.sync();
    if (bytesWritten < bytes.length)
      throw new Failure(
        "FAILED",
        `only ${bytesWritten} of ${bytes.length} bytes could be written to ${file}`,
      );
  } finally {
    await handle.close();
  }
}

/** Returns whether the last line lacks its line feed, for example because the disk was full. */
async function isTorn(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat();
  if (size === 0) return false;
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] !== NEW_LINE;
}
