import { examineServer } from "../../src/service/host/maintenance.js";
import { withoutCredentials } from "../settings.js";
import { type Check, fail, ok, reasonOf } from "./check.js";

/** Whether a daemon could start on the PostgreSQL database of this URL. */
export async function checkServer(databaseUrl: string): Promise<Check[]> {
  const name = withoutCredentials(databaseUrl);
  try {
    const { version, pending } = await examineServer(databaseUrl);
    const migrations =
      pending === 0
        ? "version of this Wireroom"
        : `${pending} migrations are left, which the next start runs`;
    return [ok("database", `${name} answers, PostgreSQL ${version}`), ok("schema", migrations)];
  } catch (error) {
    return [fail("database", `${name}: ${messageOf(error)}`, "see docs/scaling.md; then: wireroom doctor")];
  }
}

/** What the store says of a refusal is more than what its cause says. */
function messageOf(error: unknown): string {
  return error instanceof Error && error.name === "StoreRefused" ? error.message : reasonOf(error);
}
