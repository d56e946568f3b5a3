/** What `--database-url` names. */
import { fileURLToPath } from "node:url";
import { StoreRefused } from "./engine.js";

/** The file of `sqlite:/path/to/file`. Throws `StoreRefused` for any other scheme. */
export function sqliteFile(databaseUrl: string): string {
  if (databaseUrl.startsWith("sqlite://")) return fileURLToPath(databaseUrl.replace("sqlite:", "file:"));
  if (databaseUrl.startsWith("sqlite:") && databaseUrl.length > "sqlite:".length) {
    return databaseUrl.slice("sqlite:".length);
  }
  const scheme = databaseUrl.split(":")[0];
  throw new StoreRefused(
    `the database URL has the scheme ${JSON.stringify(scheme)}; this version serves sqlite:/path/to/file and postgres://user@host/database`,
  );
}
