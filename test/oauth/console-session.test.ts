/**
 * The sign-in of the console, at the embedded and at an external provider. The console itself is driven in
 * test/console.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { decodeJwt } from "jose";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { expectOk, expectRefused } from "../harness/api-helpers.js";
import { Browser } from "../harness/browser.js";
import { SettableClock } from "../harness/clock-skew.js";
import { startDaemon } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { ForeignHuman, foreignDaemon, startForeignIssuer } from "../harness/foreign-issuer.js";
import { PASSWORD, PASSWORD_GRANT } from "../harness/identity-client.js";
import { Application, newSource, OAUTH_DAEMON, OAuthHuman } from "../harness/oauth.js";

const HOUR_MS = 3_600_000;

const clock = new SettableClock();
const issuer = await startForeignIssuer();
afterAll(() => issuer.close());
const { daemon: embedded } = await daemonFixture([], OAUTH_DAEMON);
const settings = foreignDaemon(issuer, "some-audience");
const { daemon: external } = await daemonFixture([], {
  ...settings,
  // A process of its own, because its clock is moved.
  isHosted: false,
  env: { ...settings.env, ...clock.env },
});
await issuer.serve(external);

/**
 * As long as an e-mail address of a person in a large organization. The account id contains it twice, and the
 * issuer.
 */
const LONG_LOGIN = "ada.".padEnd(200, "x");

const PROVIDERS = {
  embedded: { daemon: embedded, human: () => OAuthHuman.signUp(embedded) },
  external: {
    daemon: external,
    human: async (): Promise<OAuthHuman> => new ForeignHuman(external, issuer, LONG_LOGIN),
  },
};

