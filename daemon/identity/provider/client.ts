import type { ClientMetadata } from "oidc-provider";

/** The OAuth client of the command line `wireroom`. This id is also the audience of the ID tokens. */
export const CLIENT_ID = "wireroom-cli";
/**
 * Returns whether a client is an application: any client but those of Wireroom itself. Applications describe themselves by a
 * metadata document or a registration, and get access tokens for one handle (docs/specification/identity.md#applications).
 */
export function isApplication(clientId: string | undefined): boolean {
  return clientId !== undefined && clientId !== CLIENT_ID;
}

/** The scopes granted to the command line in every flow. */
export const SCOPE = "openid email offline_access";
/** The only scope of applications. */
export const APPLICATION_SCOPE = "wireroom";
/** OAuth grant type for sign-ins with e-mail and password from terminals and scripts (docs/specification/identity.md#sign-in). */
export const PASSWORD_GRANT = "urn:wireroom:params:oauth:grant-type:password";

/**
 * Returns the metadata of the command line. As RFC 8252 requires for a native application, it is a public client. The client may use any
 * port in its loopback redirect URI.
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
