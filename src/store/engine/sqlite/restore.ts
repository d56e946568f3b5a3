/** Replaces a database file with a backup, and keeps the old file. */
import { link, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { StoreDamaged, StoreRefused, StoreUnavailable } from "../engine.js";
import { Connection } from "./connection.js";
import { copyDatabase, type OnProgress } from "./copy.js";
import { assertWritable, fileSizeBytes, fsyncPath } from "./files.js";
import { inspectDatabase } from "./inspect.js";
import { lockFile } from "./lock.js";
import { removeMarker } from "./marker.js";

/**
 * Copies `backup` to `file`. A database that exists there is only replaced with `replace`. It is then kept as
 * `aside`, with its WAL if the WAL could not be merged. The replacement is atomic: at any moment, `file` is
 * either the complete old or the complete new database, unless the old one is damaged: it may be without its
 * WAL after a crash.
 *
 * Throws `StoreRefused` if a daemon is running on `file`, if a database exists and may not be replaced, or if
 * `backup` is damaged or was written by a newer version of Wireroom.
 * @returns whether there was an old database
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
      // An empty file is no database. SQLite leaves one if it is interrupted while it creates a database.
      if (await fileSizeBytes(file))
        throw new StoreRefused(
          `the database ${file} already exists; add --replace to restore the backup in its place and keep it under another name`,
        );
    }
    const newFile = `${file}.restoring`;
    await rm(newFile, { force: true });
    await copyDatabase(backup, newFile, onProgress);
    const size = await fileSizeBytes(file);
    await moveAside(file, size, aside);
    await removeMarker(file);
    await rename(newFile, file);
    await fsyncPath(dirname(file));
    return size !== undefined;
  } finally {
    // A lock file without a database shows that a database was lost, so none must stay after a failed
    // restore.
    const isNewLock = !hadLock && (await fileSizeBytes(file)) === undefined;
    if (isNewLock) await rm(`${file}-lock`, { force: true });
    await lock.close();
  }
}

async function moveAside(file: string, size: number | undefined, aside: string): Promise<void> {
  // SQLite deletes the WAL of an empty database.
  if (size) await mergeWal(file);
  // An unmerged WAL belongs to the old file and would corrupt the new database.
  for (const suffix of ["-wal", "-shm"]) {
    await rename(`${file}${suffix}`, `${aside}${suffix}`).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
  }
  // No daemon starts on a file with two names, so the replacement follows at once.
  if (size !== undefined) await link(file, aside);
}

/** Merges the WAL into the database file and deletes the WAL. Does nothing if the database is damaged. */
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
