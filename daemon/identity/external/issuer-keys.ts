import { type CompactVerifyGetKey, createRemoteJWKSet, customFetch, errors } from "jose";
import { WireroomError } from "../../../src/contract/errors.js";
import { MINUTE, monotonicMs, SECOND } from "../../../src/kernel/clock.js";
import { errorFields, type Log } from "../log.js";
import { isSecureUrl } from "../settings.js";

/** Time for which keys are cached. A withdrawn key is accepted for up to this time. */
const MAX_AGE_MS = 10 * MINUTE;
const TIMEOUT_MS = 5 * SECOND;
/** Pause after a failure to load the keys. */
const BACKOFF_MS = SECOND;
/** Real discovery documents and key sets have a few KiB. */
const MAX_RESPONSE_BYTES = 512 * 1024;

export interface IssuerKeysOptions {
  issuer: string;
  log: Log;
  now: () => number;
  /** Minimum pause in milliseconds between requests caused by unknown key ids. The default is 5 s. */
  cooldown?: number | undefined;
}

/**
 * Returns a function that finds an external issuer's signing keys (OpenID Connect Discovery 1.0). An unknown
 * key id makes it fetch the keys again. It throws 503 UNAVAILABLE if that fails.
 */
export function createIssuerKeys({
  issuer,
  log,
  now,
  cooldown = 5 * SECOND,
}: IssuerKeysOptions): CompactVerifyGetKey {
  const discovery = new URL(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`);
  let retryAtMs = 0;

  const createKeySet = () =>
    createRemoteJWKSet(discovery, {
      cooldownDuration: cooldown,
      cacheMaxAge: MAX_AGE_MS,
      timeoutDuration: TIMEOUT_MS,
      // Load the discovery document each time, because the issuer may move its keys to another URL.
      [customFetch]: async (_url, { signal }) => {
        if (monotonicMs() < retryAtMs) throw unavailable();
        try {
          return Response.json(await load(issuer, discovery, signal));
        } catch (error) {
          retryAtMs = monotonicMs() + BACKOFF_MS;
          log.warn({ issuer, ...errorFields(error) }, "the keys of the identity provider cannot be loaded");
          throw unavailable();
        }
      },
    });

  let keySet = createKeySet();
  let clockOffsetMs = now() - monotonicMs();

  return async (header, token) => {
    // jose measures the age of its keys with the system clock. If that clock is set back, jose would keep old
    // keys for too long, so create a new key set.
    const offsetMs = now() - monotonicMs();
    if (offsetMs < clockOffsetMs - SECOND) keySet = createKeySet();
    clockOffsetMs = offsetMs;
    try {
      return await keySet(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSInvalid)) throw error;
      log.warn({ issuer, ...errorFields(error) }, "the identity provider's key set is malformed");
      throw unavailable();
    }
  };
}

async function load(issuer: string, discovery: URL, signal: AbortSignal): Promise<unknown> {
  const document = (await fetchJson(discovery, signal)) as { issuer?: unknown; jwks_uri?: unknown };
  // OpenID Connect Discovery 1.0, section 4.3 requires this check.
  if (document?.issuer !== issuer) throw new Error("the discovery document names another issuer");
  const jwksUri = document.jwks_uri;
  if (typeof jwksUri !== "string" || !URL.canParse(jwksUri) || !isSecureUrl(new URL(jwksUri))) {
    throw new Error("the discovery document has no usable jwks_uri");
  }
  const set = (await fetchJson(new URL(jwksUri), signal)) as { keys?: unknown };
  if (Array.isArray(set?.keys)) {
    // Remove `alg`, so that the key verifies tokens with either name of this algorithm (RFC 9864).
    for (const key of set.keys) if (key?.kty === "OKP" && key.crv === "Ed25519") delete key.alg;
  }
  return set;
}

/** Does not follow redirects. */
async function fetchJson(url: URL, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(url, { signal, redirect: "manual", headers: { accept: "application/json" } });
  if (response.status !== 200) throw new Error(`${url.pathname} responded with status ${response.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_RESPONSE_BYTES)
      throw new Error(`${url.pathname} is larger than ${MAX_RESPONSE_BYTES} bytes`);
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}

function unavailable(): WireroomError {
  return new WireroomError("UNAVAILABLE", "the identity provider is unreachable; try again", {
    retry_after: 2,
  });
}
