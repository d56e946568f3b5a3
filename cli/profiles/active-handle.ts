/** A profile's active handle. Commands act as this handle unless `--as` names another one. */
import type { Session } from "../session.js";
import { handleSlug, noCredentials } from "./endpoint.js";
import type { Profile } from "./profile.js";
import { withoutKeys } from "./saved-keys.js";

export async function setActiveHandle(session: Session, handle: string): Promise<void> {
  await session.changeProfile((profile) => {
    const isSignedIn = Boolean(session.env.WIREROOM_ID_TOKEN) || profile.signIn !== undefined;
    if (Object.hasOwn(profile.keys ?? {}, handle) || isSignedIn) return { ...profile, handle };
    throw noCredentials({ ...session.endpointOptions, as: handle }, profile);
  });
}

/** Returns the environment variable that overrides the profile's active handle. */
export function overridingVariable(env: NodeJS.ProcessEnv, active: string): string | undefined {
  if (env.WIREROOM_API_KEY) return "WIREROOM_API_KEY";
  return env.WIREROOM_HANDLE && handleSlug(env.WIREROOM_HANDLE) !== active ? "WIREROOM_HANDLE" : undefined;
}

/** Makes a new handle active if the human is signed in and has no active handle yet. */
export async function setFirstHandle(session: Session, handle: string): Promise<void> {
  const { signIn, handle: active } = await session.profile();
  if (!signIn || active !== undefined) return;
  await session.changeProfile((profile) => ({ ...profile, handle: profile.handle ?? handle }));
}

/** Keeps a saved key whose prefix is not in `prefixes`, because it may belong to another daemon. */
export function withoutHandle(profile: Profile, handle: string, prefixes: readonly string[]): Profile {
  const rest = withoutKeys(profile, prefixes);
  return rest.handle === handle && !Object.hasOwn(rest.keys ?? {}, handle) ? withoutActiveHandle(rest) : rest;
}

/**
 * Removes the sign-in from a profile, and the keys that programs issued with it. Keeps the active handle only
 * if its API key is saved. Keeps the e-mail address, so that a hint can name the account.
 */
export function withoutSignIn({ signIn, programKeys: _, ...rest }: Profile): Profile {
  const profile = { ...rest, lastEmail: signIn?.email };
  const { handle, keys = {} } = profile;
  return handle === undefined || Object.hasOwn(keys, handle) ? profile : withoutActiveHandle(profile);
}

function withoutActiveHandle({ handle: _, ...profile }: Profile): Profile {
  return profile;
}
