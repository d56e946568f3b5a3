import { resolve } from "node:path";
import { type CopyProgress, type CopyReport, copyStore } from "../../src/store/copy/index.js";
import { parseSqliteUrl } from "../../src/store/engine/database-url.js";
import { withoutCredentials } from "../settings.js";

export type { CopyProgress };

export interface CopyResult extends CopyReport {
  /** URLs of both databases, without credentials. */
  from: string;
  to: string;
}

/**
 * Copies a service's data to another, empty database. A repeated call resumes an interrupted copy. Throws
 * `StoreRefused`.
 */
export async function copyService(
  from: string,
  to: string,
  onProgress: (progress: CopyProgress) => void,
): Promise<CopyResult> {
  const names = { from: displayUrl(from), to: displayUrl(to) };
  return { ...names, ...(await copyStore({ from, to, sourceName: names.from, onProgress })) };
}

/**
 * Returns a database URL for display. Makes SQLite paths absolute, because the next command may run in
 * another folder. Throws `StoreRefused` for an unknown URL scheme.
 */
function displayUrl(databaseUrl: string): string {
  const isServer = /^postgres(ql)?:\/\//.test(databaseUrl);
  return isServer ? withoutCredentials(databaseUrl) : `sqlite:${resolve(parseSqliteUrl(databaseUrl))}`;
}
