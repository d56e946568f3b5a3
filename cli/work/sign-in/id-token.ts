/** The human's ID token, kept fresh. */
import { now } from "../../clock.js";
import { Failure } from "../../failure.js";
import type { Profile, SignIn } from "../../profiles/profile.js";

/** Milliseconds before its end at which a token is renewed: longer than a request may be under way. */
const MARGIN = 60_000;

/** Where the sign-in is kept. */
export interface TokenHome {
  /** The daemon that is spoken to. */
  url: string;
  profile(): Promise<Profile>;
  /** Changes the profile, one process at a time. */
  changeProfile(change: (profile: Profile) => Promise<Profile>): Promise<void>;
}

/** Returns the token for the next request. `refused` is the token that the service has just refused; another is tried. */
export type IdTokenSource = (refused?: string) => Promise<string>;

/** Throws `NO_CREDENTIALS` where nobody is signed in. The source throws where the sign-in has ended. */
export async function idTokenSource(home: TokenHome): Promise<IdTokenSource> {
  signInOf(await home.profile());
  return async (refused) => {
    const signIn = signInOf(await home.profile());
    const { idToken, refreshToken } = signIn;
    const isRefused = idToken === refused;
    if (!isRefused && expiryOf(idToken) - now() > MARGIN) return idToken;
    // Without a refresh token this one serves to its very end, and what the service says of it stands.
    if (refreshToken === undefined && (isRefused || expiryOf(idToken) > now())) return idToken;
    await home.changeProfile((profile) => renewed(profile, idToken, home.url));
    return signInOf(await home.profile()).idToken;
  };
}

/** Refresh tokens rotate, and one that comes twice ends the sign-in: whoever finds a new token takes that one. */
async function renewed(profile: Profile, stale: string, url: string): Promise<Profile> {
  const signIn = signInOf(profile);
  if (signIn.idToken !== stale) return profile;
  if (signIn.refreshToken === undefined) throw ended(signIn);
  const [{ refreshed }, { GrantRefused }] = await Promise.all([
    import("./provider.js"),
    import("./provider-errors.js"),
  ]);
  try {
    return { ...profile, signIn: await refreshed(signIn, signIn.refreshToken, url) };
  } catch (error) {
    throw error instanceof GrantRefused ? ended(signIn, error) : error;
  }
}

function signInOf({ signIn }: Profile): SignIn {
  if (signIn) return signIn;
  throw new Failure("NO_CREDENTIALS", "nobody is signed in", [
    "wireroom login (or wireroom signup, for a new account)",
    "or set WIREROOM_ID_TOKEN to a token of your identity provider.",
  ]);
}

function ended({ email }: SignIn, cause?: Error): Failure {
  return new Failure("SIGN_IN_FAILED", `the sign-in of ${email} has ended`, ["wireroom login"], { cause });
}

/** Milliseconds since 1970; 0 for a token that cannot be read, which is renewed then. */
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
