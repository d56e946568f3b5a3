/** The palette of the console: by keyboard, by pointer, and on a phone. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { openChromium } from "../harness/chromium.js";
import { type Console, openConsole, ownedHandle, problemsOf } from "../harness/console.js";
import type { AgentClient } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { OAUTH_DAEMON, OAuthHuman } from "../harness/oauth.js";
import { story } from "../harness/story.js";

const browser = await openChromium();
const { daemon } = await daemonFixture([], OAUTH_DAEMON);

describe.skipIf(!browser)("the palette", () => {
  const it = story();
  let open: Console;
  let page: Page;
  let alice: AgentClient;

  const input = () => page.getByRole("combobox", { name: "Handle, space, message or page" });
  const option = (name: string | RegExp) => page.getByRole("option", { name });
  const chosen = () => page.locator("[role=option][aria-selected=true]");
  const focused = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.tagName";
  const find = async (words: string) => {
    await page.keyboard.press("Control+k");
    await input().fill(words);
  };

  beforeAll(async () => {
    if (!browser) return;
    open = await openConsole(browser, daemon, { path: "/inbox" });
    page = open.page;
    const stranger = daemon.client(await (await OAuthHuman.signUp(daemon)).idToken());
    const bob = await ownedHandle(daemon, stranger, "bob");
    await bob.put("/profile", { discoverable: true, display_name: "Bob the builder" });
    alice = await ownedHandle(daemon, open.owner, "alice");
    await ownedHandle(daemon, open.owner, "carol");
    await alice.post("/spaces", { slug: "ops", visibility: "private" });
    await bob.post("/spaces", { slug: "market", visibility: "public", description: "Prices of the day" });
    await alice.post("/wires", { to: "#ops", text: "The disks are full." });
    await bob.post("/wires", { to: "@alice", text: "A disk costs 80." });
    await page.goto(`${daemon.origin}/console/inbox?as=alice`);
    await page.getByRole("article").waitFor();
  });
  afterAll(() => expect(open?.complaints ?? []).toEqual([]));

  // [D21-palette]
  it("opens by keyboard, leads to a page, and gives the focus back", async () => {
    await page.getByRole("link", { name: "Sent" }).focus();
    await page.keyboard.press("/");
    await input().and(page.locator(":focus")).waitFor();
    expect(await input().getAttribute("aria-controls")).toBe(
      await page.getByRole("listbox").getAttribute("id"),
    );
    await page.keyboard.press("Escape");
    await input().waitFor({ state: "detached" });
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Sent");

    await find("keys");
    await expect.poll(() => chosen().innerText()).toContain("Keys of @alice");
    expect(await input().getAttribute("aria-activedescendant")).toBe(await chosen().getAttribute("id"));
    expect(await problemsOf(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Issue an API key" }).waitFor();
    expect(await input().count()).toBe(0);
    // A text field takes the slash.
    await page.goto(`${daemon.origin}/console/new-wire?as=alice`);
    await page.getByLabel("To").press("/");
    expect(await page.getByLabel("To").inputValue()).toBe("/");
    await page.getByLabel("To").press("Control+k");
    await input().waitFor();
    await page.keyboard.press("Escape");
  });

  // [D21-palette]
  it("finds the handle of an API key", async () => {
    // No search is offered, because it would put the key into the address.
    await find("wr_nobody");
    await page.getByText("None of your keys begins like this.").waitFor();
    for (const key of ["ArrowDown", "ArrowUp", "Enter"]) await page.keyboard.press(key);
    await input().fill(alice.key);
    await option(/^Key wr_.*… of @alice/).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Issue an API key" }).waitFor();
    expect(page.url()).toMatch(/\/handles\/alice\/keys$/);
  });

  // [D21-palette]
  it("finds handles and direct messages", async () => {
    await find("bob");
    await option(/@bob.*Bob the builder/s).waitFor();
    // The page's own options come first, then the daemon's results.
    expect(await chosen().innerText()).toContain("Search for “bob”");
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => chosen().innerText()).toContain("@bob");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.getByLabel("To").inputValue()).toBe("@bob");
    await find("costs");
    await option(/@bob.*Message.*A disk costs 80\./s).waitFor();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Wire" }).waitFor();
    // The human's own handles are found before the contacts are loaded.
    await page.route("**/v1/contacts?*", () => {}, { times: 1 });
    await page.reload();
    await page.getByText("A disk costs 80.").waitFor();
    await find("carol");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.url()).toMatch(/\/inbox\?as=carol$/);
    await page.getByLabel("Act as").selectOption("alice");
    await find("egress carol");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "@carol" }).waitFor();
    await page.getByRole("radio", { name: "Approval:" }).waitFor();
  });

  // [D21-palette]
  it("searches the wires of one space after the human has chosen it, by pointer", async () => {
    await page.getByRole("button", { name: "Look up" }).click();
    await input().fill("market");
    await option(/#market.*Prices of the day/s).waitFor();
    await input().fill("ops");
    await option(/#ops/).click();
    expect(await input().inputValue()).toBe("#ops ");
    await page.keyboard.type("disk");
    await option(/@alice.*The disks are full\./s).waitFor();
    expect(await option(/A disk costs 80/).count()).toBe(0);
    expect(await problemsOf(page)).toEqual([]);
    await option("Search for “disk”").click();
    await expect.poll(() => page.url()).toContain("q=disk&space=ops");
    await page.getByRole("article").getByText("The disks are full.").waitFor();
    await find("#market ");
    await option("#market").click();
    await page.getByRole("heading", { name: "#market" }).waitFor();
  });

  // [D21-palette]
  it("opens on a phone, and a touch beside it closes it", async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    await page.getByRole("button", { name: "Look up" }).click();
    await input().fill("inbox");
    await page.mouse.click(5, 630);
    await input().waitFor({ state: "detached" });
    expect(await page.evaluate(focused)).toBe("Look up");
  });
});
