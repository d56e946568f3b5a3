import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { operations } from "../../src/contract/index.js";
import { openChromium } from "../harness/chromium.js";
import { type Console, openConsole, ownedHandle, problemsOf, signedIn, signIn } from "../harness/console.js";
import { startDaemon } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { PASSWORD, PASSWORD_GRANT } from "../harness/identity-client.js";
import { OAUTH_DAEMON, OAuthHuman } from "../harness/oauth.js";
import { startSmtpServer, withMailedCodes } from "../harness/smtp-server.js";

const browser = await openChromium();
const { daemon } = await daemonFixture([], OAUTH_DAEMON);

describe.skipIf(!browser)("mails about approvals in the console", () => {
  // [D16-account] [D21-account-update]
  it("are turned on and off, and are not offered by a daemon without a mail server", async () => {
    const smtp = await startSmtpServer();
    const args = [...OAUTH_DAEMON.args, "--smtp-url", smtp.url];
    const mailing = withMailedCodes(await startDaemon({ ...OAUTH_DAEMON, args }), smtp);
    onTestFinished(async () => {
      await mailing.stop();
      await smtp.close();
    });
    const { page, owner } = await openConsole(browser!, mailing);
    const stored = async () => (await owner.get("/accounts/me")).body.approval_mails;
    await page.goto(`${mailing.origin}/console/approvals`);
    await page.getByRole("button", { name: "Notifications: off" }).click();
    await page.getByRole("link", { name: "Turn on mails" }).click();
    const mails = page.getByLabel("Mail me when something waits for my approval");
    const save = page.locator("form", { has: mails }).getByRole("button", { name: "Save" });
    await mails.check();
    await save.click();
    await page.getByText("Mails are on.").waitFor();
    expect(await stored()).toBe(true);
    expect(await problemsOf(page)).toEqual([]);
    await page.reload();
    await expect.poll(() => mails.isChecked()).toBe(true);
    await mails.uncheck();
    await save.click();
    await page.getByText("Mails are off.").waitFor();
    expect(await stored()).toBe(false);
    const other = await openConsole(browser!, daemon, { path: "/account" });
    await other.page.getByRole("heading", { name: "Sign-ins" }).waitFor();
    await other.page.getByText(other.email).waitFor();
    expect(await other.page.getByRole("heading", { name: "Mails" }).count()).toBe(0);
  });
});

