/** Which handle of the profile acts. */
import { Failure } from "../failure.js";
import type { Session } from "../session.js";
import type { Profile } from "./profile.js";

/** Makes a handle the one that acts. Throws `NO_CREDENTIALS` where the profile keeps no key of it. */
export async function actAs(session: Session, handle: string): Promise<void> {
  await session.changeProfile((profile) => {
    if (Object.hasOwn(profile.keys ?? {}, handle)) return { ...profile, handle };
    throw new Failure("NO_CREDENTIALS", `there is no API key of @${handle} in this profile`, [
      `wireroom key issue ${handle} --save`,
    ]);
  });
}

/**
 * The profile without a handle's key, and not acting as it; the same object where it keeps none. A key of a handle with
 * the same name at another daemon stays.
 * @param prefixes beginnings of the keys that are gone
 */
export function changedWithout(profile: Profile, handle: string, prefixes: readonly string[]): Profile {
  const { [handle]: key, ...keys } = profile.keys ?? {};
  if (key === undefined || !prefixes.some((prefix) => key.startsWith(prefix))) return profile;
  const { handle: acting, ...rest } = profile;
  return { ...rest, keys, ...(acting !== undefined && acting !== handle && { handle: acting }) };
}
