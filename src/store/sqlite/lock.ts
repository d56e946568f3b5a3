/**
 * One daemon per database file. The lock is SQLite's own, held on a small file beside the database: the system drops it
 * when the process dies, however it dies, so nothing stale is ever left behind.
 */
import { StoreRefused, StoreUnavailable } from "../engine.js";
import { Connection } from "./connection.js";

/** Takes the lock until `close()`. Throws `StoreRefused` where another process holds it. */
export async function lockFile(file: string): Promise<Connection> {
  const connection = await Connection.open(`${file}-lock`);
  try {
    await connection.exec("PRAGMA journal_mode=DELETE; PRAGMA busy_timeout=0; BEGIN EXCLUSIVE");
    return connection;
  } catch (error) {
    await connection.close().catch(() => undefined);
    if (!(error instanceof StoreUnavailable)) throw error;
    throw new StoreRefused(`another daemon is running on ${file}; stop it, or choose another data folder`, {
      cause: error,
    });
  }
}
