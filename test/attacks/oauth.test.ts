/**
 * Attacks of RFC 9700 on the authorization server: redirects, downgrades, mix-up, fixation and cross-origin
 * calls.
 */
import { createHash, randomBytes } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { Browser } from "../harness/browser.js";
import { identityClient, PASSWORD } from "../harness/identity-client.js";
import { identityFixture } from "../harness/identity-fixture.js";

const host = await identityFixture();
const REDIRECT = "http://127.0.0.1:53682/callback";

let email: string;
let sources = 0;

beforeAll(async () => {
  email = await identityClient(() => host).newAccount();
});

/** Returns a browser at a source of its own, which follows no redirect away from the daemon. */
const newBrowser = () => new Browser((url) => !url.startsWith(`${host.origin}/`), `192.0.2.${++sources}`);

const verifier = randomBytes(32).toString("base64url");
const challenge = createHash("sha256").update(verifier).digest("base64url");

/** Returns the URL of an authorization request. A parameter with the value undefined is left out. */
function authorization(more: Record<string, string | undefined> = {}): string {
  const all = {
    client_id: "wireroom-cli",
    response_type: "code",
    scope: "openid email offline_access",
    redirect_uri: REDIRECT,
    state: "state & more=1",
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...more,
  };
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `${host.origin}/identity/auth?${new URLSearchParams(given)}`;
}

async function signIn(browser: Browser, more: Record<string, string> = {}) {
  const page = await browser.get(authorization(more));
  return browser.submit(page, { email, password: PASSWORD, action: "sign-in" });
}

describe("a redirect URI", () => {
  it.each([
    "https://evil.example/callback",
    "//evil.example/callback",
    "http://127.0.0.1.evil.example/callback",
    "http://127.0.0.1:53682@evil.example/callback",
    "http://user@127.0.0.1:53682/callback",
    "http://localhost.evil.example/callback",
    "http://127.0.0.2:53682/callback",
    "http://[::ffff:127.0.0.1]:53682/callback",
    "http://0.0.0.0:53682/callback",
    "http://2130706433:53682/callback",
    "https://127.0.0.1:53682/callback",
    "http://127.0.0.1:53682/callback/",
    "http://127.0.0.1:53682/callback/../evil",
    "http://127.0.0.1:53682/callback%2f..",
    "http://127.0.0.1:53682/CALLBACK",
    "http://127.0.0.1:53682/callback?next=https://evil.example",
    "http://127.0.0.1:53682/callback#x",
    "http://127.0.0.1:53682\\@evil.example/callback",
    "javascript:alert(1)",
    "data:text/html,x",
    "",
  ])(
    "that is not exactly a registered one is never followed, and gets no code: %j (RFC 9700, 4.1)",
    async (uri) => {
      const page = await newBrowser().get(authorization({ redirect_uri: uri }));
      expect(page.status).toBe(400);
      expect(page.url.startsWith(`${host.origin}/identity/auth`)).toBe(true);
      expect(page.headers.get("location")).toBeNull();
    },
  );

  it("that occurs twice is refused", async () => {
    const page = await newBrowser().get(
      `${authorization()}&redirect_uri=${encodeURIComponent("https://evil.example/")}`,
    );
    expect(page).toMatchObject({ status: 400 });
    expect(page.url.startsWith(`${host.origin}/`)).toBe(true);
  });

  it("after a sign-out is followed to no other site (RFC 9700, 4.11)", async () => {
    const browser = newBrowser();
    await signIn(browser);
    const query = new URLSearchParams({
      post_logout_redirect_uri: "https://evil.example/",
      client_id: "wireroom-cli",
    });
    const page = await browser.get(`${host.origin}/identity/session/end?${query}`);
    expect(page.text).not.toContain("evil.example");
  });
});

