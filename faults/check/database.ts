/** Checks a database without a daemon, as `wireroom store check` does. */
import { checkStore } from "../../src/store/check/index.js";
import { databaseUrlOf } from "../../test/harness/database.js";

/** @param url URL of the database; by default that of the data folder */
export async function databaseProblems(dataDir: string, url = databaseUrlOf(dataDir)): Promise<string[]> {
  const { broken } = await checkStore(url, () => {});
  return broken.map(({ name, found }) => `store check: ${name}: ${found}`);
}
