import type { Session } from "../engine.js";
import { Connection } from "./connection.js";
import { inspectDatabase } from "./inspect.js";
import { lockFile } from "./lock.js";
import { assertMigrated } from "./migrate.js";

/**
 * Runs `work` while no other process can change the file. Throws `StoreRefused` if a daemon is running on the
 * file, if the file does not exist, or if it has another schema version.
 */
export async function withFileLocked<Result>(
  file: string,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  await inspectDatabase(file);
  const lock = await lockFile(file);
  let connection: Connection | undefined;
  try {
    connection = await Connection.open(file);
    await connection.exec("PRAGMA busy_timeout = 5000; PRAGMA mmap_size = 268435456;");
    await assertMigrated(connection, file);
    await connection.exec("BEGIN IMMEDIATE");
    return await work(connection);
  } finally {
    // Closing the connection also rolls back its transaction.
    await connection?.close();
    await lock.close();
  }
}
