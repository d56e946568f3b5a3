import { resolve } from "node:path";
import { isoTime, now } from "../../src/kernel/clock.js";
import {
  type DatabaseFacts,
  inspect,
  lockFolder,
  type OnProgress,
  restoreDatabase,
} from "../../src/service/host/maintenance.js";
import { fileOf, type Where } from "./database.js";

export interface Restored {
  database: string;
  /** Where the database that was there before is kept; null where there was none. */
  kept: string | null;
  schemaVersion: DatabaseFacts["schemaVersion"];
}

/**
 * Puts a backup in the place of the database, which is kept beside it. No daemon may run, and none can start meanwhile.
 * Throws `StoreRefused`: a daemon runs, or `backup` is missing, damaged, of a newer version, or none of Wireroom's.
 */
export async function restore(
  { dataDir, databaseUrl }: Where,
  backup: string,
  onProgress: OnProgress,
): Promise<Restored> {
  const database = fileOf(databaseUrl, "pg_restore");
  const hold = await lockFolder(dataDir);
  try {
    const aside = `${database}.before-${isoTime(now()).replaceAll(":", "-")}`;
    const hadOne = await restoreDatabase(resolve(backup), database, aside, onProgress);
    const { schemaVersion } = await inspect(database);
    return { database, kept: hadOne ? aside : null, schemaVersion };
  } finally {
    await hold.close();
  }
}
