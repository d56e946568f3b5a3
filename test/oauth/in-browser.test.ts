/**
 * From nothing but the URL of the MCP endpoint to a tool call: the official clients, and a human with a real
 * browser, who has no account at first. The browser runs no scripts.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openChromium } from "../harness/chromium.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { confirmationCodes } from "../harness/human.js";
import { newEmail, PASSWORD } from "../harness/identity-client.js";
import { sdkToolCaller } from "../harness/mcp.js";
import { OAUTH_DAEMON } from "../harness/oauth.js";
import { MemoryProvider, OAUTH_CLIENTS } from "../harness/oauth-clients.js";
import { openInspector } from "../harness/page-inspector.js";

const browser = await openChromium();
const { daemon } = await daemonFixture([], OAUTH_DAEMON);
const legacy = OAUTH_CLIENTS["the 1.x client"];
const modern = OAUTH_CLIENTS["the 2.x client"];

let application: Server;
let redirectUri: string;
let context: BrowserContext;
let page: Page;
/** Violations of the Content-Security-Policy, which the browser reports on its console. */
const complaints: string[] = [];

beforeAll(async () => {
  application = createServer((_request, response) => response.end("Back in the application"));
  await new Promise<void>((resolve) => application.listen(0, "127.0.0.1", resolve));
  redirectUri = `http://127.0.0.1:${(application.address() as AddressInfo).port}/callback`;
  if (!browser) return;
  context = await browser.newContext({ javaScriptEnabled: false });
  page = await context.newPage();
  page.on("console", (message) => {
    if (/content security policy/i.test(message.text())) complaints.push(message.text());
  });
});

afterAll(() => application.close());

const press = (name: string) => page.getByRole("button", { name }).click();
const mainText = () => page.getByRole("main").innerText();
/** Waits until the page says this. */
const shows = (text: string) => page.getByRole("main").getByText(text).waitFor();
/** Waits until the browser is back in the application, and returns the URL. */
async function back(): Promise<URL> {
  await page.waitForURL(({ href }) => href.startsWith(`${redirectUri}?`));
  return new URL(page.url());
}

/** Creates an account on the page for the sign-in. */
async function signUp(email: string): Promise<void> {
  await page.getByRole("link", { name: "Create an account" }).click();
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await press("Continue");
  await expect.poll(() => confirmationCodes(daemon.log(), email)).toHaveLength(1);
  await page.getByLabel("Code").fill(confirmationCodes(daemon.log(), email)[0]!);
  await press("Create the account");
}

/**
 * Lets a client begin, and opens the page to which it sends the human. Returns what the client needs later.
 */
async function begin({ connect, Unauthorized }: typeof legacy | typeof modern, clientName: string) {
  const provider = new MemoryProvider(redirectUri, clientName);
  const first = connect(daemon, provider);
  await expect(first.connected).rejects.toThrow(Unauthorized);
  await page.goto(provider.authorizationUrl!.href);
  return {
    /** Finishes with the redirect, and returns the handle as which the client calls a tool. */
    async slug(): Promise<string> {
      await first.finish(await back());
      const { client, connected } = connect(daemon, provider);
      await connected;
      const { body } = await sdkToolCaller(client).call("update_profile", {});
      await client.close();
      return body.slug;
    },
  };
}

describe.skipIf(!browser)("a human with a real browser", () => {
  const [first, second] = [newEmail(), newEmail()];

  // [D13-flow] [C-page-consent]
  it("signs up, names a first handle and connects it; the client calls a tool as this handle", async () => {
    const { slug } = await begin(legacy, "First host");
    expect(await mainText()).toContain("to connect First host (127.0.0.1");
    await signUp(first);
    await shows(`You are signed in as ${first}.`);
    expect(await mainText()).toContain("It runs on your computer, and chose its name itself.");
    expect(await (await openInspector(browser!)).problemsOf(page)).toEqual([]);
    await page.getByLabel("Name of your first handle").fill("wireroom-fake");
    await press("Connect");
    expect(await page.getByRole("alert").innerText()).toContain("reserved");
    await page.getByLabel("Name of your first handle").fill("first-handle");
    await press("Connect");
    expect(await slug()).toBe("first-handle");
    expect(complaints).toEqual([]);
  });

  // [D13-flow] [D13-form-token]
  it("connects another application to the same handle, and refuses a third one, whose form was sent already", async () => {
    const { slug } = await begin(modern, "Second host");
    expect(await page.getByLabel("@first-handle").isChecked()).toBe(true);
    await press("Connect");
    expect(await slug()).toBe("first-handle");
    await begin(legacy, "Third host");
    const token = await page.locator("[name=form_token]").first().inputValue();
    await page.request.post(page.url(), { form: { form_token: token, action: "switch" } });
    await press("Refuse");
    expect(await page.getByRole("alert").innerText()).toContain("This form was sent already");
    await press("Refuse");
    expect((await back()).searchParams.get("error")).toBe("access_denied");
    expect(complaints).toEqual([]);
  });

  // [C-page-no-script]
  it("changes the account on the way", async () => {
    const { slug } = await begin(modern, "Fourth host");
    await press("Use another account");
    await signUp(second);
    await press("Continue");
    await shows(`You are signed in as ${second}.`);
    await page.getByLabel("Name of your first handle").fill("second-handle");
    await press("Connect");
    expect(await slug()).toBe("second-handle");
    expect(complaints).toEqual([]);
  });
});
