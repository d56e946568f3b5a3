import { type CompactVerifyGetKey, createRemoteJWKSet, customFetch, errors } from "jose";
import { WireroomError } from "../../src/contract/errors.js";
import { MINUTE, SECOND } from "../../src/kernel/clock.js";
import { failure, type Log } from "./log.js";
import { isTrustworthy } from "./settings.js";

/** How long fetched keys are used before they are fetched again, in ms: also how long a withdrawn key still works. */
const MAX_AGE = 10 * MINUTE;
/** One load (discovery and keys together) may take this long, in ms. */
const TIMEOUT = 5 * SECOND;
/** After a failed load the issuer is left alone for this long, in ms. */
const BACKOFF = SECOND;
/** Discovery documents and key sets have a few KiB. */
const MAX_BYTES = 512 * 1024;

export interface IssuerKeysOptions {
  issuer: string;
  log: Log;
  now: () => number;
  /** An unknown key id makes the keys be fetched again, but not more often than this, in ms. */
  cooldown?: number | undefined;
}

/**
 * The signing keys of an external issuer, found through its discovery document (OpenID Connect Discovery 1.0, section 4).
 * Keys are cached; a key id that is not among them makes them be fetched again (rotation). Where they cannot be had:
 * 503 `UNAVAILABLE`.
 */
export function issuerKeys({
  issuer,
  log,
  now,
  cooldown = 5 * SECOND,
}: IssuerKeysOptions): CompactVerifyGetKey {
  const discovery = new URL(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`);
  let quietUntil = 0;

  const keySet = createRemoteJWKSet(discovery, {
    cooldownDuration: cooldown,
    cacheMaxAge: MAX_AGE,
    timeoutDuration: TIMEOUT,
    // The discovery document is read again each time, so that an issuer may also move its key set.
    [customFetch]: async (_url, { signal }) => {
      if (now() < quietUntil) throw unavailable();
      try {
        return Response.json(await load(issuer, discovery, signal));
      } catch (error) {
        quietUntil = now() + BACKOFF;
        log.warn({ issuer, ...failure(error) }, "the keys of the identity provider cannot be had");
        throw unavailable();
      }
    },
  });

  return async (header, token) => {
    try {
      return await keySet(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSInvalid)) throw error;
      log.warn({ issuer, ...failure(error) }, "the identity provider's key set is malformed");
      throw unavailable();
    }
  };
}

async function load(issuer: string, discovery: URL, signal: AbortSignal): Promise<unknown> {
  const document = (await fetchJson(discovery, signal)) as { issuer?: unknown; jwks_uri?: unknown };
  // Discovery 1.0, section 4.3: the issuer must be identical to the one that was asked.
  if (document?.issuer !== issuer) throw new Error("the discovery document names another issuer");
  const jwksUri = document.jwks_uri;
  if (typeof jwksUri !== "string" || !URL.canParse(jwksUri) || !isTrustworthy(new URL(jwksUri))) {
    throw new Error("the discovery document has no usable jwks_uri");
  }
  const set = (await fetchJson(new URL(jwksUri), signal)) as { keys?: unknown };
  if (Array.isArray(set?.keys)) {
    // EdDSA and Ed25519 name the same signature (RFC 9864): a key marked with one verifies tokens marked with the other.
    for (const key of set.keys) if (key?.kty === "OKP" && key.crv === "Ed25519") delete key.alg;
  }
  return set;
}

/** GET of a JSON document of bounded size; redirects are not followed. */
async function fetchJson(url: URL, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(url, { signal, redirect: "manual", headers: { accept: "application/json" } });
  if (response.status !== 200) throw new Error(`${url.pathname} answered ${response.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) throw new Error(`${url.pathname} is larger than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}

function unavailable(): WireroomError {
  return new WireroomError("UNAVAILABLE", "the identity provider is out of reach: try again", {
    retry_after: 2,
  });
}
