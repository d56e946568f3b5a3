/** `wireroom doctor`: everything that a daemon on this machine needs, looked at one after the other. */
import { sqliteFile } from "../../src/service/host/maintenance.js";
import { type Found, findDaemon } from "../local/find.js";
import { type Settings, withoutCredentials } from "../settings.js";
import type { Check } from "./check.js";
import { checkDaemon, checkPort } from "./daemon.js";
import { checkClock, checkDatabase } from "./database.js";
import { checkFolder } from "./folder.js";
import { checkEmbedded, checkExternal } from "./identity.js";
import { checkMail } from "./mail.js";
import { checkNode } from "./node.js";
import { checkServer } from "./server.js";

/** Nothing is changed, and a running daemon goes on. A daemon that runs is checked with the settings that it runs with. */
export async function* examine(settings: Settings): AsyncGenerator<Check> {
  // A folder that cannot even be read is the folder check's to report.
  const found: Found = await findDaemon(settings.dataDir).catch(() => ({ is: "absent" }));
  const state = found.is === "running" ? found.state : undefined;
  yield checkNode();
  yield* await checkFolder(settings.dataDir);
  const databaseUrl = state?.database_url ?? settings.databaseUrl;
  const { checks, facts } = databaseUrl.startsWith("sqlite:")
    ? await checkDatabase(sqliteFile(databaseUrl))
    : { checks: await checksOfServer(databaseUrl, settings) };
  yield* checks;
  yield await checkDaemon(found);
  if (found.is === "absent" && settings.port !== 0) yield await checkPort(settings.host, settings.port);
  const issuer = state ? (state.oidc_issuer ?? undefined) : settings.oidcIssuer;
  const external = issuer === undefined ? undefined : await checkExternal(issuer);
  yield external?.check ?? checkEmbedded(facts);
  yield checkClock(facts, external?.time);
  if (issuer === undefined) yield await checkMail(settings.smtpUrl ?? state?.smtp ?? undefined);
}

/** None where a daemon runs on another database than the settings name: it does not tell its password, and is asked itself. */
async function checksOfServer(databaseUrl: string, settings: Settings): Promise<Check[]> {
  const isOfSettings = withoutCredentials(settings.databaseUrl) === withoutCredentials(databaseUrl);
  return isOfSettings ? checkServer(settings.databaseUrl) : [];
}
