/** Reads the log file and its rotated predecessor, even while the daemon writes and rotates them. */
import { setTimeout as sleep } from "node:timers/promises";
import { previousLogFile } from "./log-file.js";
import { LogReader } from "./log-reader.js";

const POLL_INTERVAL_MS = 200;

/** Yields the last `count` log lines in order. */
export async function* lastLines(file: string, count: number): AsyncGenerator<string> {
  const reader = await LogReader.open(file);
  yield* latest(file, reader, count);
  await reader?.close();
}

/** Yields the last `count` lines of the log, then every new line. Never ends. */
export async function* followLog(file: string, count: number): AsyncGenerator<string> {
  let reader = await LogReader.open(file);
  yield* latest(file, reader, count);
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

/** Yields all lines, oldest first. */
export async function* allLines(file: string): AsyncGenerator<string> {
  for (const each of [previousLogFile(file), file]) {
    const reader = await LogReader.open(each);
    if (reader) yield* reader.lines();
    await reader?.close();
  }
}

async function* latest(file: string, reader: LogReader | undefined, count: number): AsyncGenerator<string> {
  const found = (await reader?.skipToLast(count)) ?? 0;
  if (found < count) {
    const previous = await LogReader.open(previousLogFile(file));
    await previous?.skipToLast(count - found);
    if (previous) yield* previous.lines();
    await previous?.close();
  }
  if (reader) yield* reader.lines();
}
