/** The console as `wireroom console` opens it, with a ticket in the address. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { openChromium } from "../harness/chromium.js";
import { problemsOf, signedIn, signOut } from "../harness/console.js";
import { type Body, startDaemon } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { newSource, OAUTH_DAEMON, OAuthHuman } from "../harness/oauth.js";

const browser = await openChromium();
const { daemon } = await daemonFixture([], OAUTH_DAEMON);

/** @param source address of the command, by default that of the browser */
async function newTicket(source?: string): Promise<{ url: string; email: string }> {
  const human = await OAuthHuman.signUp(daemon);
  const response = await fetch(`${daemon.origin}/identity/console-ticket`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${await human.idToken()}`,
      ...(source !== undefined && { "x-forwarded-for": source }),
    },
  });
  return { url: ((await response.json()) as { url: string }).url, email: human.email };
}

async function newPage(context?: BrowserContext): Promise<Page> {
  return (context ?? (await browser!.newContext())).newPage();
}

/** Waits until the page shows the account with this address. */
async function expectAccount(page: Page, email: string): Promise<void> {
  await page.goto(`${daemon.origin}/console/account`);
  await page.getByRole("main").getByText(email).first().waitFor();
}

describe.skipIf(!browser)("the console with a ticket", () => {
  // [D20-ticket-page]
  it("is signed in, keeps the ticket neither in its address nor in the history, and stays signed in", async () => {
    const { url, email } = await newTicket();
    const page = await newPage();
    const requested: string[] = [];
    page.on("request", (request) => requested.push(request.url()));
    await page.goto(url);
    await signedIn(page);
    expect(page.url()).toBe(`${daemon.origin}/console`);
    const [, ticket] = url.split("#ticket=");
    expect(requested.filter((each) => each.includes(ticket!) && !each.includes("#"))).toEqual([]);
    expect(
      await page.evaluate("document.cookie + JSON.stringify({...sessionStorage, ...localStorage})"),
    ).toBe("{}");
    await page.reload();
    await signedIn(page);
    await expectAccount(page, email);
    await page.context().close();
  });

  // [D20-ticket-page]
  it("is signed in at the daemon's own address, by whatever name the browser has opened it", async () => {
    const { url } = await newTicket();
    const page = await newPage();
    await page.goto(url.replace("127.0.0.1", "localhost"));
    await signedIn(page);
    expect(page.url()).toBe(`${daemon.origin}/console`);
    await page.context().close();
  });

  // [D20-ticket-page]
  it("says that a ticket was used, and what to type", async () => {
    const { url } = await newTicket();
    const [first, second] = [await newPage(), await newPage()];
    await first.goto(url);
    await signedIn(first);
    await second.goto(url);
    const alert = second.getByRole("alert");
    await alert.waitFor();
    expect(await alert.innerText()).toMatch(/already used, or is older than a minute.*wireroom console/);
    expect(second.url()).toBe(`${daemon.origin}/console`);
    // The browser that used it is still signed in.
    await first.goto(url);
    await signedIn(first);
    for (const page of [first, second]) await page.context().close();
  });

  // [D20-ticket-page]
  it("changes to the account of a ticket that is pasted into the open page", async () => {
    const { url: first } = await newTicket();
    const { url: second, email } = await newTicket();
    const page = await newPage();
    await page.goto(first);
    await signedIn(page);
    await page.evaluate(`location.hash = ${JSON.stringify(new URL(second).hash)}`);
    await page.waitForEvent("load");
    await signedIn(page);
    await expectAccount(page, email);
    await page.context().close();
  });

  // [D20-ticket-page]
  it("says how an account without a password gets one, and shows no form for it", async () => {
    const local = await startDaemon({ embeddedIdentity: true });
    onTestFinished(async () => void (await local.stop()));
    const secret = (await readFile(join(local.dataDir, "local-sign-in"), "utf8")).trim();
    const post = async (path: string, headers: Record<string, string>, body: object) => {
      const init = { method: "POST", headers: { "content-type": "application/json", ...headers } };
      return (
        await fetch(`${local.origin}/identity/${path}`, { ...init, body: JSON.stringify(body) })
      ).json();
    };
    const { id_token } = (await post("local", {}, { secret, email: "ada@localhost" })) as Body;
    const { url } = (await post("console-ticket", { authorization: `Bearer ${id_token}` }, {})) as Body;
    const page = await newPage();
    await page.goto(url);
    await signedIn(page);
    await page.goto(`${local.origin}/console/account`);
    await page.getByText("wireroom password set").waitFor();
    expect(await page.getByRole("heading", { name: "Password" }).count()).toBe(0);
    expect(await problemsOf(page)).toEqual([]);
    await signOut(page);
    await page.getByText("wireroom console").waitFor();
    expect(await problemsOf(page)).toEqual([]);
    await page.context().close();
  });

  // [D20-ticket-source]
  it("asks before it uses a ticket of another machine", async () => {
    const { url, email } = await newTicket(newSource());
    const page = await newPage();
    await page.goto(url);
    await page.getByRole("heading", { name: `Sign in as ${email}?` }).waitFor();
    expect(await problemsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("heading", { name: "Sign in", exact: true }).waitFor();
    expect((await page.context().cookies()).map(({ name }) => name)).toEqual([]);
    await page.goto("about:blank");
    await page.goto(url);
    await page.getByRole("button", { name: `Sign in as ${email}` }).click();
    await signedIn(page);
    await expectAccount(page, email);
    await page.context().close();
  });

  // [D20-ticket-page]
  it("keeps the ticket while the daemon does not answer", async () => {
    const { url } = await newTicket();
    const page = await newPage();
    await page.route("**/identity/console-session", (route) => route.abort(), { times: 1 });
    await page.goto(url);
    await page.getByRole("button", { name: "Try again" }).click();
    await signedIn(page);
    await page.context().close();
  });
});
