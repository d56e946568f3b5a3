/** Signs humans in at an external OpenID Connect provider. */
import * as oidc from "openid-client";
import { WireroomError } from "../../../src/contract/errors.js";
import { MINUTE, monotonicMs, SECOND } from "../../../src/kernel/clock.js";
import { errorFields, type Log } from "../log.js";
import { isSecureUrl } from "../settings.js";
import type { Identity, VerifyToken } from "../verifier.js";

const TIMEOUT_SECONDS = 5;
const MAX_AGE_MS = 10 * MINUTE;
/** Pause after a failed discovery. */
const BACKOFF_MS = SECOND;
/**
 * Issuers that support `prompt=select_account` but not `login`. Their discovery documents list no prompt
 * values, so the daemon cannot find this out
 * (https://developers.google.com/identity/protocols/oauth2/openid-connect#authenticationuriparameters).
 */
const SELECT_ACCOUNT = ["https://accounts.google.com"];

export interface IssuerClientOptions {
  issuer: string;
  clientId: string;
  /** Undefined for a public client. */
  clientSecret: string | undefined;
  redirectUri: string;
  verify: VerifyToken;
  log: Log;
}

/**
 * A sign-in's secrets. `state` binds the sign-in to the browser. The others bind the tokens to the sign-in.
 */
export interface SignInSecrets {
  state: string;
  nonce: string;
  /** The PKCE code verifier. */
  verifier: string;
}

export class SignInFailure extends Error {
  override readonly name = "SignInFailure";
  constructor(
    readonly status: number,
    message: string,
    readonly detail?: string | undefined,
  ) {
    super(message);
  }
}

export class IssuerClient {
  readonly host: string;
  private discovered: { config: Promise<oidc.Configuration>; validUntilMs: number } | undefined;

  constructor(private readonly options: IssuerClientOptions) {
    this.host = new URL(options.issuer).host;
  }

  /**
   * Returns the URL of the provider's sign-in page.
   * @param isOther whether the human wants to use another account
   * @throws SignInFailure if the provider is unreachable
   */
  async authorizationUrl({ state, nonce, verifier }: SignInSecrets, isOther: boolean): Promise<URL> {
    const config = await this.discover();
    return oidc.buildAuthorizationUrl(config, {
      redirect_uri: this.options.redirectUri,
      scope: "openid email",
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      ...(isOther && { prompt: promptOf(config.serverMetadata()) }),
    });
  }

  /**
   * Exchanges an authorization response's code for the human's identity.
   * @throws SignInFailure if the response or its token is not valid for this sign-in
   */
  async redeem(response: URL, { state, nonce, verifier }: SignInSecrets): Promise<Identity> {
    const config = await this.discover();
    try {
      const { id_token } = await oidc.authorizationCodeGrant(config, response, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
      });
      return await this.options.verify(`Bearer ${id_token}`);
    } catch (error) {
      throw this.failureOf(error);
    }
  }

  private discover(): Promise<oidc.Configuration> {
    if (this.discovered && monotonicMs() < this.discovered.validUntilMs) return this.discovered.config;
    const config = this.load();
    const discovered = { config, validUntilMs: monotonicMs() + MAX_AGE_MS };
    this.discovered = discovered;
    config.catch(() => {
      discovered.validUntilMs = monotonicMs() + BACKOFF_MS;
    });
    return config;
  }

  private async load(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret } = this.options;
    const url = new URL(issuer);
    const authentication = clientSecret === undefined ? oidc.None() : secretAuthentication(clientSecret);
    try {
      const config = await oidc.discovery(url, clientId, undefined, authentication, {
        timeout: TIMEOUT_SECONDS,
        ...(url.protocol === "http:" && { execute: [oidc.allowInsecureRequests] }),
      });
      const metadata = config.serverMetadata();
      // Compare exactly, because openid-client accepts some documents that name a different issuer.
      if (metadata.issuer !== issuer) throw new Error("the discovery document names another issuer");
      const { authorization_endpoint, token_endpoint } = metadata;
      for (const endpoint of [authorization_endpoint, token_endpoint])
        if (!URL.canParse(endpoint ?? "") || !isSecureUrl(new URL(endpoint!)))
          throw new Error(
            "the discovery document lacks an https endpoint for the authorization or for tokens",
          );
      return config;
    } catch (error) {
      this.logFailure(error);
      throw this.unreachable();
    }
  }

  private failureOf(error: unknown): SignInFailure {
    this.logFailure(error);
    if (error instanceof WireroomError)
      return error.status >= 500 ? this.unreachable() : new SignInFailure(403, `${sentence(error.message)}.`);
    if (error instanceof oidc.AuthorizationResponseError)
      return error.error === "access_denied"
        ? new SignInFailure(403, `The sign-in at ${this.host} was refused.`, describe(error))
        : new SignInFailure(400, `${this.host} could not sign you in.`, describe(error));
    if (error instanceof oidc.ResponseBodyError)
      return new SignInFailure(400, `${this.host} did not accept the end of the sign-in.`, describe(error));
    if (isUnreachable(error)) return this.unreachable();
    return new SignInFailure(
      400,
      `The response of ${this.host} does not belong to this sign-in, or is not valid.`,
    );
  }

  private unreachable(): SignInFailure {
    return new SignInFailure(
      503,
      `The identity provider ${this.host} cannot be reached. Try again in a minute.`,
    );
  }

  private logFailure(error: unknown): void {
    const { error: code } = error as { error?: unknown };
    this.options.log.warn(
      { issuer: this.options.issuer, ...errorFields(error), ...(typeof code === "string" && { code }) },
      "a sign-in at the identity provider failed",
    );
  }
}

/**
 * Sends the client secret in the `Authorization` header, or in the body if the provider supports only that.
 */
function secretAuthentication(secret: string): oidc.ClientAuth {
  const [inHeader, inBody] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)];
  return (metadata, client, body, headers) => {
    const methods = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const isInBody = !methods.includes("client_secret_basic") && methods.includes("client_secret_post");
    return (isInBody ? inBody : inHeader)(metadata, client, body, headers);
  };
}

/** Returns the prompt that lets the human choose another account. Every provider must support `login`. */
function promptOf(metadata: oidc.ServerMetadata): string {
  const { issuer, prompt_values_supported: supported } = metadata;
  const selects = Array.isArray(supported)
    ? supported.includes("select_account")
    : SELECT_ACCOUNT.includes(issuer);
  return selects ? "select_account" : "login";
}

function isUnreachable(error: unknown): boolean {
  if (error instanceof TypeError) return true;
  return (
    error instanceof oidc.ClientError && (error.code === "OAUTH_TIMEOUT" || error.code === "OAUTH_ABORT")
  );
}

function describe({
  error,
  error_description,
}: oidc.AuthorizationResponseError | oidc.ResponseBodyError): string {
  return error_description === undefined ? error : `${error}: ${error_description}`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
