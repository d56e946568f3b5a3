/** The settings of human accounts (decisions, sections 10 and 12), checked before anything is started. */

export interface IdentitySettings {
  /** `--oidc-issuer`: an external OpenID Connect provider; without it the daemon runs its own. */
  oidcIssuer?: string | undefined;
  /** `--oidc-audience`: what the external provider writes into `aud`. */
  oidcAudience?: string | undefined;
  /** `--smtp-url`: `smtp://` or `smtps://`; `?from=` sets the sender. Without it codes go to the log. */
  smtpUrl?: string | undefined;
}

/** True for hosts that never leave this machine: `localhost`, 127.0.0.0/8 and `[::1]`. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** True for a URL whose keys may be trusted: https, or http on loopback only (decisions, section 10). */
export function isTrustworthy(url: URL): boolean {
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
}

/** Throws an `Error` of one line, which begins with the flag that is wrong. */
export function checkSettings({ oidcIssuer, oidcAudience, smtpUrl }: IdentitySettings): void {
  if (oidcIssuer !== undefined) {
    const url = parse("--oidc-issuer", oidcIssuer);
    if (!isTrustworthy(url)) {
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
