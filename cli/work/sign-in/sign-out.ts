/** `wireroom logout`. */
import { Failure } from "../../failure.js";
import { oneLine } from "../../output/safe.js";
import type { SignIn } from "../../profiles/profile.js";
import type { Session } from "../../session.js";

/** The tokens are forgotten first: a provider that is out of reach must not keep anyone signed in here. */
export async function signOut(session: Session): Promise<void> {
  const { output } = session;
  let ended: SignIn | undefined;
  await session.changeProfile((profile) => {
    const { signIn, ...rest } = profile;
    ended = signIn;
    return signIn ? rest : profile;
  });
  if (!ended) throw new Failure("NO_CREDENTIALS", "nobody is signed in");
  const { email } = ended;
  const isRevoked = await revokeAt(session, ended);
  output.result({ email, revoked: isRevoked }, () => output.done(`${oneLine(email)} is signed out`, email));
  const kept = Object.keys((await session.profile()).keys ?? {});
  if (kept.length > 0) output.note(`API keys stay, of ${kept.map((handle) => `@${handle}`).join(", ")}.`);
}

/** Whether the provider has ended the sign-in too. Where it could not, tokens end by themselves. */
async function revokeAt(session: Session, signIn: SignIn): Promise<boolean> {
  const { revoked } = await import("./provider.js");
  try {
    return await revoked(signIn, await session.url());
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    session.output.note(
      `Here it is forgotten; at its provider it lives on for a while: ${oneLine(error.message)}`,
    );
    return false;
  }
}
