/** The human's ID token, kept fresh. */
import { Failure } from "../failure.js";
import type { Profile } from "../profiles/profile.js";

/** Gives the token to send with the next request. Throws `NO_CREDENTIALS` where nobody is signed in. */
export function idTokenSource(profile: Profile, env: NodeJS.ProcessEnv): () => string {
  const token = env.WIREROOM_ID_TOKEN || profile.signIn?.idToken;
  if (token) return () => token;
  throw new Failure("NO_CREDENTIALS", "nobody is signed in", [
    "wireroom login (or wireroom signup, for a new account)",
    "or set WIREROOM_ID_TOKEN to a token of your identity provider.",
  ]);
}
