/** Implements `wireroom doctor`: checks everything that a daemon needs on this machine. */
import { parseSqliteUrl } from "../../src/store/engine/database-url.js";
import { type DaemonStatus, findDaemon } from "../local/find.js";
import { type Settings, withoutCredentials } from "../settings.js";
import type { Check } from "./check.js";
import { checkDaemon, checkPort } from "./daemon.js";
import { checkClock, checkDatabase } from "./database.js";
import { checkFolder } from "./folder.js";
import { checkEmbedded, checkExternal } from "./identity.js";
import { checkMail } from "./mail.js";
import { checkNode } from "./node.js";
import { checkPostgres } from "./postgres.js";

/**
 * Yields the result of each check. The checks change nothing. If a daemon is running, checks that daemon's
 * database and identity provider.
 */
export async function* runChecks(settings: Settings): AsyncGenerator<Check> {
  // Ignore an unreadable folder here, because `checkFolder` reports it.
  const found: DaemonStatus = await findDaemon(settings.dataDir).catch(() => ({ status: "absent" }));
  const state = found.status === "running" ? found.state : undefined;
  yield checkNode();
  yield* await checkFolder(settings.dataDir);
  const databaseUrl = state?.database_url ?? settings.databaseUrl;
  const { checks, facts } = databaseUrl.startsWith("sqlite:")
    ? await checkDatabase(parseSqliteUrl(databaseUrl))
    : { checks: await checksOfServer(databaseUrl, settings) };
  yield* checks;
  yield await checkDaemon(found);
  if (found.status === "absent" && settings.port !== 0) yield await checkPort(settings.host, settings.port);
  const issuer = state ? (state.oidc_issuer ?? undefined) : settings.oidcIssuer;
  const external = issuer === undefined ? undefined : await checkExternal(issuer);
  yield external?.check ?? checkEmbedded(facts);
  yield checkClock(facts, external?.time);
  if (issuer === undefined) yield await checkMail(settings.smtpUrl ?? state?.smtp ?? undefined);
}

/**
 * Checks a PostgreSQL database. Skips the check if the running daemon uses a database other than the one in
 * `settings`, because its password is unknown. `checkDaemon` covers that database.
 */
async function checksOfServer(databaseUrl: string, settings: Settings): Promise<Check[]> {
  const isOfSettings = withoutCredentials(settings.databaseUrl) === withoutCredentials(databaseUrl);
  return isOfSettings ? checkPostgres(settings.databaseUrl) : [];
}
