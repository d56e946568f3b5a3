/**
 * Locks between processes. A lock is an exclusive SQLite transaction on a small file. The operating system
 * releases the lock when the process ends, even after a crash, so a lock never becomes stale.
 */
import { access } from "node:fs/promises";
import { join } from "node:path";
import { StoreRefused } from "../engine.js";
import { Connection } from "./connection.js";
import { isBusy } from "./errors.js";
import { assertWritable } from "./files.js";

/** A starting daemon waits for the lock, because `isFolderLocked` in another process may briefly hold it. */
const LOCK_TIMEOUT_MS = 500;

export type Lock = Pick<Connection, "close">;

/** Throws `StoreRefused` if another daemon uses the database file. */
export function lockFile(file: string): Promise<Connection> {
  return acquireLock(`${file}-lock`, `${file}; stop it, or choose another data folder`);
}

/**
 * Throws `StoreRefused` if another daemon uses the data folder, even if its database is elsewhere, or if the
 * folder is not writable.
 */
export async function lockFolder(folder: string): Promise<Lock> {
  return acquireLock(
    lockFileIn(folder),
    `${folder}; stop it (wireroom down --data-dir '${folder}'), or choose another data folder`,
  );
}

export function isFolderLocked(folder: string): Promise<boolean> {
  return isLocked(lockFileIn(folder));
}

export function isFileLocked(file: string): Promise<boolean> {
  return isLocked(`${file}-lock`);
}

async function isLocked(file: string): Promise<boolean> {
  const exists = await access(file).then(
    () => true,
    () => false,
  );
  if (!exists) return false;
  const connection = await Connection.openReadOnly(file);
  try {
    // Turn the timeout off, because each call would otherwise wait for a second while a daemon runs.
    await connection.exec("PRAGMA busy_timeout=0");
    await connection.all("SELECT 1 FROM sqlite_master");
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw unusableLock(file, error);
  } finally {
    await connection.close();
  }
}

function lockFileIn(folder: string): string {
  return join(folder, "daemon-lock");
}

async function acquireLock(file: string, locked: string): Promise<Connection> {
  // On a read-only file, SQLite accepts BEGIN EXCLUSIVE but locks nothing.
  await assertWritable(file);
  const connection = await Connection.open(file);
  try {
    await connection.exec(
      `PRAGMA journal_mode=DELETE; PRAGMA busy_timeout=${LOCK_TIMEOUT_MS}; BEGIN EXCLUSIVE`,
    );
    return connection;
  } catch (error) {
    await connection.close().catch(() => undefined);
    if (!isBusy(error)) throw unusableLock(file, error);
    throw new StoreRefused(`another daemon is running on ${locked}`, { cause: error });
  }
}

function unusableLock(file: string, error: unknown): StoreRefused {
  const reason = `the lock file ${file} cannot be used (${(error as Error).message})`;
  return new StoreRefused(`${reason}; if no daemon is running, remove it`, { cause: error });
}
