/** The database that is copied, and kept from changing meanwhile. */
import { sha256 } from "../../kernel/hash.js";
import { sqliteFile } from "../engine/database-url.js";
import type { Session } from "../engine/engine.js";
import { holdDatabase } from "../engine/postgres/hold.js";
import { isPostgresUrl } from "../engine/postgres/url.js";
import { holdFile } from "../engine/sqlite/hold.js";
import { readMeta } from "../meta.js";
import type { Table } from "./tables.js";
import { assertWhole } from "./unfinished.js";

/**
 * Runs `work` while nothing can change the database. Throws `StoreRefused` where a daemon runs on it, where it is not
 * there, of another version, or itself an unfinished copy.
 */
export async function holdingSource<Result>(
  databaseUrl: string,
  tables: readonly Table[],
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const whole = async (session: Session) => {
    await assertWhole(session);
    return work(session);
  };
  return isPostgresUrl(databaseUrl)
    ? holdDatabase(
        databaseUrl,
        tables.map(({ name }) => name),
        whole,
      )
    : holdFile(sqliteFile(databaseUrl), whole);
}

/** What a service is known by, wherever its database lies: made of the secret of its cursors, which it tells nothing of. */
export async function serviceOf(source: Session): Promise<string> {
  return sha256(`service ${(await readMeta(source, "cursor_secret")) ?? ""}`);
}
