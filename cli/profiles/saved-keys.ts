import type { Session } from "../session.js";
import { profileForDaemon } from "./endpoint.js";
import type { Profile } from "./profile.js";

/**
 * Saves an API key in the profile.
 * @param url the daemon that issued the key; default: the daemon that the session calls
 */
export async function saveKey(session: Session, slug: string, key: string, url?: string): Promise<void> {
  const endpoint = url === undefined ? session.endpointOptions : { ...session.endpointOptions, url };
  await session.changeProfile((profile) => ({
    ...profileForDaemon(endpoint, profile),
    handle: profile.handle ?? slug,
    keys: { ...profile.keys, [slug]: key },
  }));
}

export async function removeSavedKey(session: Session, prefix: string): Promise<void> {
  await session.changeProfile((profile) => withoutKeys(profile, [prefix]));
}

export function withoutKeys(profile: Profile, prefixes: readonly string[]): Profile {
  const { keys = {}, programKeys = {} } = profile;
  const isKept = (key: string) => !prefixes.some((prefix) => key.startsWith(prefix));
  if ([keys, programKeys].flatMap(Object.values).every(isKept)) return profile;
  const rest = (saved: Record<string, string>) =>
    Object.fromEntries(Object.entries(saved).filter(([, key]) => isKept(key)));
  return { ...profile, keys: rest(keys), programKeys: rest(programKeys) };
}
