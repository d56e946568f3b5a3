/** Signing in with e-mail and password at the daemon's own provider (decisions, section 10). */
import * as oidc from "openid-client";
import type { SignIn } from "../../profiles/profile.js";
import { type Provider, signInOf } from "./provider.js";
import { providerError } from "./provider-errors.js";

const PASSWORD_GRANT = "urn:wireroom:params:oauth:grant-type:password";

/** Throws `GrantRefused` for a wrong e-mail address or password, `RATE_LIMITED` after too many. */
export async function signInWithPassword(
  provider: Provider,
  { email, password }: { email: string; password: string },
): Promise<SignIn> {
  try {
    const parameters = { username: email, password };
    return signInOf(provider, await oidc.genericGrantRequest(provider.config, PASSWORD_GRANT, parameters));
  } catch (error) {
    throw providerError(error, provider.issuer);
  }
}
