/** Sends OAuth requests to an identity provider, for all sign-in methods. */
import * as oidc from "openid-client";
import { WireroomError } from "../../../sdk/src/api.js";
import { describeFault } from "../../../sdk/src/runtime/transport/fault.js";
import { Failure } from "../../failure.js";
import { isLoopback } from "../../profiles/endpoint.js";
import type { SignIn } from "../../profiles/profile.js";

const TIMEOUT_SECONDS = 30;
const PASSWORD_GRANT = "urn:wireroom:params:oauth:grant-type:password";

export type Tokens = oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers;

export interface Provider {
  issuer: string;
  clientId: string;
  config: oidc.Configuration;
  /** `openid`, `email` and, if the provider supports it, `offline_access` for a refresh token. */
  scope: string;
  /** Undefined if the provider does not support the device flow (RFC 8628). */
  deviceEndpoint: string | undefined;
  hasPasswordGrant: boolean;
}

/**
 * Reads the identity provider's discovery document.
 * @param daemonUrl the daemon's URL; if it uses http, the embedded provider may use http too
 */
export async function connect(
  { issuer, clientId }: { issuer: string; clientId: string },
  daemonUrl: string,
): Promise<Provider> {
  const url = issuerUrl(issuer, daemonUrl);
  const config = await oidc
    .discovery(url, clientId, undefined, oidc.None(), {
      timeout: TIMEOUT_SECONDS,
      ...(url.protocol === "http:" && { execute: [oidc.allowInsecureRequests] }),
    })
    .catch(refused(issuer));
  const { scopes_supported, grant_types_supported, device_authorization_endpoint } = config.serverMetadata();
  const isOffline = scopes_supported?.includes("offline_access") === true;
  return {
    issuer,
    clientId,
    config,
    scope: isOffline ? "openid email offline_access" : "openid email",
    deviceEndpoint: device_authorization_endpoint,
    hasPasswordGrant: grant_types_supported?.includes(PASSWORD_GRANT) === true,
  };
}

/** Throws `USAGE` unless the issuer uses https, or http at a loopback address or at the daemon's origin. */
function issuerUrl(issuer: string, daemonUrl: string): URL {
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  const isPlain = url?.protocol === "http:";
  const mayBePlain = url && (isLoopback(url.hostname) || url.origin === new URL(daemonUrl).origin);
  if (url && (url.protocol === "https:" || (isPlain && mayBePlain))) return url;
  throw new Failure(
    "USAGE",
    `the daemon names an identity provider that is not an https URL: ${JSON.stringify(issuer)}`,
  );
}

/** Throws `SIGN_IN_FAILED` if the response contains no ID token or no e-mail address. */
export function signInOf({ issuer, clientId }: Provider, tokens: Tokens, before?: SignIn): SignIn {
  const { id_token: idToken, refresh_token } = tokens;
  const email = tokens.claims()?.email ?? before?.email;
  if (idToken === undefined || typeof email !== "string")
    throw new Failure(
      "SIGN_IN_FAILED",
      `${issuer} returned ${idToken === undefined ? "no ID token" : "an ID token without an e-mail address"}`,
      ["The OAuth client needs the scopes openid and email. Ask the administrator of the identity provider."],
    );
  // Keep the old refresh token if the provider returned no new one (RFC 6749, section 6).
  const refreshToken = refresh_token ?? before?.refreshToken;
  return { email, issuer, clientId, idToken, ...(refreshToken !== undefined && { refreshToken }) };
}

/** Exchanges a refresh token for new tokens. If the provider rotates tokens, the old one becomes invalid. */
export async function refreshTokens(
  provider: Provider,
  signIn: SignIn,
  refreshToken: string,
): Promise<SignIn> {
  const { config, issuer } = provider;
  return signInOf(
    provider,
    await oidc.refreshTokenGrant(config, refreshToken).catch(refused(issuer)),
    signIn,
  );
}

/** Revokes the refresh token (RFC 7009). Returns false if the provider does not support it. */
export async function revokeTokens(signIn: SignIn, daemonUrl: string): Promise<boolean> {
  const { refreshToken, issuer } = signIn;
  if (refreshToken === undefined) return false;
  const { config } = await connect(signIn, daemonUrl);
  if (config.serverMetadata().revocation_endpoint === undefined) return false;
  const hint = { token_type_hint: "refresh_token" };
  await oidc.tokenRevocation(config, refreshToken, hint).catch(refused(issuer));
  return true;
}

/**
 * Signs in with a password, which only the embedded provider supports. Throws `GrantRefused` for wrong
 * credentials, and `CodeRequired` if the provider has mailed a code that it also requires.
 */