describe.skipIf(!browser)("the account in the console", () => {
  let open: Console;
  let page: Page;
  const goto = (path: string) => page.goto(`${daemon.origin}/console${path}`);

  beforeAll(async () => {
    if (!browser) return;
    open = await openConsole(browser, daemon);
    page = open.page;
    const alice = await ownedHandle(daemon, open.owner, "alice-agent");
    await alice.post("/wires", { to: "@alice-agent", text: "uses a limit" });
  });
  afterAll(() => expect(open?.complaints ?? []).toEqual([]));

  // [D16-account]
  it("works in a browser that keeps nothing", async () => {
    const context = await browser!.newContext();
    await context.addInitScript(`Object.defineProperty(window, "localStorage", {
      get() { throw new DOMException("Access is denied for this document.", "SecurityError"); },
    });
    window.BroadcastChannel = function () { throw new DOMException("denied", "SecurityError"); };`);
    const tab = await context.newPage();
    const human = await OAuthHuman.signUp(daemon);
    await tab.goto(`${daemon.origin}/console`);
    await signIn(tab, human.email);
    await tab.getByRole("link", { name: "Account" }).click();
    await tab.getByRole("radio", { name: "Dark" }).check();
    expect(await tab.evaluate("document.documentElement.dataset.theme")).toBe("dark");
    await tab.getByRole("link", { name: "Approvals" }).click();
    await tab.getByRole("heading", { name: "Nothing waits for you" }).waitFor();
    await context.close();
  });

  // [D16-audit]
  it("lists the audit log, with filters in the address", async () => {
    await goto("/audit");
    await page.getByText("Key issued").last().waitFor();
    const audit = operations.find(({ id }) => id === "audit.list")!;
    const { enum: actions } = (audit.fields as Record<string, { schema: { enum?: string[] } }>).action!
      .schema;
    expect(actions!.length).toBeGreaterThan(10);
    const options = "Array.from(document.querySelectorAll('main select')[1].options, (each) => each.value)";
    expect(await page.evaluate(options)).toEqual(["", ...actions!]);
    await page.getByLabel("What happened").selectOption("Handle created");
    await expect.poll(() => page.locator(".list > li").count()).toBe(1);
    expect(page.url()).toMatch(/\/audit\?action=handle\.created$/);
    expect(await problemsOf(page)).toEqual([]);
    const today = await page.evaluate<string>("new Date().toLocaleDateString('sv')");
    await goto(`/audit?handle=alice-agent&since=${today}&until=${today}`);
    await page.getByText("Key issued").last().waitFor();
    await goto("/audit?until=2020-01-01");
    await page.getByRole("heading", { name: "No entries" }).waitFor();
    await page.getByRole("link", { name: "Show all entries" }).click();
    await page.getByText("Handle created").last().waitFor();
  });

  // [D16-audit]
  it("says in the audit log to whom an approval was and what changed in a policy, without ids", async () => {
    const courier = await ownedHandle(daemon, open.owner, "courier-agent");
    await open.owner.put("/handles/courier-agent/egress", { mode: "approval", also_deny: ["@mallory"] });
    await courier.post("/wires", { to: "@alice-agent", text: "may I?" });
    const [approval] = (await open.owner.get("/approvals")).body.approvals;
    await open.owner.put(`/approvals/${approval.id}`, { status: "approved" });
    await goto("/audit?handle=courier-agent");
    const entries = page.locator(".list > li");
    await entries.first().getByText("to @alice-agent").waitFor();
    await entries.getByText("mode: open -> approval, deny: +@mallory").waitFor();
    expect(await page.locator("main").innerText()).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}/);
    await entries.first().getByRole("link", { name: "Show" }).click();
    await page.getByText("may I?").waitFor();
    await fetch(`${daemon.origin}/identity/token`, {
      method: "POST",
      body: new URLSearchParams({
        ...{ client_id: "wireroom-cli", grant_type: PASSWORD_GRANT },
        ...{ username: open.email, password: PASSWORD },
      }),
    });
    const [newest] = (await open.owner.get("/sign-ins")).body.sign_ins;
    await open.owner.delete(`/sign-ins/${newest.id}`);
    await goto("/audit?action=sign_in.ended");
    await entries.getByText("Signed out elsewhere").waitFor();
    expect(await entries.innerText()).not.toContain(newest.id);
  });

  // [D16-audit]
  it("offers retired handles in the filter of the audit log, and says that they are", async () => {
    await open.owner.post("/handles", { slug: "gone-agent" });
    await open.owner.delete("/handles/gone-agent");
    await goto("/audit");
    await page.getByLabel("Handle", { exact: true }).selectOption("@gone-agent (retired)");
    const entries = page.locator(".list > li");
    await expect.poll(() => entries.count()).toBe(2);
    expect(await entries.allInnerTexts()).toEqual([
      expect.stringContaining("Handle retired"),
      expect.stringContaining("Handle created"),
    ]);
    expect(page.url()).toContain("handle=gone-agent");
    await page.reload();
    await expect.poll(() => entries.count()).toBe(2);
    const checked = page.getByLabel("Handle", { exact: true }).locator(":checked");
    await expect.poll(() => checked.innerText()).toBe("@gone-agent (retired)");
  });

  // [D16-account]
  it("exports everything to a file, and shows the limits", async () => {
    await goto("/account");
    await page.getByText(open.email).waitFor();
    const limit = (name: string) => page.getByRole("row", { name }).innerText();
    await page.getByText("Wires a minute").waitFor();
    expect(await limit("Wires a day")).toMatch(/(in 23h|tomorrow)$/);
    expect(await limit("Knocks an hour")).toMatch(/^Knocks an hour\t20\t20\t$/);
    await page.getByRole("button", { name: "Export" }).click();
    const link = page.getByRole("link", { name: /Save the file/ });
    await link.waitFor();
    const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
    expect(download.suggestedFilename()).toBe("wireroom-export.jsonl");
    const lines = (await readFile(await download.path(), "utf8")).trimEnd().split("\n");
    expect(JSON.parse(lines[0]!)).toMatchObject({ type: "account", email: open.email });
    expect(JSON.parse(lines.at(-1)!)).toEqual({ type: "end", lines: lines.length - 1 });
    expect(await problemsOf(page)).toEqual([]);
  });

  // [D16-account]
  it("offers no file if the export ends early", async () => {
    await page.route("**/v1/export", async (route) => {
      const response = await route.fetch();
      const lines = (await response.text()).split("\n");
      await route.fulfill({ response, body: `${lines.slice(0, 3).join("\n")}\n` });
    });
    await goto("/account");
    await page.getByRole("button", { name: "Export" }).click();
    await page.getByRole("alert").waitFor();
    expect(await page.getByRole("link", { name: /Save the file/ }).count()).toBe(0);
    await page.unroute("**/v1/export");
  });

  // [D16-account]
  it("changes the password, and stays signed in", async () => {
    await goto("/account");
    const change = async (present: string, next: string) => {
      await page.getByLabel("Current password").fill(present);
      await page.getByLabel("New password").fill(next);
      await page.getByRole("button", { name: "Change the password" }).click();
    };
    await change("wrong password", "a new password of mine");
    await page.locator(".problem", { hasText: "Current password is wrong" }).waitFor();
    expect(await page.getByLabel("Current password").getAttribute("aria-invalid")).toBe("true");
    // A short present password is wrong, too, and hides no problem of the new one.
    await change("wrong", "a new password of mine");
    await page.locator(".problem", { hasText: "Current password is wrong" }).waitFor();
    await change(PASSWORD, "short");
    await page.locator(".problem", { hasText: "New password must have at least 8 characters." }).waitFor();
    expect(await page.getByLabel("Current password").getAttribute("aria-invalid")).not.toBe("true");
    // As a password manager does, which fills in both fields at once.
    const filled = { new_password: "a new password of mine", password: PASSWORD };
    await page.evaluate(`for (const [name, value] of Object.entries(${JSON.stringify(filled)})) {
      const input = document.querySelector("form [name=" + name + "]");
      input.value = value;
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }`);
    await page.getByRole("button", { name: "Change the password" }).click();
    await page.getByText("The password is changed").waitFor();
    const signIn = (password: string) =>
      fetch(`${daemon.origin}/identity/token`, {
        method: "POST",
        body: new URLSearchParams({
          ...{ client_id: "wireroom-cli", grant_type: PASSWORD_GRANT, username: open.email, password },
        }),
      });
    expect((await signIn(PASSWORD)).status).toBe(400);
    expect((await signIn("a new password of mine")).status).toBe(200);
    await page.reload();
    await signedIn(page);
  });

  // [D16-offline]
  it("opens offline, says so, and has kept nothing of the API", async () => {
    const context = page.context();
    await goto("/handles/alice-agent");
    await page.evaluate("navigator.serviceWorker.ready");
    // No failed request of the API tells that the connection was lost.
    await page.route("**/v1/**", () => {});
    await page.reload();
    await signedIn(page);
    await context.setOffline(true);
    await page.getByText("Wireroom does not answer. New items do not appear").waitFor();
    await page.unrouteAll();
    await page.goto(`${daemon.origin}/console/approvals`);
    await page.getByRole("heading", { name: "Wireroom does not answer" }).waitFor();
    const kept = await page.evaluate<string[]>(
      `caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name).then((cache) => cache.keys()))))
        .then((all) => all.flat().map(({ url }) => new URL(url).pathname))`,
    );
    const isOfPage = (path: string) =>
      ["/console/", "/console/theme.js"].includes(path) || path.startsWith("/console/assets/");
    expect(kept.every(isOfPage)).toBe(true);
    expect(kept).toHaveLength(4);
    // Before the first paint, the page has the chosen theme.
    expect(await page.evaluate("fetch('/console/theme.js').then(({ ok }) => ok)")).toBe(true);
    expect(await problemsOf(page)).toEqual([]);
    await page.goto(`${daemon.origin}/console`);
    await page.getByRole("heading", { name: "Wireroom does not answer" }).waitFor();
    await page.route("**/identity/console/session", (route) => route.fulfill({ status: 503 }), { times: 1 });
    // The page itself tries again.
    await context.setOffline(false);
    await page.getByRole("heading", { name: "Wireroom has a problem" }).waitFor();
    await signedIn(page);
  });

  // [D16-account]
  it("has the chosen theme before its script runs", async () => {
    const context = await browser!.newContext({ serviceWorkers: "block" });
    await context.addInitScript("localStorage.setItem('wireroom-theme', 'dark')");
    const tab = await context.newPage();
    await tab.route("**/assets/*.js", (route) => route.abort());
    await tab.goto(`${daemon.origin}/console`);
    expect(await tab.evaluate("document.documentElement.dataset.theme")).toBe("dark");
    await context.close();
  });

  // [D16-account]
  it("keeps a dialog with typed text when the human clicks beside it", async () => {
    await goto("/account");
    await page.getByRole("button", { name: "Delete the account" }).click();
    const typed = page.getByRole("dialog").getByRole("textbox");
    await page.mouse.click(5, 5);
    await typed.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Delete the account" }).click();
    await typed.fill(open.email);
    await page.mouse.click(5, 5);
    expect(await typed.inputValue()).toBe(open.email);
    await page.keyboard.press("Escape");
    await typed.waitFor({ state: "detached" });
  });

  // [D16-offline]
  it("opens offline after a file of the console was opened", async () => {
    const context = page.context();
    await goto("/account");
    await page.getByRole("radio", { name: "Dark" }).check();
    await page.evaluate("navigator.serviceWorker.ready");
    // A tab of its own, because the browser shows images with styles that the Content-Security-Policy
    // forbids.
    const tab = await context.newPage();
    for (const file of ["icon-192.png", "manifest.webmanifest", "icon.svg"]) {
      await tab.goto(`${daemon.origin}/console/${file}`);
      await context.setOffline(true);
      await goto("/approvals");
      await page.getByRole("heading", { name: "Wireroom does not answer" }).waitFor();
      expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
      await context.setOffline(false);
    }
    await tab.close();
  });
});
