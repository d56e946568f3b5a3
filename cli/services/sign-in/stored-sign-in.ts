/**
 * Saves and removes a profile's sign-in. The keys that programs issued with a sign-in are removed with it.
 */
import type { Account } from "../../../sdk/src/api.js";
import { Failure } from "../../failure.js";
import { oneLine } from "../../output/safe.js";
import { withoutSignIn } from "../../profiles/active-handle.js";
import { apiKeyFor, profileForDaemon } from "../../profiles/endpoint.js";
import type { Profile, SignIn } from "../../profiles/profile.js";
import { removeSavedKey } from "../../profiles/saved-keys.js";
import { accountOf, deleteTokens } from "../../profiles/token-cache.js";
import type { Session } from "../../session.js";
import { followRunningDaemon } from "../daemon/profile-url.js";
import { findOwnHandle } from "../own-handle.js";

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
    // Forget another account's active handle and keys, because the new account cannot use them.
    const own = isOtherAccount(profile, signIn) ? withoutSignIn(profile) : profile;
    return { ...profileForDaemon(session.endpointOptions, own), signIn, lastEmail: undefined };
  });
  return account;
}

/** @param done text about what else the command has done, printed before the sentence about the sign-in */
export async function saveSignIn(session: Session, signIn: SignIn, done = ""): Promise<void> {
  const { output } = session;
  const account = await storeSignIn(session, signIn);
  const url = await session.url();
  const { email } = account;
  output.result(account, () => output.success(`${done}signed in as ${oneLine(email)} at ${url}`, email));
  if (!output.isTerminal || output.json) return;
  const { handles } = await (await session.asHuman(signIn.idToken)).handles.list({ limit: 1 });
  output.nextSteps(handles.length === 0 ? "wireroom handle create NAME" : "wireroom inbox");
}

function isOtherAccount({ signIn }: Profile, { idToken }: SignIn): boolean {
  return signIn !== undefined && accountOf(signIn.idToken) !== accountOf(idToken);
}

/** Signs out. Succeeds even if the daemon or the provider is unreachable. */
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

/**
 * Issues a key for programs that act as a handle, such as the MCP bridge, and saves it in the profile, unless
 * another process has done so. With the human's sign-in instead, a program's wires would count as the human's
 * and never be held for approval. The profile's lock also delays Ctrl-C, so each issued key is saved.
 */
export async function issueProgramKey(session: Session, handle: string): Promise<string> {
  const [dashboard, url] = await Promise.all([session.dashboard(), session.url()]);
  const { id, slug } = await findOwnHandle(dashboard, handle);
  // Use a fixed token, because renewing it would wait for the lock that is held below.
  const client = await session.asHuman(await session.idToken());
  const options = { ...session.endpointOptions, as: slug, isProgram: true };
  let issuedId: string | undefined;
  try {
    await session.changeProfile(async (profile) => {
      if (apiKeyFor(options, profile) !== undefined) return profile;
      const own = profileForDaemon({ ...session.endpointOptions, url }, profile);
      const issued = await client.keys.issue({ handle_id: id, name: "programs" });
      issuedId = issued.id;
      const programKeys = { ...profile.programKeys, [slug]: issued.key };
      return { ...own, handle: profile.handle ?? slug, programKeys };
    });
  } catch (error) {
    if (issuedId !== undefined) await client.keys.revoke({ id: issuedId });
    throw error;
  }
  return apiKeyFor(options, await session.profile())!;
}

/**
 * Revokes and removes the keys that programs issued with the profile's sign-in. Only prints a note on
 * failure.
 */
export async function revokeProgramKeys(session: Session): Promise<void> {
  const saved = Object.values((await session.profile()).programKeys ?? {});
  if (saved.length === 0) return;
  try {
    const client = await session.asHuman(await session.idTokenSource());
    for await (const { id, prefix } of client.keys.list()) {
      if (!saved.some((key) => key.startsWith(prefix))) continue;
      await client.keys.revoke({ id });
      await removeSavedKey(session, prefix);
    }
  } catch (error) {
    session.output.note(`Could not revoke the keys of programs: ${oneLine((error as Error).message)}`);
  }
}
