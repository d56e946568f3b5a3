/** Points the profile at a daemon that was started. */
import { DEFAULT_URL, urlOf } from "../../profiles/endpoint.js";
import type { Session } from "../../session.js";

/**
 * Sets the url of the profile, unless its sign-in or keys belong to another daemon. Returns hints for the person then.
 */
export async function adopt(session: Session, baseUrl: string): Promise<string[]> {
  const profile = await session.profile();
  const home = urlOf({ env: {} }, profile);
  if (home === baseUrl) return [];
  const hasSecrets = profile.signIn !== undefined || Object.keys(profile.keys ?? {}).length > 0;
  if (hasSecrets) {
    return [
      `The profile ${session.profileName} has its sign-in and keys at ${home}.`,
      `For this daemon use another one: --profile NAME (or WIREROOM_PROFILE) --url ${baseUrl}`,
    ];
  }
  await session.changeProfile(({ url: _, ...rest }) =>
    baseUrl === DEFAULT_URL ? rest : { ...rest, url: baseUrl },
  );
  return [];
}

/** The next step: an account for whoever has none, the account otherwise. */
export async function nextSteps(session: Session, hasOwnProvider: boolean): Promise<string[]> {
  const { signIn, keys } = await session.profile();
  if (Object.keys(keys ?? {}).length > 0) return ["wireroom inbox"];
  if (signIn) return ["wireroom handle create NAME"];
  return [hasOwnProvider ? "wireroom signup" : "wireroom login"];
}
