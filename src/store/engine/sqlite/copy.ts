/** A whole and consistent copy of a database file, also while a daemon writes to it. */
import { open, rm } from "node:fs/promises";
import { StoreRefused } from "../engine.js";
import { inspect, integrityProblems, reading, sizeOf } from "./inspect.js";

/** How far a copy is: from 0 to 1. */
export type OnProgress = (done: number) => void;

/** Milliseconds between two looks at how much is written. */
const LOOK = 200;

/**
 * Copies what is committed at this moment into `to`, which must not be there yet: one snapshot, without what was deleted,
 * readable by its owner alone, on disk when this resolves, and checked. Throws `StoreRefused`, and leaves no file, where
 * `from` is no sound database that this version knows.
 */
export async function copyDatabase(from: string, to: string, onProgress: OnProgress): Promise<void> {
  const { isNewer, bytes } = await inspect(from);
  if (isNewer) throw new StoreRefused(`${from} was written by a newer version of Wireroom; update Wireroom`);
  try {
    // VACUUM INTO takes an empty file as it is, with its rights.
    await (await open(to, "wx", 0o600)).close();
    const looking = setInterval(() => {
      void sizeOf(to).then(
        (size = 0) => onProgress(Math.min(size / bytes, 1)),
        () => undefined,
      );
    }, LOOK);
    try {
      await reading(from, (connection) => connection.run("VACUUM INTO ?", [to]));
    } finally {
      clearInterval(looking);
    }
    onProgress(1);
    await sync(to);
    const problems = await integrityProblems(to);
    if (problems.length > 0) throw new StoreRefused(`${from} is damaged: ${problems.join("; ")}`);
  } catch (error) {
    await rm(to, { force: true });
    throw error;
  }
}

/** Brings a file, or the names in a folder, to the disk. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
