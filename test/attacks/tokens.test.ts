/** Forged and confused ID tokens (RFC 8725), against an external and the embedded issuer. */
import { createHmac, createSign, generateKeyPairSync, type KeyObject, sign as signBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CryptoKey, exportSPKI, importJWK, type JWK } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { identityClient } from "../harness/identity-client.js";
import { type IdentityHost, startIdentityHost } from "../harness/identity-host.js";
import {
  forge,
  type IssuerKey,
  type OidcIssuer,
  startOidcIssuer,
  validClaims,
} from "../harness/oidc-issuer.js";

interface Target {
  host: IdentityHost;
  issuer: string;
  audience: string;
  publicJwk: JWK;
  /** A token that the issuer signed. */
  genuine: string;
}

let folder: string;
let issuer: OidcIssuer;
let rsa: IssuerKey;
const targets = {} as Record<"external" | "embedded", Target>;
const attacker = generateKeyPairSync("rsa", { modulusLength: 2048 });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tokens-"));
  issuer = await startOidcIssuer();
  rsa = await issuer.addKey("RS256");
  const external = await startIdentityHost({
    file: join(folder, "external.db"),
    settings: { oidcIssuer: issuer.url, oidcAudience: issuer.audience },
    tuning: { keyCooldown: 0 },
  });
  targets.external = {
    host: external,
    issuer: issuer.url,
    audience: issuer.audience,
    publicJwk: rsa.publicJwk,
    genuine: await issuer.token({ key: rsa }),
  };
  const embedded = await startIdentityHost({ file: join(folder, "embedded.db") });
  const { newAccount, signIn } = identityClient(() => embedded);
  const { body } = await signIn(await newAccount());
  const { keys } = (await (await fetch(`${embedded.origin}/identity/jwks`)).json()) as { keys: JWK[] };
  targets.embedded = {
    host: embedded,
    issuer: `${embedded.origin}/identity`,
    audience: "wireroom-cli",
    publicJwk: keys[0]!,
    genuine: String(body.id_token),
  };
});

afterAll(async () => {
  await Promise.all([targets.external.host.close(), targets.embedded.host.close(), issuer.close()]);
  await rm(folder, { recursive: true });
});

