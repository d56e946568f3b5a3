/** An OpenID provider for test daemons. It issues ID tokens for any name, so tests need no sign-in. */
import { generateKeyPairSync, sign } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { epochSeconds } from "../runtime/clock.js";

/** The audience (`aud`) of the ID tokens. */
export const AUDIENCE = "wireroom-test";

const LIFETIME_SECONDS = 3_600;

export interface Issuer {
  readonly url: string;
  /** Returns an ID token for the human with this name. The same name always means the same account. */
  token(name: string): string;
  close(): void;
}

/** The provider does not keep the process alive. */
export async function startIssuer(): Promise<Issuer> {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const key = { ...publicKey.export({ format: "jwk" }), kid: "test", alg: "EdDSA", use: "sig" };
  const server = createServer((request, response) => {
    const discovery = { issuer: url, jwks_uri: `${url}/jwks.json` };
    const body = request.url === "/jwks.json" ? { keys: [key] } : discovery;
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  server.unref();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    token(name) {
      const iat = epochSeconds();
      const email = `${encodeURIComponent(name)}@example.com`;
      const claims = { iss: url, aud: AUDIENCE, sub: name, email, iat, exp: iat + LIFETIME_SECONDS };
      const content = `${base64url({ alg: "EdDSA", kid: key.kid, typ: "JWT" })}.${base64url(claims)}`;
      return `${content}.${sign(null, Buffer.from(content), privateKey).toString("base64url")}`;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function base64url(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}
