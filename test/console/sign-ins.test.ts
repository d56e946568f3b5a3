/** Sign-ins and the end of the account in the console. */
import type { Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { openChromium } from "../harness/chromium.js";
import { type Console, openConsole, ownedHandle, problemsOf, signedIn, signIn } from "../harness/console.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { withDatabase } from "../harness/database.js";
import { foreignDaemon, startForeignIssuer } from "../harness/foreign-issuer.js";
import { OAUTH_DAEMON } from "../harness/oauth.js";

const browser = await openChromium();
const { daemon } = await daemonFixture([], OAUTH_DAEMON);
const issuer = await startForeignIssuer();
afterAll(() => issuer.close());
const { daemon: external } = await daemonFixture([], foreignDaemon(issuer, "some-audience"));
await issuer.serve(external);

const cookieNames = async (page: Page) => (await page.context().cookies()).map(({ name }) => name);
const section = (page: Page, name: string) =>
  page.locator("section", { has: page.getByRole("heading", { name, exact: true }) });
const rows = (page: Page) => section(page, "Sign-ins").locator(".list > li");

/** Opens the dialog that deletes the account, and types what it asks for. */
async function ask(page: Page, typed: string) {
  await section(page, "Delete the account").getByRole("button").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill(typed);
  return { dialog, button: dialog.getByRole("button", { name: "Delete the account" }) };
}

describe.skipIf(!browser)("the sign-ins in the console", () => {
  // [D16-sign-ins-page]
  it("are listed, and others end one by one or all at once", async () => {
    const open: Console = await openConsole(browser!, daemon, { path: "/account" });
    const { page, email } = open;
    const other = await (await browser!.newContext()).newPage();
    await other.goto(`${daemon.origin}/console/handles`);
    await signIn(other, email);
    await page.reload();
    await expect.poll(() => rows(page).count()).toBe(3);
    expect(await rows(page).filter({ hasText: "This browser" }).count()).toBe(1);
    expect(await rows(page).filter({ hasText: "Command line" }).count()).toBe(1);
    expect(await problemsOf(page)).toEqual([]);

    await rows(page).filter({ hasText: "Command line" }).getByRole("button").click();
    expect(await page.getByRole("dialog").textContent()).toContain(
      "API keys and connected applications keep working",
    );
    const { y, height } = (await page.getByRole("dialog").boundingBox())!;
    expect(y + height / 2).toBeCloseTo(page.viewportSize()!.height / 2, 0);
    await page.getByRole("dialog").getByRole("button", { name: "Sign out there" }).click();
    await expect.poll(() => rows(page).count()).toBe(2);
    expect((await open.owner.get("/accounts/me")).status).toBe(403);

    await page.getByRole("button", { name: "Sign out everywhere else" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Sign out everywhere else" }).click();
    await expect.poll(() => rows(page).count()).toBe(1);
    expect(await page.getByRole("button", { name: "Sign out everywhere else" }).count()).toBe(0);
    await other.getByRole("link", { name: "Audit", exact: true }).click();
    await other.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.reload();
    await signedIn(page);
    expect(open.complaints).toEqual([]);
  });
});

describe.skipIf(!browser)("the end of the account in the console", () => {
  // [D16-account-delete-page]
  it("needs the address, names what goes and stays, and leaves no cookie", async () => {
    const open = await openConsole(browser!, daemon, { path: "/account" });
    const { page, email } = open;
    const agent = await ownedHandle(daemon, open.owner, "console-leaver");
    const tab = await page.context().newPage();
    await tab.goto(`${daemon.origin}/console/handles`);
    await tab.getByRole("link", { name: "@console-leaver" }).waitFor();

    const wrong = await ask(page, "someone@example.com");
    expect(await wrong.button.isDisabled()).toBe(true);
    expect(await wrong.dialog.textContent()).toMatch(
      /What ends:.*retired.*What stays:.*Wires that your handles sent/s,
    );
    expect(await problemsOf(page)).toEqual([]);
    await wrong.dialog.getByRole("button", { name: "export it first" }).click();
    await expect.poll(() => page.locator(":focus").textContent()).toBe("Export");

    const { button } = await ask(page, email.toUpperCase());
    await button.click();
    await page.getByRole("heading", { name: "Your account is deleted" }).waitFor();
    expect(await problemsOf(page)).toEqual([]);
    expect(await cookieNames(page)).toEqual([]);
    expect(await page.evaluate("JSON.stringify({ ...sessionStorage, ...localStorage })")).not.toContain(
      email,
    );
    expect((await agent.get("/profile")).status).toBe(401);
    await tab.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.goBack().catch(() => null);
    expect(await page.content()).not.toContain("console-leaver");
    expect(open.complaints).toEqual([]);
  });

  // [D16-account-delete-page] [D16-sign-ins-external]
  it("is the same with an external provider, whose session goes on", async () => {
    const page = await (await browser!.newContext()).newPage();
    const enter = async () => {
      await page.getByPlaceholder("Enter any login").fill("gone");
      await page.getByPlaceholder("and password").fill("any");
      await page.getByRole("button", { name: "Sign-in" }).click();
      await page.getByRole("button", { name: "Continue" }).click();
      await signedIn(page);
    };
    await page.goto(`${external.origin}/console/account`);
    await enter();
    await expect.poll(() => rows(page).count()).toBe(1);
    expect(await rows(page).textContent()).toContain("This browser");
    expect(await section(page, "Sign-ins").textContent()).toContain("at your identity provider");
    const { button } = await ask(page, "gone@example.com");
    // Records of the authorization server contain the address, in the id of the account.
    const accountId = Buffer.from(JSON.stringify([issuer.url, "gone", "gone@example.com"])).toString(
      "base64url",
    );
    const records = () =>
      withDatabase(external.dataDir, (db) =>
        db.all("SELECT model FROM identity_records WHERE payload LIKE ?", `%${accountId}%`),
      );
    expect((await records()).length).toBeGreaterThan(3);
    await button.click();
    await page.getByRole("heading", { name: "Your account is deleted" }).waitFor();
    expect(await records()).toEqual([]);
    expect((await cookieNames(page)).filter((name) => name.startsWith("wireroom"))).toEqual([]);
  });
});
