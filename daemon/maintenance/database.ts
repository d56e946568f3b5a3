import { StoreRefused, sqliteFile } from "../../src/service/host/maintenance.js";
import { findDaemon } from "../local/find.js";
import { type Settings, withoutCredentials } from "../settings.js";

export type Where = Pick<Settings, "dataDir" | "databaseUrl">;

/** The url of the database: that of the daemon that runs on the data folder, else that of the settings. */
export async function databaseUrlOf({ dataDir, databaseUrl }: Where): Promise<string> {
  const found = await findDaemon(dataDir);
  return found.is === "running" ? found.state.database_url : databaseUrl;
}

/** Its file. Throws `StoreRefused` for a database server, which has tools of its own. */
export function fileOf(databaseUrl: string, instead: string): string {
  if (!/^postgres(ql)?:/.test(databaseUrl)) return sqliteFile(databaseUrl);
  throw new StoreRefused(
    `${withoutCredentials(databaseUrl)} is a database server's: use its own tool, such as ${instead}`,
  );
}
