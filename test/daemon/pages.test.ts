/**
 * The pages under `/identity` in a real browser that runs no scripts, from the first visit to the sign-out.
 */
import { createHash, randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openChromium } from "../harness/chromium.js";
import { DEVICE_GRANT, identityClient, newEmail, PASSWORD } from "../harness/identity-client.js";
import { identityFixture } from "../harness/identity-fixture.js";
import { openInspector, type PageInspector } from "../harness/page-inspector.js";

const host = await identityFixture();
const browser = await openChromium();
const NEW_PASSWORD = "a quite different one";

/** The native application that asks for the sign-in. */
let application: Server;
let redirectUri: string;
let inspector: PageInspector;
let context: BrowserContext;
/** Violations of the Content-Security-Policy, which the browser reports on its console. */
let complaints: string[] = [];
const { newAccount, refresh, token, verify } = identityClient(() => host);

beforeAll(async () => {
  application = createServer((_request, response) => response.end("Back in the application"));
  await new Promise<void>((resolve) => application.listen(0, "127.0.0.1", resolve));
  redirectUri = `http://127.0.0.1:${(application.address() as AddressInfo).port}/callback`;
  if (browser) inspector = await openInspector(browser);
});

afterEach(async () => {
  await context?.close();
  expect(complaints).toEqual([]);
});

afterAll(async () => {
  application.close();
});

/** Returns a tab of a new browser profile. */
async function newTab(options: BrowserContextOptions = { javaScriptEnabled: false }): Promise<Page> {
  context = await browser!.newContext(options);
  complaints = [];
  const page = await context.newPage();
  page.on("console", (message) => {
    if (/content security policy/i.test(message.text())) complaints.push(message.text());
  });
  return page;
}

/**
 * Opens the sign-in page as the command line does. Returns a function that redeems the code of the redirect.
 */
async function openSignIn(page: Page): Promise<() => ReturnType<typeof token>> {
  const verifier = randomBytes(32).toString("base64url");
  const query = new URLSearchParams({
    client_id: "wireroom-cli",
    response_type: "code",
    scope: "openid email offline_access",
    redirect_uri: redirectUri,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  });
  await page.goto(`${host.origin}/identity/auth?${query}`);
  return async () => {
    await isBack(page);
    return token({
      grant_type: "authorization_code",
      code: new URL(page.url()).searchParams.get("code") ?? "",
      redirect_uri: redirectUri,
      code_verifier: verifier,
    });
  };
}

/** Waits for the page with this heading. The page before it may still be shown after a click. */
async function showsPage(page: Page, heading: string): Promise<void> {
  await page.getByRole("heading", { level: 1, name: heading, exact: true }).waitFor();
  await page.waitForLoadState();
}
const isBack = (page: Page) => page.waitForURL(`${redirectUri}?*`);
const press = (page: Page, name: string) => page.getByRole("button", { name }).click();
const alertOf = (page: Page) => page.getByRole("alert").innerText();
const focused = (page: Page) => page.locator(":focus").getAttribute("name");
const problemsOf = (page: Page) => inspector.problemsOf(page);

async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password").fill(password);
  await press(page, "Sign in");
}

describe.skipIf(!browser)("sign-up", () => {
  // [C-page-no-script] [C-page-access]
  it("creates an account with the code, and returns to the application", async () => {
    const [page, email] = [await newTab(), newEmail()];
    const redeem = await openSignIn(page);
    await page.getByRole("link", { name: "Create an account" }).click();
    await showsPage(page, "Create an account");
    expect(await problemsOf(page)).toEqual([]);
    await page.getByLabel("E-mail address").fill(email);
    await page.getByLabel("Password").fill("password");
    await press(page, "Continue");
    expect(await alertOf(page)).toContain("common password");
    expect(await page.title()).toMatch(/^Error: /);
    expect(await page.getByLabel("E-mail address").inputValue()).toBe(email);
    expect(await focused(page)).toBe("password");
    expect(await problemsOf(page)).toEqual([]);
    await page.getByLabel("Password").fill(PASSWORD);
    await press(page, "Continue");
    await showsPage(page, "Confirm your address");
    expect(await problemsOf(page)).toEqual([]);
    await page.getByLabel("Code").fill(host.code(email) === "000000" ? "000001" : "000000");
    await press(page, "Create the account");
    expect(await alertOf(page)).toContain("wrong or has expired");
    await page.getByLabel("Code").fill(host.code(email));
    await press(page, "Create the account");
    expect((await verify((await redeem()).body.id_token)).email).toBe(email);
  });
});

