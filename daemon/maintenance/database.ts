import { parseSqliteUrl } from "../../src/store/engine/database-url.js";
import { StoreRefused } from "../../src/store/engine/engine.js";
import { findDaemon } from "../local/find.js";
import { type Settings, withoutCredentials } from "../settings.js";

export interface DatabaseLocation extends Pick<Settings, "dataDir" | "databaseUrl"> {
  /** True if a flag or environment variable names the database. */
  isNamed: boolean;
}

/**
 * Returns the database URL from a flag or environment variable. Without either, returns the URL of the daemon
 * that runs on the data folder, or else the default.
 */
export async function databaseUrlOf({ dataDir, databaseUrl, isNamed }: DatabaseLocation): Promise<string> {
  if (isNamed) return databaseUrl;
  const found = await findDaemon(dataDir);
  return found.status === "running" ? found.state.database_url : databaseUrl;
}

/**
 * Returns the path of a SQLite database file. Throws `StoreRefused` for a PostgreSQL URL.
 * @param postgresTool the PostgreSQL command that the error message recommends
 */
export function sqliteFileOf(databaseUrl: string, postgresTool: string): string {
  if (!/^postgres(ql)?:/.test(databaseUrl)) return parseSqliteUrl(databaseUrl);
  throw new PostgresRefused(withoutCredentials(databaseUrl), postgresTool);
}

class PostgresRefused extends StoreRefused {
  constructor(
    readonly postgresUrl: string,
    tool: string,
  ) {
    super(`${postgresUrl} is a PostgreSQL database; this command is for SQLite, use ${tool} instead`);
  }
}
