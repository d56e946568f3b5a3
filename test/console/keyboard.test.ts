/** A human without a mouse: from the sign-in to an approval, with the keyboard alone. */
import { describe, expect, it } from "vitest";
import { openChromium } from "../harness/chromium.js";
import { openConsole, signedIn, tabTo } from "../harness/console.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { PASSWORD } from "../harness/identity-client.js";
import { OAUTH_DAEMON, OAuthHuman } from "../harness/oauth.js";

const browser = await openChromium();
const { daemon } = await daemonFixture([], OAUTH_DAEMON);

describe.skipIf(!browser)("the keyboard alone", () => {
  // [D16-keyboard]
  it("signs in, makes handles and a key, sets a policy, approves, revokes and signs out", {
    timeout: 60_000,
  }, async () => {
    const human = await OAuthHuman.signUp(daemon);
    const page = await (await browser!.newContext()).newPage();
    const { keyboard } = page;
    const press = async (name: string, role: "button" | "link" = "button") => {
      await tabTo(page.getByRole(role, { name, exact: true }).first());
      await keyboard.press("Enter");
    };
    await page.goto(`${daemon.origin}/console`);
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    await press("Sign in");
    await page.getByLabel("E-mail address").and(page.locator(":focus")).waitFor();
    await keyboard.type(human.email);
    await keyboard.press("Tab");
    await keyboard.type(PASSWORD);
    await keyboard.press("Enter");
    await signedIn(page);

    await tabTo(page.getByLabel("Name of the handle"));
    await keyboard.type("alice-agent");
    await keyboard.press("Enter");
    const secret = await page.locator(".done code").innerText();
    await press("Handles", "link");
    await press("Create a handle", "link");
    await tabTo(page.getByLabel("Name of the handle"));
    await keyboard.type("bob-agent");
    await page.getByText("@bob-agent is free.").waitFor();
    await keyboard.press("Enter");
    await page.getByRole("heading", { name: "@bob-agent" }).waitFor();

    await page.goto(`${daemon.origin}/console/handles/alice-agent/egress`);
    await page.getByLabel("Open:").waitFor();
    await tabTo(page.getByLabel("Open:"));
    await keyboard.press("ArrowDown");
    await page.getByText("Saved.").waitFor();
    const alice = daemon.client(secret);
    expect((await alice.post("/wires", { to: "@bob-agent", text: "hi" })).status).toBe(202);
    await press("Approvals 1", "link");
    await page.locator(".pick").waitFor();
    await keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    await keyboard.press("Escape");
    await keyboard.press("a");
    await page.getByText("It is sent in 5 seconds").waitFor();
    await press("Handles", "link");
    await press("@alice-agent", "link");
    await press("Keys", "link");
    await page.locator(".list button").waitFor();
    await tabTo(page.locator(".list button").first());
    await keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await tabTo(dialog.getByRole("button", { name: "Revoke" }));
    await keyboard.press("Enter");
    await page.getByText("The key is revoked.").waitFor();
    // The focused button has gone with its key.
    await expect.poll(() => page.locator("main :focus").count()).toBe(1);
    expect((await alice.get("/profile")).status).toBe(401);
    await press("Account", "link");
    await press("Sign out of this browser");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
  });

  // [D16-keyboard]
  it("shows the present section in the navigation at 320 pixels", async () => {
    const { page } = await openConsole(browser!, daemon, {
      path: "/search",
      viewport: { width: 320, height: 640 },
    });
    const link = page.getByRole("link", { name: "Search" });
    await expect
      .poll(async () => {
        const { x, width } = (await link.boundingBox())!;
        return x >= 0 && x + width <= 320;
      })
      .toBe(true);
    await page.context().close();
  });

  // [D16-keyboard]
  it("shows the focused control above the navigation of a phone", async () => {
    const { page } = await openConsole(browser!, daemon, {
      path: "/account",
      viewport: { width: 390, height: 640 },
    });
    const control = page.getByRole("radio").and(page.locator(":checked"));
    await control.waitFor();
    const navigation = (await page.getByRole("navigation", { name: "Sections" }).boundingBox())!;
    const focusedBottom = () =>
      page.evaluate<number>(`{
        const control = document.querySelector("[type=radio]:checked");
        control.blur();
        scrollBy(0, control.getBoundingClientRect().bottom - innerHeight);
        control.focus();
        control.getBoundingClientRect().bottom;
      }`);
    // Parts of the page that load later move the control.
    await expect.poll(focusedBottom, { timeout: 20_000 }).toBeLessThanOrEqual(navigation.y);
    await page.context().close();
  });

  // [D16-keyboard]
  it("skips the navigation, and shows where it is", async () => {
    const human = await OAuthHuman.signUp(daemon);
    const page = await (await browser!.newContext()).newPage();
    await page.goto(`${daemon.origin}/console/new-handle`);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByLabel("E-mail address").fill(human.email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await signedIn(page);
    await page.getByLabel("Name of the handle").waitFor();
    await page.keyboard.press("Tab");
    const focused = "document.activeElement.textContent";
    expect(await page.evaluate(focused)).toBe("Skip to content");
    expect(await page.evaluate("document.activeElement.getBoundingClientRect().left")).toBeGreaterThanOrEqual(
      0,
    );
    await page.keyboard.press("Enter");
    await page.locator("main:focus").waitFor();
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.closest('main') !== null")).toBe(true);
    const outline = "getComputedStyle(document.activeElement).outlineStyle";
    expect(await page.evaluate(outline)).toBe("solid");
    await page.getByRole("link", { name: "Handles" }).focus();
    await page.keyboard.press("?");
    await page.getByRole("dialog").getByText("Next entry of a list").waitFor();
  });
});
