/** Identity settings and their validation (docs/specification/running.md#settings). */

export interface IdentitySettings {
  /**
   * `--oidc-issuer`: the external OpenID Connect provider's issuer. Absent if the embedded provider is used.
   */
  oidcIssuer?: string | undefined;
  /** `--oidc-audience`: the `aud` claim that the external provider's ID tokens must have. */
  oidcAudience?: string | undefined;
  /**
   * `--oidc-client-id`: the daemon's client id at the external provider, required for connecting
   * applications.
   */
  oidcClientId?: string | undefined;
  /** `WIREROOM_OIDC_CLIENT_SECRET`, absent for a public client. Never shown, logged or stored. */
  oidcClientSecret?: string | undefined;
  /** `--smtp-url`: `smtp://` or `smtps://`, with the sender as `?from=`. If absent, codes are logged. */
  smtpUrl?: string | undefined;
  /** Whether the embedded provider supports the password grant. Absent means yes. */
  passwordGrant?: boolean | undefined;
  /** Whether humans can sign in on this machine with the secret in the data folder. Absent means no. */
  localSignIn?: boolean | undefined;
  /** Whether humans can sign in to the console. The default is true; `--no-console` turns it off. */
  console?: boolean | undefined;
}

export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/**
 * Returns whether keys from a URL can be trusted. The URL must use https, or http on this machine
 * (docs/specification/identity.md#external-provider).
 */
export function isSecureUrl(url: URL): boolean {
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
}

/** Throws an `Error` with a one-line message that begins with the flag if a setting is invalid. */
export function validateIdentitySettings(settings: IdentitySettings): void {
  const { oidcIssuer, oidcAudience, oidcClientId, oidcClientSecret, smtpUrl } = settings;
  if (oidcIssuer !== undefined) {
    const url = parse("--oidc-issuer", oidcIssuer);
    if (!isSecureUrl(url)) {
      throw new Error("--oidc-issuer: must be an https URL; http is accepted on loopback only");
    }
    if (url.search || url.hash || url.username || url.password || /[?#]$/.test(oidcIssuer)) {
      throw new Error("--oidc-issuer: must have no query, fragment or credentials");
    }
    if (!oidcAudience) {
      throw new Error("--oidc-issuer: needs --oidc-audience, the client id for which its tokens are issued");
    }
  } else if (oidcAudience !== undefined) {
    throw new Error("--oidc-audience: needs --oidc-issuer");
  } else if (oidcClientId !== undefined) {
    throw new Error("--oidc-client-id: needs --oidc-issuer, the provider that knows this client");
  }
  if (oidcClientSecret !== undefined && oidcClientId === undefined) {
    throw new Error("WIREROOM_OIDC_CLIENT_SECRET: needs --oidc-client-id, the client to which it belongs");
  }
  if (smtpUrl !== undefined) {
    const url = parse("--smtp-url", smtpUrl);
    if (!["smtp:", "smtps:"].includes(url.protocol) || !url.hostname) {
      throw new Error("--smtp-url: must be smtp://host:port or smtps://host:port");
    }
  }
}

function parse(flag: string, text: string): URL {
  if (!URL.canParse(text)) throw new Error(`${flag}: is not a URL`);
  return new URL(text);
}
