import { inspect, StoreRefused, sizeOf, sqliteFile } from "../../src/service/host/maintenance.js";

/** What `wireroom status` tells of the database; null where it is a server's, is not there yet, or cannot be read. */
export interface DatabaseSizes {
  database_bytes: number | null;
  /** The write-ahead log: what is committed but not yet in the file. */
  wal_bytes: number | null;
  schema_version: number | null;
}

const UNKNOWN: DatabaseSizes = { database_bytes: null, wal_bytes: null, schema_version: null };

export async function sizesOf(databaseUrl: string): Promise<DatabaseSizes> {
  if (!databaseUrl.startsWith("sqlite:")) return UNKNOWN;
  const file = sqliteFile(databaseUrl);
  const bytes = await sizeOf(file);
  if (bytes === undefined) return UNKNOWN;
  try {
    const { walBytes, schemaVersion } = await inspect(file);
    return { database_bytes: bytes, wal_bytes: walBytes, schema_version: schemaVersion };
  } catch (error) {
    if (!(error instanceof StoreRefused)) throw error;
    return { ...UNKNOWN, database_bytes: bytes };
  }
}
