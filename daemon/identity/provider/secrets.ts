import { createHash, generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import type { JSONWebKeySet, JWK } from "jose";
import type { JWKS } from "oidc-provider";
import { newSecret } from "../../../src/kernel/ids.js";
import type { IdentityStore } from "../identity-store.js";

export interface ProviderSecrets {
  /** Private keys that sign ID tokens. */
  jwks: JWKS;
  /** The same keys without their private parts. */
  publicKeys: JSONWebKeySet;
  cookieKeys: string[];
}

/** Reads the embedded provider's secrets from the store, and creates those that are not there yet. */
export async function providerSecrets(store: IdentityStore, now: number): Promise<ProviderSecrets> {
  const jwks = JSON.parse(await store.secret("signing-keys", newSigningKeys, now)) as JWKS;
  const cookieKeys = JSON.parse(await store.secret("cookie-keys", newCookieKeys, now)) as string[];
  return { jwks, publicKeys: publicPart(jwks), cookieKeys };
}

/** RS256: the one algorithm that every OpenID client knows (Core 1.0, 15.1). Made without `jose`, which a first start can do without. */
async function newSigningKeys(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: 2048 });
  const { e, n, ...jwk } = privateKey.export({ format: "jwk" });
  // The thumbprint of RFC 7638.
  const kid = createHash("sha256")
    .update(JSON.stringify({ e, kty: "RSA", n }))
    .digest("base64url");
  return JSON.stringify({ keys: [{ ...jwk, e, n, kid, alg: "RS256", use: "sig" }] });
}

function publicPart({ keys }: JWKS): JSONWebKeySet {
  return { keys: keys.map(({ kty, n, e, kid, alg, use }) => ({ kty, n, e, kid, alg, use }) as JWK) };
}

async function newCookieKeys(): Promise<string> {
  return JSON.stringify([newSecret()]);
}
