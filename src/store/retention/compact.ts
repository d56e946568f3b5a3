/** Rewrites a database file without its free pages. */
import { rename, rm, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { StoreRefused } from "../engine/engine.js";
import { Connection } from "../engine/sqlite/connection.js";
import { copyDatabase, type OnProgress } from "../engine/sqlite/copy.js";
import { isBusy } from "../engine/sqlite/errors.js";
import { fileSizeBytes, fsyncPath } from "../engine/sqlite/files.js";
import { inspectDatabase, withReadOnlyConnection } from "../engine/sqlite/inspect.js";
import { lockFile } from "../engine/sqlite/lock.js";
import { mergeWal } from "../engine/sqlite/restore.js";

export interface CompactedSizes {
  bytesBefore: number;
  bytesAfter: number;
}

/**
 * Replaces `file` atomically with a copy that has no free pages. Throws `StoreRefused` if another process
 * uses the file, if the disk has too little free space, or if the database is damaged.
 */
export async function compactDatabase(file: string, onProgress: OnProgress): Promise<CompactedSizes> {
  await inspectDatabase(file);
  const lock = await lockFile(file);
  let holding: Connection | undefined;
  try {
    await mergeWal(file);
    // `wireroom operator` writes without the lock, and its writes to the old file would be lost. Windows
    // cannot rename an open file, so it is excluded.
    if (process.platform !== "win32") holding = await holdWriters(file);
    // Another process that reads, such as a backup, can keep commits in the WAL. They would be lost, because
    // the WAL belongs to the old file.
    if (await fileSizeBytes(`${file}-wal`))
      throw new StoreRefused(`another process uses ${file}, such as a backup; try again when it has ended`);
    const bytesBefore = (await fileSizeBytes(file)) ?? 0;
    await assertFreeSpace(file);
    const draft = `${file}.compacting`;
    await rm(draft, { force: true });
    await copyDatabase(file, draft, onProgress);
    await rename(draft, file);
    for (const suffix of ["-wal", "-shm"]) await rm(`${file}${suffix}`, { force: true });
    await fsyncPath(dirname(file));
    return { bytesBefore, bytesAfter: (await fileSizeBytes(file)) ?? 0 };
  } finally {
    await holding?.close();
    await lock.close();
  }
}

/** The open write transaction keeps other processes from writing. */
async function holdWriters(file: string): Promise<Connection> {
  const connection = await Connection.open(file);
  try {
    await connection.exec("PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE");
    return connection;
  } catch (error) {
    await connection.close().catch(() => undefined);
    if (!isBusy(error)) throw error;
    throw new StoreRefused(`another process writes to ${file}; try again when it has ended`, {
      cause: error,
    });
  }
}

/** The copy needs at most the size of the used pages. */
async function assertFreeSpace(file: string): Promise<void> {
  const neededBytes = await withReadOnlyConnection(file, async (connection) => {
    const row = await connection.get<{ bytes: number }>(
      `SELECT (c.page_count - f.freelist_count) * s.page_size AS bytes
       FROM pragma_page_count c, pragma_freelist_count f, pragma_page_size s`,
    );
    return row!.bytes;
  });
  const { bavail, bsize } = await statfs(dirname(file));
  const freeBytes = bavail * bsize;
  if (freeBytes >= neededBytes) return;
  throw new StoreRefused(
    `${dirname(file)} has ${mebibytes(freeBytes)} MiB of free space, and the compacted copy of the database needs up to ` +
      `${mebibytes(neededBytes)} MiB; free some space, or move the database to a larger disk`,
  );
}

function mebibytes(bytes: number): number {
  return Math.ceil(bytes / 1024 ** 2);
}
