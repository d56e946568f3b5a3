import { createHmac } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SignJWT } from "jose";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { validateIdentitySettings } from "../../daemon/identity/index.js";
import { type IdentityHost, startIdentityHost } from "../harness/identity-host.js";
import {
  DISCOVERY_PATH,
  forge,
  type IssuerKey,
  JWKS_PATH,
  type OidcIssuer,
  startOidcIssuer,
  type TokenOptions,
  validClaims,
} from "../harness/oidc-issuer.js";

let folder: string;
let issuer: OidcIssuer;
let host: IdentityHost;
let rsa: IssuerKey;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "identity-"));
  issuer = await startOidcIssuer();
  rsa = await issuer.addKey("RS256");
  host = await startIdentityHost({
    file: join(folder, "external.db"),
    settings: { oidcIssuer: issuer.url, oidcAudience: issuer.audience },
    tuning: { keyCooldown: 0 },
  });
});

afterAll(async () => {
  await host.close();
  await issuer.close();
  await rm(folder, { recursive: true });
});

async function who(authorization?: string, at = host) {
  const response = await fetch(`${at.origin}/who`, authorization ? { headers: { authorization } } : {});
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const whoWith = async (options: TokenOptions) =>
  who(`Bearer ${await issuer.token({ key: rsa, ...options })}`);

async function expectRefused(promise: ReturnType<typeof who>, message: RegExp) {
  const { status, body } = await promise;
  expect(body).toMatchObject({ code: "FORBIDDEN", message: expect.stringMatching(message) });
  expect(status).toBe(403);
}

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

describe("an ID token of an external provider", () => {
  // [D10-account] [D10-discovery]
  it("identifies the account by issuer and subject, and contains its e-mail", async () => {
    expect((await whoWith({})).body).toEqual({
      issuer: issuer.url,
      subject: "alice",
      email: "alice@example.com",
      issuedAtMs: expect.any(Number),
      expiresAtMs: expect.any(Number),
      human: JSON.stringify([issuer.url, "alice"]),
    });
  });

  // [D10-email-changes]
  it("updates a changed e-mail of the account", async () => {
    expect((await whoWith({ claims: { email: "new@example.com" } })).body.email).toBe("new@example.com");
  });

  // [D10-algorithms]
  it.each(["RS256", "PS256", "ES256", "EdDSA", "Ed25519"])("may be signed with %s", async (alg) => {
    const key = await issuer.addKey(alg);
    expect((await whoWith({ key })).status).toBe(200);
  });

  // [D10-algorithms]
  it("may use the algorithm name Ed25519 with a key marked EdDSA, because both mean the same signature", async () => {
    const key = await issuer.addKey("Ed25519", { publish: false });
    issuer.publish(rsa, { ...key.publicJwk, alg: "EdDSA" });
    expect((await whoWith({ key })).status).toBe(200);
  });

  it("may omit typ and email_verified", async () => {
    expect(
      (await whoWith({ header: { typ: undefined }, claims: { email_verified: undefined } })).status,
    ).toBe(200);
  });

  it("may have several audiences, if the daemon is one of them", async () => {
    expect((await whoWith({ claims: { aud: ["other", issuer.audience] } })).status).toBe(200);
  });

  it("may omit the key id if several keys match", async () => {
    const other = await issuer.addKey("RS256");
    issuer.publish(other, rsa);
    expect((await whoWith({ header: { kid: undefined } })).status).toBe(200);
  });

  // [D10-clock]
  it("is accepted up to 30 s outside of its validity", async () => {
    expect((await whoWith({ claims: { exp: inSeconds(-25) } })).status).toBe(200);
    expect((await whoWith({ claims: { nbf: inSeconds(25) } })).status).toBe(200);
    await expectRefused(whoWith({ claims: { exp: inSeconds(-31) } }), /expired/);
    await expectRefused(whoWith({ claims: { nbf: inSeconds(35) } }), /not valid yet/);
  });
});

describe("the response is 403 FORBIDDEN (docs/specification/identity.md#id-tokens) for", () => {
  it("a missing token", () => expectRefused(who(), /ID token is required/));

  it.each([
    ["another scheme", "Basic YTpi"],
    ["an API key", `Bearer wr_${"a".repeat(43)}`],
    ["an empty token", "Bearer "],
    ["two parts", "Bearer e30.e30"],
    ["five parts, an encrypted token", "Bearer a.b.c.d.e"],
    ["parts that are not JSON", "Bearer abc.def.ghi"],
    ["a header that is not an object", `Bearer ${Buffer.from("null").toString("base64url")}.e30.AA`],
  ])("%s", (_what, authorization) => expectRefused(who(authorization), /ID token/));

  // [D10-claims]
  it.each<[string, TokenOptions["claims"], RegExp]>([
    ["another audience", { aud: "someone-else" }, /audience/],
    ["no audience", { aud: undefined }, /audience/],
    ["a list of other audiences", { aud: ["x", "y"] }, /audience/],
    ["another issuer", { iss: "https://evil.example" }, /issuer/],
    ["no issuer", { iss: undefined }, /issuer/],
    ["no expiry", { exp: undefined }, /expiry/],
    ["an expiry that is not a number", { exp: "tomorrow" }, /expiry/],
    ["an nbf that is not a number", { nbf: "now" }, /not valid yet/],
    ["no subject", { sub: undefined }, /subject/],
    ["an empty subject", { sub: "" }, /subject/],
    ["a subject of 256 characters", { sub: "s".repeat(256) }, /subject/],
    ["a subject with U+0000", { sub: "a\u0000b" }, /subject/],
    ["no e-mail", { email: undefined }, /email/],
    ["an invalid e-mail", { email: "alice" }, /email/],
    ["an e-mail that is not a string", { email: { a: 1 } }, /email/],
    ["an unverified e-mail", { email_verified: false }, /not verified/],
    ["an unverified e-mail, as text", { email_verified: "false" }, /not verified/],
  ])("%s", (_what, claims, message) => expectRefused(whoWith({ claims }), message));

  // [D10-typ] [D10-no-own-key]
  it.each<[string, Record<string, unknown>, RegExp]>([
    ["an access token (typ at+jwt)", { typ: "at+jwt" }, /not an ID token/],
    ["a logout token", { typ: "logout+jwt" }, /not an ID token/],
    ["a token that contains its key (jwk)", { jwk: { kty: "RSA" } }, /own key/],
    ["a token with the URL of a key (jku)", { jku: "https://evil.example/jwks" }, /own key/],
    ["a token with the URL of a certificate (x5u)", { x5u: "https://evil.example/c" }, /own key/],
  ])("%s", (_what, header, message) => expectRefused(whoWith({ header }), message));

  it("critical extensions", async () => {
    const header = { alg: "RS256", kid: rsa.kid, crit: ["x"], x: 1 };
    await expectRefused(
      who(`Bearer ${forge(header, validClaims(issuer.url, issuer.audience), "AA")}`),
      /critical/,
    );
  });

  // [D10-no-none]
  it("no signature (alg none)", async () => {
    const claims = validClaims(issuer.url, issuer.audience);
    for (const alg of ["none", "None", "NONE"]) {
      await expectRefused(who(`Bearer ${forge({ alg, typ: "JWT" }, claims)}`), /signed/);
    }
  });

  // [D10-no-symmetric]
  it("a symmetric signature with the public key as secret (HS256)", async () => {
    const token = forge({ alg: "HS256", kid: rsa.kid }, validClaims(issuer.url, issuer.audience));
    const input = token.slice(0, -1);
    const mac = createHmac("sha256", rsa.publicPem).update(input).digest();
    await expectRefused(who(`Bearer ${input}.${mac.toString("base64url")}`), /signed/);
  });

  // [D10-no-symmetric]
  it("a symmetric key in the issuer's key set", async () => {
    const secret = Buffer.alloc(32, 1);
    issuer.publish(rsa, { kty: "oct", kid: "shared", k: secret.toString("base64url") });
    const token = await new SignJWT(validClaims(issuer.url, issuer.audience))
      .setProtectedHeader({ alg: "HS256", kid: "shared" })
      .sign(secret);
    await expectRefused(who(`Bearer ${token}`), /signed/);
    issuer.publish(rsa);
  });

  it("a key that the issuer does not publish", async () => {
    const foreign = await issuer.addKey("RS256", { publish: false });
    await expectRefused(whoWith({ key: foreign }), /does not publish/);
    await expectRefused(whoWith({ key: foreign, header: { kid: rsa.kid } }), /signature/);
  });

  it("an algorithm other than that of the key", async () => {
    const token = forge({ alg: "PS256", kid: rsa.kid }, validClaims(issuer.url, issuer.audience), "AA");
    await expectRefused(who(`Bearer ${token}`), /signature/);
  });

  it("claims that were modified after signing", async () => {
    const [header, , signature] = (await issuer.token({ key: rsa })).split(".");
    const claims = { ...validClaims(issuer.url, issuer.audience), sub: "mallory" };
    const payload = Buffer.from(JSON.stringify(claims)).toString("base64url");
    await expectRefused(who(`Bearer ${header}.${payload}.${signature}`), /signature/);
  });
});

describe("the keys of the provider", () => {
  // [D10-discovery]
  it("are loaded again for a token with a new key id, and a removed key is rejected", async () => {
    const next = await issuer.addKey("ES256");
    issuer.publish(next);
    expect((await whoWith({ key: next })).status).toBe(200);
    await expectRefused(whoWith({ claims: { jti: "unseen" } }), /does not publish/);
    issuer.publish(rsa);
  });

  it("are not loaded again for a malformed, expired or cached token", async () => {
    const token = await issuer.token({ key: rsa });
    expect((await who(`Bearer ${token}`)).status).toBe(200);
    const before = { ...issuer.requests };
    expect((await who(`Bearer ${token}`)).status).toBe(200);
    await who("Bearer a.b.c");
    await whoWith({ header: { kid: "unknown" }, claims: { exp: 1 } });
    expect(issuer.requests).toEqual(before);
  });
});

describe("without a reachable provider", () => {
  let hostOfProvider: IdentityHost;
  let provider: OidcIssuer;

  async function start() {
    provider = await startOidcIssuer();
    await provider.addKey("ES256");
    hostOfProvider = await startIdentityHost({
      file: join(folder, `lonely-${Math.random()}.db`),
      settings: { oidcIssuer: provider.url, oidcAudience: provider.audience },
    });
  }

  afterEach(async () => {
    await hostOfProvider.close();
    await provider.close();
  });

  it("the response is 503 UNAVAILABLE with retry_after, and 403 for a malformed token", async () => {
    await start();
    const token = await provider.token();
    await provider.close();
    const { status, body } = await who(`Bearer ${token}`, hostOfProvider);
    expect(status).toBe(503);
    expect(body).toMatchObject({ code: "UNAVAILABLE", retry_after: expect.any(Number) });
    await expectRefused(who("Bearer a.b.c", hostOfProvider), /malformed/);
    const text = JSON.stringify(hostOfProvider.log);
    expect(text).not.toContain(token);
    expect(text).not.toContain("alice@example.com");
  });

  it.each([
    ["an error", DISCOVERY_PATH, { status: 500, body: "{}" }],
    ["a body that is not JSON", DISCOVERY_PATH, { status: 200, body: "<html>" }],
    ["another issuer", DISCOVERY_PATH, { status: 200, body: '{"issuer":"https://evil.example"}' }],
    ["no key set", JWKS_PATH, { status: 200, body: '{"keys":7}' }],
    ["an endless key set", JWKS_PATH, { status: 200, body: `{"keys":[],"x":"${"x".repeat(600_000)}"}` }],
  ])(
    "and with a provider that returns %s, the response is 503 until the provider recovers",
    async (_what, path, answer) => {
      await start();
      provider.override(path, answer);
      const token = await provider.token();
      expect((await who(`Bearer ${token}`, hostOfProvider)).status).toBe(503);
      provider.override(path, undefined);
      await new Promise((resolve) => setTimeout(resolve, 1_050));
      expect((await who(`Bearer ${token}`, hostOfProvider)).status).toBe(200);
    },
  );
});

// [D10-loopback]
describe("an invalid identity setting is rejected in one line", () => {
  it.each([
    [{ oidcIssuer: "http://idp.example", oidcAudience: "a" }, /--oidc-issuer: must be an https URL/],
    [{ oidcIssuer: "nonsense", oidcAudience: "a" }, /--oidc-issuer/],
    [{ oidcIssuer: "https://idp.example?x=1", oidcAudience: "a" }, /--oidc-issuer/],
    [{ oidcIssuer: "https://idp.example" }, /--oidc-audience/],
    [{ oidcAudience: "a" }, /--oidc-audience/],
    [{ smtpUrl: "http://mail.example" }, /--smtp-url/],
  ])("%j", (settings, message) => expect(() => validateIdentitySettings(settings)).toThrow(message));

  it("https issuers, and http issuers on loopback, are accepted", () => {
    for (const oidcIssuer of [
      "https://idp.example/tenant/",
      "http://localhost:8080",
      "http://[::1]:1",
      "http://127.0.0.9",
    ]) {
      validateIdentitySettings({ oidcIssuer, oidcAudience: "a" });
    }
  });
});
