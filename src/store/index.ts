/** The store: one database, and what wakes those who wait for it. */
import { fileURLToPath } from "node:url";
import { newSecret } from "../kernel/ids.js";
import { type Engine, StoreRefused } from "./engine.js";
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
  const engine = isPostgresUrl(databaseUrl)
    ? await PostgresEngine.open(databaseUrl)
    : await SqliteEngine.open(sqliteFile(databaseUrl));
  const cursorSecret =
    (await readMeta(engine.reader, "cursor_secret")) ??
    (await engine.write((tx) => keepMeta(tx, "cursor_secret", newSecret())));
  const bell = new InboxBell();
  engine.onNews((news) => {
    if (news === undefined) bell.ringAll();
    else if (news.topic === "inbox") bell.ring(news.handle);
  });
  return { engine, bell, cursorSecret };
}

function sqliteFile(databaseUrl: string): string {
  if (databaseUrl.startsWith("sqlite://")) return fileURLToPath(databaseUrl.replace("sqlite:", "file:"));
  if (databaseUrl.startsWith("sqlite:") && databaseUrl.length > "sqlite:".length) {
    return databaseUrl.slice("sqlite:".length);
  }
  const scheme = databaseUrl.split(":")[0];
  throw new StoreRefused(
    `the database URL has the scheme ${JSON.stringify(scheme)}; this version serves sqlite:/path/to/file and postgres://user@host/database`,
  );
}
