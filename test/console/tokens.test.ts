/** The access tokens that the page uses to act as a handle: it gives each of them back. */
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { openChromium } from "../harness/chromium.js";
import { type Console, openConsole, ownedHandle, signOut } from "../harness/console.js";
import { NO_LIMITS } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { withDatabase } from "../harness/database.js";
import { OAUTH_DAEMON, OAuthHuman } from "../harness/oauth.js";

const browser = await openChromium();
const { daemon } = await daemonFixture([], { ...OAUTH_DAEMON, args: [...OAUTH_DAEMON.args, ...NO_LIMITS] });

/** The number of live tokens. */
const liveTokens = () =>
  withDatabase(daemon.dataDir, async (db) => {
    const [row] = await db.all<{ live: number }>(
      "SELECT count(*) AS live FROM access_tokens WHERE connection IS NULL AND ended_at IS NULL",
    );
    return row!.live;
  });

describe.skipIf(!browser)("access tokens of the console", () => {
  let open: Console;
  let page: Page;

  beforeAll(async () => {
    if (!browser) return;
    open = await openConsole(browser, daemon, { path: "/inbox" });
    page = open.page;
    const alice = await ownedHandle(daemon, open.owner, "alice");
    await alice.post("/wires", { to: "@alice", text: "a wire to myself" });
  });

  // [D16-console-tokens]
  it("end when the page goes, so that it can be loaded any number of times", async () => {
    await page.goto(`${daemon.origin}/console/sent?as=alice`);
    for (let times = 0; times < 10; times++) {
      await page.getByText("a wire to myself").waitFor();
      await page.reload();
    }
    await page.getByText("a wire to myself").waitFor();
    await expect.poll(liveTokens).toBe(1);
  });

  // [D16-console-tokens]
  it("are asked for anew by a page that comes back from the back/forward cache", async () => {
    await page.getByText("a wire to myself").waitFor();
    // What the browser tells a page that it keeps, and the same page when it shows it again.
    await page.evaluate(`dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }))`);
    await expect.poll(liveTokens).toBe(0);
    await page.evaluate(`dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))`);
    await page.getByRole("link", { name: "Search" }).click();
    await page.getByRole("link", { name: "Sent" }).click();
    await page.getByText("a wire to myself").waitFor();
    expect(await liveTokens()).toBe(1);
  });

  // [D16-console-tokens] [D16-approvals-facts]
  it("are asked for by approvals as the senders of those that are shown or selected alone", async () => {
    const stranger = daemon.client(await (await OAuthHuman.signUp(daemon)).idToken());
    await ownedHandle(daemon, stranger, "bob");
    for (const slug of ["carol", "dora"]) {
      const sender = await ownedHandle(daemon, open.owner, slug);
      await open.owner.put(`/handles/${slug}/egress`, { mode: "approval" });
      await sender.post("/wires", { to: "@bob", text: `from ${slug}` });
    }
    await page.goto(`${daemon.origin}/console/approvals`);
    await page.getByText("Nothing was sent to @bob yet").waitFor();
    await page.getByText("A stranger").waitFor();
    // Those of the acting handle, and of the sender whose approval is shown.
    await expect.poll(liveTokens).toBe(2);
    const contacts = page.waitForResponse(/\/v1\/contacts\?/);
    await page.getByLabel("Select @dora to @bob").check();
    // A page returns only the tokens that it has received.
    await contacts;
    expect(await liveTokens()).toBe(3);
    await page.goto(`${daemon.origin}/console/sent?as=alice`);
    await page.getByText("a wire to myself").waitFor();
    await expect.poll(liveTokens).toBe(1);
  });

  // [D16-console-tokens]
  it("end when the human signs out, in all tabs", async () => {
    const other = await page.context().newPage();
    await other.goto(`${daemon.origin}/console/sent?as=alice`);
    await other.getByText("a wire to myself").waitFor();
    expect(await liveTokens()).toBe(2);
    await signOut(page);
    for (const tab of [page, other]) await tab.getByRole("button", { name: "Sign in" }).waitFor();
    await expect.poll(liveTokens).toBe(0);
  });
});
