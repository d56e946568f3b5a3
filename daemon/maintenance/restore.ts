import { resolve } from "node:path";
import { isoTime, now } from "../../src/kernel/clock.js";
import { lockFolder } from "../../src/service/host/lock.js";
import {
  type DatabaseInfo,
  inspectDatabase,
  type OnProgress,
  restoreDatabase,
} from "../../src/service/host/maintenance.js";
import { type DatabaseLocation, sqliteFileOf } from "./database.js";

export interface RestoreResult {
  database: string;
  /** Path to which the previous database was moved. Null if there was no previous database. */
  kept: string | null;
  schemaVersion: DatabaseInfo["schemaVersion"];
}

/**
 * Replaces the database with a backup, and keeps the old file under another name. Locks the data folder, so that no daemon can
 * start meanwhile. Throws `StoreRefused` if a daemon is running. Also throws if the backup is missing, damaged, newer, or not a
 * Wireroom database.
 */
export async function restore(
  { dataDir, databaseUrl }: DatabaseLocation,
  backup: string,
  onProgress: OnProgress,
): Promise<RestoreResult> {
  const database = sqliteFileOf(databaseUrl, "pg_restore");
  const lock = await lockFolder(dataDir);
  try {
    const previousFile = `${database}.before-${isoTime(now()).replaceAll(":", "-")}`;
    const hadOne = await restoreDatabase(resolve(backup), database, previousFile, onProgress);
    const { schemaVersion } = await inspectDatabase(database);
    return { database, kept: hadOne ? previousFile : null, schemaVersion };
  } finally {
    await lock.close();
  }
}
