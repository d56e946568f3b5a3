import { rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import {
  copyDatabase,
  type OnProgress,
  StoreRefused,
  sizeOf,
  sync,
} from "../../src/service/host/maintenance.js";
import { databaseUrlOf, fileOf, type Where } from "./database.js";

export interface Backup {
  file: string;
  /** The database that was copied. */
  database: string;
  bytes: number;
}

/**
 * Copies the database into `target`, also while the daemon runs: all that was committed at that moment. The file appears
 * under its name once it is whole, checked and on disk. Throws `StoreRefused`.
 */
export async function backUp(
  where: Where,
  target: string,
  { force, onProgress }: { force: boolean; onProgress: OnProgress },
): Promise<Backup> {
  const database = fileOf(await databaseUrlOf(where), "pg_dump");
  const file = resolve(target);
  if (file === resolve(database)) throw new StoreRefused(`${file} is the database itself; name another file`);
  if (!force && (await sizeOf(file)) !== undefined)
    throw new StoreRefused(`${file} is there already; name another file, or say --force to replace it`);
  const draft = join(dirname(file), `.${basename(file)}.${process.pid}.part`);
  try {
    await copyDatabase(database, draft, onProgress);
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
  await sync(dirname(file));
  return { file, database, bytes: (await sizeOf(file)) ?? 0 };
}
