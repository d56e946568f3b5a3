import type { OnProgress } from "../../src/store/engine/sqlite/copy.js";
import { lockFolder } from "../../src/store/engine/sqlite/lock.js";
import { type CompactedSizes, compactDatabase } from "../../src/store/retention/compact.js";
import { type DatabaseLocation, sqliteFileOf } from "./database.js";

export interface CompactResult extends CompactedSizes {
  /** Path of the database. */
  database: string;
}

/**
 * Shrinks the database file by its free space. Locks the data folder meanwhile. Throws `StoreRefused` if a
 * daemon is running, on PostgreSQL, or if the disk has too little space.
 */
export async function compact(
  { dataDir, databaseUrl }: DatabaseLocation,
  onProgress: OnProgress,
): Promise<CompactResult> {
  const database = sqliteFileOf(
    databaseUrl,
    "VACUUM FULL (with all daemons stopped, because it locks the tables) or pg_repack",
  );
  const lock = await lockFolder(dataDir);
  try {
    return { database, ...(await compactDatabase(database, onProgress)) };
  } finally {
    await lock.close();
  }
}
