/** Reads the database's sizes for `wireroom status`. */
import { parseSqliteUrl } from "../../src/store/engine/database-url.js";
import { StoreRefused } from "../../src/store/engine/engine.js";
import { fileSizeBytes } from "../../src/store/engine/sqlite/files.js";
import { inspectDatabase } from "../../src/store/engine/sqlite/inspect.js";

/** Null for PostgreSQL and for an unreadable file. */
export interface DatabaseSizes {
  database_bytes: number | null;
  /** Size of the write-ahead log, which contains commits that are not in the database file yet. */
  wal_bytes: number | null;
  schema_version: number | null;
}

const UNKNOWN: DatabaseSizes = { database_bytes: null, wal_bytes: null, schema_version: null };

export async function readDatabaseSizes(databaseUrl: string): Promise<DatabaseSizes> {
  if (!databaseUrl.startsWith("sqlite:")) return UNKNOWN;
  const file = parseSqliteUrl(databaseUrl);
  const bytes = await fileSizeBytes(file);
  if (bytes === undefined) return UNKNOWN;
  try {
    const { walSizeBytes: walBytes, schemaVersion } = await inspectDatabase(file);
    return { database_bytes: bytes, wal_bytes: walBytes, schema_version: schemaVersion };
  } catch (error) {
    if (!(error instanceof StoreRefused)) throw error;
    return { ...UNKNOWN, database_bytes: bytes };
  }
}
