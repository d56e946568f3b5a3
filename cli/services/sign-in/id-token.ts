/** Provides the signed-in user's ID token, and refreshes it before it expires. */
import { now } from "../../clock.js";
import { Failure } from "../../failure.js";
import { isLocalAccount, signInHint } from "../../profiles/endpoint.js";
import type { Profile, SignIn } from "../../profiles/profile.js";
import type { Provider } from "./provider.js";

/** Refresh an ID token this long before it expires, so that it does not expire during a request. */
const REFRESH_MARGIN_MS = 60_000;

export interface SignInStore {
  url: string;
  profile(): Promise<Profile>;
  /** Changes the profile under a lock, so that processes cannot overwrite each other's changes. */
  changeProfile(change: (profile: Profile) => Promise<Profile>): Promise<void>;
}

/**
 * Returns a token for the next request.
 * @param refused a token that the service rejected, so a new one is needed
 */
export type TokenSource = (refused?: string) => Promise<string>;

export async function idTokenSource(store: SignInStore): Promise<TokenSource> {
  signInOf(await store.profile(), store.url);
  return async (refused) => {
    const signIn = signInOf(await store.profile(), store.url);
    const { idToken, refreshToken } = signIn;
    const isRefused = idToken === refused;
    if (!isRefused && expiryOf(idToken) - now() > REFRESH_MARGIN_MS) return idToken;
    // Without a refresh token, use the ID token until it expires, even if the service rejects it.
    if (refreshToken === undefined && (isRefused || expiryOf(idToken) > now())) return idToken;
    const { connect } = await import("./provider.js");
    // Connect before taking the lock, so that a slow provider does not block other processes and Ctrl-C.
    const provider = refreshToken === undefined ? undefined : await connect(signIn, store.url);
    await store.changeProfile((profile) => renew(profile, store.url, idToken, provider));
    return signInOf(await store.profile(), store.url).idToken;
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
  const [{ refreshTokens }, { GrantRefused }] = await Promise.all([
    import("./provider.js"),
    import("./provider-errors.js"),
  ]);
  try {
    return { ...profile, signIn: await refreshTokens(provider, signIn, signIn.refreshToken) };
  } catch (error) {
    throw error instanceof GrantRefused ? ended(signIn, error) : error;
  }
}

function signInOf({ signIn }: Profile, url: string): SignIn {
  if (signIn) return signIn;
  throw new Failure("NO_CREDENTIALS", "not signed in", [
    signInHint(url),
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
  try {
    const claims = JSON.parse(Buffer.from(idToken.split(".")[1] ?? "", "base64url").toString()) as {
      exp?: unknown;
    };
    return typeof claims.exp === "number" ? claims.exp * 1_000 : 0;
  } catch {
    return 0;
  }
}
