import type { ClientMetadata } from "oidc-provider";

/** The OAuth client of the command line `wireroom`. This id is also the audience of the ID tokens. */
export const CLIENT_ID = "wireroom-cli";
/** The OAuth client of the console, the page of the daemon for humans. */
export const CONSOLE_CLIENT_ID = "wireroom-console";
/** Wireroom's own clients, whose ID tokens the dashboard operations accept. The console may be off. */
export const OWN_CLIENT_IDS: readonly string[] = [CLIENT_ID, CONSOLE_CLIENT_ID];

/**
 * Returns whether a client is an application: any client but Wireroom's own. It gets access tokens for one
 * handle (docs/specification/identity.md#applications).
 */
export function isApplication(clientId: string | undefined): boolean {
  return clientId !== undefined && !OWN_CLIENT_IDS.includes(clientId);
}

/**
 * Returns whether a used refresh token of a client is accepted again for some seconds, because a browser or a
 * host may have lost the response. The command line keeps its tokens under a lock instead.
 */
export function hasGracePeriod(clientId: string | undefined): boolean {
  return clientId !== undefined && clientId !== CLIENT_ID;
}

/** The scopes granted to Wireroom's own clients in every flow. */
export const SCOPE = "openid email offline_access";
/** The only scope of applications. */
export const APPLICATION_SCOPE = "wireroom";
/** OAuth grant type for sign-ins with e-mail and password (docs/specification/identity.md#sign-in). */
export const PASSWORD_GRANT = "urn:wireroom:params:oauth:grant-type:password";

/**
 * Returns the metadata of the command line. As RFC 8252 requires for a native application, it is a public
 * client. The client may use any port in its loopback redirect URI.
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
  redirect_uris: ["127.0.0.1", "localhost", "[::1]"].flatMap((host) => [
    `http://${host}/callback`,
    `http://${host}/`,
  ]),
  scope: SCOPE,
});

/** The path below the origin to which the console is sent back after a sign-in. */
export const CONSOLE_REDIRECT_PATH = "/console/callback";

/** Returns the metadata of the console, a public client at one redirect URI. */
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
