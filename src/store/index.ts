/** The store: one database, and what wakes those who wait for it. */
import { newSecret } from "../kernel/ids.js";
import { sqliteFile } from "./database-url.js";
import type { Engine } from "./engine.js";
import { InboxBell } from "./inbox-bell.js";
import { keepMeta, readMeta } from "./meta.js";
import { SqliteEngine } from "./sqlite/index.js";

export interface Store {
  engine: Engine;
  bell: InboxBell;
  /** Keys the cursors; it belongs to the database, so cursors outlive a restart. */
  cursorSecret: string;
}

/** Opens what `--database-url` names: `sqlite:/path/to/file`. Throws `StoreRefused` with what to do. */
export async function openStore(databaseUrl: string): Promise<Store> {
  const engine = await SqliteEngine.open(sqliteFile(databaseUrl));
  const cursorSecret =
    (await readMeta(engine.reader, "cursor_secret")) ??
    (await engine.write((tx) => keepMeta(tx, "cursor_secret", newSecret())));
  return { engine, bell: new InboxBell(), cursorSecret };
}

/**
 * Opens the same database for a few short transactions beside a daemon that may be running on it: without the daemon's lock,
 * and as it is, neither created nor migrated. Throws `StoreRefused` with what to do.
 */
export function openBeside(databaseUrl: string): Promise<Engine> {
  return SqliteEngine.openBeside(sqliteFile(databaseUrl));
}
