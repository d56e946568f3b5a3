/**
 * Locks between processes. A lock is SQLite's own, held on a small file: the system drops it when the process dies,
 * however it dies, so nothing stale is ever left behind.
 */
import { access } from "node:fs/promises";
import { join } from "node:path";
import { StoreRefused, StoreUnavailable } from "../engine.js";
import { Connection } from "./connection.js";
import { assertWritable } from "./folder.js";

/** Milliseconds to wait: `isLocked` holds a lock for a moment, which must turn no daemon away. */
const PATIENCE = 500;

/** A lock that is held until `close()`. */
export type Lock = Pick<Connection, "close">;

/** One daemon per database file. Throws `StoreRefused` where another process holds it. */
export function lockFile(file: string): Promise<Connection> {
  return take(`${file}-lock`, file);
}

/**
 * One daemon per data folder, wherever its database lies; the folder is made where there is none. Throws `StoreRefused`
 * where another process holds it, or where it cannot be written.
 */
export async function lockFolder(folder: string): Promise<Lock> {
  const file = lockOf(folder);
  await assertWritable(file);
  return take(file, folder);
}

/** Whether a daemon holds the folder now. */
export async function isFolderLocked(folder: string): Promise<boolean> {
  const file = lockOf(folder);
  const exists = await access(file).then(
    () => true,
    () => false,
  );
  if (!exists) return false;
  const connection = await Connection.openReadOnly(file);
  try {
    await connection.all("SELECT 1 FROM sqlite_master");
    return false;
  } catch (error) {
    if (error instanceof StoreUnavailable && isBusy(error)) return true;
    throw error;
  } finally {
    await connection.close();
  }
}

function lockOf(folder: string): string {
  return join(folder, "daemon-lock");
}

async function take(file: string, held: string): Promise<Connection> {
  const connection = await Connection.open(file);
  try {
    await connection.exec(`PRAGMA journal_mode=DELETE; PRAGMA busy_timeout=${PATIENCE}; BEGIN EXCLUSIVE`);
    return connection;
  } catch (error) {
    await connection.close().catch(() => undefined);
    if (!(error instanceof StoreUnavailable && isBusy(error))) throw error;
    throw new StoreRefused(`another daemon is running on ${held}; stop it, or choose another data folder`, {
      cause: error,
    });
  }
}

function isBusy({ message }: Error): boolean {
  return message.startsWith("SQLITE_BUSY");
}