async function who({ host }: Target, token: string) {
  const response = await fetch(`${host.origin}/who`, { headers: { authorization: `Bearer ${token}` } });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function expectRefused(target: Target, token: string, what = token): Promise<void> {
  const { status, body } = await who(target, token);
  expect([status, body.code], what).toEqual([403, "FORBIDDEN"]);
}

const base64url = (text: string | Uint8Array) => Buffer.from(text).toString("base64url");

/** Signs a header and claims, given as JSON text, with RS256. */
function signText(header: string, claims: string, key: KeyObject): string {
  const input = `${base64url(header)}.${base64url(claims)}`;
  return `${input}.${createSign("sha256").update(input).sign(key, "base64url")}`;
}

describe.each(["external", "embedded"] as const)("with the %s issuer, a token is refused", (name) => {
  const target = () => targets[name];
  const claims = () => ({ ...validClaims(target().issuer, target().audience), sub: "victim" });
  const kid = () => target().publicJwk.kid;

  it("never, if it is genuine", async () => {
    expect((await who(target(), target().genuine)).status).toBe(200);
  });

  it.each(["none", "None", "nOnE", "NONE", ""])(
    "without a signature: alg %j (RFC 8725, 3.1)",
    async (alg) => {
      const [, payload] = target().genuine.split(".");
      await expectRefused(target(), forge({ alg, typ: "JWT", kid: kid() }, claims()));
      await expectRefused(target(), `${base64url(JSON.stringify({ alg, typ: "JWT" }))}.${payload}.`);
    },
  );

  it("with its signature removed or changed", async () => {
    const [header, payload, signature] = target().genuine.split(".") as [string, string, string];
    const bytes = Buffer.from(signature, "base64url");
    bytes[0]! ^= 1;
    for (const forged of ["", "AA", base64url(bytes), base64url(Buffer.alloc(256)), signature.slice(0, -4)])
      await expectRefused(target(), `${header}.${payload}.${forged}`);
    await expectRefused(target(), `${header}.${base64url(JSON.stringify(claims()))}.${signature}`);
  });

  it("with a MAC under any form of the public key (RFC 8725, 2.1)", async () => {
    const { publicJwk } = target();
    const pem = await exportSPKI((await importJWK(publicJwk, "RS256")) as CryptoKey);
    const secrets = [
      pem,
      pem.trim(),
      JSON.stringify(publicJwk),
      publicJwk.n!,
      Buffer.from(publicJwk.n!, "base64url"),
      "",
    ];
    for (const alg of ["HS256", "HS384", "HS512"])
      for (const secret of secrets) {
        const input = forge({ alg, typ: "JWT", kid: kid() }, claims()).slice(0, -1);
        const mac = createHmac(alg.replace("HS", "sha"), secret).update(input).digest("base64url");
        await expectRefused(target(), `${input}.${mac}`);
      }
  });

  it("with a key of its own: jwk, jku, x5u, x5c (RFC 8725, 3.10)", async () => {
    const jwk = attacker.publicKey.export({ format: "jwk" });
    for (const own of [
      { jwk },
      { jku: "https://evil.example/jwks" },
      { x5u: "https://evil.example/certificate" },
      { x5c: ["MIIB"] },
      { jwk: null },
    ])
      for (const id of [undefined, kid(), "evil"]) {
        const header = { alg: "RS256", typ: "JWT", kid: id, ...own };
        await expectRefused(
          target(),
          signText(JSON.stringify(header), JSON.stringify(claims()), attacker.privateKey),
        );
      }
  });

  it("with a key id that is no key id", async () => {
    const kids = [
      "../../../etc/passwd",
      "' OR 1=1 --",
      "__proto__",
      "\u0000",
      "x".repeat(4_000),
      7,
      null,
      {},
      [kid()],
      true,
    ];
    for (const id of [...kids, kid(), undefined]) {
      const header = JSON.stringify({ alg: "RS256", typ: "JWT", kid: id });
      await expectRefused(
        target(),
        signText(header, JSON.stringify(claims()), attacker.privateKey),
        String(id),
      );
    }
  });

  it("with another typ or with critical headers (RFC 8725, 3.11)", async () => {
    for (const more of [
      { typ: "at+jwt" },
      { typ: "dpop+jwt" },
      { typ: "secevent+jwt" },
      { typ: 1 },
      { crit: ["exp"] },
      { crit: [] },
      { crit: "b64" },
      { crit: ["b64"], b64: false },
    ]) {
      const header = JSON.stringify({ alg: "RS256", typ: "JWT", kid: kid(), ...more });
      await expectRefused(target(), signText(header, JSON.stringify(claims()), attacker.privateKey));
    }
  });

  it("that is encrypted, or in another serialization", async () => {
    const jwe = [base64url('{"alg":"RSA-OAEP","enc":"A256GCM"}'), "AA", "AA", "AA", "AA"].join(".");
    const [header, payload, signature] = target().genuine.split(".");
    const json = JSON.stringify({ payload, signatures: [{ protected: header, signature }] });
    for (const token of [
      jwe,
      json,
      base64url(json),
      `${target().genuine}.`,
      `.${target().genuine}`,
      `${header}..${signature}`,
    ])
      await expectRefused(target(), token);
  });

  it("that the other issuer signed", async () => {
    await expectRefused(target(), targets[name === "external" ? "embedded" : "external"].genuine);
  });
});

describe("a token that the external issuer signed", () => {
  const target = () => targets.external;
  const claims = () => validClaims(issuer.url, issuer.audience);
  const whoWith = async (more: Record<string, unknown>) =>
    who(target(), await issuer.token({ key: rsa, claims: more }));
  const sign = async (header: string, payload: string) => {
    const input = `${base64url(header)}.${base64url(payload)}`;
    const bytes = await crypto.subtle.sign(
      "RSASSA-PKCS1-v1_5",
      rsa.privateKey as CryptoKey,
      Buffer.from(input),
    );
    return `${input}.${base64url(new Uint8Array(bytes))}`;
  };
  const header = () => JSON.stringify({ alg: "RS256", typ: "JWT", kid: rsa.kid });

  // [D10-azp]
  it.each<[string, unknown, unknown, number]>([
    ["several audiences and the azp of another", ["wireroom-test", "other"], "other", 403],
    ["several audiences and an azp that is no text", ["wireroom-test", "other"], ["wireroom-test"], 403],
    ["several audiences and an empty azp", ["wireroom-test", "other"], "", 403],
    ["several audiences and a null azp", ["wireroom-test", "other"], null, 403],
    ["several audiences and its own azp", ["other", "wireroom-test"], "wireroom-test", 200],
    ["several audiences and no azp", ["other", "wireroom-test"], undefined, 200],
    ["one audience, in a list, and the azp of another", ["wireroom-test"], "other", 200],
    ["one audience and the azp of another", "wireroom-test", "other", 200],
  ])("with %s", async (_what, aud, azp, status) => {
    expect((await whoWith({ aud, azp })).status).toBe(status);
  });

  // [D10-claims]
  it.each<[string, Record<string, unknown>]>([
    ["an audience that contains the right one", { aud: "wireroom-test2" }],
    ["a nested audience", { aud: [["wireroom-test"]] }],
    ["an audience as an object", { aud: { "wireroom-test": true } }],
    ["no audiences", { aud: [] }],
    ["an issuer with a slash more", { iss: `ISSUER/` }],
    ["an issuer in a list", { iss: ["ISSUER"] }],
    ["an expiry in milliseconds of the past", { exp: -1 }],
    ["an expiry as text", { exp: String(Date.now()) }],
    ["an expiry in a list", { exp: [Date.now()] }],
    ["a not-before as text", { nbf: "0" }],
    ["a not-before of tomorrow", { nbf: Math.floor(Date.now() / 1000) + 86_400 }],
    ["a subject that is a number", { sub: 1 }],
    ["an e-mail in a list", { email: ["alice@example.com"] }],
    ["an e-mail that is false in another spelling", { email_verified: "False" }],
    ["an e-mail that is verified with 0", { email_verified: 0 }],
  ])("is refused with %s (RFC 8725, 3.8 and 3.9)", async (_what, change) => {
    const text = JSON.stringify(change).replace("ISSUER", issuer.url);
    expect((await whoWith(JSON.parse(text) as Record<string, unknown>)).status).toBe(403);
  });

  it("with an expiry that is no number for a double is refused", async () => {
    const text = JSON.stringify(claims()).replace(/"exp":\d+/, '"exp":1e400');
    await expectRefused(target(), await sign(header(), text));
  });

  it("means the last of several equal keys, in the checks and in the identity alike (RFC 7519, 4)", async () => {
    const twice = JSON.stringify(claims()).replace('"sub":"alice"', '"sub":"mallory","sub":"bob"');
    expect((await who(target(), await sign(header(), twice))).body.subject).toBe("bob");
    const verified = JSON.stringify(claims()).replace(
      '"email_verified":true',
      '"email_verified":true,"email_verified":false',
    );
    await expectRefused(target(), await sign(header(), verified));
    await expectRefused(
      target(),
      await sign(
        header()
          .replace("{", '{"alg":"RS256",')
          .replace(/"RS256"(?!.*"RS256")/, '"none"'),
        JSON.stringify(claims()),
      ),
    );
  });

  it("over its raw payload (b64 false, RFC 7797) is refused", async () => {
    const head = base64url(JSON.stringify({ alg: "RS256", typ: "JWT", kid: rsa.kid, b64: false }));
    const payload = JSON.stringify(claims());
    const bytes = await crypto.subtle.sign(
      "RSASSA-PKCS1-v1_5",
      rsa.privateKey as CryptoKey,
      Buffer.from(`${head}.${payload}`),
    );
    await expectRefused(target(), `${head}.${base64url(payload)}.${base64url(new Uint8Array(bytes))}`);
  });

  it("with a key of fewer than 2,048 bits, or one for encryption, is refused (RFC 7518, 3.3)", async () => {
    const weak = generateKeyPairSync("rsa", { modulusLength: 1024 });
    const strong = generateKeyPairSync("rsa", { modulusLength: 2048 });
    issuer.publish(
      rsa,
      { ...(weak.publicKey.export({ format: "jwk" }) as JWK), kid: "weak" },
      { ...(strong.publicKey.export({ format: "jwk" }) as JWK), kid: "enc", use: "enc" },
    );
    for (const [kid, key] of [
      ["weak", weak.privateKey],
      ["enc", strong.privateKey],
    ] as const)
      await expectRefused(
        target(),
        signText(JSON.stringify({ alg: "RS256", kid }), JSON.stringify(claims()), key),
        kid,
      );
    issuer.publish(rsa);
  });

  it("with an ECDSA signature of zeros, or in DER form, is refused", async () => {
    const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
    issuer.publish(rsa, { ...(pair.publicKey.export({ format: "jwk" }) as JWK), kid: "ec" });
    const input = forge({ alg: "ES256", kid: "ec" }, claims()).slice(0, -1);
    const der = signBytes("sha256", Buffer.from(input), pair.privateKey);
    const raw = signBytes("sha256", Buffer.from(input), { key: pair.privateKey, dsaEncoding: "ieee-p1363" });
    for (const signature of [Buffer.alloc(64), der])
      await expectRefused(target(), `${input}.${base64url(signature)}`);
    // An RSA signature with the key of ECDSA, and the other way round.
    await expectRefused(
      target(),
      signText(JSON.stringify({ alg: "RS256", kid: "ec" }), JSON.stringify(claims()), attacker.privateKey),
    );
    await expectRefused(target(), `${forge({ alg: "ES256", kid: rsa.kid }, claims())}${base64url(raw)}`);
    expect((await who(target(), `${input}.${base64url(raw)}`)).status).toBe(200);
    issuer.publish(rsa);
  });
});
