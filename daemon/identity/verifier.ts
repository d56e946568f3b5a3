/** Verifies ID tokens (docs/specification/identity.md#id-tokens). */
import { type CompactVerifyGetKey, compactVerify, decodeJwt, decodeProtectedHeader, errors } from "jose";
import { LRUCache } from "lru-cache";
import { WireroomError } from "../../src/contract/errors.js";
import { HOUR, MINUTE, monotonicMs } from "../../src/kernel/clock.js";
import { sha256 } from "../../src/kernel/hash.js";
import { GRANT_CLAIM } from "./provider/sign-in/account.js";

/**
 * The person whom an ID token identifies. The e-mail address may change, so the issuer and subject identify
 * the account.
 */
export interface Identity {
  issuer: string;
  subject: string;
  email: string;
}

export interface VerifiedToken extends Identity {
  /** In milliseconds since 1970, or 0 if the token does not contain the time. */
  issuedAtMs: number;
  /** In milliseconds since 1970, including the tolerated clock difference. */
  expiresAtMs: number;
  /** Id of the sign-in's grant. Trust it only if the daemon itself issued the token. */
  grantId: string | undefined;
}

/**
 * Returns the claims of the ID token in an `Authorization` header. Throws 403 FORBIDDEN if the header
 * contains no valid ID token (docs/specification/identity.md#id-tokens).
 */
export type VerifyToken = (authorization: string | undefined) => Promise<VerifiedToken>;

export interface VerifiedIdentity extends VerifiedToken {
  human: string;
}

export type Verify = (authorization: string | undefined) => Promise<VerifiedIdentity>;

export interface VerifierOptions {
  issuer: string;
  /** A token must be issued to at least one of these client ids. */
  audiences: readonly string[];
  /** May throw UNAVAILABLE. */
  keys: CompactVerifyGetKey;
  /** Milliseconds since 1970. */
  now: () => number;
  /**
   * Whether the daemon itself issues the tokens. If so, it rejects tokens that are dated in the future,
   * because they would live too long.
   */
  isOwn?: boolean;
  /** The default is the limit from OpenID Connect Core 1.0, section 2. */
  maxSubjectLength?: number;
}

/** Accepted signature algorithms. Ed25519 is the newer name of EdDSA (RFC 9864). */
const ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA", "Ed25519"];
/** With these header fields, a token could supply its own key. */
const KEY_HEADERS = ["jwk", "jku", "x5u", "x5c"];
/** Tolerated difference between clocks (docs/specification/identity.md#id-tokens). */
const CLOCK_TOLERANCE_SECONDS = 30;
/**
 * Tolerance for tokens that the daemon issues itself and that are dated in the future. It is large, because
 * oidc-provider uses this machine's clock, which may differ by minutes from a PostgreSQL server's clock.
 */
const FUTURE_TOLERANCE_MS = HOUR;
/** Real ID tokens are shorter. */
const MAX_LENGTH = 16_384;
/** Verified tokens are cached, because verifying is slow. */
const CACHE_SIZE = 1_000;
/** A cached token is accepted for this time even if its key is withdrawn. */
const CACHE_TTL_MS = 5 * MINUTE;

export function createVerifier(options: VerifierOptions): VerifyToken {
  const { issuer, audiences, keys, now, isOwn = false, maxSubjectLength = 255 } = options;
  const assertNotFromFuture = (identity: VerifiedToken) => {
    if (isOwn && identity.issuedAtMs > now() + FUTURE_TOLERANCE_MS)
      throw forbidden("the ID token was issued while the clock of the daemon was ahead; sign in again");
    return identity;
  };
  const verified = new LRUCache<string, { identity: VerifiedToken; cachedUntilMs: number }>({
    max: CACHE_SIZE,
  });

  return async (authorization) => {
    const token = bearer(authorization);
    const hash = sha256(token);
    const cached = verified.get(hash);
    if (cached && now() < cached.identity.expiresAtMs && monotonicMs() < cached.cachedUntilMs)
      return assertNotFromFuture(cached.identity);

    // Check the signature last, so that a malformed or expired token causes no request to the issuer.
    checkHeader(token);
    const identity = checkClaims(token, { issuer, audiences, maxSubjectLength, now: now() / 1000 });
    assertNotFromFuture(identity);
    await checkSignature(token, keys);

    verified.set(hash, {
      identity,
      // The monotonic clock ignores changes of the system clock, which could extend the use of a withdrawn
      // key.
      cachedUntilMs: monotonicMs() + CACHE_TTL_MS,
    });
    return identity;
  };
}