describe.each(Object.entries(PROVIDERS))("with the %s provider", (name, { daemon, human: newHuman }) => {
  const url = `${daemon.origin}/identity/console/session`;

  /** Sends a request to the session as the page does. */
  const send = async (
    { browser }: OAuthHuman,
    body: object | undefined,
    origin: string | null = daemon.origin,
  ) => {
    const response = await browser.request(url, {
      method: body === undefined ? "DELETE" : "POST",
      headers: { "content-type": "application/json", ...(origin !== null && { origin }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === "" ? undefined : JSON.parse(text),
    };
  };
  const renew = (human: OAuthHuman) => send(human, { grant_type: "refresh_token" });

  /** Signs in up to the redirect to the console. Returns what the page then sends. */
  const authorize = async (human: OAuthHuman) => {
    const page = new Application(daemon, "wireroom-console", `${daemon.origin}/console/callback`);
    const signedIn = await human.open(page.authorizationUrl({ scope: "openid email", prompt: "login" }));
    const back = new URL(signedIn.url);
    expect(back.pathname).toBe("/console/callback");
    return {
      page,
      back,
      exchange: {
        grant_type: "authorization_code",
        code: back.searchParams.get("code"),
        code_verifier: page.verifier,
      },
    };
  };

  const signIn = async () => {
    const human = await newHuman();
    const { exchange } = await authorize(human);
    const answer = await send(human, exchange);
    expect(answer.status).toBe(200);
    return { human, ...answer };
  };

  // [D16-console-session] [D16-console-cookie]
  it("the page gets an ID token, and the refresh token stays in a cookie of its path", async () => {
    const { human, headers, body } = await signIn();
    expect(Object.keys(body).sort()).toEqual(["expires_in", "id_token"]);
    expect(decodeJwt(body.id_token)).toMatchObject({
      iss: `${daemon.origin}/identity`,
      aud: "wireroom-console",
      email: human.email,
    });
    expect(headers.get("cache-control")).toBe("no-store");
    const [cookie] = headers.getSetCookie();
    expect(cookie).toMatch(
      /^wireroom_console=[^;]+; path=\/identity\/console\/session; expires=[^;]+; samesite=strict; httponly$/,
    );
    const owner = daemon.client(body.id_token);
    expect((await owner.get("/accounts/me")).body).toMatchObject({ email: human.email });
    // The account is the one of every other sign-in of this human.
    const again = await renew(human);
    expect(again.status).toBe(200);
    const ids = [body, again.body].map(({ id_token }) => daemon.client(id_token).get("/accounts/me"));
    expect(new Set((await Promise.all(ids)).map(({ body: account }) => account.id)).size).toBe(1);
  });

  // [D16-console-origin]
  it("needs the origin of the daemon, which another site cannot send", async () => {
    const { human } = await signIn();
    for (const origin of [null, "null", "https://evil.example", `${daemon.origin}.evil.example`]) {
      expect((await send(human, { grant_type: "refresh_token" }, origin)).status).toBe(403);
      expect((await send(human, undefined, origin)).status).toBe(403);
    }
    const preflight = await fetch(url, {
      method: "OPTIONS",
      headers: { origin: "https://evil.example", "access-control-request-method": "POST" },
    });
    expect(preflight.headers.get("access-control-allow-origin")).toBeNull();
    expect((await renew(human)).status).toBe(200);
  });

  // [D16-console-renewal]
  it("two tabs renew at once, and a later replay ends the session", async () => {
    const { human } = await signIn();
    const before = new Map(human.browser.cookies);
    const both = await Promise.all([renew(human), renew(human)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect((await renew(human)).status).toBe(200);
    for (const [key, cookie] of before) human.browser.cookies.set(key, cookie);
    const replay = await renew(human);
    expect(replay).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect([...human.browser.cookies.keys()].some((key) => key.startsWith("wireroom_console"))).toBe(false);
    expect((await renew(human)).status).toBe(401);
    // The browser is still signed in at the provider, and a new session has a grant of its own.
    expect((await send(human, (await authorize(human)).exchange)).status).toBe(200);
    for (let renewals = 0; renewals < 2; renewals += 1) expect((await renew(human)).status).toBe(200);
  });

  // [D16-console-sign-out]
  it("signs out: the session ends, and the next human signs in anew", async () => {
    const { human } = await signIn();
    const cookies = new Map(human.browser.cookies);
    expect((await send(human, undefined)).status).toBe(204);
    expect((await renew(human)).status).toBe(401);
    for (const [key, cookie] of cookies) human.browser.cookies.set(key, cookie);
    expect((await renew(human)).status).toBe(400);
    const page = new Application(daemon, "wireroom-console", `${daemon.origin}/console/callback`);
    const shown = await human.browser.get(page.authorizationUrl({ scope: "openid email", prompt: "none" }));
    expect(new URL(shown.url).searchParams.get("error")).toBe("login_required");
    // The browser may have a cookie that was used long ago, if somebody has stolen it and used it first.
    const robbed = (await signIn()).human;
    const stolen = new Map(robbed.browser.cookies);
    for (const [key, cookie] of stolen)
      if (key.startsWith("wireroom_console"))
        robbed.browser.cookies.set(key, { ...cookie, value: `${cookie.value.split(".")[0]}.deleted` });
    expect((await send(robbed, undefined)).status).toBe(204);
    for (const [key, cookie] of stolen) robbed.browser.cookies.set(key, cookie);
    expect((await renew(robbed)).status).toBe(400);
    // Signing out twice is no error.
    expect((await send(human, undefined)).status).toBe(204);
  });

  // [D16-console-session]
  it("rejects a wrong verifier, a second use of a code, and other redirects", async () => {
    const human = await newHuman();
    const first = await authorize(human);
    const wrong = await send(human, { ...first.exchange, code_verifier: "a".repeat(43) });
    expect(wrong).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect((await send(human, first.exchange)).status).toBe(400);
    const second = await authorize(human);
    expect((await send(human, second.exchange)).status).toBe(200);
    expect((await send(human, second.exchange)).status).toBe(400);
    // JavaScript cannot convert this object to text.
    const odd = { code: { toString: 1 } };
    for (const body of [
      {},
      { grant_type: "password" },
      { grant_type: "authorization_code" },
      { code: 1 },
      odd,
    ])
      expect((await send(human, body)).status).toBe(400);
    for (const body of [undefined, "[]", "null", "{"]) {
      const headers = { origin: daemon.origin, "content-type": "application/json" };
      expect((await fetch(url, { method: "POST", headers, body: body ?? null })).status).toBe(400);
    }
    const elsewhere = new Application(daemon, "wireroom-console", "http://127.0.0.1:1/callback");
    expect((await human.browser.get(elsewhere.authorizationUrl({ scope: "openid" }))).status).toBe(400);
  });

  // [D16-console-renewal]
  it("a code that is refused leaves the session of other tabs alone", async () => {
    const { human } = await signIn();
    const { exchange } = await authorize(human);
    const wrong = { ...exchange, code_verifier: "a".repeat(43) };
    for (const body of [wrong, { ...exchange, code: "unknown" }, { grant_type: "password" }])
      expect((await send(human, body)).status).toBe(400);
    expect((await renew(human)).status).toBe(200);
  });

  // [D16-sign-ins-others]
  it("the end of all other sign-ins also ends one that has its code, and none that begins later", async () => {
    const { human, body } = await signIn();
    const other = name === "embedded" ? human.withNewBrowser() : await newHuman();
    const { exchange } = await authorize(other);
    await expectOk(daemon.client(body.id_token).delete("/sign-ins"));
    expect((await send(other, exchange)).status).toBe(400);
    expect((await renew(human)).status).toBe(200);
    expect((await send(other, (await authorize(other)).exchange)).status).toBe(200);
  });

  // [D16-console-cookie]
  it("the token endpoint gives the console no tokens, which would belong to no sign-in", async () => {
    const { page, back } = await authorize(await newHuman());
    const { status, body } = await page.redeem(back);
    expect({ status, ...body }).toEqual({
      ...{ status: 400, error: "unauthorized_client", error_description: expect.any(String) },
    });
  });

  // [D16-console-session]
  it("no other token is one of the console", async () => {
    const { body } = await signIn();
    const [header, claims, signature] = body.id_token.split(".");
    for (const [field, value] of [
      ["aud", "wireroom-other"],
      ["iss", "https://evil.example"],
      ["sub", "somebody"],
    ]) {
      const changed = { ...JSON.parse(Buffer.from(claims, "base64url").toString()), [field!]: value };
      const forged = Buffer.from(JSON.stringify(changed)).toString("base64url");
      const { status } = await daemon.client(`${header}.${forged}.${signature}`).get("/accounts/me");
      expect(status).toBe(403);
    }
    if (name === "embedded") return;
    // The daemon is no identity provider of the command line here.
    const cli = new Application(daemon, "wireroom-cli", "http://127.0.0.1/callback");
    expect((await fetch(cli.authorizationUrl())).status).toBe(400);
  });

  if (name === "embedded") return;
  // [D16-sign-ins-others]
  it("the end of all other sign-ins also ends one that has come back from the provider", async () => {
    const { body } = await signIn();
    const browser = new Browser((url) => url.startsWith(`${daemon.origin}/identity/auth/`), newSource);
    const other = Object.assign(new ForeignHuman(daemon, issuer, LONG_LOGIN), { browser });
    const page = new Application(daemon, "wireroom-console", `${daemon.origin}/console/callback`);
    const { url: next } = await other.open(page.authorizationUrl({ scope: "openid email" }));
    expect(next).toContain("/identity/auth/");
    await expectOk(daemon.client(body.id_token).delete("/sign-ins"));
    expect(await browser.get(next)).toMatchObject({ status: 400, url: next });
  });

  // The last test, because it moves the clock of the daemon.
  // [D16-console-limit] [D16-token-ends-with-sign-in]
  it("with an external provider, a session ends 12 hours after the sign-in, with all its tokens", async () => {
    const { human } = await signIn();
    const begunAt = Date.now();
    const renewals: Awaited<ReturnType<typeof renew>>[] = [];
    const renewAfter = async (hours: number) => {
      clock.set(hours * HOUR_MS);
      // The daemon reads its clock every 10 ms.
      await sleep(500);
      renewals.push(await renew(human));
    };
    await renewAfter(6);
    await renewAfter(11.9);
    const owner = daemon.client(renewals[1]!.body.id_token);
    await expectOk(owner.post("/handles", { slug: "late-worker" }), 201);
    const { token, expires_at } = await expectOk(owner.post("/handles/late-worker/token"), 201);
    // Lifetimes are in whole seconds.
    expect(Date.parse(expires_at) - begunAt).toBeLessThan(12 * HOUR_MS + 5_000);
    await expectOk(daemon.client(token).get("/profile"));
    await renewAfter(12.1);
    expect(renewals.map(({ status }) => status)).toEqual([200, 200, 400]);
    await expectRefused(owner.get("/accounts/me"), "FORBIDDEN");
    await expectRefused(daemon.client(token).get("/profile"), "UNAUTHORIZED");
  });
});

// [D16-console-session]
it("no password signs in to the console without its page", async () => {
  const { email } = await PROVIDERS.embedded.human();
  const statusOf = async (client_id: string) => {
    const form = { grant_type: PASSWORD_GRANT, client_id, username: email, password: PASSWORD };
    const init = { method: "POST", body: new URLSearchParams(form) };
    return (await fetch(`${embedded.origin}/identity/token`, init)).status;
  };
  expect(await statusOf("wireroom-console")).toBe(400);
  expect(await statusOf("wireroom-cli")).toBe(200);
});

describe.each([
  { name: "embedded", options: () => OAUTH_DAEMON },
  { name: "external", options: () => foreignDaemon(issuer, "some-audience") },
])("WIREROOM_CONSOLE=off with the $name provider", ({ name, options }) => {
  // [D16-no-console-sign-in]
  it("takes the client and the session of the console away, and ends its sign-ins", async () => {
    const env: Record<string, string> = { ...options().env };
    const daemon = await startDaemon({ ...options(), env });
    onTestFinished(async () => void (await daemon.stop()));
    if (name === "external") await issuer.serve(daemon);
    const human: OAuthHuman =
      name === "embedded" ? await OAuthHuman.signUp(daemon) : new ForeignHuman(daemon, issuer, "ben");
    const page = new Application(daemon, "wireroom-console", `${daemon.origin}/console/callback`);
    const address = page.authorizationUrl({ scope: "openid email", prompt: "login" });
    const code = new URL((await human.open(address)).url).searchParams.get("code");
    const send = (method: string, body?: object) =>
      human.browser.request(`${daemon.origin}/identity/console/session`, {
        method,
        headers: { "content-type": "application/json", origin: daemon.origin },
        ...(body && { body: JSON.stringify(body) }),
      });
    const exchange = { grant_type: "authorization_code", code, code_verifier: page.verifier };
    const { id_token } = JSON.parse(await (await send("POST", exchange)).text());
    expect((await daemon.client(id_token).get("/accounts/me")).status).toBe(200);

    await daemon.restart(async () => {
      env.WIREROOM_CONSOLE = "off";
    });
    for (const method of ["POST", "DELETE"])
      expect(
        (await send(method, method === "POST" ? { grant_type: "refresh_token" } : undefined)).status,
      ).toBe(404);
    expect((await daemon.client(id_token).get("/accounts/me")).status).toBe(403);
    const refused = await fetch(address, { redirect: "manual" });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain("invalid_client");
    // Applications still sign in.
    const metadata = await fetch(`${daemon.origin}/.well-known/oauth-authorization-server/identity`);
    expect(await metadata.json()).toMatchObject({ authorization_endpoint: `${daemon.origin}/identity/auth` });
  });
});
