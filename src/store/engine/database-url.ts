/** Parses the SQLite form of `--database-url`; `postgres/url.ts` parses the PostgreSQL form. */
import { readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { StoreRefused } from "./engine.js";

/**
 * Returns the file path in a URL such as `sqlite:/path/to/file`, without symbolic links. Throws
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
  const scheme = databaseUrl.split(":")[0];
  throw new StoreRefused(
    `the database URL has the scheme ${JSON.stringify(scheme)}; use sqlite:/path/to/file or postgres://user@host/database`,
  );
}

/**
 * Returns the path of the file to which symbolic links lead, even if it does not exist. SQLite puts the files
 * that belong to a database beside this file, and not beside a link.
 */
export function withoutLinks(path: string): string {
  const real = realPathOf(path);
  if (real !== undefined) return real;
  const target = targetOf(path);
  if (target !== undefined) return withoutLinks(resolve(dirname(path), target));
  const folder = realPathOf(dirname(path));
  return folder === undefined ? path : join(folder, basename(path));
}

/** Returns undefined if there is no such file. Opening a path that cannot be followed shows the reason. */
function realPathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? undefined : path;
  }
}

/** Returns where a symbolic link to a missing file leads. */
function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
