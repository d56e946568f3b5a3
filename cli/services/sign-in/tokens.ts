/** Provides the signed-in human's ID token, and access tokens with which the human acts as a handle. */
import { ConnectionError, type Handle, WireroomError } from "../../../sdk/src/api.js";
import { describeFault } from "../../../sdk/src/runtime/transport/fault.js";
import { now } from "../../clock.js";
import { Failure } from "../../failure.js";
import { isLocalAccount, signInHint } from "../../profiles/endpoint.js";
import type { Profile, SignIn } from "../../profiles/profile.js";
import { accountOf, claimsOf, readToken, writeToken } from "../../profiles/token-cache.js";
import type { Session, TokenSource } from "../../session.js";
import { noOwnHandle } from "../own-handle.js";
import type { Provider } from "./provider.js";

/** Refresh an ID token this long before it expires, so that it does not expire during a request. */
const REFRESH_MARGIN_MS = 60_000;

/** Returns the source of the signed-in human's ID token, which it refreshes before it expires. */
export async function idTokenSource(session: Session): Promise<TokenSource> {
  const url = await session.urlForSecrets();
  const saved = async () => signInOf(await session.profile(), url);
  await saved();
  return async (refused) => {
    const signIn = await saved();
    const { idToken, refreshToken } = signIn;
    const isRefused = idToken === refused;
    if (!isRefused && expiryOf(idToken) - now() > REFRESH_MARGIN_MS) return idToken;
    // Without a refresh token, use the ID token until it expires, even if the service rejects it.
    if (refreshToken === undefined && (isRefused || expiryOf(idToken) > now())) return idToken;
    const { connect } = await import("./provider.js");
    // Connect before taking the lock, so that a slow provider does not block other processes and Ctrl-C.
    const provider = refreshToken === undefined ? undefined : await connect(signIn, url);
    await session.changeProfile((profile) => renew(profile, url, idToken, provider));
    return (await saved()).idToken;
  };
}

/** Refreshes the tokens unless another process did, because using a refresh token twice ends the sign-in. */
async function renew(
  profile: Profile,
  url: string,
  stale: string,
  provider: Provider | undefined,
): Promise<Profile> {
  const signIn = signInOf(profile, url);
  if (signIn.idToken !== stale) return profile;
  if (signIn.refreshToken === undefined || provider === undefined) throw ended(signIn);
  const { GrantRefused, refreshTokens } = await import("./provider.js");
  try {
    return { ...profile, signIn: await refreshTokens(provider, signIn, signIn.refreshToken) };
  } catch (error) {
    throw error instanceof GrantRefused ? ended(signIn, error) : error;
  }
}

function signInOf(profile: Profile, url: string): SignIn {
  if (profile.signIn) return profile.signIn;
  throw new Failure("NO_CREDENTIALS", "not signed in", [
    signInHint(url, profile),
    "Or set WIREROOM_ID_TOKEN to a token of your identity provider.",
  ]);
}

function ended({ email }: SignIn, cause?: Error): Failure {
  return new Failure(
    "SIGN_IN_FAILED",
    `the sign-in of ${email} has expired`,
    [`Sign in again: wireroom ${isLocalAccount(email) ? "init" : "login"}`],
    { cause },
  );
}

/** Returns the expiry in milliseconds since 1970. Returns 0 for an unreadable token, to refresh it. */
function expiryOf(idToken: string): number {
  const { exp } = claimsOf(idToken);
  return typeof exp === "number" ? exp * 1_000 : 0;
}

/**
 * Returns the account's only handle. Saves it as the active handle if the profile contains the sign-in.
 * Throws a `Failure` if the account has no handle or several.
 */
export async function onlyHandle(session: Session): Promise<string> {
  const client = await session.dashboard();
  const { handles } = await client.handles.list({ limit: 2 });
  if (handles.length === 0) {
    throw new Failure("NO_CREDENTIALS", "you have no handle yet", [
      "Create one: wireroom handle create NAME",
    ]);
  }
  if (handles.length > 1) throw severalHandles(handles);
  const { slug } = handles[0]!;
  if ((await session.profile()).signIn) {
    await session.changeProfile((profile) => ({ ...profile, handle: profile.handle ?? slug }));
  }
  return slug;
}

function severalHandles([first]: readonly Handle[]): Failure {
  return new Failure("USAGE", "you have several handles, and none is active", [
    "List them: wireroom handle list",
    `Choose one for all commands: wireroom handle use @${first!.slug}`,
    `Or for one command: --as @${first!.slug}`,
  ]);
}

export async function handleTokenSource(session: Session, handle: string): Promise<TokenSource> {
  const [client, idToken, url] = await Promise.all([
    session.dashboard(),
    session.idToken(),
    session.urlForSecrets(),
  ]);
  const owner = { url, account: accountOf(idToken), handle };
  const file = session.tokenFile;
  let pending: Promise<string> | undefined;
  const issue = async () => {
    try {
      const issued = await client.handles.issueToken({ slug: handle });
      await writeToken(file, owner, issued);
      return issued.token;
    } catch (error) {
      if (error instanceof WireroomError && error.code === "NOT_FOUND")
        throw await noOwnHandle(client, handle);
      throw errorOfIssue(error);
    } finally {
      pending = undefined;
    }
  };
  return async (refused) => {
    const cached = await readToken(file, owner);
    if (cached !== undefined && cached !== refused) return cached;
    pending ??= issue();
    return pending;
  };
}

/**
 * Converts an error for an unreachable identity provider to `ConnectionError`, which the SDK retries. A
 * command that waits for the daemon therefore survives the ID token's expiry.
 */
function errorOfIssue(error: unknown): unknown {
  const mayPass =
    error instanceof Failure &&
    error.code === "PROVIDER_UNREACHABLE" &&
    describeFault(error.cause).tlsProblem === undefined;
  return mayPass ? new ConnectionError(error.message, false, error) : error;
}
