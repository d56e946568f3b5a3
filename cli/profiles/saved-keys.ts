import type { Session } from "../session.js";
import { profileForDaemon } from "./endpoint.js";

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
  await session.changeProfile((profile) => {
    const saved = Object.entries(profile.keys ?? {});
    const rest = saved.filter(([, key]) => !key.startsWith(prefix));
    return rest.length === saved.length ? profile : { ...profile, keys: Object.fromEntries(rest) };
  });
}
