/** Opens the source database of a copy and locks it against writes. */
import { sha256 } from "../../kernel/hash.js";
import { parseSqliteUrl } from "../engine/database-url.js";
import type { Session } from "../engine/engine.js";
import { readMeta } from "../engine/meta.js";
import { withTablesLocked } from "../engine/postgres/locked-read.js";
import { isPostgresUrl } from "../engine/postgres/url.js";
import { withFileLocked } from "../engine/sqlite/locked-read.js";
import { assertNoUnfinishedCopy } from "./copy-state.js";
import type { Table } from "./tables.js";

/**
 * Runs `work` while the database is locked against writes. Throws `StoreRefused` if a daemon is running on
 * the database. Also throws if the database does not exist, has another schema version, or is an unfinished
 * copy.
 */
export async function withSourceLocked<Result>(
  databaseUrl: string,
  tables: readonly Table[],
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const checkedWork = async (session: Session) => {
    await assertNoUnfinishedCopy(session);
    return work(session);
  };
  return isPostgresUrl(databaseUrl)
    ? withTablesLocked(
        databaseUrl,
        tables.map(({ name }) => name),
        checkedWork,
      )
    : withFileLocked(parseSqliteUrl(databaseUrl), checkedWork);
}

/**
 * Returns an id that stays the same when a service is copied. The id is a hash of the cursor secret and does
 * not reveal the secret.
 */
export async function serviceFingerprint(source: Session): Promise<string> {
  return sha256(`service ${(await readMeta(source, "cursor_secret")) ?? ""}`);
}
