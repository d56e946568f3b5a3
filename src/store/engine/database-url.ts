/** Parses the SQLite form of `--database-url`; `postgres/url.ts` parses the PostgreSQL form. */
import { fileURLToPath } from "node:url";
import { StoreRefused } from "./engine.js";

/** Returns the file path in a URL such as `sqlite:/path/to/file`. Throws `StoreRefused` for any other scheme. */
export function parseSqliteUrl(databaseUrl: string): string {
  if (databaseUrl.startsWith("sqlite://")) return fileURLToPath(databaseUrl.replace("sqlite:", "file:"));
  if (databaseUrl.startsWith("sqlite:") && databaseUrl.length > "sqlite:".length) {
    return databaseUrl.slice("sqlite:".length);
  }
  const scheme = databaseUrl.split(":")[0];
  throw new StoreRefused(
    `the database URL has the scheme ${JSON.stringify(scheme)}; use sqlite:/path/to/file or postgres://user@host/database`,
  );
}
