/** Which identity provider a daemon trusts: it says so itself (RFC 9728), so that signing in needs no configuration. */

import { Failure } from "../../failure.js";
import { safe } from "../../output/safe.js";
import { ask } from "./http.js";

/** Where one signs in for a daemon. */
export interface Published {
  issuer: string;
  /** The public client that one signs in with. */
  clientId: string;
  /** Where the daemon's own provider sends confirmation codes; undefined for an external provider. */
  codes?: "mail" | "log" | undefined;
}

/** Flags that replace what the daemon publishes. */
export interface ProviderFlags {
  issuer?: string | undefined;
  clientId?: string | undefined;
}

/**
 * Asks the daemon. Throws where it cannot be reached, or names no provider and the flags name none either.
 * @param url REST base url of the daemon
 */
export async function publishedProvider(url: string, flags: ProviderFlags = {}): Promise<Published> {
  if (flags.issuer !== undefined && flags.clientId !== undefined)
    return { issuer: flags.issuer, clientId: flags.clientId };
  const { issuer, clientId, codes } = await metadataOf(url);
  // The daemon's own provider is asked for e-mail and password, which are for no issuer but that one.
  const isOther = flags.issuer !== undefined && flags.issuer !== issuer;
  return {
    issuer: flags.issuer ?? issuer,
    clientId: flags.clientId ?? clientId,
    ...(!isOther && codes && { codes }),
  };
}

async function metadataOf(url: string): Promise<Published> {
  const { origin, pathname } = new URL(url);
  const body = (await ask(`${origin}/.well-known/oauth-protected-resource${pathname}`)) as {
    authorization_servers?: unknown;
    wireroom_client_id?: unknown;
    wireroom_codes?: unknown;
  };
  const issuer = Array.isArray(body.authorization_servers) ? body.authorization_servers[0] : undefined;
  const { wireroom_client_id: clientId, wireroom_codes: codes } = body;
  if (typeof issuer !== "string" || typeof clientId !== "string")
    throw new Failure("SIGN_IN_FAILED", `${url} does not say which identity provider it trusts`, [
      "Name it: wireroom login --issuer URL --client-id ID",
    ]);
  return { issuer, clientId, ...((codes === "mail" || codes === "log") && { codes }) };
}

/**
 * Throws where a password would go to another origin than the daemon that one speaks to: it could be a daemon that
 * collects other daemons' sign-ins. One that is reached on this machine may be known to others by another name.
 */
export function checkOwnProvider(url: string, issuer: string): void {
  const { origin, hostname } = new URL(url);
  if (URL.canParse(issuer) && (new URL(issuer).origin === origin || isLoopback(hostname))) return;
  throw new Failure(
    "SIGN_IN_FAILED",
    `the daemon at ${origin} wants e-mail and password to be sent to ${safe(issuer)}, which is another one`,
    [`If that is the daemon that you mean, use its own address: --url ${originOf(issuer)}/v1`],
  );
}

/** True for hosts that never leave this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : "https://…";
}
