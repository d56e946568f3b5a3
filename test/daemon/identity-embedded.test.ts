import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Browser, type Page } from "../harness/browser.js";
import { type HostOptions, type IdentityHost, startIdentityHost } from "../harness/identity-host.js";
import { codeIn, type SmtpServer, startSmtpServer } from "../harness/smtp-server.js";

const PASSWORD = "correct horse battery";
const PASSWORD_GRANT = "urn:wireroom:params:oauth:grant-type:password";
const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

let folder: string;
let host: IdentityHost;
let people = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "identity-"));
  host = await startIdentityHost({ file: join(folder, "embedded.db") });
});

afterAll(async () => {
  await host.close();
  await rm(folder, { recursive: true });
});

interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

async function answer(response: Response): Promise<Answer> {
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Answer["body"],
  };
}

/** POST of JSON to a sign-up path. */
async function post(path: string, body: unknown, at = host): Promise<Answer> {
  return answer(
    await fetch(`${at.origin}/identity/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: typeof body === "string" ? body : JSON.stringify(body),
    }),
  );
}

/** A request to the token endpoint. */
async function token(fields: Record<string, string>, at = host, path = "token"): Promise<Answer> {
  return answer(
    await fetch(`${at.origin}/identity/${path}`, {
      method: "POST",
      body: new URLSearchParams({ client_id: "wireroom-cli", ...fields }),
    }),
  );
}

const newEmail = () => `person${++people}@example.com`;

async function newAccount(at = host): Promise<string> {
  const email = newEmail();
  await post("sign-up", { email, password: PASSWORD }, at);
  await post("confirm", { email, code: at.code(email) }, at);
  return email;
}

const signIn = (username: string, password = PASSWORD, at = host) =>
  token({ grant_type: PASSWORD_GRANT, username, password }, at);
const refresh = (refreshToken: unknown, at = host) =>
  token({ grant_type: "refresh_token", refresh_token: String(refreshToken) }, at);
const verify = (idToken: unknown, at = host) => at.identity.verify(`Bearer ${String(idToken)}`);

describe("sign-up", () => {
  it("with e-mail and password is answered 202, confirmed by the 6-digit code 200, and then signs in", async () => {
    const email = newEmail();
    expect(await post("sign-up", { email, password: PASSWORD })).toMatchObject({ status: 202, body: {} });
    expect(host.code(email)).toMatch(/^\d{6}$/);
    expect((await signIn(email)).body).toMatchObject({ error: "invalid_grant" });
    expect(await post("confirm", { email, code: host.code(email) })).toMatchObject({ status: 200, body: {} });
    expect((await signIn(email)).status).toBe(200);
  });

  it("takes an address in any case and spacing as the same one", async () => {
    const email = await newAccount();
    expect((await signIn(` ${email.toUpperCase()} `)).status).toBe(200);
  });

  it("a second time before the confirmation: the latest password and code win", async () => {
    const email = newEmail();
    await post("sign-up", { email, password: "the first one" });
    const first = host.code(email);
    await post("sign-up", { email, password: "the second one" });
    if (first !== host.code(email)) expect((await post("confirm", { email, code: first })).status).toBe(400);
    expect((await post("confirm", { email, code: host.code(email) })).status).toBe(200);
    expect((await signIn(email, "the first one")).status).toBe(400);
    expect((await signIn(email, "the second one")).status).toBe(200);
  });

  it("never touches a confirmed account", async () => {
    const email = await newAccount();
    const code = host.code(email);
    expect(await post("sign-up", { email, password: "someone else's" })).toMatchObject({
      status: 202,
      body: {},
    });
    expect(host.code(email)).toBe(code);
    expect((await post("confirm", { email, code })).status).toBe(400);
    expect((await signIn(email)).status).toBe(200);
  });

  it.each<[string, unknown, Record<string, string>]>([
    ["no e-mail", { password: PASSWORD }, { instancePath: "", keyword: "required" }],
    ["no address", { email: "nobody", password: PASSWORD }, { instancePath: "/email", keyword: "format" }],
    [
      "two lines",
      { email: "a@b.c\r\nBcc: x@y.z", password: PASSWORD },
      { instancePath: "/email", keyword: "format" },
    ],
    [
      "too long an address",
      { email: `a@${"b.".repeat(130)}c`, password: PASSWORD },
      { instancePath: "/email" },
    ],
    [
      "7 characters",
      { email: "a@b.c", password: "1234567" },
      { instancePath: "/password", keyword: "minLength" },
    ],
    [
      "7 emoji",
      { email: "a@b.c", password: "😀".repeat(7) },
      { instancePath: "/password", keyword: "minLength" },
    ],
    [
      "1,025",
      { email: "a@b.c", password: "x".repeat(1025) },
      { instancePath: "/password", keyword: "maxLength" },
    ],
    ["a number", { email: "a@b.c", password: 12345678 }, { instancePath: "/password", keyword: "type" }],
    ["more", { email: "a@b.c", password: PASSWORD, admin: true }, { keyword: "additionalProperties" }],
    ["a list", [], { instancePath: "", keyword: "type" }],
    ["null", "null", { instancePath: "", keyword: "type" }],
    ["no JSON", "{", { keyword: "json" }],
    ["a key twice", '{"email":"a@b.c","email":"a@b.c"}', { keyword: "json" }],
    ["a lone surrogate", '{"email":"a@b.c","password":"1234567\\ud800"}', { keyword: "json" }],
    ["over 64 KiB", { email: "a@b.c", password: "x".repeat(70_000) }, { keyword: "maxLength" }],
  ])("with %s is 400 VALIDATION_ERROR and says why", async (_what, body, reason) => {
    const { status, body: envelope } = await post("sign-up", body);
    expect(envelope).toMatchObject({ code: "VALIDATION_ERROR", message: expect.any(String) });
    expect(envelope.errors).toContainEqual(expect.objectContaining(reason));
    expect(status).toBe(400);
  });

  it("in another content type, and any other method or path, is refused", async () => {
    const url = `${host.origin}/identity/sign-up`;
    expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(400);
    expect((await answer(await fetch(url))).body.code).toBe("NOT_FOUND");
    expect((await post("nothing", {})).body.code).toBe("NOT_FOUND");
    expect((await post("__proto__", {})).body.code).toBe("NOT_FOUND");
  });

  it("takes passwords of 1,024 characters, and any Unicode, however it is composed", async () => {
    const email = newEmail();
    const password = "é".normalize("NFD").padEnd(1024, "ü\u0000日");
    await post("sign-up", { email, password });
    await post("confirm", { email, code: host.code(email) });
    expect((await signIn(email, password.normalize("NFC"))).status).toBe(200);
  });
});

describe("nothing tells whether an address has an account:", () => {
  it("sign-up, resend, confirmation and sign-in answer alike for known and unknown addresses", async () => {
    const known = await newAccount();
    const unknown = newEmail();
    const shape = ({ status, body, headers }: Answer) => ({
      status,
      body,
      type: headers.get("content-type"),
    });
    for (const ask of [
      (email: string) => post("sign-up", { email, password: PASSWORD }),
      (email: string) => post("resend", { email }),
      (email: string) => post("confirm", { email, code: "000000" }),
      (email: string) => signIn(email, "wrong password"),
    ]) {
      expect(shape(await ask(known))).toEqual(shape(await ask(unknown)));
    }
  });

  it("a sign-in takes as long for an unknown address as for a wrong password", async () => {
    const slow = await startIdentityHost({ file: join(folder, "slow.db"), tuning: { scryptLog2N: 15 } });
    const known = await newAccount(slow);
    const time = async (email: string) => {
      const start = performance.now();
      for (let i = 0; i < 4; i++) await signIn(email, "wrong password", slow);
      return performance.now() - start;
    };
    const [wrong, unknown] = [await time(known), await time(newEmail())];
    await slow.close();
    expect(unknown / wrong).toBeGreaterThan(0.5);
    expect(unknown / wrong).toBeLessThan(2);
  });
});

describe("the confirmation code", () => {
  let clock: number;
  let own: IdentityHost;

  beforeEach(async () => {
    clock = Date.now();
    own = await startIdentityHost({ file: join(folder, `code-${++people}.db`), now: () => clock });
  });
  afterEach(() => own.close());

  const wrong = (code: string) => (code === "000000" ? "111111" : "000000");

  it("expires after 10 minutes, and can be sent again", async () => {
    const email = newEmail();
    await post("sign-up", { email, password: PASSWORD }, own);
    const code = own.code(email);
    clock += 10 * 60_000;
    expect((await post("confirm", { email, code }, own)).body).toMatchObject({
      code: "VALIDATION_ERROR",
      errors: [{ instancePath: "/code" }],
    });
    expect(await post("resend", { email }, own)).toMatchObject({ status: 202, body: {} });
    expect((await post("confirm", { email, code: own.code(email) }, own)).status).toBe(200);
  });

  it("expires after 5 wrong tries, even when they come at once", async () => {
    const email = newEmail();
    await post("sign-up", { email, password: PASSWORD }, own);
    const code = own.code(email);
    await Promise.all(Array.from({ length: 5 }, () => post("confirm", { email, code: wrong(code) }, own)));
    expect((await post("confirm", { email, code }, own)).status).toBe(400);
  });

  it("still works after 4 wrong tries", async () => {
    const email = newEmail();
    await post("sign-up", { email, password: PASSWORD }, own);
    for (let i = 0; i < 4; i++) await post("confirm", { email, code: wrong(own.code(email)) }, own);
    expect((await post("confirm", { email, code: own.code(email) }, own)).status).toBe(200);
  });

  it("is sent again every 30 s at most, and 5 times an hour, silently", async () => {
    const email = newEmail();
    const sent = () =>
      own.log.filter((line) => line.msg === "confirmation code" && line.email === email).length;
    await post("sign-up", { email, password: PASSWORD }, own);
    expect(await post("resend", { email }, own)).toMatchObject({ status: 202, body: {} });
    expect(sent()).toBe(1);
    for (let i = 0; i < 10; i++) {
      clock += 30_000;
      expect((await post("resend", { email }, own)).status).toBe(202);
    }
    expect(sent()).toBe(5);
    clock += 60 * 60_000;
    await post("resend", { email }, own);
    expect(sent()).toBe(6);
  });

  it.each(["12345", "1234567", "abcdef", "１２３４５６"])("that is no 6 digits (%s) is 400", async (code) => {
    expect((await post("confirm", { email: "a@b.c", code }, own)).body).toMatchObject({
      code: "VALIDATION_ERROR",
    });
  });
});

describe("the password grant", () => {
  it("gives an ID token of 1 hour with the confirmed e-mail, an access token and a refresh token", async () => {
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

describe("a refresh token", () => {
  it("gives new tokens and is replaced; the old one is refused, and then all of its grant are", async () => {
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
  it("names the endpoints, grants and keys of this provider", async () => {
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

const REDIRECT = "http://127.0.0.1:53682/callback";

/** The start of a sign-in with code and PKCE, in a browser. */
function authorization(at = host, more: Record<string, string> = {}) {
  const verifier = randomBytes(32).toString("base64url");
  const query = new URLSearchParams({
    client_id: "wireroom-cli",
    response_type: "code",
    scope: "openid email offline_access",
    redirect_uri: REDIRECT,
    state: "some-state",
    nonce: "some-nonce",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    ...more,
  });
  const redeem = (back: Page) =>
    token(
      {
        grant_type: "authorization_code",
        code: new URL(back.url).searchParams.get("code") ?? "",
        redirect_uri: REDIRECT,
        code_verifier: verifier,
      },
      at,
    );
  return { url: `${at.origin}/identity/auth?${query}`, redeem };
}

const newBrowser = () => new Browser((url) => url.startsWith(REDIRECT));

describe("authorization code with PKCE", () => {
  it("signs in on a page, comes back to a loopback address of any port, and gives all tokens", async () => {
    const email = await newAccount();
    const browser = newBrowser();
    const { url, redeem } = authorization();
    const page = await browser.get(url);
    expect(page.text).toContain("<h1>Sign in</h1>");
    const wrong = await browser.submit(page, { email, password: "wrong password", action: "sign-in" });
    expect(wrong).toMatchObject({ status: 400, text: expect.stringContaining('role="alert"') });
    expect(wrong.text).toContain(`value="${email}"`);
    const back = await browser.submit(wrong, { email, password: PASSWORD, action: "sign-in" });
    expect(Object.fromEntries(new URL(back.url).searchParams)).toMatchObject({
      code: expect.any(String),
      state: "some-state",
      iss: `${host.origin}/identity`,
    });
    const { status, body } = await redeem(back);
    expect(status).toBe(200);
    expect(decodeJwt(String(body.id_token))).toMatchObject({ email, nonce: "some-nonce" });
    expect((await verify(body.id_token)).email).toBe(email);
    expect((await refresh(body.refresh_token)).status).toBe(200);
    expect((await redeem(back)).body.error).toBe("invalid_grant");
  });

  it("asks a person who has a session for a word before it signs in, and lets them change the account", async () => {
    const [first, second] = [await newAccount(), await newAccount()];
    const browser = newBrowser();
    const start = await browser.get(authorization().url);
    await browser.submit(start, { email: first, password: PASSWORD, action: "sign-in" });

    const again = authorization();
    const page = await browser.get(again.url);
    expect(page.text).toContain(`Continue as ${first}`);
    const { body } = await again.redeem(await browser.submit(page, { action: "continue" }));
    expect((await verify(body.id_token)).email).toBe(first);

    const other = authorization();
    const form = await browser.submit(await browser.get(other.url), { action: "switch" });
    const handover = await browser.submit(form, { email: second, password: PASSWORD, action: "sign-in" });
    // The provider ends the first session with a form that submits itself.
    const back = await browser.submit(handover, {});
    expect((await verify((await other.redeem(back)).body.id_token)).email).toBe(second);
  });

  it("can be cancelled", async () => {
    const browser = newBrowser();
    const back = await browser.submit(await browser.get(authorization().url), { action: "cancel" });
    expect(new URL(back.url).searchParams.get("error")).toBe("access_denied");
  });

  it("is refused without PKCE, and for a redirect that is not loopback, which is never followed", async () => {
    const without = await newBrowser().get(
      authorization(host, { code_challenge: "", code_challenge_method: "" }).url,
    );
    expect(new URL(without.url).searchParams.get("error")).toBe("invalid_request");
    const page = await newBrowser().get(
      authorization(host, { redirect_uri: "https://evil.example/callback" }).url,
    );
    expect(page.status).toBe(400);
    expect(page.text).toContain("redirect_uri");
  });

  it("shows pages without scripts or anything from elsewhere, never in a frame", async () => {
    const { headers, text } = await newBrowser().get(authorization().url);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe-inline");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(text).not.toMatch(/<script|https?:\/\/(?!127\.0\.0\.1)/);
    expect(text).toMatch(/<label>E-mail address/);
  });

  it("escapes what people type", async () => {
    const browser = newBrowser();
    const page = await browser.get(authorization().url);
    const shown = await browser.submit(page, { email: '"><script>x', password: "p", action: "sign-in" });
    expect(shown.text).not.toContain("<script>x");
  });

  it("binds the sign-in page to the browser that it was shown to", async () => {
    const page = await newBrowser().get(authorization().url);
    const stranger = await newBrowser().submit(page, {
      email: "a@b.c",
      password: PASSWORD,
      action: "sign-in",
    });
    expect(stranger.status).toBe(400);
    expect(stranger.text).toContain("expired");
  });
});

describe("the device flow", () => {
  const start = async () => (await token({ scope: "openid email offline_access" }, host, "device/auth")).body;
  const poll = (code: unknown) => token({ grant_type: DEVICE_GRANT, device_code: String(code) });

  it("shows a code in the terminal, which a person enters in a browser and signs in", async () => {
    const email = await newAccount();
    const device = await start();
    expect(device.verification_uri).toBe(`${host.origin}/identity/device`);
    expect(await poll(device.device_code)).toMatchObject({
      status: 400,
      body: { error: "authorization_pending" },
    });

    const browser = newBrowser();
    const entry = await browser.get(String(device.verification_uri));
    const wrong = await browser.submit(entry, { user_code: "WRONG-CODE" });
    expect(wrong.text).toContain('role="alert"');
    const check = await browser.submit(wrong, { user_code: String(device.user_code).toLowerCase() });
    expect(check.text).toContain(String(device.user_code));
    const signInPage = await browser.submit(check, {});
    const done = await browser.submit(signInPage, { email, password: PASSWORD, action: "sign-in" });
    expect(done.text).toContain("You are signed in");

    const { status, body } = await poll(device.device_code);
    expect(status).toBe(200);
    expect((await verify(body.id_token)).email).toBe(email);
    expect((await refresh(body.refresh_token)).status).toBe(200);
    expect((await poll(device.device_code)).body.error).toBe("invalid_grant");
  });

  it("takes the complete address with the code in it, and can be cancelled", async () => {
    const device = await start();
    const browser = newBrowser();
    const handover = await browser.get(String(device.verification_uri_complete));
    // A page of the provider that submits itself: its script is allowed by hash alone.
    expect(handover.headers.get("content-security-policy")).toMatch(/script-src 'sha256-/);
    const check = await browser.submit(handover, {});
    expect(check.text).toContain(String(device.user_code));
    await browser.submit(check, { abort: "yes", confirm: "" });
    expect((await poll(device.device_code)).body.error).toBe("access_denied");
  });

  it("refuses a form that was not given to this browser", async () => {
    const device = await start();
    const page = await newBrowser().get(String(device.verification_uri));
    const stranger = await newBrowser().submit(page, { user_code: String(device.user_code), confirm: "yes" });
    expect(stranger.status).toBe(400);
    expect((await poll(device.device_code)).body.error).toBe("authorization_pending");
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

describe("signing out of the browser", () => {
  it("ends its session", async () => {
    const email = await newAccount();
    const browser = newBrowser();
    await browser.submit(await browser.get(authorization().url), {
      email,
      password: PASSWORD,
      action: "sign-in",
    });
    const page = await browser.get(`${host.origin}/identity/session/end`);
    expect((await browser.submit(page, { logout: "yes" })).text).toContain("You are signed out");
    expect((await browser.get(authorization().url)).text).toContain("Password");
  });
});

describe("after a restart on the same file", () => {
  it("keys, accounts, sign-ups, sessions and refresh tokens are still there", async () => {
    const options: HostOptions = { file: join(folder, "restart.db") };
    let own = await startIdentityHost(options);
    const email = await newAccount(own);
    const { body: tokens } = await signIn(email, PASSWORD, own);
    const pending = newEmail();
    await post("sign-up", { email: pending, password: PASSWORD }, own);
    const code = own.code(pending);
    const browser = newBrowser();
    await browser.submit(await browser.get(authorization(own).url), {
      email,
      password: PASSWORD,
      action: "sign-in",
    });
    const { port } = own;
    await own.close();

    own = await startIdentityHost({ ...options, port });
    expect((await verify(tokens.id_token, own)).email).toBe(email);
    const { body: next } = await signIn(email, PASSWORD, own);
    const kid = (idToken: unknown) => decodeProtectedHeader(String(idToken)).kid;
    expect(kid(next.id_token)).toBe(kid(tokens.id_token));
    expect((await refresh(tokens.refresh_token, own)).status).toBe(200);
    expect((await post("confirm", { email: pending, code }, own)).status).toBe(200);
    expect((await browser.get(authorization(own).url)).text).toContain(`Continue as ${email}`);
    await own.close();
  });
});

describe("mail through --smtp-url", () => {
  let smtp: SmtpServer;
  let own: IdentityHost;

  beforeEach(async () => {
    smtp = await startSmtpServer();
    own = await startIdentityHost({
      file: join(folder, `mail-${++people}.db`),
      settings: { smtpUrl: `${smtp.url}?from=wireroom@example.org` },
    });
  });
  afterEach(async () => {
    await own.close();
    await smtp.close();
  });

  it("carries the code, which then is in no log", async () => {
    const email = newEmail();
    await post("sign-up", { email, password: PASSWORD }, own);
    const mail = await smtp.next(email);
    expect(mail.from).toBe("wireroom@example.org");
    expect((await post("confirm", { email, code: codeIn(mail) }, own)).status).toBe(200);
    expect(JSON.stringify(own.log)).not.toContain(codeIn(mail));
  });

  it("tells the owner of an account, and nobody else, when someone signs up with its address", async () => {
    const email = newEmail();
    await post("sign-up", { email, password: PASSWORD }, own);
    await post("confirm", { email, code: codeIn(await smtp.next(email)) }, own);
    await post("sign-up", { email, password: "another password" }, own);
    const mail = await smtp.next(email);
    expect(mail.text).toContain("You already have an account");
    expect(mail.text).not.toMatch(/\d{6}/);
  });

  it.each(["refuse", "hang"] as const)(
    "that does not work (%s) neither fails nor delays the sign-up",
    async (how) => {
      smtp.behave(how);
      const email = newEmail();
      const start = performance.now();
      expect((await post("sign-up", { email, password: PASSWORD }, own)).status).toBe(202);
      expect(performance.now() - start).toBeLessThan(1_000);
      if (how === "hang") return;
      await expect.poll(() => own.log.find((line) => line.msg === "a mail could not be sent")).toBeTruthy();
      expect(JSON.stringify(own.log)).not.toContain(email);
    },
  );
});

it("the log never holds a password or a token", async () => {
  const { body } = await signIn(await newAccount());
  const log = JSON.stringify(host.log);
  for (const secret of [PASSWORD, body.id_token, body.access_token, body.refresh_token]) {
    expect(log).not.toContain(String(secret));
  }
  expect(host.log.filter(({ level }) => level === "error")).toEqual([]);
});
