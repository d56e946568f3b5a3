import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openChromium } from "../harness/chromium.js";
import { type Console, openConsole, problemsOf, signedIn, signIn, signOut } from "../harness/console.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { confirmationCodes } from "../harness/human.js";
import { newEmail, PASSWORD } from "../harness/identity-client.js";
import { OAUTH_DAEMON, OAuthHuman } from "../harness/oauth.js";

const browser = await openChromium();
const { daemon } = await daemonFixture([], OAUTH_DAEMON);

describe.skipIf(!browser)("the sign-in of the console", () => {
  let open: Console;
  beforeAll(async () => {
    open = await openConsole(browser!, daemon, { path: "/somewhere/else?x=1", byForm: true });
  });
  afterAll(() => expect(open.complaints).toEqual([]));

  // [D16-console-session]
  it("comes back to the address that the human opened, and leaves no code in the history", async () => {
    const { page } = open;
    expect(page.url()).toBe(`${daemon.origin}/console/somewhere/else?x=1`);
    expect(
      await page.evaluate("document.cookie + JSON.stringify({...sessionStorage, ...localStorage})"),
    ).toBe("{}");
  });

  // [D16-console-session]
  it("lets a stranger create an account on the way, and cancel", async () => {
    const page = await (await browser!.newContext()).newPage();
    await page.goto(`${daemon.origin}/console`);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    expect(await page.getByRole("alert").innerText()).toBe("You cancelled the sign-in.");
    await page.getByRole("button", { name: "Create an account" }).click();
    const email = newEmail();
    await page.getByLabel("E-mail address").fill(email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Continue" }).click();
    await expect.poll(() => confirmationCodes(daemon.log(), email)).toHaveLength(1);
    const code = confirmationCodes(daemon.log(), email)[0]!;
    await page.getByLabel("Code").fill(`${code.slice(0, 3)} ${code.slice(3)}`);
    await page.getByRole("button", { name: "Create the account" }).click();
    await page.getByRole("heading", { name: "1. Create a handle and a key" }).waitFor();
    expect(page.url()).toBe(`${daemon.origin}/console`);
    await page.context().close();
  });

  // [D16-console-session]
  it("says that the browser blocks cookies, without which nobody can sign in", async () => {
    const page = await (await browser!.newContext()).newPage();
    // As Chromium does it for a site whose data is blocked, and Firefox, which blocks channels too.
    await page.addInitScript(`
      Object.defineProperty(navigator, "cookieEnabled", { value: false });
      for (const name of ["localStorage", "sessionStorage"])
        Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } });
      window.BroadcastChannel = function () { throw new DOMException("denied", "SecurityError"); };
    `);
    await page.goto(`${daemon.origin}/console/inbox`);
    await page.getByRole("heading", { name: "The browser blocks cookies" }).waitFor();
    await page.context().close();
  });

  // [D16-console-renewal]
  it("continues the session after a reload, and in another tab", async () => {
    const { page } = open;
    await page.reload();
    const other = await page.context().newPage();
    await other.goto(`${daemon.origin}/console`);
    for (const tab of [page, other]) await tab.getByRole("navigation", { name: "Sections" }).waitFor();
    await other.close();
  });

  // [D16-console-renewal]
  it("tabs renew the session one after the other", async () => {
    const context = open.page.context();
    let renewing = 0;
    let atOnce = 0;
    await context.route("**/identity/console/session", async (route) => {
      atOnce = Math.max(atOnce, ++renewing);
      await sleep(150);
      renewing--;
      await route.continue();
    });
    const tabs = [open.page, await context.newPage(), await context.newPage()];
    await Promise.all(tabs.map((tab) => tab.goto(`${daemon.origin}/console/handles`)));
    for (const tab of tabs) await tab.getByRole("navigation", { name: "Sections" }).waitFor();
    expect(atOnce).toBe(1);
    await context.unroute("**/identity/console/session");
    for (const tab of tabs.slice(1)) await tab.close();
  });

  it("has no problem of accessibility, signed in or out", async () => {
    const { page } = open;
    expect(await problemsOf(page)).toEqual([]);
    const stranger = await (await browser!.newContext()).newPage();
    await stranger.goto(`${daemon.origin}/console`);
    await stranger.getByRole("button", { name: "Create an account" }).waitFor();
    expect(await problemsOf(stranger)).toEqual([]);
    // A link to a view leads to the sign-in page at once.
    await stranger.goto(`${daemon.origin}/console/handles`);
    await stranger.getByText("to continue in the console").waitFor();
    await stranger.context().close();
  });

  // [D16-console-sign-out]
  it("says so if signing out fails, and the human is still signed in", async () => {
    const { page } = open;
    await page.goto(`${daemon.origin}/console/handles`);
    await signedIn(page);
    await page.route("**/identity/console/session", (route) => route.fulfill({ status: 503, json: {} }), {
      times: 1,
    });
    await signOut(page);
    await page.getByText("You are still signed in").waitFor();
    await signedIn(page);
  });

  // [D16-console-sign-out]
  it("signs out in all tabs, and the back button shows nothing of the human", async () => {
    const { page } = open;
    const other = await page.context().newPage();
    await other.goto(`${daemon.origin}/console/handles`);
    await other.getByRole("navigation", { name: "Sections" }).waitFor();
    await signOut(page);
    for (const tab of [page, other]) await tab.getByRole("button", { name: "Sign in" }).waitFor();
    await page.goBack();
    await page.goto(`${daemon.origin}/console/handles`);
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    expect(await page.getByRole("navigation", { name: "Sections" }).count()).toBe(0);
    // A second human on the same browser signs in with a password of their own.
    const second = await OAuthHuman.signUp(daemon);
    await signIn(page, second.email);
    await other.close();
  });

  // [D16-console-renewal]
  it("comes after the renewals of other tabs, whose cookie would replace its own", async () => {
    const context = await browser!.newContext();
    const [first, second] = [await context.newPage(), await context.newPage()];
    await second.goto(`${daemon.origin}/console`);
    await second.getByRole("button", { name: "Sign in" }).click();
    await second.getByLabel("E-mail address").fill(open.email);
    await second.getByLabel("Password").fill(PASSWORD);
    let answer!: () => void;
    const late = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await first.route("**/identity/console/session", async (route) => {
      await late;
      await route.continue();
    });
    const renewing = first.waitForRequest("**/identity/console/session");
    await first.goto(`${daemon.origin}/console`);
    await renewing;
    const exchanges: string[] = [];
    second.on("request", (request) => {
      if (request.url().endsWith("/identity/console/session")) exchanges.push(request.method());
    });
    await second.getByRole("button", { name: "Sign in" }).click();
    const waiting = () =>
      second.evaluate<string[]>(
        "navigator.locks.query().then(({ pending }) => pending.map(({ name }) => name))",
      );
    await expect.poll(() => waiting().catch(() => [])).toContain("wireroom-session");
    expect(exchanges).toEqual([]);
    answer();
    await signedIn(second);
    expect(exchanges).toEqual(["POST"]);
    await context.close();
  });
});
