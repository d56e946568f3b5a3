import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPasswords } from "../../daemon/identity/passwords.js";
import {
  answer,
  DEVICE_GRANT,
  identityClient,
  newEmail,
  PASSWORD,
  PASSWORD_GRANT,
} from "../harness/identity-client.js";
import { type HostOptions, type IdentityHost, startIdentityHost } from "../harness/identity-host.js";

let folder: string;
let host: IdentityHost;
const { newAccount, post, refresh, signIn, token, verify } = identityClient(() => host);

const printed: unknown[] = [];
const { log, info, warn, error } = console;

beforeAll(async () => {
  for (const name of ["log", "info", "warn", "error"] as const)
    console[name] = (...args) => void printed.push(args);
  folder = await mkdtemp(join(tmpdir(), "identity-"));
  host = await startIdentityHost({ file: join(folder, "embedded.db") });
});

afterAll(async () => {
  await host.close();
  await rm(folder, { recursive: true });
  Object.assign(console, { log, info, warn, error });
});

describe("the password grant", () => {
  it("gives an ID token of 1 hour with the confirmed e-mail, an access token and a refresh token [D10-password-grant] [D10-token-hour]", async () => {
    const email = await newAccount();
    const { status, body, headers } = await signIn(email);
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toContain("no-store");
    expect(body).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      id_token: expect.any(String),
      expires_in: 3600,
      scope: "openid email offline_access",
      token_type: "Bearer",
    });
    const claims = decodeJwt(String(body.id_token));
    expect(claims).toMatchObject({
      iss: `${host.origin}/identity`,
      aud: "wireroom-cli",
      email,
      email_verified: true,
      sub: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(3600);
    expect(await verify(body.id_token)).toEqual({ issuer: claims.iss, subject: claims.sub, email });
  });

  it("refuses as RFC 6749 says: invalid_grant, invalid_request, invalid_client", async () => {
    const email = await newAccount();
    expect(await signIn(email, "wrong password")).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
    expect((await token({ grant_type: PASSWORD_GRANT, username: email })).body.error).toBe("invalid_request");
    const stranger = {
      client_id: "someone",
      grant_type: PASSWORD_GRANT,
      username: email,
      password: PASSWORD,
    };
    expect(await token(stranger)).toMatchObject({ status: 401, body: { error: "invalid_client" } });
    expect((await token({ grant_type: "password" })).body.error).toBe("unsupported_grant_type");
  });

  it("answers 429 after 10 wrong passwords in 15 minutes, for unknown addresses too, and right ones start anew", async () => {
    let clock = Date.now();
    const own = await startIdentityHost({ file: join(folder, "guess.db"), now: () => clock });
    const known = await newAccount(own);
    for (let i = 0; i < 9; i++) await signIn(known, "wrong password", own);
    expect((await signIn(known, PASSWORD, own)).status).toBe(200);
    for (const email of [known, newEmail()]) {
      const guesses = await Promise.all(
        Array.from({ length: 12 }, () => signIn(email, "wrong password", own)),
      );
      expect(guesses.filter(({ status }) => status === 400)).toHaveLength(10);
      const refused = await signIn(email, PASSWORD, own);
      expect(refused).toMatchObject({ status: 429, body: { error: "temporarily_unavailable" } });
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(800);
    }
    clock += 15 * 60_000 + 1;
    expect((await signIn(known, PASSWORD, own)).status).toBe(200);
    await own.close();
  });

  it("serves right passwords however many come at once", async () => {
    const email = await newAccount();
    const answers = await Promise.all(Array.from({ length: 20 }, () => signIn(email)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });
});

describe("an ID token of the embedded provider", () => {
  it("is accepted for its hour and 30 s more, then 403 FORBIDDEN, also where it was seen before [D10-token-hour] [D10-clock]", async () => {
    let clock = Date.now();
    const own = await startIdentityHost({ file: join(folder, "hour.db"), now: () => clock });
    const { body } = await signIn(await newAccount(own), PASSWORD, own);
    for (const minutes of [0, 30, 60]) {
      clock += minutes * 60_000;
      if (minutes < 60) await verify(body.id_token, own);
    }
    await expect(verify(body.id_token, own)).rejects.toMatchObject({ code: "FORBIDDEN" });
    await own.close();
  });

  it("is the only token that counts: access and refresh tokens, and tokens of another daemon, are 403", async () => {
    const other = await startIdentityHost({ file: join(folder, "other.db") });
    const { body } = await signIn(await newAccount());
    const { body: foreign } = await signIn(await newAccount(other), PASSWORD, other);
    for (const token of [body.access_token, body.refresh_token, foreign.id_token]) {
      await expect(verify(token)).rejects.toMatchObject({ code: "FORBIDDEN" });
    }
    await other.close();
  });
});

describe("the userinfo endpoint", () => {
  it("tells the bearer of an access token who they are", async () => {
    const email = await newAccount();
    const { body } = await signIn(email);
    const headers = { authorization: `Bearer ${String(body.access_token)}` };
    const { body: claims } = await answer(await fetch(`${host.origin}/identity/me`, { headers }));
    expect(claims).toMatchObject({ email, email_verified: true });
  });
});

describe("where the store is out of reach", () => {
  it("the token endpoint answers 503 with Retry-After", async () => {
    const own = await startIdentityHost({ file: join(folder, "gone.db") });
    await own.closeStore();
    const { status, headers } = await signIn("someone@example.com", PASSWORD, own);
    expect(status).toBe(503);
    expect(headers.get("retry-after")).toBe("1");
    await own.close();
  });
});

describe("password hashes", () => {
  it("are scrypt with N=2^17, r=8, p=1, salted, and carry their parameters [D10-hash]", async () => {
    const passwords = createPasswords();
    const hash = await passwords.hash(PASSWORD);
    expect(hash).toMatch(/^\$scrypt\$ln=17,r=8,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(await passwords.matches(PASSWORD, hash)).toBe(true);
    expect(await createPasswords(10).matches(`${PASSWORD}!`, hash)).toBe(false);
  });
});

describe("a refresh token", () => {
  it("gives new tokens and is replaced; the old one is refused, and then all of its grant are [D10-refresh]", async () => {
    const { body: first } = await signIn(await newAccount());
    const { status, body: second } = await refresh(first.refresh_token);
    expect(status).toBe(200);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect((await verify(second.id_token)).email).toBe(decodeJwt(String(first.id_token)).email);
    expect(await refresh(first.refresh_token)).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
    expect(await refresh(second.refresh_token)).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
  });

  it("that is used twice at once gives new tokens once", async () => {
    const { body } = await signIn(await newAccount());
    const answers = await Promise.all([refresh(body.refresh_token), refresh(body.refresh_token)]);
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });

  it("can be revoked", async () => {
    const { body } = await signIn(await newAccount());
    const revoke = new URLSearchParams({ client_id: "wireroom-cli", token: String(body.refresh_token) });
    expect(
      (await fetch(`${host.origin}/identity/token/revocation`, { method: "POST", body: revoke })).status,
    ).toBe(200);
    expect((await refresh(body.refresh_token)).status).toBe(400);
  });
});

describe("discovery", () => {
  it("names the endpoints, grants and keys of this provider [D10-embedded]", async () => {
    const { body } = await answer(await fetch(`${host.origin}/identity/.well-known/openid-configuration`));
    const issuer = `${host.origin}/identity`;
    expect(body).toMatchObject({
      issuer,
      token_endpoint: `${issuer}/token`,
      authorization_endpoint: `${issuer}/auth`,
      device_authorization_endpoint: `${issuer}/device/auth`,
      jwks_uri: `${issuer}/jwks`,
      code_challenge_methods_supported: ["S256"],
    });
    expect(body.grant_types_supported).toEqual(
      expect.arrayContaining([PASSWORD_GRANT, DEVICE_GRANT, "refresh_token"]),
    );
    const { body: jwks } = await answer(await fetch(String(body.jwks_uri)));
    const [key] = jwks.keys as Record<string, unknown>[];
    expect(key).toMatchObject({ kty: "RSA", alg: "RS256", use: "sig" });
    expect(key).not.toHaveProperty("d");
  });

  it("and every URL come from the public URL, whatever Host and X-Forwarded headers say", async () => {
    const publicOrigin = "https://wires.example.com";
    const proxied = await startIdentityHost({ file: join(folder, "public.db"), publicOrigin });
    const headers = { "x-forwarded-host": "evil.example", "x-forwarded-proto": "http", host: "evil.example" };
    const url = `${proxied.origin}/identity`;
    const { body } = await answer(await fetch(`${url}/.well-known/openid-configuration`, { headers }));
    expect(body.issuer).toBe(`${publicOrigin}/identity`);
    expect(body.token_endpoint).toBe(`${publicOrigin}/identity/token`);
    const device = await answer(
      await fetch(`${url}/device/auth`, {
        method: "POST",
        headers,
        body: new URLSearchParams({ client_id: "wireroom-cli" }),
      }),
    );
    expect(device.body.verification_uri).toBe(`${publicOrigin}/identity/device`);
    const page = await fetch(`${url}/device`, { headers });
    expect(page.headers.get("set-cookie")).toMatch(/; secure/i);
    await proxied.close();
  });
});

describe("after a restart on the same file", () => {
  it("keys, accounts, sign-ups and refresh tokens are still there", async () => {
    const options: HostOptions = { file: join(folder, "restart.db") };
    let own = await startIdentityHost(options);
    const email = await newAccount(own);
    const { body: tokens } = await signIn(email, PASSWORD, own);
    const pending = newEmail();
    await post("sign-up", { email: pending, password: PASSWORD }, own);
    const code = own.code(pending);
    const { port } = own;
    await own.close();

    own = await startIdentityHost({ ...options, port });
    expect((await verify(tokens.id_token, own)).email).toBe(email);
    const { body: next } = await signIn(email, PASSWORD, own);
    const kid = (idToken: unknown) => decodeProtectedHeader(String(idToken)).kid;
    expect(kid(next.id_token)).toBe(kid(tokens.id_token));
    expect((await refresh(tokens.refresh_token, own)).status).toBe(200);
    expect((await post("confirm", { email: pending, code }, own)).status).toBe(200);
    await own.close();
  });
});

describe("no input causes a 5xx", () => {
  const PATHS = [
    "sign-up",
    "confirm",
    "resend",
    "token",
    "device",
    "device/auth",
    "auth",
    "me",
    "session/end",
  ];
  const MORE = [
    "session/end/confirm",
    "token/revocation",
    "interaction/x",
    "auth/x",
    "device/x",
    "jwks",
    "%",
    "%ff",
  ];
  const BODIES = [
    "",
    "{}",
    "[]",
    "a=b&a=c",
    "grant_type=x&grant_type=y",
    "client_id=wireroom-cli",
    "\u0000",
    "%",
    "xsrf=1",
  ];
  const GRANTS = [PASSWORD_GRANT, DEVICE_GRANT, "refresh_token", "authorization_code"].flatMap((grant) => [
    `client_id=wireroom-cli&grant_type=${grant}`,
    `client_id=wireroom-cli&grant_type=${grant}&username=%00&password=%00&code=%00&device_code=%00&refresh_token=%00`,
    `client_id=wireroom-cli&grant_type=${grant}&username=a&username=b&scope=%ff&code=a&code=b&resource=x`,
    `client_id=wireroom-cli&grant_type=${grant}&username=${"u".repeat(40_000)}&password=${"p".repeat(10_000)}`,
  ]);
  const TYPES = [
    "application/json",
    "application/x-www-form-urlencoded",
    "application/x-www-form-urlencoded;charset=x",
    "a/b",
  ];
  const HEADERS: Record<string, string>[] = [
    {},
    {
      authorization: "Bearer x",
      cookie: "wireroom_session=a; wireroom_session.sig=b; wireroom_interaction=c",
    },
    { authorization: "Basic !!!", origin: "null", accept: "text/html" },
  ];

  it.each([...PATHS, ...MORE])("at /identity/%s", async (path) => {
    const url = `${host.origin}/identity/${path}`;
    const seen = new Set<number>();
    for (const headers of HEADERS) {
      for (const query of [
        "",
        "?a=b&a=c&client_id=x",
        "?client_id=wireroom-cli&response_type=x&scope=%00&user_code=%ff",
      ]) {
        for (const method of ["GET", "OPTIONS"]) {
          seen.add((await fetch(url + query, { method, headers, redirect: "manual" })).status);
        }
      }
      for (const type of TYPES) {
        for (const body of [...BODIES, ...(path === "token" ? GRANTS : [])]) {
          const sent = { method: "POST", headers: { ...headers, "content-type": type }, body };
          seen.add((await fetch(url, { ...sent, redirect: "manual" })).status);
        }
      }
    }
    expect([...seen].filter((status) => status >= 500)).toEqual([]);
  });
});

it("the log never holds a password or a token", async () => {
  const { body } = await signIn(await newAccount());
  const log = JSON.stringify(host.log);
  for (const secret of [PASSWORD, body.id_token, body.access_token, body.refresh_token]) {
    expect(log).not.toContain(String(secret));
  }
  expect(host.log.filter(({ level }) => level === "error")).toEqual([]);
});

it("nothing is printed past the log: the standard streams are the daemon's own (decisions, section 12)", () => {
  expect(printed).toEqual([]);
});
