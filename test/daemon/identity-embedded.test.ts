import { join } from "node:path";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Passwords } from "../../daemon/identity/passwords.js";
import {
  DEVICE_GRANT,
  identityClient,
  newEmail,
  PASSWORD,
  PASSWORD_GRANT,
  readJsonResponse,
} from "../harness/identity-client.js";
import { identityFixture } from "../harness/identity-fixture.js";
import { type HostOptions, startIdentityHost } from "../harness/identity-host.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";

const host = await identityFixture();
const folder = new TemporaryFolder("wireroom-identity-").path;
const { newAccount, post, refresh, signIn, token, verify } = identityClient(() => host);

const printed: unknown[] = [];
const { log, info, warn, error } = console;

beforeAll(async () => {
  for (const name of ["log", "info", "warn", "error"] as const)
    console[name] = (...args) => void printed.push(args);
});

afterAll(async () => {
  Object.assign(console, { log, info, warn, error });
});

describe("the password grant", () => {
  // [D10-password-grant] [D10-token-hour]
  it("issues an ID token for 1 hour with the confirmed e-mail, an access token and a refresh token", async () => {
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
    expect(await verify(body.id_token)).toEqual({
      ...{ issuer: claims.iss, subject: claims.sub, email },
      // The clocks of the issuer and the daemon may differ by 30 seconds.
      expiresAtMs: ((claims.exp ?? 0) + 30) * 1_000,
      issuedAtMs: (claims.iat ?? 0) * 1_000,
      human: claims.sub,
      grantId: claims.grant_id,
    });
  });

  it("returns the errors of RFC 6749: invalid_grant, invalid_request, invalid_client", async () => {
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

  it("accepts any number of concurrent requests with correct passwords", async () => {
    const email = await newAccount();
    const answers = await Promise.all(Array.from({ length: 20 }, () => signIn(email)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });
});

describe("an ID token of the embedded provider", () => {
  // [D10-token-hour] [D10-clock]
  it("is accepted for one hour and 30 s, and then rejected with 403 FORBIDDEN, even if it is cached", async () => {
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

  it("is the only accepted token: access tokens, refresh tokens and tokens of other daemons return 403", async () => {
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
  it("returns the identity of the bearer of an access token", async () => {
    const email = await newAccount();
    const { body } = await signIn(email);
    const headers = { authorization: `Bearer ${String(body.access_token)}` };
    const { body: claims } = await readJsonResponse(await fetch(`${host.origin}/identity/me`, { headers }));
    expect(claims).toMatchObject({ email, email_verified: true });
  });
});

describe("without a reachable store", () => {
  it("the token endpoint returns 503 with Retry-After", async () => {
    const own = await startIdentityHost({ file: join(folder, "gone.db") });
    // Loads the provider. Without it, the error would be that of any other request.
    await fetch(`${own.origin}/identity/jwks`);
    await own.closeStore();
    const { status, headers } = await signIn("someone@example.com", PASSWORD, own);
    expect(status).toBe(503);
    expect(headers.get("retry-after")).toBe("1");
    await own.close();
  });
});

describe("a password hash", () => {
  // [D10-hash]
  it("uses scrypt with N=2^17, r=8, p=1 and a salt, and contains these parameters", async () => {
    const hashed = new Passwords().run({ source: "source" }, (hasher) => hasher.hash(PASSWORD));
    const matches = (password: string, log2N?: number) =>
      new Passwords(log2N).run({ source: "source" }, async (hasher) =>
        hasher.matches(password, await hashed),
      );
    const hash = await hashed;
    expect(hash).toMatch(/^\$scrypt\$ln=17,r=8,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(await matches(PASSWORD)).toBe(true);
    expect(await matches(`${PASSWORD}!`, 10)).toBe(false);
  });
});

describe("a refresh token", () => {
  // [D10-refresh]
  it("issues new tokens and is replaced; using it again revokes all tokens of its grant", async () => {
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

  // [D10-refresh]
  it("issues new tokens at most once if it is used twice concurrently, and ends its sign-in", async () => {
    for (let round = 0; round < 5; round++) {
      const { body } = await signIn(await newAccount());
      const answers = await Promise.all([refresh(body.refresh_token), refresh(body.refresh_token)]);
      const issued = answers.filter(({ status }) => status === 200);
      expect(issued.length).toBeLessThanOrEqual(1);
      for (const { body } of issued) expect((await refresh(body.refresh_token)).status).toBe(400);
    }
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

describe("the discovery document", () => {
  // [D10-embedded]
  it("contains the endpoints, grants and keys of this provider", async () => {
    const { body } = await readJsonResponse(
      await fetch(`${host.origin}/identity/.well-known/openid-configuration`),
    );
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
    const { body: jwks } = await readJsonResponse(await fetch(String(body.jwks_uri)));
    const [key] = jwks.keys as Record<string, unknown>[];
    expect(key).toMatchObject({ kty: "RSA", alg: "RS256", use: "sig" });
    expect(key).not.toHaveProperty("d");
  });

  it("contains URLs from the public URL, independently of Host and X-Forwarded headers", async () => {
    const publicOrigin = "https://wires.example.com";
    const proxied = await startIdentityHost({ file: join(folder, "public.db"), publicOrigin });
    const headers = { "x-forwarded-host": "evil.example", "x-forwarded-proto": "http", host: "evil.example" };
    const url = `${proxied.origin}/identity`;
    const { body } = await readJsonResponse(
      await fetch(`${url}/.well-known/openid-configuration`, { headers }),
    );
    expect(body.issuer).toBe(`${publicOrigin}/identity`);
    expect(body.token_endpoint).toBe(`${publicOrigin}/identity/token`);
    const device = await readJsonResponse(
      await fetch(`${url}/device/auth`, {
        method: "POST",
        headers,
        body: new URLSearchParams({ client_id: "wireroom-cli" }),
      }),
    );
    expect(device.body.verification_uri).toBe(`${publicOrigin}/identity/device`);
    const page = await fetch(`${url}/device`, { headers });
    for (const cookie of page.headers.getSetCookie()) {
      expect(cookie).toMatch(/^__Secure-wireroom_.*; secure/i);
      expect(cookie).toMatch(/; httponly/i);
      expect(cookie).toMatch(/; samesite=lax/i);
    }
    expect(page.headers.getSetCookie().length).toBeGreaterThan(0);
    const signOut = { method: "DELETE", headers: { origin: publicOrigin } };
    const cleared = (await fetch(`${url}/console/session`, signOut)).headers.getSetCookie();
    expect(cleared.find((cookie) => cookie.startsWith("__Secure-wireroom_console="))).toMatch(
      /; path=\/identity\/console\/session; .*samesite=strict; secure; httponly$/i,
    );
    await proxied.close();
  });
});

describe("after a restart with the same file", () => {
  it("keys, accounts, sign-ups and refresh tokens still exist", async () => {
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
    expect((await post("confirm", { email: pending, code, password: PASSWORD }, own)).status).toBe(200);
    await own.close();
  });
});

describe("malformed input never causes a 5xx response", () => {
  const PATHS = [
    "sign-up",
    "confirm",
    "resend",
    "forgot",
    "reset",
    "password",
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
    let requests = 0;
    // Every request has its own source, so that none is throttled.
    const send = (query: string, { headers, ...init }: { method: string; headers: object; body?: string }) =>
      fetch(url + query, {
        ...init,
        headers: { ...headers, "x-forwarded-for": `10.9.${++requests >> 8}.${requests & 255}` },
        redirect: "manual",
      });
    for (const [n, headers] of HEADERS.entries()) {
      for (const query of [
        "",
        "?a=b&a=c&client_id=x",
        "?client_id=wireroom-cli&response_type=x&scope=%00&user_code=%ff",
      ]) {
        for (const method of ["GET", "OPTIONS"]) {
          seen.add((await send(query, { method, headers })).status);
        }
      }
      // With other headers, the types of which a body is parsed suffice.
      for (const type of n === 0 ? TYPES : TYPES.slice(0, 2)) {
        for (const body of [...BODIES, ...(path === "token" ? GRANTS : [])]) {
          const sent = { method: "POST", headers: { ...headers, "content-type": type }, body };
          seen.add((await send("", sent)).status);
        }
      }
    }
    expect([...seen].filter((status) => status >= 500)).toEqual([]);
  });
});

it("the log contains no password and no token", async () => {
  const { body } = await signIn(await newAccount());
  const log = JSON.stringify(host.log);
  for (const secret of [PASSWORD, body.id_token, body.access_token, body.refresh_token]) {
    expect(log).not.toContain(String(secret));
  }
  expect(host.log.filter(({ level }) => level === "error")).toEqual([]);
});

it("the identity provider prints nothing to the standard streams, which belong to the daemon (docs/specification/running.md#logs)", () => {
  expect(printed).toEqual([]);
});