export async function signInWithPassword(
  provider: Provider,
  { email, password, code }: { email: string; password: string; code?: string | undefined },
): Promise<SignIn> {
  const { config, issuer } = provider;
  const parameters = { username: email, password, ...(code !== undefined && { code }) };
  const grant = oidc.genericGrantRequest(config, PASSWORD_GRANT, parameters);
  return signInOf(provider, await grant.catch(refused(issuer)));
}

/** Signs in with the device flow (RFC 8628): the human enters a code in a browser on any device. */
export async function signInWithDevice(
  provider: Provider,
  show: (device: oidc.DeviceAuthorizationResponse) => void,
): Promise<SignIn> {
  const { config, scope, deviceEndpoint, issuer } = provider;
  if (deviceEndpoint === undefined)
    throw new Failure("USAGE", `${issuer} does not support the device flow`, [
      "Sign in with a browser on this machine: wireroom login --browser",
    ]);
  try {
    const device = await oidc.initiateDeviceAuthorization(config, { scope });
    show(device);
    return signInOf(provider, await oidc.pollDeviceAuthorizationGrant(config, device));
  } catch (error) {
    if (error instanceof oidc.ClientError && error.code === "OAUTH_TIMEOUT") throw expiredCode();
    throw toCliError(error, issuer);
  }
}

function refused(issuer: string): (error: unknown) => never {
  return (error) => {
    throw toCliError(error, issuer);
  };
}

/** OAuth error for wrong credentials or an invalid refresh token (RFC 6749, section 5.2). */
const INVALID_GRANT = "invalid_grant";
/** Error after too many wrong passwords (docs/specification/identity.md#throttling). */
const CODE_REQUIRED = "code_required";
/** OAuth error for an expired device code (RFC 8628, section 3.5). */
const EXPIRED_TOKEN = "expired_token";

export class GrantRefused extends Failure {}

/** Thrown if the identity provider has mailed a code that it requires in addition to the password. */
export class CodeRequired extends Failure {}

export function toCliError(error: unknown, issuer: string): unknown {
  if (error instanceof oidc.ResponseBodyError && error.status === 429)
    return new WireroomError(error.error_description ?? "too many attempts", {
      code: "RATE_LIMITED",
      status: error.status,
      retryAfter: retryAfterOf(error),
    });
  if (error instanceof oidc.ResponseBodyError || error instanceof oidc.AuthorizationResponseError)
    return refusalFailure(error, issuer);
  if (error instanceof oidc.ClientError || isFetchFailure(error))
    return unreachableFailure(error as Error, issuer);
  return error;
}

function refusalFailure(
  error: oidc.ResponseBodyError | oidc.AuthorizationResponseError,
  issuer: string,
): Failure {
  const { error: code, error_description: description } = error;
  if (code === INVALID_GRANT)
    return new GrantRefused("SIGN_IN_FAILED", description ?? "the sign-in was refused", [
      "Try again: wireroom login",
      ...(description?.includes("password") ? ["If you forgot the password: wireroom password forgot"] : []),
    ]);
  if (code === CODE_REQUIRED)
    return new CodeRequired("SIGN_IN_FAILED", description ?? "a code from an e-mail is needed", [
      "Add the code: wireroom login --code CODE",
      "A daemon without a mail server writes codes to its log: wireroom logs",
    ]);
  if (code === "access_denied")
    return new Failure("SIGN_IN_FAILED", `the sign-in was refused: ${description ?? "access denied"}`);
  if (code === EXPIRED_TOKEN) return expiredCode();
  return new Failure("SIGN_IN_FAILED", `${issuer} returned ${code}${description ? `: ${description}` : ""}`);
}

function expiredCode(): Failure {
  return new Failure("SIGN_IN_FAILED", "the code expired before it was entered", [
    "Try again: wireroom login",
  ]);
}

function unreachableFailure(error: Error, issuer: string): Failure {
  const why = error.cause === undefined ? error.message : describeFault(error.cause).why;
  return new Failure(
    "PROVIDER_UNREACHABLE",
    `cannot use the identity provider ${issuer}: ${why}`,
    ["Try again later. If it keeps failing, check the daemon: wireroom doctor"],
    { cause: error },
  );
}

/** Returns whether `fetch` failed. Only its network errors are TypeErrors with a cause. */
function isFetchFailure(error: unknown): boolean {
  return error instanceof TypeError && error.cause !== undefined;
}

function retryAfterOf({ response }: oidc.ResponseBodyError): number | undefined {
  const value = response.headers.get("retry-after");
  return value !== null && /^\d+$/.test(value) ? Number(value) : undefined;
}
