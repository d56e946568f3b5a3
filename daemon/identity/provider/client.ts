import type { ClientMetadata } from "oidc-provider";

/** The one client of the embedded provider: Wireroom's own command line. Also the audience of its ID tokens. */
export const CLIENT_ID = "wireroom-cli";
/** All that is granted, in every flow. */
export const SCOPE = "openid email offline_access";
/** Sign-in with e-mail and password for terminals and scripts (decisions, section 10). */
export const PASSWORD_GRANT = "urn:wireroom:params:oauth:grant-type:password";

/** RFC 8252: a native application is a public client, and its loopback redirect may use any port. */
export const CLIENT: ClientMetadata = {
  client_id: CLIENT_ID,
  client_name: "the Wireroom command line",
  application_type: "native",
  token_endpoint_auth_method: "none",
  grant_types: [
    "authorization_code",
    "refresh_token",
    "urn:ietf:params:oauth:grant-type:device_code",
    PASSWORD_GRANT,
  ],
  response_types: ["code"],
  redirect_uris: ["127.0.0.1", "localhost", "[::1]"].flatMap((host) => [
    `http://${host}/callback`,
    `http://${host}/`,
  ]),
  scope: SCOPE,
};
