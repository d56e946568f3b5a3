import { resolve } from "node:path";
import { isoTime, now } from "../../src/kernel/clock.js";
import type { OnProgress } from "../../src/store/engine/sqlite/copy.js";
import { type DatabaseInfo, inspectDatabase } from "../../src/store/engine/sqlite/inspect.js";
import { lockFolder } from "../../src/store/engine/sqlite/lock.js";
import { restoreDatabase } from "../../src/store/engine/sqlite/restore.js";
import { type DatabaseLocation, sqliteFileOf } from "./database.js";

export interface RestoreResult {
  database: string;
  /** New path of the previous database. Null if there was no previous database. */
  kept: string | null;
  schemaVersion: DatabaseInfo["schemaVersion"];
}

/**
 * Restores a backup. Locks the data folder meanwhile. Replaces an existing database only with `replace`, and
 * keeps the old one under another name. Throws `StoreRefused` if a daemon is running or the backup is
 * unusable.
 */
export async function restore(
  { dataDir, databaseUrl }: DatabaseLocation,
  backup: string,
  { replace, onProgress }: { replace: boolean; onProgress: OnProgress },
): Promise<RestoreResult> {
  const database = sqliteFileOf(databaseUrl, "pg_restore");
  const lock = await lockFolder(dataDir);
  try {
    const aside = `${database}.before-${isoTime(now()).replaceAll(":", "-")}`;
    const hadOne = await restoreDatabase(resolve(backup), database, { aside, replace, onProgress });
    const { schemaVersion } = await inspectDatabase(database);
    return { database, kept: hadOne ? aside : null, schemaVersion };
  } finally {
    await lock.close();
  }
}
