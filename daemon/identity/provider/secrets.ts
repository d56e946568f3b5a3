import { createHash, generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import type { JSONWebKeySet, JWK } from "jose";
import type { JWKS } from "oidc-provider";
import { newSecret } from "../../../src/kernel/ids.js";
import { lazy } from "../../../src/kernel/lazy.js";
import type { IdentityContext } from "../service.js";

export interface ProviderSecrets {
  /** Private keys that sign ID tokens. */
  jwks: JWKS;
  publicKeys: JSONWebKeySet;
  cookieKeys: string[];
}

/**
 * Returns a function that reads the provider's secrets and creates missing ones. Call it at the first human's
 * request, because generating a key would delay the start.
 */
export function providerSecrets({ store, now }: IdentityContext): () => Promise<ProviderSecrets> {
  const read = async (name: string, create: () => Promise<string>) =>
    JSON.parse(await store.getOrCreateSecret(name, create, now()));
  return lazy(async () => {
    const jwks: JWKS = await read("signing-keys", newSigningKeys);
    const cookieKeys: string[] = await read("cookie-keys", newCookieKeys);
    return { jwks, publicKeys: publicPart(jwks), cookieKeys };
  });
}

/**
 * Every OpenID client must support RS256 (OpenID Connect Core 1.0, section 15.1). Uses `node:crypto`, because
 * loading `jose` would delay the start.
 */
async function newSigningKeys(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: 2048 });
  const { e, n, ...jwk } = privateKey.export({ format: "jwk" });
  // The key id is the JWK thumbprint (RFC 7638).
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
