/** Checks a database without a daemon: what `wireroom store check` checks, and the other invariants. */
import { checkStore } from "../../src/store/check.js";
import { parseSqliteUrl } from "../../src/store/engine/database-url.js";
import { withReadOnlyTransaction } from "../../src/store/engine/postgres/locked-read.js";
import { isPostgresUrl } from "../../src/store/engine/postgres/url.js";
import { withReadOnlyConnection } from "../../src/store/engine/sqlite/inspect.js";
import { databaseUrlOf } from "../../test/harness/database.js";
import { brokenInvariants } from "./invariants/index.js";

/** @param url URL of the database; default: the database of the data folder */
export async function databaseProblems(dataDir: string, url = databaseUrlOf(dataDir)): Promise<string[]> {
  const { broken } = await checkStore(url, () => {});
  const others = isPostgresUrl(url)
    ? await withReadOnlyTransaction(url, brokenInvariants)
    : await withReadOnlyConnection(parseSqliteUrl(url), brokenInvariants);
  return [
    ...broken.map(({ name, found }) => `store check: ${name}: ${found}`),
    ...others.map(({ name, found }) => `${name}: ${found}`),
  ];
}