describe.skipIf(!browser)("sign-in", () => {
  // [C-page-keyboard] [C-page-access]
  it("works by keyboard alone, and keeps the address after a wrong password", async () => {
    const [page, email] = [await newTab(), await newAccount()];
    const redeem = await openSignIn(page);
    expect(await problemsOf(page)).toEqual([]);
    expect(await focused(page)).toBe("email");
    await page.keyboard.type(email);
    await page.keyboard.press("Tab");
    await page.keyboard.type("a wrong password");
    await page.keyboard.press("Enter");
    expect(await alertOf(page)).toBe("The e-mail address or the password is wrong.");
    expect(await page.getByLabel("E-mail address").inputValue()).toBe(email);
    expect(await problemsOf(page)).toEqual([]);
    expect(await focused(page)).toBe("password");
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press("Enter");
    await isBack(page);
    expect((await redeem()).status).toBe(200);

    await openSignIn(page);
    expect(await problemsOf(page)).toEqual([]);
    expect(await page.getByRole("button").allInnerTexts()).toEqual([
      `Continue as ${email}`,
      "Use another account",
      "Cancel",
    ]);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await isBack(page);
  });

  it("tells password managers what each field is", async () => {
    const page = await newTab();
    await openSignIn(page);
    const hints = async () => {
      const fields = await page.locator("input:not([type=hidden])").all();
      return Promise.all(fields.map((field) => field.getAttribute("autocomplete")));
    };
    expect(await hints()).toEqual(["username", "current-password"]);
    await page.getByRole("link", { name: "Create an account" }).click();
    await showsPage(page, "Create an account");
    expect(await hints()).toEqual(["username", "new-password"]);
    await page.goBack();
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await showsPage(page, "Forgot your password?");
    await page.getByLabel("E-mail address").fill(newEmail());
    await press(page, "Send a code");
    await showsPage(page, "Set a new password");
    expect(await hints()).toEqual(["username", "one-time-code", "new-password"]);
  });

  // [C-page-no-script]
  it("with another account needs no script either", async () => {
    const [page, first, second] = [await newTab(), await newAccount(), await newAccount()];
    await openSignIn(page);
    await signIn(page, first);
    await isBack(page);
    const redeem = await openSignIn(page);
    await press(page, "Use another account");
    await signIn(page, second);
    await showsPage(page, "One moment");
    expect(await problemsOf(page)).toEqual([]);
    await press(page, "Continue");
    expect((await verify((await redeem()).body.id_token)).email).toBe(second);
  });

  it("can be cancelled", async () => {
    const page = await newTab();
    await openSignIn(page);
    await press(page, "Cancel");
    await isBack(page);
    expect(page.url()).toContain("error=access_denied");
  });
});

describe.skipIf(!browser)("a forgotten password", () => {
  // [C-page-no-script] [D10-reset-page]
  it("is replaced with the code, and the human signs in with the new one", async () => {
    const [page, email] = [await newTab(), await newAccount()];
    const redeem = await openSignIn(page);
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await showsPage(page, "Forgot your password?");
    expect(await problemsOf(page)).toEqual([]);
    await page.getByLabel("E-mail address").fill(email);
    await press(page, "Send a code");
    await showsPage(page, "Set a new password");
    expect(await problemsOf(page)).toEqual([]);
    await page.getByLabel("Code").fill("12345");
    await page.getByLabel("New password").fill(NEW_PASSWORD);
    await press(page, "Set the password");
    expect(await alertOf(page)).toBe("The code must be 6 or 39 digits.");
    expect(await focused(page)).toBe("code");
    expect(await problemsOf(page)).toEqual([]);
    await page.getByLabel("Code").fill(host.resetCode(email));
    await page.getByLabel("New password").fill(NEW_PASSWORD);
    await press(page, "Set the password");
    expect(await page.getByRole("status").innerText()).toContain("Your password was changed");
    expect(await problemsOf(page)).toEqual([]);
    await signIn(page, email, NEW_PASSWORD);
    expect((await redeem()).status).toBe(200);
  });
});

describe.skipIf(!browser)("a forgotten password of a browser that is signed in", () => {
  // [D10-reset-page]
  it("is replaced, and the human signs in with the new one", async () => {
    const [page, email] = [await newTab(), await newAccount()];
    await openSignIn(page);
    await signIn(page, email);
    await isBack(page);
    const redeem = await openSignIn(page);
    await press(page, "Use another account");
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await page.getByLabel("E-mail address").fill(email);
    await press(page, "Send a code");
    await page.getByLabel("Code").fill(host.resetCode(email));
    await page.getByLabel("New password").fill(NEW_PASSWORD);
    await press(page, "Set the password");
    await signIn(page, email, NEW_PASSWORD);
    await isBack(page);
    expect((await redeem()).status).toBe(200);
  });
});

