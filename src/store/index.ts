/** The store: one database, and what wakes those who wait for it. */
import { newSecret } from "../kernel/ids.js";
import { sqliteFile } from "./database-url.js";
import type { Engine } from "./engine.js";
import { InboxBell } from "./inbox-bell.js";
import { keepMeta, readMeta } from "./meta.js";
import { isPostgresUrl, PostgresEngine } from "./postgres/index.js";
import { SqliteEngine } from "./sqlite/index.js";

export interface Store {
  engine: Engine;
  bell: InboxBell;
  /** Keys the cursors; it belongs to the database, so cursors outlive a restart. */
  cursorSecret: string;
}

/** Opens what `--database-url` names: `sqlite:/path/to/file` or `postgres://…`. Throws `StoreRefused` with what to do. */
export async function openStore(databaseUrl: string): Promise<Store> {
  const engine: Engine = isPostgresUrl(databaseUrl)
    ? await PostgresEngine.open(databaseUrl)
    : await SqliteEngine.open(sqliteFile(databaseUrl));
  const cursorSecret =
    (await readMeta(engine.reader, "cursor_secret")) ??
    (await engine.write((tx) => keepMeta(tx, "cursor_secret", newSecret())));
  const bell = new InboxBell();
  engine.onNews((news) => {
    // Also where its standing has changed: requests that are held under a revoked key end.
    if (news) bell.ring(news.handle);
    else bell.ringAll();
  });
  return { engine, bell, cursorSecret };
}

/**
 * Opens the same database for a few short transactions beside a daemon that may be running on it: without the daemon's lock,
 * and as it is, neither created nor migrated (PostgreSQL is open to any number of daemons as it is). Throws `StoreRefused` with what to do.
 */
export function openBeside(databaseUrl: string): Promise<Engine> {
  return isPostgresUrl(databaseUrl)
    ? PostgresEngine.open(databaseUrl)
    : SqliteEngine.openBeside(sqliteFile(databaseUrl));
}
