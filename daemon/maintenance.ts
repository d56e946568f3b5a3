/** Maintenance of the database: backups, checks, copies and operators. Most of it works without a daemon. */
import { rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { isoTime, now } from "../src/kernel/clock.js";
import { randomBytes } from "../src/kernel/ids.js";
import { changeOperator, readOperators } from "../src/service/operator/operators.js";
import { checkStore, type OnCheck } from "../src/store/check.js";
import { type CopyProgress, copyStore } from "../src/store/copy/index.js";
import { parseSqliteUrl, withoutLinks } from "../src/store/engine/database-url.js";
import { type Engine, StoreRefused } from "../src/store/engine/engine.js";
import { isPostgresUrl } from "../src/store/engine/postgres/url.js";
import { copyDatabase, type OnProgress } from "../src/store/engine/sqlite/copy.js";
import { fileSizeBytes, fsyncPath } from "../src/store/engine/sqlite/files.js";
import { inspectDatabase } from "../src/store/engine/sqlite/inspect.js";
import { lockFolder } from "../src/store/engine/sqlite/lock.js";
import { restoreDatabase } from "../src/store/engine/sqlite/restore.js";
import { openWithoutLock } from "../src/store/index.js";
import { compactDatabase } from "../src/store/retention/compact.js";
import { findDaemon } from "./local/find.js";
import { type Settings, withoutPassword } from "./settings.js";

export interface DatabaseLocation extends Pick<Settings, "dataDir" | "databaseUrl"> {
  /** Whether a flag or environment variable names the database. */
  isNamed: boolean;
}

/**
 * Copies a snapshot of the database to `target`, even while the daemon runs. Checks a temporary file before
 * renaming it. If the signal aborts, deletes that file, because it contains the daemon's signing keys. Throws
 * `StoreRefused`.
 */
export async function backUp(
  where: DatabaseLocation,
  target: string,
  { force, onProgress, signal }: { force: boolean; onProgress: OnProgress; signal?: AbortSignal },
): Promise<{ file: string; database: string; bytes: number }> {
  const database = sqliteFileOf(await databaseUrlOf(where), "pg_dump");
  const file = resolve(target);
  if (withoutLinks(file) === resolve(database))
    throw new StoreRefused(
      `cannot write the backup to ${file}, because it is the database itself; choose another file`,
    );
  if (
    await stat(file).then(
      (found) => found.isDirectory(),
      () => false,
    )
  )
    throw new StoreRefused(`${file} is a folder; name a file in it`);
  if (!force && (await fileSizeBytes(file)) !== undefined)
    throw new StoreRefused(`${file} already exists; choose another file, or replace it with --force`);
  const draft = join(dirname(file), `.${basename(file)}.${randomBytes(8).toString("hex")}.part`);
  try {
    await copyDatabase(database, draft, onProgress, signal);
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
  await fsyncPath(dirname(file));
  return { file, database, bytes: (await fileSizeBytes(file)) ?? 0 };
}

/**
 * Restores a backup. Replaces an existing database only with `replace`, and returns the path to which the old
 * one was moved. Throws `StoreRefused` if a daemon is running or the backup is unusable.
 */
export async function restore(
  { dataDir, databaseUrl }: DatabaseLocation,
  backup: string,
  { replace, onProgress }: { replace: boolean; onProgress: OnProgress },
): Promise<{ database: string; kept: string | null; schemaVersion: number }> {
  const database = sqliteFileOf(databaseUrl, "pg_restore");
  return whileLocked(dataDir, async () => {
    const aside = `${database}.before-${isoTime(now()).replaceAll(":", "-")}`;
    const hadOne = await restoreDatabase(resolve(backup), database, { aside, replace, onProgress });
    const { schemaVersion } = await inspectDatabase(database);
    return { database, kept: hadOne ? aside : null, schemaVersion };
  });
}

/**
 * Removes free space from the database file. Throws `StoreRefused` if a daemon is running, if the database is
 * on PostgreSQL, or if the disk has too little space.
 */
export async function compact({ dataDir, databaseUrl }: DatabaseLocation, onProgress: OnProgress) {
  const database = sqliteFileOf(
    databaseUrl,
    "VACUUM FULL (with all daemons stopped, because it locks the tables) or pg_repack",
  );
  return whileLocked(dataDir, async () => ({ database, ...(await compactDatabase(database, onProgress)) }));
}

async function whileLocked<Result>(dataDir: string, work: () => Promise<Result>): Promise<Result> {
  const lock = await lockFolder(dataDir);
  try {
    return await work();
  } finally {
    await lock.close();
  }
}

/** Throws `StoreRefused` if the database cannot be opened. */
export async function checkDatabase(where: DatabaseLocation, onCheck: OnCheck) {
  const database = await databaseUrlOf(where);
  return { database: withoutPassword(database), ...(await checkStore(database, onCheck)) };
}

/**
 * Copies a service's data to an empty database. A repeated call continues an interrupted copy. Throws
 * `StoreRefused`.
 */
export async function copyService(from: string, to: string, onProgress: (progress: CopyProgress) => void) {
  const names = { from: displayUrl(from), to: displayUrl(to) };
  return { ...names, ...(await copyStore({ from, to, sourceName: names.from, onProgress })) };
}

/**
 * Makes a SQLite path absolute, because the next command may run in another folder. Throws `StoreRefused` for
 * an unknown URL scheme.
 */
function displayUrl(databaseUrl: string): string {
  if (isPostgresUrl(databaseUrl)) return withoutPassword(databaseUrl);
  return `sqlite:${resolve(parseSqliteUrl(databaseUrl))}`;
}

/**
 * Without a flag or variable, returns the URL that the data folder's running daemon uses, or else the
 * default.
 */
async function databaseUrlOf({ dataDir, databaseUrl, isNamed }: DatabaseLocation): Promise<string> {
  if (isNamed) return databaseUrl;
  const found = await findDaemon(dataDir);
  return found.status === "running" ? found.state.database_url : databaseUrl;
}

/**
 * Throws `StoreRefused` for a PostgreSQL URL.
 * @param postgresTool the PostgreSQL command that the error message recommends
 */
function sqliteFileOf(databaseUrl: string, postgresTool: string): string {
  if (!isPostgresUrl(databaseUrl)) return parseSqliteUrl(databaseUrl);
  throw new PostgresRefused(withoutPassword(databaseUrl), postgresTool);
}

class PostgresRefused extends StoreRefused {
  constructor(
    readonly postgresUrl: string,
    tool: string,
  ) {
    super(`${postgresUrl} is a PostgreSQL database; this command is for SQLite, use ${tool} instead`);
  }
}

/** Throws an `Error` if the database cannot be opened. */
export function listOperators(databaseUrl: string) {
  return withDatabase(databaseUrl, readOperators);
}

/** Throws NOT_FOUND for an unknown handle. */
export function setOperator(databaseUrl: string, handle: string, change: "grant" | "revoke") {
  return withDatabase(databaseUrl, (engine) => changeOperator(engine, handle, change));
}

/**
 * Uses short transactions, so the daemon may keep running
 * (docs/specification/dashboard-operations.md#operators).
 */
async function withDatabase<Result>(
  databaseUrl: string,
  work: (engine: Engine) => Promise<Result>,
): Promise<Result> {
  const engine = await openWithoutLock(databaseUrl);
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}
