/** Saves a started daemon's URL in the profile, and suggests the next command. */
import { shellQuoted } from "../../output/shell-quote.js";
import { DEFAULT_URL, daemonUrl, hasSecrets, isLoopback } from "../../profiles/endpoint.js";
import type { SignIn } from "../../profiles/profile.js";
import type { Session } from "../../session.js";
import { runningDaemon } from "./running.js";
import { defaultDataDir, readDataDir } from "./settings.js";

/**
 * Saves a started daemon's URL and data folder in the profile, unless the profile has credentials for another
 * daemon. At another port, the daemon of the profile's data folder is the same service: its keys and refresh
 * tokens stay valid.
 * @returns hints for the human if the profile was not changed, otherwise an empty list
 */
export async function pointProfileAt(session: Session, baseUrl: string, dataDir: string): Promise<string[]> {
  const { isReady } = await import("../../../daemon/local/find.js");
  const usualDataDir = await defaultDataDir();
  const profile = await session.profile();
  const home = daemonUrl({ env: {} }, profile);
  const mayBeMoved = (profile.dataDir ?? usualDataDir) === dataDir && isLoopback(new URL(home).hostname);
  // If a daemon still answers at the profile's URL, the profile belongs to that daemon, which may be at the
  // other end of an SSH tunnel.
  const isMoved = async () => mayBeMoved && (await isReady(new URL(home).origin)) === undefined;
  if (hasSecrets(profile) && home !== baseUrl && !(await isMoved())) {
    return [
      `The profile ${session.profileName} contains credentials for ${home}.`,
      `Set up another profile for this daemon: wireroom --profile NAME init --data-dir ${shellQuoted(dataDir)}`,
    ];
  }
  const target = {
    url: baseUrl === DEFAULT_URL ? undefined : baseUrl,
    dataDir: dataDir === usualDataDir ? undefined : dataDir,
    ...(profile.signIn && { signIn: signInAt(baseUrl, home, profile.signIn) }),
  };
  if (profile.url === target.url && profile.dataDir === target.dataDir) return [];
  await session.changeProfile((current) => ({ ...current, ...target }));
  return [];
}

/** Moves a sign-in at the former URL's embedded provider to the new URL, where it gets a new ID token. */
function signInAt(url: string, former: string, signIn: SignIn): SignIn {
  const [issuer, { origin }] = [new URL(signIn.issuer), new URL(url)];
  if (issuer.origin !== new URL(former).origin || issuer.origin === origin) return signIn;
  return { ...signIn, issuer: `${origin}${issuer.pathname}`, idToken: "" };
}

/** Saves the URL of the daemon that runs on this machine in a profile that would call the default URL. */
export async function followRunningDaemon(session: Session): Promise<void> {
  const { url } = await session.profile();
  if (url !== undefined || session.flags.url !== undefined || session.env.WIREROOM_URL) return;
  const running = await runningDaemon(session);
  if (running) await pointProfileAt(session, running.base_url, await readDataDir(session, {}));
}

export async function stepsAfterStart(session: Session, hasOwnProvider: boolean): Promise<string[]> {
  const { signIn, keys, handle } = await session.profile();
  if (Object.keys(keys ?? {}).length > 0 || (signIn && handle !== undefined)) return ["wireroom inbox"];
  if (signIn) return ["wireroom handle create NAME"];
  return [hasOwnProvider ? "wireroom init" : "wireroom login"];
}
