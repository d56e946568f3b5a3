/** Discovers the identity provider that a daemon trusts, from the daemon's published metadata (RFC 9728). */
import { Failure } from "../../failure.js";
import { oneLine, safe } from "../../output/safe.js";
import { isLoopback } from "../../profiles/endpoint.js";
import type { Session } from "../../session.js";
import { requestJson } from "./http.js";

export interface PublishedProvider {
  issuer: string;
  clientId: string;
  /**
   * The place to which the embedded provider sends confirmation codes. Undefined for an external provider.
   */
  codes?: "mail" | "log" | undefined;
}

export interface ProviderFlags {
  issuer?: string | undefined;
  clientId?: string | undefined;
}

/**
 * Returns the daemon's identity provider. `--issuer` and `--client-id` override the published values.
 * @param url REST base URL of the daemon
 */
export async function discoverProvider(url: string, flags: ProviderFlags = {}): Promise<PublishedProvider> {
  if (flags.issuer !== undefined && flags.clientId !== undefined)
    return { issuer: flags.issuer, clientId: flags.clientId };
  const { issuer, clientId, codes } = await publishedProvider(url);
  // Only the embedded provider may receive passwords. `codes` marks that provider, so omit it for others.
  const isOther = flags.issuer !== undefined && flags.issuer !== issuer;
  return {
    issuer: flags.issuer ?? issuer,
    clientId: flags.clientId ?? clientId,
    ...(!isOther && codes && { codes }),
  };
}

/** Returns the metadata that a daemon publishes about its REST API. */
export async function metadataOf(url: string): Promise<Record<string, unknown>> {
  const { origin, pathname } = new URL(url);
  const body = await requestJson(`${origin}/.well-known/oauth-protected-resource${pathname}`);
  return body as Record<string, unknown>;
}

async function publishedProvider(url: string): Promise<PublishedProvider> {
  const metadata = await metadataOf(url);
  const { wireroom_issuer: issuer, wireroom_client_id: clientId, wireroom_codes: codes } = metadata;
  if (typeof issuer !== "string" || typeof clientId !== "string")
    throw new Failure("SIGN_IN_FAILED", `${url} does not name an identity provider`, [
      "Name one: wireroom login --issuer URL --client-id ID",
    ]);
  return { issuer, clientId, ...((codes === "mail" || codes === "log") && { codes }) };
}

/** Returns the daemon's embedded provider. Throws `USAGE` if the daemon uses an external one. */
export async function ownProvider(session: Session): Promise<PublishedProvider> {
  const url = await session.urlForSecrets();
  const provider = await discoverProvider(url);
  if (provider.codes === undefined)
    throw new Failure(
      "USAGE",
      `this daemon uses an external identity provider: ${oneLine(provider.issuer)}`,
      ["It manages accounts and passwords. Sign in: wireroom login"],
    );
  assertOwnProvider(url, provider.issuer);
  return provider;
}

/**
 * Throws if the password would go to another origin than the daemon's, because a malicious daemon could steal
 * it that way. A daemon at a loopback address is exempt, because its public origin may differ.
 */
export function assertOwnProvider(url: string, issuer: string): void {
  const { origin, hostname } = new URL(url);
  if (URL.canParse(issuer) && (new URL(issuer).origin === origin || isLoopback(hostname))) return;
  throw new Failure(
    "SIGN_IN_FAILED",
    `the daemon at ${origin} requests to send e-mail and password to another server: ${safe(issuer)}`,
    [`If you trust that server, use its address: --url ${originOf(issuer)}/v1`],
  );
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : "https://…";
}
