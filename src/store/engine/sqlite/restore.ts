/** Replaces a database file with a backup, and keeps the old file. */
import { link, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { StoreDamaged, StoreRefused, StoreUnavailable } from "../engine.js";
import { beginEpoch } from "../epochs.js";
import { Connection } from "./connection.js";
import { copyDatabase, type OnProgress } from "./copy.js";
import { assertWritable, fileSizeBytes, fsyncPath } from "./files.js";
import { inspectDatabase } from "./inspect.js";
import { lockFile } from "./lock.js";
import { removeMarker } from "./marker.js";

/**
 * Restores `backup` to `file`. Replaces an existing database only if `replace` is set, and keeps it as
 * `aside`, together with its WAL if the WAL could not be merged. The replacement is atomic: at any moment,
 * `file` is either the complete old database or the complete new one. Exception: a crash may leave a damaged
 * old database without its WAL.
 *
 * Throws `StoreRefused` if a daemon is running on `file`, if a database exists and `replace` is not set, or
 * if `backup` is damaged or was written by a newer version of Wireroom.
 * @returns whether `file` existed before
 */
export async function restoreDatabase(
  backup: string,
  file: string,
  { aside, replace, onProgress }: { aside: string; replace: boolean; onProgress: OnProgress },
): Promise<boolean> {
  await assertWritable(file);
  const hadLock = (await fileSizeBytes(`${file}-lock`)) !== undefined;
  const lock = await lockFile(file);
  try {
    if (!replace) {
      await inspectDatabase(backup);
      // SQLite leaves an empty file if it is interrupted while it creates a database.
      if (await fileSizeBytes(file))
        throw new StoreRefused(
          `the database ${file} already exists; add --replace to restore the backup in its place and keep it under another name`,
        );
    }
    const newFile = `${file}.restoring`;
    await rm(newFile, { force: true });
    await copyDatabase(backup, newFile, onProgress);
    await beginEpochOf(newFile);
    const size = await fileSizeBytes(file);
    await moveAside(file, size, aside);
    await removeMarker(file);
    await rename(newFile, file);
    await fsyncPath(dirname(file));
    return size !== undefined;
  } finally {
    // After a failed restore, a lock file without a database would look like a lost database.
    const isNewLock = !hadLock && (await fileSizeBytes(file)) === undefined;
    if (isNewLock) await rm(`${file}-lock`, { force: true });
    await lock.close();
  }
}

/** Begins a new epoch, because cursors from before the restore may point to lost items. */
async function beginEpochOf(file: string): Promise<void> {
  const connection = await Connection.open(file);
  try {
    await connection.exec("PRAGMA synchronous = FULL");
    await beginEpoch(connection);
  } finally {
    await connection.close();
  }
}

async function moveAside(file: string, size: number | undefined, aside: string): Promise<void> {
  // Skip an empty database, because SQLite would delete its WAL.
  if (size) await mergeWal(file);
  // An unmerged WAL belongs to the old file and would corrupt the new database.
  for (const suffix of ["-wal", "-shm"]) {
    await rename(`${file}${suffix}`, `${aside}${suffix}`).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
  }
  // Add a second name for the file until it is replaced, because no daemon starts on a file with two names.
  if (size !== undefined) await link(file, aside);
}

/** Does nothing if the database is damaged. */
export async function mergeWal(file: string): Promise<void> {
  let connection: Connection | undefined;
  try {
    connection = await Connection.open(file);
    await connection.all("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch (error) {
    if (!(error instanceof StoreUnavailable || error instanceof StoreDamaged)) throw error;
  } finally {
    await connection?.close();
  }
}
