import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openChromium } from "../harness/chromium.js";
import { type Console, openConsole, ownedHandle, problemsOf, tabTo } from "../harness/console.js";
import type { AgentClient, Body, Client } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { OAUTH_DAEMON, OAuthHuman } from "../harness/oauth.js";
import { grantOperator } from "../harness/operator.js";

const browser = await openChromium();
const { daemon } = await daemonFixture([], OAUTH_DAEMON);

/** Text with which an agent imitates something else. */
const BAD_TEXT = "<img src=x onerror=alert(1)> \u202eevil http://evil.example/x";

describe.skipIf(!browser)("the views for operators", () => {
  let open: Console;
  let page: Page;
  let judge: AgentClient;
  let mallory: AgentClient;
  let victim: AgentClient;
  const goto = (path: string) => page.goto(`${daemon.origin}/console${path}`);
  const dialog = () => page.getByRole("dialog");
  const audit = async (of: Client, action: string): Promise<Body[]> =>
    (await of.get(`/audit?action=${action}`)).body.entries;

  beforeAll(async () => {
    if (!browser) return;
    open = await openConsole(browser, daemon);
    page = open.page;
    judge = await ownedHandle(daemon, open.owner, "judge-agent");
    const other = daemon.client(await (await OAuthHuman.signUp(daemon)).idToken());
    mallory = await ownedHandle(daemon, other, "mallory");
    victim = await ownedHandle(daemon, other, "victim");
    await mallory.put("/profile", { display_name: BAD_TEXT, bio: "sells keys" });
  });
  afterAll(() => expect(open?.complaints ?? []).toEqual([]));

  // [D16-operator]
  it("say how to become an operator to everybody else", async () => {
    await goto("/operator");
    await page.getByRole("alert").getByText("is not an operator").waitFor();
    await goto("/operator/handles/mallory");
    await page.getByRole("alert").getByText("is not an operator").waitFor();
    expect(await page.getByRole("button", { name: "Suspend" }).count()).toBe(0);
    expect(await problemsOf(page)).toEqual([]);
    expect(await page.getByRole("link", { name: "Operator" }).count()).toBe(0);
    await grantOperator(daemon, "judge-agent");
  });

  // [D16-operator] [D16-operator-reason]
  it("find a handle, and suspend and restore it with a reason", async () => {
    // The views act as the handle that is an operator.
    await ownedHandle(daemon, open.owner, "clerk-agent");
    await goto("/account?as=clerk-agent");
    await page.getByRole("link", { name: "Operator", exact: true }).click();
    // The navigation leaves room for the names of the handles.
    await page.setViewportSize({ width: 1_440, height: 900 });
    const isCut = `(() => {
      const select = document.querySelector(".acting > select");
      const whole = document.body.appendChild(select.cloneNode(true));
      const { offsetWidth } = whole;
      whole.remove();
      return offsetWidth > select.offsetWidth;
    })()`;
    expect(await page.evaluate(isCut)).toBe(false);
    await page.getByLabel("Find a handle or a wire").fill("MALL");
    await page.getByRole("button", { name: "Search" }).click();
    await expect.poll(() => page.locator(".list > li").count()).toBe(1);
    expect(page.url()).toMatch(/\/operator\?q=MALL$/);
    expect(await page.locator("main img").count()).toBe(0);
    expect(await problemsOf(page)).toEqual([]);
    await page.getByRole("link", { name: "@mallory" }).click();
    await page.getByText("sells keys").waitFor();
    await page.locator(".facts").getByRole("link", { name: "@victim" }).waitFor();
    await page.getByRole("button", { name: "Suspend its account" }).click();
    await dialog().getByText("Its handles: @mallory, @victim").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Suspend", exact: true }).click();
    const act = dialog().getByRole("button", { name: "Suspend" });
    expect(await act.isDisabled()).toBe(true);
    await dialog().getByLabel("Reason").fill("x".repeat(501));
    await dialog().getByText("At most 500 are possible.").waitFor();
    expect(await act.isDisabled()).toBe(true);
    expect(await problemsOf(page)).toEqual([]);
    await dialog().getByLabel("Reason").fill("sells stolen keys");
    await act.click();
    await page.getByText("@mallory is suspended.").waitFor();
    await page.locator(".facts").getByText("sells stolen keys").waitFor();
    await page.locator(".facts").getByText("by @judge-agent").waitFor();
    expect((await mallory.get("/profile")).status).toBe(403);
    expect(await problemsOf(page)).toEqual([]);
    await goto("/operator?suspended=true");
    await expect
      .poll(() => page.locator(".list > li").allInnerTexts())
      .toEqual([expect.stringContaining("Suspended")]);
    await page.getByRole("link", { name: "@mallory" }).click();
    await page.getByRole("button", { name: "Restore", exact: true }).click();
    await dialog().getByLabel("Reason").fill("promised to stop");
    await dialog().getByRole("button", { name: "Restore" }).click();
    await page.getByText("@mallory is restored.").waitFor();
    expect((await mallory.get("/profile")).status).toBe(200);
    expect(await audit(mallory.owner, "handle.restored")).toMatchObject([{ reason: "promised to stop" }]);
  });

  // [D21-operator-status]
  it("show the state of the daemon, and who sent most", async () => {
    await goto("/operator?as=judge-agent");
    const card = page.locator("section", { has: page.getByRole("heading", { name: "Daemon" }) });
    await card.getByText("Long polls").waitFor();
    expect(await card.getByText("Most wires in 24 hours").count()).toBe(0);
    await mallory.post("/wires", { to: "@victim", text: "hello" });
    await page.reload();
    await card.getByRole("link", { name: "@mallory" }).waitFor();
    await judge.put("/operator/handles/mallory", { suspended: true });
    await page.reload();
    await card.getByText("Suspended").waitFor();
    expect(await problemsOf(page)).toEqual([]);
    await judge.put("/operator/handles/mallory", { suspended: false });
  });

  // [D16-operator]
  it("show what a handle sent only when asked, as text, and a whole wire by its id or URI", async () => {
    const text = `${BAD_TEXT} ${"long ".repeat(100)}end`;
    const { body: sent } = await mallory.post("/wires", { to: "@victim", text, payload: { offer: 7 } });
    await goto("/operator/handles/mallory?as=judge-agent");
    await page.getByRole("button", { name: "Show what it sent" }).waitFor();
    expect(await audit(mallory.owner, "wire.read")).toEqual([]);
    await page.getByRole("button", { name: "Show what it sent" }).click();
    await page.locator(".parts").getByText("U+202E").waitFor();
    expect(await page.locator("main img").count()).toBe(0);
    expect(await audit(victim.owner, "wire.read")).toMatchObject([
      { actor: "@judge-agent", subject: "@mallory" },
      { actor: "@judge-agent", subject: "@mallory" },
    ]);
    await page.locator(".parts").getByText("offer").waitFor();
    expect(await problemsOf(page)).toEqual([]);
    await page.locator(".parts a.to").first().click();
    await page.getByRole("button", { name: "Remove the wire" }).waitFor();
    await page.getByText("offer").waitFor();
    expect(await page.locator(".wire .agent-text").first().innerText()).toContain("end");
    expect(await problemsOf(page)).toEqual([]);
    for (const name of [sent.uri, ` ${sent.id} `, `${daemon.origin}/console/wires/${sent.id}?as=victim`]) {
      await goto("/operator");
      await page.getByLabel("Find a handle or a wire").fill(name);
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Remove the wire" }).waitFor();
      expect(page.url()).toContain(`/operator/wires/${sent.id}`);
    }
    await goto("/operator/wires/019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f");
    await page.getByRole("alert").waitFor();
  });

  // [D16-operator] [D16-operator-reason] [D16-keyboard]
  it("remove a wire with a reason, by keyboard, and the audit page shows it to both", async () => {
    const { body: sent } = await mallory.post("/wires", { to: "@victim", text: "bad" });
    await goto(`/operator/wires/${sent.id}`);
    const before = (await audit(mallory.owner, "wire.read")).length;
    await tabTo(page.getByRole("button", { name: "Remove the wire" }));
    await page.keyboard.press("Enter");
    await tabTo(dialog().getByLabel("Reason"));
    await page.keyboard.type("a scam");
    await tabTo(dialog().getByRole("button", { name: "Remove the wire" }));
    await page.keyboard.press("Enter");
    await page.getByText("The wire is removed.").waitFor();
    await page.getByText("Removed by an operator").waitFor();
    expect(await page.getByRole("button", { name: "Remove the wire" }).count()).toBe(0);
    expect((await victim.get(`/wires/${sent.id}`)).body.tombstone.removed_by).toBe("operator");
    expect(await audit(mallory.owner, "wire.removed")).toMatchObject([{ reason: "a scam" }]);
    expect((await audit(mallory.owner, "wire.read")).length - before).toBeLessThanOrEqual(2);
    await page.getByRole("link", { name: "Your audit log" }).click();
    const entry = page.locator(".list > li", { hasText: "Wire removed" });
    await entry.getByText("a scam").waitFor();
    expect(await problemsOf(page)).toEqual([]);
    await entry.getByRole("link", { name: "Show" }).click();
    await page.getByText("Removed by an operator").waitFor();
  });
});
