import type { ClientMetadata } from "oidc-provider";
import { LOOPBACK_NAMES } from "../../../../src/kernel/loopback.js";

/** OAuth client id of the command line, and the audience of its ID tokens. */
export const CLIENT_ID = "wireroom-cli";
export const CONSOLE_CLIENT_ID = "wireroom-console";
/** Dashboard operations accept ID tokens issued to these clients. */
export const OWN_CLIENT_IDS: readonly string[] = [CLIENT_ID, CONSOLE_CLIENT_ID];

/**
 * Returns whether a client is an application, which gets access tokens for one handle
 * (docs/specification/identity.md#applications).
 */
export function isApplication(clientId: string | undefined): boolean {
  return clientId !== undefined && !OWN_CLIENT_IDS.includes(clientId);
}

/**
 * Returns whether a used refresh token stays valid for a few seconds, in case the response was lost. The
 * command line needs no such period, because it guards its tokens with a lock.
 */
export function hasGracePeriod(clientId: string | undefined): boolean {
  return clientId !== undefined && clientId !== CLIENT_ID;
}

export const SCOPE = "openid email offline_access";
/** The only scope that applications can get. */
export const APPLICATION_SCOPE = "wireroom";
/**
 * OAuth grant type for signing in with e-mail address and password (docs/specification/identity.md#sign-in).
 */
export const PASSWORD_GRANT = "urn:wireroom:params:oauth:grant-type:password";

/**
 * Returns the command line's metadata. A native application is a public client and may use any port in its
 * loopback redirect URI (RFC 8252).
 */
export const clientMetadata = (passwordGrant: boolean): ClientMetadata => ({
  client_id: CLIENT_ID,
  client_name: "the Wireroom command line",
  application_type: "native",
  token_endpoint_auth_method: "none",
  grant_types: [
    "authorization_code",
    "refresh_token",
    "urn:ietf:params:oauth:grant-type:device_code",
    ...(passwordGrant ? [PASSWORD_GRANT] : []),
  ],
  response_types: ["code"],
  redirect_uris: LOOPBACK_NAMES.flatMap((host) => [`http://${host}/callback`, `http://${host}/`]),
  scope: SCOPE,
});

export const CONSOLE_REDIRECT_PATH = "/console/callback";

export const consoleMetadata = (publicOrigin: string): ClientMetadata => ({
  client_id: CONSOLE_CLIENT_ID,
  client_name: "the Wireroom console",
  application_type: "web",
  token_endpoint_auth_method: "none",
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  redirect_uris: [`${publicOrigin}${CONSOLE_REDIRECT_PATH}`],
  scope: SCOPE,
});
