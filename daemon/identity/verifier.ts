import { type CompactVerifyGetKey, compactVerify, decodeJwt, decodeProtectedHeader, errors } from "jose";
import { LRUCache } from "lru-cache";
import { WireroomError } from "../../src/contract/errors.js";
import { MINUTE } from "../../src/kernel/clock.js";
import { sha256 } from "../../src/kernel/hash.js";

/** The human that an ID token speaks for. An account is one (issuer, subject); the e-mail may change. */
export interface Identity {
  issuer: string;
  subject: string;
  email: string;
}

/** Takes the value of an `Authorization` header; 403 `FORBIDDEN` for all that is not a valid ID token (specification, 5). */
export type Verify = (authorization: string | undefined) => Promise<Identity>;

export interface VerifierOptions {
  issuer: string;
  audience: string;
  /** Finds the key for a header; may throw `UNAVAILABLE`. */
  keys: CompactVerifyGetKey;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** Decisions, section 10. Ed25519 is the newer name of EdDSA (RFC 9864). */
const ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA", "Ed25519"];
/** Header fields by which a token would bring its own key; one that has them is refused. */
const OWN_KEY = ["jwk", "jku", "x5u", "x5c"];
/** Clocks may differ by 30 s (decisions, section 10). */
const TOLERANCE = 30;
/** Longer than any real ID token; Node itself ends at 16 KiB of headers. */
const MAX_LENGTH = 16_384;
/** Verifying takes some 300 µs, a cache hit 3. */
const CACHE_SIZE = 1_000;
/** A cached token is verified again after this long (ms), so that a withdrawn key is noticed. */
const CACHE_AGE = 5 * MINUTE;

export function createVerifier({ issuer, audience, keys, now }: VerifierOptions): Verify {
  const verified = new LRUCache<string, { identity: Identity; until: number }>({ max: CACHE_SIZE });

  return async (authorization) => {
    const token = bearer(authorization);
    const hash = sha256(token);
    const known = verified.get(hash);
    if (known && now() < known.until) return known.identity;

    // All that needs no key is checked first: a malformed or stale token never makes the issuer be asked.
    checkHeader(token);
    const { identity, exp } = checkClaims(token, { issuer, audience, now: now() / 1000 });
    await checkSignature(token, keys);

    verified.set(hash, { identity, until: Math.min((exp + TOLERANCE) * 1000, now() + CACHE_AGE) });
    return identity;
  };
}

function bearer(authorization: string | undefined): string {
  if (!authorization) throw forbidden("an ID token is required: Authorization: Bearer <ID_TOKEN>");
  const token = /^Bearer +([\w.~+/=-]+)$/i.exec(authorization)?.[1];
  if (token === undefined || token.length > MAX_LENGTH || token.split(".").length !== 3) {
    throw forbidden(
      "Authorization must be Bearer and an ID token (a signed JWT); API keys are not accepted here",
    );
  }
  return token;
}

function checkHeader(token: string): void {
  const header = decoded(() => decodeProtectedHeader(token)) as Record<string, unknown>;
  if (!ALGORITHMS.includes(header.alg as string)) {
    throw forbidden(`the ID token must be signed with one of ${ALGORITHMS.join(", ")}`);
  }
  if (header.typ !== undefined && header.typ !== "JWT") {
    throw forbidden("the token is no ID token: its typ is not JWT");
  }
  if (header.crit !== undefined)
    throw forbidden("the ID token has critical extensions that are not understood");
  if (OWN_KEY.some((name) => header[name] !== undefined)) {
    throw forbidden("the ID token must not bring its own key");
  }
}

function checkClaims(
  token: string,
  { issuer, audience, now }: { issuer: string; audience: string; now: number },
): { identity: Identity; exp: number } {
  const claims = decoded(() => decodeJwt(token)) as Record<string, unknown>;
  const { iss, aud, exp, nbf, sub, email } = claims;
  if (iss !== issuer) throw forbidden("the ID token is from another issuer");
  if (aud !== audience && !(Array.isArray(aud) && aud.includes(audience))) {
    throw forbidden("the ID token is for another audience");
  }
  if (typeof exp !== "number" || !Number.isFinite(exp)) throw forbidden("the ID token has no expiry (exp)");
  if (exp + TOLERANCE <= now) throw forbidden("the ID token is expired: sign in again");
  if (nbf !== undefined && !(typeof nbf === "number" && nbf - TOLERANCE <= now)) {
    throw forbidden("the ID token is not valid yet (nbf)");
  }
  // OpenID Connect Core 1.0, section 2: at most 255 characters.
  if (!isText(sub) || sub.length > 255) throw forbidden("the ID token has no usable subject (sub)");
  if (!isText(email) || email.length > 254 || !/^[^\s@]+@[^\s@]+$/.test(email)) {
    throw forbidden("the ID token has no e-mail address (email): the scope `email` is required");
  }
  // Some providers write "false" as a string.
  if (claims.email_verified === false || claims.email_verified === "false") {
    throw forbidden("the e-mail address of this account is not verified");
  }
  return { identity: { issuer, subject: sub, email }, exp };
}

async function checkSignature(token: string, keys: CompactVerifyGetKey): Promise<void> {
  const options = { algorithms: ALGORITHMS };
  try {
    await compactVerify(token, keys, options).catch(async (error: unknown) => {
      // A token without a key id, and several keys that fit: any of them will do.
      if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
      for await (const key of error) {
        const valid = await compactVerify(token, key, options).catch(() => undefined);
        if (valid) return valid;
      }
      throw new errors.JWSSignatureVerificationFailed();
    });
  } catch (error) {
    if (error instanceof WireroomError) throw error;
    throw forbidden(
      error instanceof errors.JWKSNoMatchingKey
        ? "the ID token is signed with a key that its issuer does not publish"
        : "the signature of the ID token is not valid",
    );
  }
}

function decoded<Result>(decode: () => Result): Result {
  try {
    return decode();
  } catch {
    throw forbidden("the ID token is malformed");
  }
}

/** A string that any database can keep: not empty, without control characters and lone surrogates. */
function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "" && !/[\p{Cc}\p{Cs}]/u.test(value);
}

function forbidden(message: string): WireroomError {
  return new WireroomError("FORBIDDEN", message);
}
