/** Parses the SQLite form of `--database-url`; `postgres/url.ts` parses the PostgreSQL form. */
import { readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { StoreRefused } from "./engine.js";

/**
 * Returns the file path in a URL such as `sqlite:/path/to/file`, with symbolic links resolved. Throws
 * `StoreRefused` for any other scheme.
 */
export function parseSqliteUrl(databaseUrl: string): string {
  return withoutLinks(pathOf(databaseUrl));
}

function pathOf(databaseUrl: string): string {
  if (databaseUrl.startsWith("sqlite://")) return fileURLToPath(databaseUrl.replace("sqlite:", "file:"));
  if (databaseUrl.startsWith("sqlite:") && databaseUrl.length > "sqlite:".length) {
    return databaseUrl.slice("sqlite:".length);
  }
  const [scheme] = databaseUrl.includes(":") ? databaseUrl.split(":") : [];
  const problem = scheme === undefined ? "no scheme" : `the scheme ${JSON.stringify(scheme)}`;
  throw new StoreRefused(
    `the database URL has ${problem}; use sqlite:/path/to/file or postgres://user@host/database`,
  );
}

/**
 * Resolves symbolic links, because SQLite puts a database's other files, such as the WAL, beside the link's
 * target. The target need not exist yet.
 */
export function withoutLinks(path: string): string {
  const real = realPathOf(path);
  if (real !== undefined) return real;
  const target = targetOf(path);
  if (target !== undefined) return withoutLinks(resolve(dirname(path), target));
  const folder = realPathOf(dirname(path));
  return folder === undefined ? path : join(folder, basename(path));
}

/**
 * Returns undefined if the file does not exist. After another error, returns `path`, because opening it will
 * report the reason.
 */
function realPathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? undefined : path;
  }
}

/** Returns undefined if `path` is not a link. */
function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
