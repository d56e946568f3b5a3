/** What is done to a database from outside of the daemon that serves it. What needs the PostgreSQL driver loads it when called. */
import type { Copied, CopyOptions } from "../../store/copy/index.js";
import type { ServerFacts } from "../../store/engine/postgres/examine.js";

export type { Copied, CopyProgress } from "../../store/copy/index.js";
export { sqliteFile } from "../../store/engine/database-url.js";
export { StoreRefused } from "../../store/engine/engine.js";
export { copyDatabase, type OnProgress, sync } from "../../store/engine/sqlite/copy.js";
export { type DatabaseFacts, inspect, integrityProblems, sizeOf } from "../../store/engine/sqlite/inspect.js";
export { isFolderLocked, type Lock, lockFolder } from "../../store/engine/sqlite/lock.js";
export { restoreDatabase } from "../../store/engine/sqlite/restore.js";

export async function copyStore(options: CopyOptions): Promise<Copied> {
  return (await import("../../store/copy/index.js")).copyStore(options);
}

export async function examineServer(databaseUrl: string): Promise<ServerFacts> {
  return (await import("../../store/engine/postgres/examine.js")).examineServer(databaseUrl);
}
