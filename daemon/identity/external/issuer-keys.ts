import { type CompactVerifyGetKey, createRemoteJWKSet, customFetch, errors } from "jose";
import { WireroomError } from "../../../src/contract/errors.js";
import { MINUTE, monotonicMs, SECOND } from "../../../src/kernel/clock.js";
import { errorFields, type Log } from "../log.js";
import { isSecureUrl } from "../settings.js";

/** Time for which fetched keys are cached, and a withdrawn key is accepted. */
const MAX_AGE_MS = 10 * MINUTE;
/** Time limit for loading the discovery document and the keys. */
const TIMEOUT_MS = 5 * SECOND;
/** After a failed load of the keys, no request is sent to the issuer for this time. */
const BACKOFF_MS = SECOND;
/** Maximum size of a discovery document or key set. Real ones have a few KiB. */
const MAX_RESPONSE_BYTES = 512 * 1024;

export interface IssuerKeysOptions {
  issuer: string;
  log: Log;
  now: () => number;
  /** Minimum time in milliseconds between two requests that an unknown key id causes. The default is 5 s. */
  cooldown?: number | undefined;
}

/**
 * Returns a function that finds the signing keys of an external issuer (OpenID Connect Discovery 1.0). An
 * unknown key id causes a new request. Throws 503 UNAVAILABLE if the keys cannot be loaded.
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
      // Loads the discovery document each time, because the issuer may move its keys to another URL.
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
    // jose measures the age of its keys with the system clock, which may be set back.
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
    // A key without `alg` verifies tokens with either name of the algorithm (RFC 9864).
    for (const key of set.keys) if (key?.kty === "OKP" && key.crv === "Ed25519") delete key.alg;
  }
  return set;
}

/** Fetches a JSON document with a size limit. It does not follow redirects. */
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
