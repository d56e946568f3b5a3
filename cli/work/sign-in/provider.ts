/** An identity provider, through its discovery document: what every way to sign in has in common. */
import * as oidc from "openid-client";
import { Failure } from "../../failure.js";
import type { SignIn } from "../../profiles/profile.js";
import { providerError } from "./provider-errors.js";
import { isLoopback } from "./published.js";

const TIMEOUT_SECONDS = 30;

/** Tokens as the provider gives them. */
export type Tokens = oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers;

export interface Provider {
  issuer: string;
  clientId: string;
  /** For calls of `openid-client`. */
  config: oidc.Configuration;
  /** `openid`, `email` and, if the provider supports it, `offline_access` for a refresh token. */
  scope: string;
  /** Address of the device flow; undefined where the provider has none. */
  deviceEndpoint: string | undefined;
}

/**
 * Reads the discovery document. Throws `PROVIDER_UNREACHABLE` or `SIGN_IN_FAILED`.
 * @param daemonUrl the daemon that is signed in to: where it is spoken to without TLS, so may be its own provider
 */
export async function connect(
  { issuer, clientId }: { issuer: string; clientId: string },
  daemonUrl: string,
): Promise<Provider> {
  const url = issuerUrl(issuer, daemonUrl);
  try {
    const config = await oidc.discovery(url, clientId, undefined, oidc.None(), {
      timeout: TIMEOUT_SECONDS,
      ...(url.protocol === "http:" && { execute: [oidc.allowInsecureRequests] }),
    });
    const { scopes_supported, device_authorization_endpoint } = config.serverMetadata();
    const isOffline = scopes_supported?.includes("offline_access") === true;
    return {
      issuer,
      clientId,
      config,
      scope: isOffline ? "openid email offline_access" : "openid email",
      deviceEndpoint: device_authorization_endpoint,
    };
  } catch (error) {
    throw providerError(error, issuer);
  }
}

/** https; http on this machine alone, or where the daemon itself is spoken to so. */
function issuerUrl(issuer: string, daemonUrl: string): URL {
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  const isPlain = url?.protocol === "http:";
  const mayBePlain = url && (isLoopback(url.hostname) || url.origin === new URL(daemonUrl).origin);
  if (url && (url.protocol === "https:" || (isPlain && mayBePlain))) return url;
  throw new Failure("USAGE", `the identity provider must be an https URL, not ${JSON.stringify(issuer)}`);
}

/** The part of the tokens that the profile keeps. Throws `SIGN_IN_FAILED` without an ID token with an e-mail address. */
export function signInOf({ issuer, clientId }: Provider, tokens: Tokens, before?: SignIn): SignIn {
  const { id_token: idToken, refresh_token } = tokens;
  const email = tokens.claims()?.email ?? before?.email;
  if (idToken === undefined || typeof email !== "string")
    throw new Failure(
      "SIGN_IN_FAILED",
      `${issuer} gave ${idToken === undefined ? "no ID token" : "an ID token without an e-mail address"}`,
      ["The client needs the scopes openid and email: ask whoever runs the identity provider."],
    );
  // A provider that does not rotate refresh tokens leaves them out of its answers (RFC 6749, section 6).
  const refreshToken = refresh_token ?? before?.refreshToken;
  return { email, issuer, clientId, idToken, ...(refreshToken !== undefined && { refreshToken }) };
}

/** New tokens for a refresh token, which is used up by that where the provider rotates them. */
export async function refreshed(signIn: SignIn, refreshToken: string, daemonUrl: string): Promise<SignIn> {
  const provider = await connect(signIn, daemonUrl);
  try {
    return signInOf(provider, await oidc.refreshTokenGrant(provider.config, refreshToken), signIn);
  } catch (error) {
    throw providerError(error, signIn.issuer);
  }
}

/** Ends a sign-in at its provider; false where that has no way to (RFC 7009). */
export async function revoked(signIn: SignIn, daemonUrl: string): Promise<boolean> {
  const { refreshToken, issuer } = signIn;
  if (refreshToken === undefined) return false;
  const { config } = await connect(signIn, daemonUrl);
  if (config.serverMetadata().revocation_endpoint === undefined) return false;
  try {
    await oidc.tokenRevocation(config, refreshToken, { token_type_hint: "refresh_token" });
    return true;
  } catch (error) {
    throw providerError(error, issuer);
  }
}

const PASSWORD_GRANT = "urn:wireroom:params:oauth:grant-type:password";

/**
 * Signs in with e-mail and password, which only the daemon's own provider takes. Throws `GrantRefused` for a wrong e-mail address or password, `RATE_LIMITED` after too many
 * attempts.
 */
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
