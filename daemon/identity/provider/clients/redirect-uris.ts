/** Checks applications' redirect URIs (docs/specification/identity.md#applications). */
import { LOOPBACK_NAMES } from "../../../../src/kernel/loopback.js";

const MAX_LENGTH = 1_000;
/** URI schemes of known MCP hosts, allowed without the dot that RFC 8252, section 7.1 requires. */
const KNOWN_SCHEMES = ["claude", "cursor", "kiro", "vscode", "vscode-insiders", "warp", "windsurf", "zed"];

/** Returns what is wrong with a redirect URI, as the end of the sentence "redirect_uris must …". */
export function redirectUriProblem(uri: string): string | undefined {
  if (uri.length > MAX_LENGTH) return `have at most ${MAX_LENGTH} characters each`;
  // Reject other characters, such as a tab, because the URL parser would change them.
  if (!/^[\x21-\x7e]+$/.test(uri) || /[\\"<>^`{|}]/.test(uri) || !URL.canParse(uri))
    return "be absolute URIs";
  if (uri.includes("#")) return "contain no fragment";
  if (uri.includes("*")) return "contain no wildcard";
  const { protocol, hostname, host } = new URL(uri);
  const authority = /^[^:]+:\/\/([^/?]*)/.exec(uri)?.[1];
  if (authority?.includes("@")) return "contain no user name or password";
  if (protocol === "https:" || protocol === "http:") {
    // Reject other spellings that the URL parser accepts, such as a number for an IPv4 address, or missing
    // slashes.
    const written = authority?.toLowerCase();
    if (written !== host && written !== `${hostname}:${protocol === "http:" ? 80 : 443}`)
      return "name their host in its usual form";
    if (protocol === "http:" && !LOOPBACK_NAMES.includes(hostname))
      return "use https, except on this machine";
    return undefined;
  }
  if (protocol.includes(".") || KNOWN_SCHEMES.includes(protocol.slice(0, -1))) return undefined;
  return "use https, http on this machine, a private-use scheme with a dot (RFC 8252, section 7.1), or that of a known host";
}

/** The place to which the browser goes after a human has approved or refused an application. */
export interface Destination {
  /** The redirect URI's host or private-use scheme. */
  host: string;
  isOnThisMachine: boolean;
  /**
   * Source for the CSP directive `form-action`. Chrome also applies it to redirects after a form submission.
   */
  formAction: string;
}

/** @param redirectUri a valid redirect URI */
export function destinationOf(redirectUri: string): Destination {
  const { protocol, hostname, host, origin } = new URL(redirectUri);
  if (protocol === "https:") {
    return { host, isOnThisMachine: LOOPBACK_NAMES.includes(hostname), formAction: origin };
  }
  // A CSP source expression cannot contain an IPv6 address (Content Security Policy Level 3, section 2.3.1).
  if (protocol === "http:")
    return { host, isOnThisMachine: true, formAction: hostname === "[::1]" ? "http:" : origin };
  return { host: protocol.slice(0, -1), isOnThisMachine: true, formAction: protocol };
}
