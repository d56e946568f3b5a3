/**
 * Attacks on the pages of the embedded identity provider, and the forms for sign-up and forgotten passwords.
 */
import { createHash, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { Browser, type Page } from "../harness/browser.js";
import { identityClient, newEmail, PASSWORD } from "../harness/identity-client.js";
import { identityFixture } from "../harness/identity-fixture.js";

const host = await identityFixture();
const REDIRECT = "http://127.0.0.1:53682/callback";
const NEW_PASSWORD = "a quite different one";

const { newAccount, post, refresh, signIn, token } = identityClient(() => host);

let sourceCount = 0;
/** Each browser has an address of its own, so that no throttle affects another test. */
const newBrowser = () => new Browser((url) => url.startsWith(REDIRECT), `192.0.2.${++sourceCount}`);

/** Starts a sign-in, and returns its page and a function that redeems the code of the redirect. */
async function openSignIn(browser: Browser, more: Record<string, string> = {}) {
  const verifier = randomBytes(32).toString("base64url");
  const query = new URLSearchParams({
    ...{ client_id: "wireroom-cli", response_type: "code", scope: "openid email offline_access" },
    ...{ redirect_uri: REDIRECT, code_challenge_method: "S256" },
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    ...more,
  });
  const redeem = (back: Page) =>
    token({
      grant_type: "authorization_code",
      code: new URL(back.url).searchParams.get("code") ?? "",
      redirect_uri: REDIRECT,
      code_verifier: verifier,
    });
  return { page: await browser.get(`${host.origin}/identity/auth?${query}`), redeem };
}

/** Follows the link of the sign-in page with this text. */
async function follow(browser: Browser, page: Page, text: string): Promise<Page> {
  const href = new RegExp(`<a href="([^"]*)">${text.replace("?", "\\?")}`).exec(page.text)?.[1];
  if (href === undefined) throw new Error(`no link ${text}`);
  return browser.get(new URL(href, page.url).href);
}

const signUpForm = async (browser: Browser, email: string, password: string) => {
  const { page, redeem } = await openSignIn(browser);
  const form = await follow(browser, page, "Create an account");
  return { page: await browser.submit(form, { email, password, action: "sign-up" }), redeem };
};

/** Removes the tokens of the forms, of which each has its own. */
const withoutToken = (text: string) => text.replace(/name="form_token" value="[\w.-]+"/g, "");

describe("the forms for sign-up", () => {
  // [D10-browser-sign-up]
  it("create an account with the code and without the password again, and sign in", async () => {
    const [browser, email] = [newBrowser(), newEmail()];
    const { page, redeem } = await signUpForm(browser, email, PASSWORD);
    const wrong = await browser.submit(page, { code: "12345", action: "confirm" });
    expect(wrong).toMatchObject({
      status: 400,
      text: expect.stringContaining("The code must be 6 or 39 digits."),
    });
    const back = await browser.submit(wrong, { code: host.code(email), action: "confirm" });
    expect((await redeem(back)).status).toBe(200);
    expect((await signIn(email)).status).toBe(200);
  });

  // [D10-browser-sign-up] [D10-own-code]
  it("accept the code only in the browser that signed up: pre-hijack by a page", async () => {
    const [owner, stranger, email] = [newBrowser(), newBrowser(), newEmail()];
    const mine = await signUpForm(owner, email, PASSWORD);
    const code = host.code(email);
    const theirs = await signUpForm(stranger, email, "the stranger's password");
    // The stranger's code is the newest in the mailbox. The owner enters it, and then the owner's own.
    const newest = host.code(email);
    expect(newest).not.toBe(code);
    expect((await owner.submit(mine.page, { code: newest, action: "confirm" })).status).toBe(400);
    expect((await stranger.submit(theirs.page, { code, action: "confirm" })).status).toBe(400);
    const back = await owner.submit(mine.page, { code, action: "confirm" });
    expect((await mine.redeem(back)).status).toBe(200);
    expect((await stranger.submit(theirs.page, { code: newest, action: "confirm" })).status).toBe(400);
    expect((await signIn(email, "the stranger's password")).status).toBe(400);
  });

  it("reject a forged cookie, and the cookie of another sign-in", async () => {
    const [browser, email] = [newBrowser(), newEmail()];
    const { page } = await signUpForm(browser, email, PASSWORD);
    for (const [key, { path }] of browser.cookies)
      if (key.startsWith("wireroom_sign_up@")) browser.cookies.set(key, { value: "forged", path });
    expect((await browser.submit(page, { code: host.code(email), action: "confirm" })).status).toBe(400);
    expect((await signIn(email)).status).toBe(400);
  });

  // [D10-no-tells]
  it("show the same page for an address with an account", async () => {
    const shown = [];
    for (const email of [await newAccount(), newEmail()]) {
      const { page } = await signUpForm(newBrowser(), email, PASSWORD);
      shown.push({ status: page.status, text: withoutToken(page.text) });
    }
    expect(shown[0]).toEqual(shown[1]);
  });

  it("escape what was entered, and name what is wrong", async () => {
    const { page } = await signUpForm(newBrowser(), `"><script>x@y.z`, "short");
    expect(page.status).toBe(400);
    expect(page.text).not.toContain("<script>");
    expect(page.text).toContain("The password must have at least 8 characters.");
  });
});

describe("the forms for a forgotten password", () => {
  // [D10-reset-page] [D10-reset-ends]
  it("set a new one; the sessions of all browsers and the refresh tokens end", async () => {
    const email = await newAccount();
    const { body: tokens } = await signIn(email);
    const [other, browser] = [newBrowser(), newBrowser()];
    await other.submit((await openSignIn(other)).page, { email, password: PASSWORD, action: "sign-in" });
    expect((await openSignIn(other)).page.text).toContain(`Continue as ${email}`);
    const waiting = await openSignIn(other);

    const { page, redeem } = await openSignIn(browser);
    const form = await follow(browser, page, "Forgot your password?");
    const next = await browser.submit(form, { email, action: "forgot" });
    const code = host.resetCode(email);
    const short = await browser.submit(next, { code, password: "short", action: "reset" });
    expect(short.text).toContain("The password must have at least 8 characters.");
    const done = await browser.submit(short, { code, password: NEW_PASSWORD, action: "reset" });
    expect(done.text).toContain("Your password was changed");
    const back = await browser.submit(done, { email, password: NEW_PASSWORD, action: "sign-in" });
    expect((await redeem(back)).status).toBe(200);

    expect((await refresh(tokens.refresh_token)).status).toBe(400);
    expect((await openSignIn(other)).page.text).not.toContain("Continue as");
    // A sign-in that waited for the confirmation of the old session cannot be completed.
    const late = await other.submit(waiting.page, { action: "continue" });
    expect(late.url.startsWith(REDIRECT)).toBe(false);
  });

  // [D10-no-tells]
  it("show the same page for an address without an account", async () => {
    const shown = [];
    for (const email of [await newAccount(), newEmail()]) {
      const browser = newBrowser();
      const form = await follow(browser, (await openSignIn(browser)).page, "Forgot your password?");
      const { status, text } = await browser.submit(form, { email, action: "forgot" });
      shown.push({ status, text: withoutToken(text).replace(email, "…") });
    }
    expect(shown[0]).toEqual(shown[1]);
  });

  // [D10-reset-ends]
  it("end a sign-in whose password was entered before, but that was not completed", async () => {
    const email = await newAccount();
    const thief = newBrowser();
    const { page, redeem } = await openSignIn(thief);
    const back = await thief.submit(page, { email, password: PASSWORD, action: "sign-in" });
    await post("forgot", { email });
    const reset = { email, code: host.resetCode(email), password: NEW_PASSWORD };
    expect((await post("reset", reset)).status).toBe(200);
    expect((await redeem(back)).body.error).toBe("invalid_grant");
    expect((await openSignIn(thief)).page.text).not.toContain("Continue as");
  });
});

describe("forged requests", () => {
  it("from another site submit no form, as the cookies of the page are missing", async () => {
    const { page } = await openSignIn(newBrowser());
    const forms: Record<string, string>[] = [
      { action: "sign-in", email: "a@b.c", password: PASSWORD },
      { action: "sign-up", email: newEmail(), password: PASSWORD },
      { action: "forgot", email: newEmail() },
      { action: "confirm", code: "123456" },
      { action: "continue" },
    ];
    for (const fields of forms) {
      const response = await fetch(page.url, {
        method: "POST",
        headers: { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
        body: new URLSearchParams(fields),
      });
      expect(response.status).toBe(400);
      expect(await response.text()).toContain("started in another browser");
    }
  });

  it("as a plain form cannot reach the JSON requests, which no other site may send", async () => {
    for (const path of ["sign-up", "confirm", "resend", "forgot", "reset", "password"]) {
      const url = `${host.origin}/identity/${path}`;
      for (const type of [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
      ]) {
        const body = JSON.stringify({ email: newEmail(), password: PASSWORD });
        const headers = { "content-type": type, origin: "https://evil.example" };
        expect((await fetch(url, { method: "POST", headers, body })).status).toBe(400);
      }
      const preflight = await fetch(url, {
        method: "OPTIONS",
        headers: { origin: "https://evil.example", "access-control-request-method": "POST" },
      });
      expect(preflight.headers.get("access-control-allow-origin")).toBeNull();
    }
  });

  it("every cookie is HttpOnly, SameSite=Lax and bound to a path", async () => {
    const { page } = await signUpForm(newBrowser(), newEmail(), PASSWORD);
    const cookies = page.headers.getSetCookie();
    expect(cookies.length).toBeGreaterThan(0);
    for (const line of cookies) expect(line).toMatch(/; path=\/identity\/.*; samesite=lax; httponly/i);
  });
});

describe("session fixation", () => {
  it("a browser gets a new session id when it signs in, and the old one stays signed out", async () => {
    const email = await newAccount();
    const [victim, thief] = [newBrowser(), newBrowser()];
    const { page } = await openSignIn(thief);
    // The thief plants his own cookies, with the sign-in that he has started, in the browser of the victim.
    for (const [key, cookie] of thief.cookies) victim.cookies.set(key, { ...cookie });
    await victim.submit(page, { email, password: PASSWORD, action: "sign-in" });
    expect((await openSignIn(victim)).page.text).toContain(`Continue as ${email}`);
    expect((await openSignIn(thief)).page.text).not.toContain("Continue as");
  });
});

describe("open redirects", () => {
  it.each([
    "https://evil.example/callback",
    "//evil.example/callback",
    "http://127.0.0.1.evil.example/callback",
    "http://127.0.0.1@evil.example/callback",
    "http://localhost:80@evil.example/callback",
    "http://127.0.0.1:53682/other",
    "javascript:alert(1)",
  ])("%s is not redirected to", async (redirect) => {
    const { page } = await openSignIn(newBrowser(), { redirect_uri: redirect });
    expect(page.status).toBe(400);
    expect(new URL(page.url).origin).toBe(host.origin);
  });

  it("signing out goes nowhere else", async () => {
    const browser = newBrowser();
    const page = await browser.get(
      `${host.origin}/identity/session/end?post_logout_redirect_uri=https://evil.example&client_id=wireroom-cli`,
    );
    expect(new URL(page.url).origin).toBe(host.origin);
    expect(page.text).not.toContain("evil.example");
  });
});
