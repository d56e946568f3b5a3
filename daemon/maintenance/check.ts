import { type CheckReport, checkStore, type OnCheck } from "../../src/service/host/maintenance.js";
import { withoutCredentials } from "../settings.js";
import { type DatabaseLocation, databaseUrlOf } from "./database.js";

export type { CheckProgress } from "../../src/service/host/maintenance.js";

export interface CheckResult extends CheckReport {
  /** URL of the checked database, without credentials. */
  database: string;
}

/**
 * Checks the database of the daemon that is running on the data folder, or the database from the settings. Throws
 * `StoreRefused` if the database cannot be opened.
 * @param onCheck is called with the progress
 */
export async function checkDatabase(where: DatabaseLocation, onCheck: OnCheck): Promise<CheckResult> {
  const found = await databaseUrlOf(where);
  // The state file of a running daemon contains no password, so the URL from the settings is used if it is the same database.
  const isOfSettings = found === withoutCredentials(where.databaseUrl);
  const database = isOfSettings ? where.databaseUrl : found;
  return { database: withoutCredentials(database), ...(await checkStore(database, onCheck)) };
}
