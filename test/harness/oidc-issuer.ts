/**
 * A minimal external OpenID provider: an HTTP server with a discovery document and keys, which issues any
 * token.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type CryptoKey,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from "jose";

export interface IssuerKey {
  kid: string;
  alg: string;
  privateKey: CryptoKey;
  publicJwk: JWK;
  /** The public key as PEM, for attacks that use it as a shared secret. */
  publicPem: string;
}

export interface TokenOptions {
  /** The signing key. The default is the newest published key. */
  key?: IssuerKey;
  /** Added to the header `{alg, kid, typ: "JWT"}`; `undefined` removes a field. */
  header?: Partial<Record<string, unknown>>;
  /** Added to valid claims; `undefined` removes a claim. */
  claims?: Partial<Record<string, unknown>>;
}

export interface OidcIssuer {
  readonly url: string;
  readonly audience: string;
  /** Number of requests by path. */
  readonly requests: Record<string, number>;
  /** Creates a key. Publishes it unless `publish` is false. */
  addKey(alg: string, options?: { publish?: boolean; kid?: string }): Promise<IssuerKey>;
  /** Replaces the published key set. */
  publish(...keys: (IssuerKey | JWK)[]): void;
  /** Issues an ID token for `sub` "alice". The options change its header and claims. */
  token(options?: TokenOptions): Promise<string>;
  /** Replaces the response of a path; `undefined` restores the original. */
  override(path: string, answer: { status: number; body: string } | undefined): void;
  close(): Promise<void>;
}

export const DISCOVERY_PATH = "/.well-known/openid-configuration";
export const JWKS_PATH = "/jwks.json";

export async function startOidcIssuer({ audience = "wireroom-test", port = 0 } = {}): Promise<OidcIssuer> {
  const requests: Record<string, number> = {};
  const overrides = new Map<string, { status: number; body: string }>();
  let published: JWK[] = [];
  let newest: IssuerKey | undefined;

  const server = createServer((req, res) => {
    const path = req.url ?? "/";
    requests[path] = (requests[path] ?? 0) + 1;
    const documents: Record<string, unknown> = {
      [DISCOVERY_PATH]: { issuer: url, jwks_uri: `${url}${JWKS_PATH}` },
      [JWKS_PATH]: { keys: published },
    };
    const { status, body } = overrides.get(path) ?? {
      status: documents[path] ? 200 : 404,
      body: JSON.stringify(documents[path] ?? {}),
    };
    res.writeHead(status, { "Content-Type": "application/json" }).end(body);
  });
  const url = `http://127.0.0.1:${await listen(server, port)}`;

  const issuer: OidcIssuer = {
    url,
    audience,
    requests,
    async addKey(alg, { publish = true, kid = `key-${Math.random().toString(36).slice(2)}` } = {}) {
      const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
      const publicJwk: JWK = { ...(await exportJWK(publicKey)), kid, use: "sig" };
      const key = { kid, alg, privateKey, publicJwk, publicPem: await exportSPKI(publicKey) };
      if (publish) {
        published = [...published, publicJwk];
        newest = key;
      }
      return key;
    },
    publish(...keys) {
      published = keys.map((key) => ("publicJwk" in key ? (key.publicJwk as JWK) : (key as JWK)));
    },
    async token({ key = newest, header = {}, claims = {} } = {}) {
      if (!key) throw new Error("the issuer has no key; call addKey first");
      const all = { alg: key.alg, kid: key.kid, typ: "JWT", ...header } as JWTHeaderParameters;
      return new SignJWT({ ...validClaims(url, audience), ...claims } as JWTPayload)
        .setProtectedHeader(all)
        .sign(key.privateKey);
    },
    override(path, answer) {
      if (answer) overrides.set(path, answer);
      else overrides.delete(path);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return issuer;
}

/** Returns the claims of a new ID token for alice. */
export function validClaims(iss: string, aud: string): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1000);
  return {
    iss,
    aud,
    sub: "alice",
    email: "alice@example.com",
    email_verified: true,
    iat: now,
    exp: now + 600,
  };
}

/**
 * Builds a compact JWT with any header, claims and signature, including tokens that jose refuses to create.
 */
export function forge(header: object, claims: object, signature: Uint8Array | string = ""): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
  const last = typeof signature === "string" ? signature : Buffer.from(signature).toString("base64url");
  return `${encode(header)}.${encode(claims)}.${last}`;
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}
