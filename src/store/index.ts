/** The store: one database, and what wakes those who wait for it. */
import { newSecret } from "../kernel/ids.js";
import { assertWhole } from "./copy/unfinished.js";
import { sqliteFile } from "./engine/database-url.js";
import type { Engine, Transaction } from "./engine/engine.js";
import { InboxNotifier } from "./engine/events.js";
import { isPostgresUrl } from "./engine/postgres/url.js";
import { SqliteEngine } from "./engine/sqlite/index.js";
import { InboxEnds } from "./inbox/ends.js";
import { keepMeta, readMeta } from "./meta.js";
import { FirstPages } from "./wires/first-pages.js";

export interface Store {
  engine: Engine;
  notifier: InboxNotifier;
  ends: InboxEnds;
  firstPages: FirstPages;
  /** Keys the cursors; it belongs to the database, so cursors outlive a restart. */
  cursorSecret: string;
}

/** Opens what `--database-url` names: `sqlite:/path/to/file` or `postgres://…`. Throws `StoreRefused` with what to do. */
export async function openStore(databaseUrl: string): Promise<Store> {
  const engine: Engine = isPostgresUrl(databaseUrl)
    ? await (await import("./engine/postgres/index.js")).PostgresEngine.open(databaseUrl)
    : await SqliteEngine.open(sqliteFile(databaseUrl));
  const cursorSecret = await whole(engine, async () => {
    await assertWhole(engine.reader);
    return (await readMeta(engine.reader, "cursor_secret")) ?? (await engine.write(firstSecret));
  });
  const notifier = new InboxNotifier();
  const ends = new InboxEnds(engine, notifier);
  const firstPages = new FirstPages(engine);
  // Last, as inbox ends ask it who waits, and a woken long-poll reads what they know.
  notifier.listenTo(engine);
  return { engine, notifier, ends, firstPages, cursorSecret };
}

/** Stored before the second look for a copy, so that of a daemon and a copy that start at once one sees the other. */
async function firstSecret(tx: Transaction): Promise<string> {
  const secret = await keepMeta(tx, "cursor_secret", newSecret());
  await assertWhole(tx);
  return secret;
}

/** Runs a check of the database, which is closed where it does not hold. */
async function whole<Result>(engine: Engine, check: () => Promise<Result>): Promise<Result> {
  try {
    return await check();
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/**
 * Opens the same database for a few short transactions beside a daemon that may be running on it: without the daemon's lock,
 * and as it is, neither created nor migrated (PostgreSQL is open to any number of daemons as it is). Throws `StoreRefused` with what to do.
 */
export async function openBeside(databaseUrl: string): Promise<Engine> {
  const engine: Engine = isPostgresUrl(databaseUrl)
    ? await (await import("./engine/postgres/index.js")).PostgresEngine.open(databaseUrl)
    : await SqliteEngine.openBeside(sqliteFile(databaseUrl));
  await whole(engine, () => assertWhole(engine.reader));
  return engine;
}
