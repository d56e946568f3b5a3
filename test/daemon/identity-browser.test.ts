import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { decodeJwt } from "jose";
import { describe, expect, it } from "vitest";
import { Browser, type Page } from "../harness/browser.js";
import { DEVICE_GRANT, identityClient, PASSWORD } from "../harness/identity-client.js";
import { identityFixture } from "../harness/identity-fixture.js";
import { type HostOptions, startIdentityHost } from "../harness/identity-host.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";

const host = await identityFixture();
const folder = new TemporaryFolder("wireroom-identity-").path;
const { newAccount, refresh, token, verify } = identityClient(() => host);

const REDIRECT = "http://127.0.0.1:53682/callback";

/** Returns the URL that starts a sign-in with authorization code and PKCE. */
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
  // [D10-pkce]
  it("signs in on a page, redirects to a loopback address with any port, and issues all tokens", async () => {
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

  it("asks for confirmation if the browser has a session, and lets the human change the account", async () => {
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
    // The provider ends the first session with a form that a script submits.
    const back = await browser.submit(handover, {});
    expect((await verify((await other.redeem(back)).body.id_token)).email).toBe(second);
  });

  it("asks for no confirmation after prompt=consent if the human has just signed in", async () => {
    const email = await newAccount();
    const browser = newBrowser();
    const { url, redeem } = authorization(host, { prompt: "consent" });
    const back = await browser.submit(await browser.get(url), {
      email,
      password: PASSWORD,
      action: "sign-in",
    });
    expect((await redeem(back)).status).toBe(200);
  });

  it("can be cancelled", async () => {
    const browser = newBrowser();
    const back = await browser.submit(await browser.get(authorization().url), { action: "cancel" });
    expect(new URL(back.url).searchParams.get("error")).toBe("access_denied");
  });

  // [D10-pkce]
  it("is rejected without PKCE, and with a redirect that is not loopback, which is never followed", async () => {
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

  it("shows pages that load no scripts or external resources, and forbids frames", async () => {
    const { headers, text } = await newBrowser().get(authorization().url);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe-inline");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(text).not.toMatch(/<script|https?:\/\/(?!127\.0\.0\.1)/);
    expect(text).toMatch(/<label for="email">E-mail address/);
  });

  it("escapes user input in HTML", async () => {
    const browser = newBrowser();
    const page = await browser.get(authorization().url);
    const shown = await browser.submit(page, { email: '"><script>x', password: "p", action: "sign-in" });
    expect(shown.text).not.toContain("<script>x");
  });

  it("binds the sign-in page to one browser", async () => {
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

  // [D10-device]
  it("shows a code in the terminal; the human enters it in a browser and signs in", async () => {
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

  it("accepts the complete URL with the code, and can be cancelled", async () => {
    const device = await start();
    const browser = newBrowser();
    const handover = await browser.get(String(device.verification_uri_complete));
    // A script of the provider submits this page. The policy allows the script only by its hash.
    expect(handover.headers.get("content-security-policy")).toMatch(/script-src 'sha256-/);
    const check = await browser.submit(handover, {});
    expect(check.text).toContain(String(device.user_code));
    await browser.submit(check, { abort: "yes", confirm: "" });
    expect((await poll(device.device_code)).body.error).toBe("access_denied");
  });

  it("rejects a form that was not issued to this browser", async () => {
    const device = await start();
    const page = await newBrowser().get(String(device.verification_uri));
    const stranger = await newBrowser().submit(page, { user_code: String(device.user_code), confirm: "yes" });
    expect(stranger.status).toBe(400);
    expect((await poll(device.device_code)).body.error).toBe("authorization_pending");
  });
});

describe("signing out of the browser", () => {
  it("ends the session of the browser", async () => {
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

it("the session of a browser survives a restart with the same file", async () => {
  const options: HostOptions = { file: join(folder, "restart.db") };
  let own = await startIdentityHost(options);
  const email = await newAccount(own);
  const browser = newBrowser();
  await browser.submit(await browser.get(authorization(own).url), {
    email,
    password: PASSWORD,
    action: "sign-in",
  });
  const { port } = own;
  await own.close();
  own = await startIdentityHost({ ...options, port });
  expect((await browser.get(authorization(own).url)).text).toContain(`Continue as ${email}`);
  await own.close();
});
