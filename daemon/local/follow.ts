/** The lines of a log and of the one before it, also while the daemon writes and rotates them. */
import { setTimeout as sleep } from "node:timers/promises";
import { previousLog } from "./log-file.js";
import { LogReader } from "./log-reader.js";

/** Milliseconds between two looks. */
const PAUSE = 200;

/** The last `count` lines, the newest last; fewer where there are no more. */
export async function* lastLines(file: string, count: number): AsyncGenerator<string> {
  const reader = await LogReader.open(file);
  yield* latest(file, reader, count);
  await reader?.close();
}

/** The last `count` lines, then every line that is written after them. It never ends by itself. */
export async function* followLog(file: string, count: number): AsyncGenerator<string> {
  let reader = await LogReader.open(file);
  yield* latest(file, reader, count);
  for (;;) {
    const isReplaced = reader === undefined || (await reader.isReplaced(file));
    // The daemon may still be writing to the old file when the new one takes its place.
    if (isReplaced) await sleep(PAUSE);
    if (reader) yield* reader.lines();
    if (isReplaced) {
      await reader?.close();
      reader = await LogReader.open(file);
      if (reader) yield* reader.lines();
    }
    await sleep(PAUSE);
  }
}

/** Every line, the oldest first. */
export async function* allLines(file: string): AsyncGenerator<string> {
  for (const each of [previousLog(file), file]) {
    const reader = await LogReader.open(each);
    if (reader) yield* reader.lines();
    await reader?.close();
  }
}

async function* latest(file: string, reader: LogReader | undefined, count: number): AsyncGenerator<string> {
  const found = (await reader?.skipToLast(count)) ?? 0;
  if (found < count) {
    const previous = await LogReader.open(previousLog(file));
    await previous?.skipToLast(count - found);
    if (previous) yield* previous.lines();
    await previous?.close();
  }
  if (reader) yield* reader.lines();
}