function bearer(authorization: string | undefined): string {
  if (!authorization) throw forbidden("an ID token is required: Authorization: Bearer <ID_TOKEN>");
  const token = /^Bearer +([\w.~+/=-]+)$/i.exec(authorization)?.[1];
  if (token === undefined || token.length > MAX_LENGTH || token.split(".").length !== 3) {
    throw forbidden(
      "the Authorization header must be `Bearer` and an ID token (a signed JWT); this operation does not accept API keys",
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
    throw forbidden("the token is not an ID token: its typ is not JWT");
  }
  if (header.crit !== undefined) throw forbidden("the ID token has unsupported critical extensions (crit)");
  if (KEY_HEADERS.some((name) => header[name] !== undefined)) {
    throw forbidden("the ID token must not contain its own key (jwk, jku, x5u, x5c)");
  }
}

type ExpectedClaims = Required<Omit<VerifierOptions, "keys" | "now" | "isOwn">> & { now: number };

function checkClaims(
  token: string,
  { issuer, audiences, maxSubjectLength, now }: ExpectedClaims,
): VerifiedToken {
  const claims = decoded(() => decodeJwt(token)) as Record<string, unknown>;
  const { iss, aud, azp, exp, nbf, iat, sub, email, [GRANT_CLAIM]: grantId } = claims;
  if (iss !== issuer) throw forbidden("the ID token is from another issuer");
  const isAccepted = (value: unknown) => audiences.some((audience) => audience === value);
  if (!(Array.isArray(aud) ? aud : [aud]).some(isAccepted)) {
    throw forbidden("the ID token is for another audience");
  }
  // With a single audience, `azp` may name another client (OpenID Connect Core 1.0, section 3.1.3.7).
  if (Array.isArray(aud) && aud.length > 1 && azp !== undefined && !isAccepted(azp)) {
    throw forbidden("the ID token was issued to another client (azp)");
  }
  if (typeof exp !== "number" || !Number.isFinite(exp)) throw forbidden("the ID token has no expiry (exp)");
  if (exp + CLOCK_TOLERANCE_SECONDS <= now) throw forbidden("the ID token has expired; sign in again");
  if (nbf !== undefined && !(typeof nbf === "number" && nbf - CLOCK_TOLERANCE_SECONDS <= now)) {
    throw forbidden("the ID token is not valid yet (nbf)");
  }
  if (!isText(sub) || sub.length > maxSubjectLength)
    throw forbidden("the ID token has no valid subject (sub)");
  if (!isText(email) || email.length > 254 || !/^[^\s@]+@[^\s@]+$/.test(email)) {
    throw forbidden("the ID token has no valid e-mail address (email); sign in with the scope `email`");
  }
  // Some providers send text. Accept only true and a missing claim, because other text may be a spelling of
  // false.
  if (!["true", "null"].includes(String(claims.email_verified ?? null))) {
    throw forbidden("the e-mail address of this account is not verified");
  }
  return {
    ...{ issuer, subject: sub, email },
    issuedAtMs: typeof iat === "number" ? iat * 1000 : 0,
    expiresAtMs: (exp + CLOCK_TOLERANCE_SECONDS) * 1000,
    grantId: typeof grantId === "string" ? grantId : undefined,
  };
}

async function checkSignature(token: string, keys: CompactVerifyGetKey): Promise<void> {
  const options = { algorithms: ALGORITHMS };
  try {
    await compactVerify(token, keys, options).catch(async (error: unknown) => {
      // The token has no key id and several keys match, so try each.
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

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "" && !/[\p{Cc}\p{Cs}]/u.test(value);
}

function forbidden(message: string): WireroomError {
  return new WireroomError("FORBIDDEN", message);
}
