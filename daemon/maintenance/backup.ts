import { rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { randomBytes } from "../../src/kernel/ids.js";
import { withoutLinks } from "../../src/store/engine/database-url.js";
import { StoreRefused } from "../../src/store/engine/engine.js";
import { copyDatabase, type OnProgress } from "../../src/store/engine/sqlite/copy.js";
import { fileSizeBytes, fsyncPath } from "../../src/store/engine/sqlite/files.js";
import { type DatabaseLocation, databaseUrlOf, sqliteFileOf } from "./database.js";

export interface BackupResult {
  file: string;
  /** Path of the copied database. */
  database: string;
  bytes: number;
}

/**
 * Copies a consistent snapshot of the database to `target`, even while the daemon runs. Writes a temporary
 * file, checks it, syncs it to disk, and then renames it. If the signal aborts, deletes the temporary file,
 * because it contains the daemon's signing keys, and rejects with the signal's reason. Throws `StoreRefused`.
 */
export async function backUp(
  where: DatabaseLocation,
  target: string,
  { force, onProgress, signal }: { force: boolean; onProgress: OnProgress; signal?: AbortSignal },
): Promise<BackupResult> {
  const database = sqliteFileOf(await databaseUrlOf(where), "pg_dump");
  const file = resolve(target);
  if (withoutLinks(file) === resolve(database))
    throw new StoreRefused(
      `cannot write the backup to ${file}, because it is the database itself; choose another file`,
    );
  if (!force && (await fileSizeBytes(file)) !== undefined)
    throw new StoreRefused(`${file} already exists; choose another file, or replace it with --force`);
  const draft = join(dirname(file), `.${basename(file)}.${randomBytes(8).toString("hex")}.part`);
  try {
    await copyDatabase(database, draft, onProgress, signal);
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
  await fsyncPath(dirname(file));
  return { file, database, bytes: (await fileSizeBytes(file)) ?? 0 };
}
