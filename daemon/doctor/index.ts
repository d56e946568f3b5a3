/** Implements `wireroom doctor`: checks everything that a daemon needs on this machine. */
import { CONTRACT_VERSION } from "../../src/contract/index.js";
import { parseSqliteUrl } from "../../src/store/engine/database-url.js";
import { type DaemonStatus, findDaemon } from "../local/find.js";
import { differencesText, differingSettings, listSettings, summarise } from "../local/running-settings.js";
import { type Flags, type Settings, withoutPassword } from "../settings.js";
import { type Check, fail, ok, warn } from "./check.js";
import { checkDaemon, checkPort, checkPublicUrl } from "./daemon.js";
import { checkClock, checkDatabase } from "./database.js";
import { checkFolder, checkLogFile } from "./folder.js";
import { checkEmbedded, checkExternal, checkMail, checkPostgres } from "./services.js";

/** The oldest supported Node version. It must match `engines` in package.json. */
const OLDEST_NODE = [20, 19] as const;

export interface Requested {
  settings: Settings;
  flags: Flags;
  env: NodeJS.ProcessEnv;
  /** Environment variables that the human must set again, because passwords in them are not stored. */
  missing: readonly string[];
}

/**
 * Yields the result of each check. The checks change nothing. If a daemon is running, they check its database
 * and identity provider.
 * @param start the command that starts the daemon
 * @param folderFlag ` --data-dir FOLDER` for the commands that the results suggest, or an empty string
 */
export async function* runChecks(
  requested: Requested,
  start: string,
  folderFlag: string,
): AsyncGenerator<Check> {
  const { settings } = requested;
  const found: DaemonStatus = await findDaemon(settings.dataDir).catch(() => ({ status: "absent" }));
  const state = found.status === "running" ? found.state : undefined;
  yield checkNode();
  yield checkSettings(requested, state?.settings, folderFlag);
  yield* await checkFolder(settings.dataDir);
  if (!state && settings.logFile !== undefined) yield await checkLogFile(settings.logFile);
  const databaseUrl = state?.database_url ?? settings.databaseUrl;
  const { checks, facts } = databaseUrl.startsWith("sqlite:")
    ? await checkDatabase(parseSqliteUrl(databaseUrl), folderFlag)
    : { checks: await checksOfServer(databaseUrl, settings) };
  yield* checks;
  yield await checkDaemon(found, start, folderFlag);
  if (state && new URL(state.base_url).origin !== state.listen) yield await checkPublicUrl(state);
  if (found.status === "absent" && settings.port !== 0) yield await checkPort(settings.host, settings.port);
  const issuer = state ? (state.oidc_issuer ?? undefined) : settings.oidcIssuer;
  const external = issuer === undefined ? undefined : await checkExternal(issuer);
  yield external?.check ?? checkEmbedded(facts, state !== undefined);
  yield checkClock(facts, external?.time);
  if (issuer === undefined) yield await checkMail(settings.smtpUrl ?? state?.smtp ?? undefined);
}

function checkNode(): Check {
  const version = process.versions.node;
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isNewEnough = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
  if (isNewEnough) return ok("node", `Node ${version}`);
  return fail("node", `Node ${version} is too old`, `install Node ${OLDEST_NODE.join(".")} or newer`);
}

function checkSettings(
  { settings, flags, env, missing }: Requested,
  running: Record<string, string> | undefined,
  folderFlag: string,
): Check {
  const differences = differingSettings(flags, env, settings, running);
  if (differences.length > 0)
    return warn(
      "settings",
      `the daemon runs with other settings: ${differencesText(differences)}`,
      `its own are checked; for these, stop it first: wireroom down${folderFlag}`,
    );
  if (!running && missing.length > 0)
    return fail(
      "settings",
      `the last wireroom up had a password in ${missing.join(" and ")}`,
      "set it again",
    );
  const { limits, retention, public_url } = summarise(running ?? listSettings(settings));
  return ok(
    "settings",
    `version ${CONTRACT_VERSION}; limits: ${limits}; retention: ${retention}; public URL: ${public_url}`,
  );
}

/**
 * Skips the database unless it is the one in `settings`, because the password of another database is unknown.
 */
async function checksOfServer(databaseUrl: string, settings: Settings): Promise<Check[]> {
  const isOfSettings = withoutPassword(settings.databaseUrl) === withoutPassword(databaseUrl);
  return isOfSettings ? checkPostgres(settings.databaseUrl) : [];
}
