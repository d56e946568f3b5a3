/** The active handle of a profile: the handle that commands act as unless `--as` names another one. */
import { Failure } from "../failure.js";
import type { Session } from "../session.js";
import type { Profile } from "./profile.js";

/**
 * Sets the active handle of the profile. Throws `NO_CREDENTIALS` if the profile contains no API key for this handle.
 */
export async function setActiveHandle(session: Session, handle: string): Promise<void> {
  await session.changeProfile((profile) => {
    if (Object.hasOwn(profile.keys ?? {}, handle)) return { ...profile, handle };
    throw new Failure("NO_CREDENTIALS", `this profile has no API key of @${handle}`, [
      `Issue one: wireroom key issue ${handle} --save`,
    ]);
  });
}

/**
 * Removes the revoked API key of a handle from the profile. If that handle is active, also removes the active handle.
 * @param prefixes prefixes of the revoked keys; a saved key with another prefix stays, because it may belong to a handle
 * with the same name at another daemon
 */
export function withoutHandleKey(profile: Profile, handle: string, prefixes: readonly string[]): Profile {
  const { [handle]: key, ...keys } = profile.keys ?? {};
  if (key === undefined || !prefixes.some((prefix) => key.startsWith(prefix))) return profile;
  const { handle: active, ...rest } = profile;
  return { ...rest, keys, ...(active !== undefined && active !== handle && { handle: active }) };
}