describe.skipIf(!browser)("the device flow", () => {
  const start = async () => (await token({ scope: "openid email offline_access" }, host, "device/auth")).body;
  const poll = (code: unknown) => token({ grant_type: DEVICE_GRANT, device_code: String(code) });

  // [C-page-no-script] [C-page-access]
  it("takes the code, asks to check it, and signs the terminal in", async () => {
    const [page, email, device] = [await newTab(), await newAccount(), await start()];
    await page.goto(String(device.verification_uri));
    expect(await problemsOf(page)).toEqual([]);
    await page.getByLabel("Code").fill("WRONG-CODE");
    await press(page, "Continue");
    expect(await alertOf(page)).toContain("wrong, already used or expired");
    expect(await page.getByLabel("Code").inputValue()).toBe("WRONG-CODE");
    expect(await problemsOf(page)).toEqual([]);
    await page.getByLabel("Code").fill(String(device.user_code).toLowerCase());
    await press(page, "Continue");
    await showsPage(page, "Check the code");
    expect(await page.getByText(String(device.user_code)).isVisible()).toBe(true);
    expect(await problemsOf(page)).toEqual([]);
    await press(page, "Continue");
    await signIn(page, email);
    await showsPage(page, "You are signed in");
    expect(await problemsOf(page)).toEqual([]);
    expect((await poll(device.device_code)).status).toBe(200);
  });

  // [C-page-no-script]
  it("takes the code from the link, without a script by a button, and can be cancelled", async () => {
    const [page, device] = [await newTab(), await start()];
    await page.goto(String(device.verification_uri_complete));
    await press(page, "Continue");
    await showsPage(page, "Check the code");
    await press(page, "Cancel");
    await showsPage(page, "Sign-in cancelled");
    expect(await problemsOf(page)).toEqual([]);
    expect((await poll(device.device_code)).body.error).toBe("access_denied");
  });

  // [C-page-policy]
  it("takes the code from the link by the one script that the policy allows", async () => {
    const [page, device] = [await newTab({}), await start()];
    await page.goto(String(device.verification_uri_complete));
    await page.getByText(String(device.user_code)).waitFor();
    await showsPage(page, "Check the code");
  });
});

describe.skipIf(!browser)("signing out", () => {
  // [C-page-no-script] [C-page-access]
  it("ends the session of the browser, and no sign-in of a command line", async () => {
    const [page, email] = [await newTab(), await newAccount()];
    const redeem = await openSignIn(page);
    await signIn(page, email);
    const { body } = await redeem();
    await page.goto(`${host.origin}/identity/session/end`);
    expect(await problemsOf(page)).toEqual([]);
    await press(page, "Sign out");
    await showsPage(page, "You are signed out");
    expect(await problemsOf(page)).toEqual([]);
    expect((await refresh(body.refresh_token)).status).toBe(200);
    await openSignIn(page);
    expect(await page.getByLabel("Password").isVisible()).toBe(true);
  });
});

describe.skipIf(!browser)("errors", () => {
  // [C-page-access]
  it("say what to do next", async () => {
    const page = await newTab();
    await page.goto(`${host.origin}/identity/interaction/unknown`);
    expect(await alertOf(page)).toContain("This sign-in has expired");
    expect(await problemsOf(page)).toEqual([]);
    await page.goto(`${host.origin}/identity/auth?client_id=unknown&redirect_uri=https://evil.example/`);
    expect(await alertOf(page)).toBe("Wireroom does not know the application that sent you here.");
    expect(await page.getByRole("main").innerText()).toContain("remove the server and add it again");
    expect(await problemsOf(page)).toEqual([]);
  });

  // [C-page-policy]
  it("no page can be framed by another site", async () => {
    const page = await newTab({});
    application.removeAllListeners("request").on("request", (_request, response) => {
      response.setHeader("content-type", "text/html");
      response.end(`<iframe src="${host.origin}/identity/device"></iframe>`);
    });
    await page.goto(redirectUri);
    await expect.poll(() => complaints.join()).toContain("frame-ancestors 'none'");
    expect(await page.frames()[1]!.getByLabel("Code").count()).toBe(0);
    complaints = [];
  });
});
