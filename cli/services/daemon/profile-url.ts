/** Saves a started daemon's URL in the profile, and suggests the next command. */
import { DEFAULT_URL, daemonUrl, isLocalAccount, isLoopback } from "../../profiles/endpoint.js";
import type { Session } from "../../session.js";

/**
 * Saves a started daemon's URL and data folder in the profile, unless the profile has credentials for another
 * daemon. At another port, the daemon of the profile's data folder is the same service: its keys stay valid,
 * and a local sign-in can be repeated.
 * @returns hints for the human if the profile was not changed, otherwise an empty list
 */
export async function pointProfileAt(session: Session, baseUrl: string, dataDir: string): Promise<string[]> {
  const { readSettings } = await import("../../../daemon/settings.js");
  const defaultDataDir = readSettings({}, {}).dataDir;
  const profile = await session.profile();
  const home = daemonUrl({ env: {} }, profile);
  const hasSecrets = profile.signIn !== undefined || Object.keys(profile.keys ?? {}).length > 0;
  const isMoved =
    (profile.dataDir ?? defaultDataDir) === dataDir &&
    isLoopback(new URL(home).hostname) &&
    (profile.signIn === undefined || isLocalAccount(profile.signIn.email));
  if (hasSecrets && home !== baseUrl && !isMoved) {
    return [
      `The profile ${session.profileName} contains credentials for ${home}.`,
      `Use another profile for this daemon: --profile NAME --url ${baseUrl}`,
    ];
  }
  const target = {
    url: baseUrl === DEFAULT_URL ? undefined : baseUrl,
    dataDir: dataDir === defaultDataDir ? undefined : dataDir,
    // An ID token is valid only at the address where it was issued.
    ...(home !== baseUrl && { signIn: undefined }),
  };
  if (profile.url === target.url && profile.dataDir === target.dataDir) return [];
  await session.changeProfile((current) => ({ ...current, ...target }));
  return [];
}

export async function stepsAfterStart(session: Session, hasOwnProvider: boolean): Promise<string[]> {
  const { signIn, keys, handle } = await session.profile();
  if (Object.keys(keys ?? {}).length > 0 || (signIn && handle !== undefined)) return ["wireroom inbox"];
  if (signIn) return ["wireroom handle create NAME"];
  return [hasOwnProvider ? "wireroom init" : "wireroom login"];
}
