/**
 * Database maintenance for commands that run outside the daemon. Only calls that need the PostgreSQL driver
 * load it.
 */
import type { CheckReport, OnCheck } from "../../store/check.js";
import type { CopyOptions, CopyReport } from "../../store/copy/index.js";
import type { ServerInfo } from "../../store/engine/postgres/inspect.js";

export type { CheckProgress, CheckReport, OnCheck } from "../../store/check.js";
export type { CopyProgress, CopyReport } from "../../store/copy/index.js";
export { parseSqliteUrl, withoutLinks } from "../../store/engine/database-url.js";
export { StoreRefused } from "../../store/engine/engine.js";
export { copyDatabase, type OnProgress } from "../../store/engine/sqlite/copy.js";
export { fileSizeBytes, fsyncPath } from "../../store/engine/sqlite/files.js";
export {
  type DatabaseInfo,
  findLostCommits,
  inspectDatabase,
  integrityProblems,
} from "../../store/engine/sqlite/inspect.js";
export { assertNotLost } from "../../store/engine/sqlite/marker.js";
export { restoreDatabase } from "../../store/engine/sqlite/restore.js";
export { type CompactedSizes, compactDatabase } from "../../store/retention/compact.js";

export async function checkStore(databaseUrl: string, onCheck: OnCheck): Promise<CheckReport> {
  return (await import("../../store/check.js")).checkStore(databaseUrl, onCheck);
}

export async function copyStore(options: CopyOptions): Promise<CopyReport> {
  return (await import("../../store/copy/index.js")).copyStore(options);
}

export async function examineServer(databaseUrl: string): Promise<ServerInfo> {
  return (await import("../../store/engine/postgres/inspect.js")).inspectServer(databaseUrl);
}
