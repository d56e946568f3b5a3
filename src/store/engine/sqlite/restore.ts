/** A database put in the place of another one, which is kept. */
import { link, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { StoreUnavailable } from "../engine.js";
import { Connection } from "./connection.js";
import { copyDatabase, type OnProgress, sync } from "./copy.js";
import { assertWritable } from "./folder.js";
import { sizeOf } from "./inspect.js";
import { lockFile } from "./lock.js";

/**
 * Makes a copy of `backup` the database `file`. What was there goes to `aside`, with its log where it could not be
 * merged. At every moment `file` is the old database or the new one, whole.
 *
 * @returns whether there was a database before
 * Throws `StoreRefused` where a daemon runs on `file`, or `backup` is no sound database that this version knows.
 */
export async function restoreDatabase(
  backup: string,
  file: string,
  aside: string,
  onProgress: OnProgress,
): Promise<boolean> {
  await assertWritable(file);
  const lock = await lockFile(file);
  try {
    const draft = `${file}.restoring`;
    await rm(draft, { force: true });
    await copyDatabase(backup, draft, onProgress);
    const hadOne = (await sizeOf(file)) !== undefined;
    if (hadOne) await putAside(file, aside);
    await rename(draft, file);
    await sync(dirname(file));
    return hadOne;
  } finally {
    await lock.close();
  }
}

async function putAside(file: string, aside: string): Promise<void> {
  await mergeLog(file);
  await link(file, aside);
  // A log that could not be merged belongs to the old file, and would spoil the new one.
  for (const suffix of ["-wal", "-shm"]) {
    await rename(`${file}${suffix}`, `${aside}${suffix}`).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
  }
}

/** Closing the last connection to a database merges its log and removes it; a damaged one is left as it is. */
async function mergeLog(file: string): Promise<void> {
  let connection: Connection | undefined;
  try {
    connection = await Connection.open(file);
    await connection.all("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
  } finally {
    await connection?.close();
  }
}