describe("an authorization request is refused", () => {
  it.each<[string, Record<string, string | undefined>]>([
    ["with the method plain", { code_challenge_method: "plain", code_challenge: verifier }],
    ["without a method, which would mean plain", { code_challenge_method: undefined }],
    ["without a challenge", { code_challenge: undefined, code_challenge_method: undefined }],
    ["with an empty challenge", { code_challenge: "" }],
    ["with a challenge that is too short", { code_challenge: "short" }],
    ["for an implicit token", { response_type: "token" }],
    ["for an implicit ID token", { response_type: "id_token", nonce: "n" }],
    ["for a code and a token", { response_type: "code id_token", nonce: "n" }],
    ["with a request object", { request: "eyJhbGciOiJub25lIn0.e30." }],
    ["with the address of a request object", { request_uri: "https://evil.example/request" }],
  ])("%s, and the error names the issuer (RFC 9700, 2.1.1, 4.4 and 4.8)", async (_what, more) => {
    const { url } = await newBrowser().get(authorization(more));
    const { origin, searchParams, hash } = new URL(url);
    expect(origin).toBe(new URL(REDIRECT).origin);
    const answer = new URLSearchParams(hash === "" ? searchParams : hash.slice(1));
    expect(answer.get("error")).toMatch(
      /^(invalid_request|unsupported_response_type|unauthorized_client|request(_uri)?_not_supported)$/,
    );
    expect(answer.get("iss")).toBe(`${host.origin}/identity`);
    expect(answer.get("state")).toBe("state & more=1");
    expect(answer.has("code")).toBe(false);
  });
});

describe("a sign-in", () => {
  it("returns code, issuer and state unchanged, with 303, which repeats no password (RFC 9700, 4.12; RFC 9207)", async () => {
    const back = await signIn(newBrowser());
    expect(back.status).toBe(303);
    expect(Object.fromEntries(new URL(back.url).searchParams)).toEqual({
      code: expect.any(String),
      iss: `${host.origin}/identity`,
      state: "state & more=1",
    });
    const { code } = Object.fromEntries(new URL(back.url).searchParams);
    expect(back.headers.get("referrer-policy")).toBe("same-origin");
    const redeemed = await identityClient(() => host).token({
      grant_type: "authorization_code",
      code: code!,
      redirect_uri: REDIRECT,
      code_verifier: verifier,
    });
    expect(redeemed.status).toBe(200);
  });

  it("makes a new session, so that a session that a stranger planted stays empty", async () => {
    const stranger = newBrowser();
    await stranger.get(`${host.origin}/identity/device`);
    const planted = new Map(stranger.cookies);
    const victim = newBrowser();
    for (const [key, cookie] of planted) victim.cookies.set(key, cookie);
    await signIn(victim);
    expect((await victim.get(authorization())).text).toContain(`Continue as ${email}`);
    expect((await stranger.get(authorization())).text).not.toContain(email);
    for (const [key, { value }] of planted) expect(victim.cookies.get(key)?.value).not.toBe(value);
  });

  it("cannot be finished in another browser with the address of its page", async () => {
    const stranger = newBrowser();
    const page = await stranger.get(authorization());
    const victim = newBrowser();
    await signIn(victim);
    expect((await victim.get(page.url)).status).toBe(400);
    expect((await victim.submit(page, { action: "continue" })).status).toBe(400);
  });
});

describe("a site of another origin", () => {
  it.each(["token", "device/auth", "token/revocation", "me"])(
    "may not read the answer of /identity/%s",
    async (path) => {
      const { body: tokens } = await identityClient(() => host).signIn(email);
      // The userinfo endpoint asks for the access token in the header.
      const authorization = `Bearer ${String(tokens.access_token)}`;
      const source = `192.0.2.${++sources}`;
      const answer = await fetch(`${host.origin}/identity/${path}`, {
        method: "POST",
        headers: {
          origin: "https://evil.example",
          "x-forwarded-for": source,
          ...(path === "me" && { authorization }),
        },
        body: new URLSearchParams({
          ...(path !== "me" && { client_id: "wireroom-cli" }),
          ...(path === "token" && {
            grant_type: "refresh_token",
            refresh_token: String(tokens.refresh_token),
          }),
          ...(path === "token/revocation" && { token: "x" }),
        }),
      });
      expect(await answer.text()).not.toContain(email);
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
      expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
    },
  );
});

it("a refresh token gives no more than its scope, and nothing to an unknown client (RFC 9700, 4.14)", async () => {
  const { signIn: passwordGrant, token } = identityClient(() => host);
  const { body } = await passwordGrant(email);
  const fields = { grant_type: "refresh_token", refresh_token: String(body.refresh_token) };
  expect((await token({ ...fields, client_id: "someone" })).status).toBe(401);
  expect((await token({ ...fields, scope: "openid email offline_access admin" })).body.error).toMatch(
    /^invalid_(scope|grant)$/,
  );
  expect((await token({ ...fields, refresh_token: String(body.access_token) })).body.error).toBe(
    "invalid_grant",
  );
});
