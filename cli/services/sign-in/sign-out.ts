import { Failure } from "../../failure.js";
import { oneLine } from "../../output/safe.js";
import { withoutSignIn } from "../../profiles/active-handle.js";
import type { SignIn } from "../../profiles/profile.js";
import { deleteTokens } from "../../profiles/token-cache.js";
import type { Session } from "../../session.js";
import { revokeProgramKeys } from "./program-key.js";

/** Signs out. A daemon or provider that cannot be reached does not prevent it. */
export async function signOut(session: Session): Promise<void> {
  const { output } = session;
  await revokeProgramKeys(session);
  const previous = await forgetSignIn(session);
  if (!previous) throw new Failure("NO_CREDENTIALS", "not signed in");
  const { email } = previous;
  const isRevoked = await revokeAt(session, previous);
  output.result({ email, revoked: isRevoked }, () => output.success(`signed out ${oneLine(email)}`, email));
  const savedKeys = Object.keys((await session.profile()).keys ?? {});
  if (savedKeys.length > 0)
    output.note(`The profile still has API keys of ${savedKeys.map((handle) => `@${handle}`).join(", ")}.`);
}

export async function forgetSignIn(session: Session): Promise<SignIn | undefined> {
  let previous: SignIn | undefined;
  await session.changeProfile((profile) => {
    previous = profile.signIn;
    return previous ? withoutSignIn(profile) : profile;
  });
  await deleteTokens(session.tokenFile);
  return previous;
}

/** Revokes the refresh token. Returns false on failure. The tokens then stay valid until they expire. */
async function revokeAt(session: Session, signIn: SignIn): Promise<boolean> {
  const { revokeTokens } = await import("./provider.js");
  try {
    return await revokeTokens(signIn, await session.urlForSecrets());
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    session.output.note(
      `Signed out on this machine, but the provider could not revoke the tokens: ${oneLine(error.message)}`,
    );
    return false;
  }
}
