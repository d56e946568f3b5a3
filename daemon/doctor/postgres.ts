import { withoutCredentials } from "../settings.js";
import { type Check, fail, ok, reasonOf } from "./check.js";

/** Checks that a daemon could start with the PostgreSQL database at this URL. */
export async function checkPostgres(databaseUrl: string): Promise<Check[]> {
  const name = withoutCredentials(databaseUrl);
  try {
    // Load the driver only for a PostgreSQL database.
    const { inspectServer } = await import("../../src/store/engine/postgres/inspect.js");
    const { version, pendingMigrations: pending } = await inspectServer(databaseUrl);
    const migrations =
      pending === 0
        ? "up to date"
        : `${pending} migrations pending; the next start of the daemon applies them`;
    return [ok("database", `${name} responds (PostgreSQL ${version})`), ok("schema", migrations)];
  } catch (error) {
    return [
      fail(
        "database",
        `${name}: ${messageOf(error)}`,
        "fix the database as in docs/scaling.md, then run: wireroom doctor",
      ),
    ];
  }
}

/** Returns an error's message. `StoreRefused` has a better message than its cause. */
function messageOf(error: unknown): string {
  return error instanceof Error && error.name === "StoreRefused" ? error.message : reasonOf(error);
}
