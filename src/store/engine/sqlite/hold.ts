import type { Session } from "../engine.js";
import { Connection } from "./connection.js";
import { inspect } from "./inspect.js";
import { lockFile } from "./lock.js";
import { assertMigrated } from "./migrate.js";

/**
 * Runs `work` while nothing can change the file: no daemon can start on it, and what writes beside a daemon waits. Throws
 * `StoreRefused` where a daemon runs on it, where it is missing, or not of this version.
 */
export async function holdFile<Result>(
  file: string,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  await inspect(file);
  const lock = await lockFile(file);
  let connection: Connection | undefined;
  try {
    connection = await Connection.open(file);
    await connection.exec("PRAGMA busy_timeout = 5000; PRAGMA mmap_size = 268435456;");
    await assertMigrated(connection, file);
    await connection.exec("BEGIN IMMEDIATE");
    return await work(connection);
  } finally {
    // Closing ends the transaction, which changed nothing.
    await connection?.close();
    await lock.close();
  }
}
