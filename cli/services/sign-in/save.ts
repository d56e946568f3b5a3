import type { Account } from "../../../sdk/src/index.js";
import { oneLine } from "../../output/safe.js";
import { withoutSignIn } from "../../profiles/active-handle.js";
import { profileForDaemon } from "../../profiles/endpoint.js";
import type { Profile, SignIn } from "../../profiles/profile.js";
import { accountOf } from "../../profiles/token-cache.js";
import type { Session } from "../../session.js";
import { followRunningDaemon } from "../daemon/profile-url.js";
import { revokeProgramKeys } from "./program-key.js";

/**
 * Points a profile without an address at the daemon that runs on this machine. Throws `USAGE` if the profile
 * belongs to another daemon. Call this before the first prompt.
 */
export async function prepareProfile(session: Session): Promise<void> {
  await followRunningDaemon(session);
  profileForDaemon(session.endpointOptions, await session.profile());
}

/** Saves the sign-in in the profile, after the daemon has accepted it. */
export async function storeSignIn(session: Session, signIn: SignIn): Promise<Account> {
  const account = await (await session.asHuman(signIn.idToken)).account.get();
  if (isOtherAccount(await session.profile(), signIn)) await revokeProgramKeys(session);
  await session.changeProfile((profile) => {
    // The new account cannot act as the active handle of another one.
    const own = isOtherAccount(profile, signIn) ? withoutSignIn(profile) : profile;
    return { ...profileForDaemon(session.endpointOptions, own), signIn };
  });
  return account;
}

export async function saveSignIn(session: Session, signIn: SignIn): Promise<void> {
  const { output } = session;
  const account = await storeSignIn(session, signIn);
  const url = await session.url();
  const { email } = account;
  output.result(account, () => output.success(`signed in as ${oneLine(email)} at ${url}`, email));
  if (!output.isTerminal || output.json) return;
  const { handles } = await (await session.asHuman(signIn.idToken)).handles.list({ limit: 1 });
  output.nextSteps(handles.length === 0 ? "wireroom handle create NAME" : "wireroom inbox");
}

function isOtherAccount({ signIn }: Profile, { idToken }: SignIn): boolean {
  return signIn !== undefined && accountOf(signIn.idToken) !== accountOf(idToken);
}
