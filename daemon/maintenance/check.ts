import { type CheckReport, checkStore, type OnCheck } from "../../src/store/check.js";
import { withoutCredentials } from "../settings.js";
import { type DatabaseLocation, databaseUrlOf } from "./database.js";

export type { CheckProgress } from "../../src/store/check.js";

export interface CheckResult extends CheckReport {
  /** URL of the checked database, without credentials. */
  database: string;
}

/**
 * Checks a database. Throws `StoreRefused` if it cannot be opened.
 * @param onCheck called with the progress
 */
export async function checkDatabase(where: DatabaseLocation, onCheck: OnCheck): Promise<CheckResult> {
  const database = await databaseUrlOf(where);
  return { database: withoutCredentials(database), ...(await checkStore(database, onCheck)) };
}
