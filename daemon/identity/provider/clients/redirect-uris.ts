/** Redirect URIs that an application may have (docs/specification/identity.md#applications). */

/** Maximum length. Real ones have less than 200 characters. */
const MAX_LENGTH = 1_000;
/** Names of this machine (RFC 8252, section 7.3). An application may use any port of them. */
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];
/** Private-use schemes without a dot. RFC 8252, section 7.1 requires a dot, but these editors have none. */
const KNOWN_SCHEMES = ["cursor:", "vscode:", "vscode-insiders:"];

/** Returns what is wrong with a redirect URI, as the end of "redirect_uris must …". */
export function redirectUriProblem(uri: string): string | undefined {
  if (uri.length > MAX_LENGTH) return `have at most ${MAX_LENGTH} characters each`;
  // The URL parser converts other characters, such as a tab, which applications might treat differently.
  if (!/^[\x21-\x7e]+$/.test(uri) || /[\\"<>^`{|}]/.test(uri) || !URL.canParse(uri))
    return "be absolute URIs";
  if (uri.includes("#")) return "contain no fragment";
  if (uri.includes("*")) return "contain no wildcard";
  const { protocol, hostname, host } = new URL(uri);
  const authority = /^[^:]+:\/\/([^/?]*)/.exec(uri)?.[1];
  if (authority?.includes("@")) return "contain no user name or password";
  if (protocol === "https:" || protocol === "http:") {
    // The parser also accepts other spellings, such as a number for an IPv4 address, or no slashes.
    const written = authority?.toLowerCase();
    if (written !== host && written !== `${hostname}:${protocol === "http:" ? 80 : 443}`)
      return "name their host in its usual form";
    if (protocol === "http:" && !LOOPBACK.includes(hostname)) return "use https, except on this machine";
    return undefined;
  }
  if (protocol.includes(".") || KNOWN_SCHEMES.includes(protocol)) return undefined;
  return "use https, http on this machine, or a private-use scheme with a dot (RFC 8252, section 7.1)";
}

/** Where the browser goes after a human has approved or refused. */
export interface Destination {
  /** Host of the redirect URI, or its private-use scheme. */
  host: string;
  /** Whether a program on the human's computer gets the response. */
  isOnThisMachine: boolean;
  /** The destination for the directive `form-action`, which Chrome applies to redirects, too. */
  formAction: string;
}

/** @param redirectUri a valid redirect URI */
export function destinationOf(redirectUri: string): Destination {
  const { protocol, hostname, host, origin } = new URL(redirectUri);
  if (protocol === "https:") {
    return { host, isOnThisMachine: LOOPBACK.includes(hostname), formAction: origin };
  }
  // A source expression cannot name an IPv6 address (Content Security Policy Level 3, section 2.3.1).
  if (protocol === "http:")
    return { host, isOnThisMachine: true, formAction: hostname === "[::1]" ? "http:" : origin };
  return { host: protocol.slice(0, -1), isOnThisMachine: true, formAction: protocol };
}
