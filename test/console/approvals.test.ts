import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { openChromium } from "../harness/chromium.js";
import { type Console, holdAnswers, openConsole, ownedHandle, problemsOf } from "../harness/console.js";
import type { AgentClient } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { OAUTH_DAEMON, OAuthHuman } from "../harness/oauth.js";
import { story } from "../harness/story.js";

const browser = await openChromium();
const { daemon } = await daemonFixture([], OAUTH_DAEMON);

describe.skipIf(!browser)("the approvals of the console", () => {
  const it = story();
  let open: Console;
  let page: Page;
  let alice: AgentClient;
  let bob: AgentClient;
  const rows = () => page.locator(".list > .pick");
  const texts = async () => (await page.locator(".pick .snippet").allInnerTexts()).join();
  const statusOf = async (id: string) =>
    (await open.owner.get("/approvals?limit=100")).body.approvals.find(
      (each: { wire?: { id: string } }) => each.wire?.id === id,
    ).status;
  const send = async (text: string) => {
    const { status, body } = await alice.post("/wires", {
      to: "@bob-agent",
      text,
      payload: { deep: { n: [1, { two: text }] } },
    });
    expect(status).toBe(202);
    return body.id as string;
  };

  beforeAll(async () => {
    if (!browser) return;
    open = await openConsole(browser, daemon, { path: "/approvals" });
    page = open.page;
    const other = await OAuthHuman.signUp(daemon);
    bob = await ownedHandle(daemon, daemon.client(await other.idToken()), "bob-agent");
    await bob.put("/profile", { display_name: "\u202Ebob", discoverable: true });
    alice = await ownedHandle(daemon, open.owner, "alice-agent");
    await open.owner.put("/handles/alice-agent/egress", { mode: "approval" });
  });
  afterAll(() => expect(open?.complaints ?? []).toEqual([]));

  it("says what would be here while nothing waits", async () => {
    await page.getByRole("heading", { name: "Nothing waits for you" }).waitFor();
    const size = page.viewportSize()!;
    await page.setViewportSize({ width: 390, height: 844 });
    const tops = "[...document.querySelectorAll('.tabs a')].map((tab) => tab.offsetTop)";
    expect(new Set(await page.evaluate<number[]>(tops)).size).toBe(1);
    await page.setViewportSize(size);
    expect(await problemsOf(page)).toEqual([]);
  });

  // [D16-approvals] [D16-approvals-facts]
  it("shows a held wire as it arrives, with a count in the title, the navigation and the icon", async () => {
    await send("the first wire");
    await rows().first().waitFor();
    await expect.poll(() => page.title()).toBe("(1) Approvals – Wireroom");
    expect(await page.locator(".badge").innerText()).toBe("1");
    expect(await page.locator("#icon").getAttribute("href")).toMatch(/icon-waiting\.svg$/);
    const details = page.locator("section.sheet");
    await details.getByText("Nothing was sent to @bob-agent yet").waitFor();
    await details.getByText("U+202E").waitFor();
    for (const part of [
      "@alice-agent",
      "@bob-agent",
      "the first wire",
      "deep",
      "A stranger",
      "U+202E",
      "Expires",
    ])
      expect(await details.innerText()).toContain(part);
    expect(await details.getByRole("link", { name: "The policy of @alice-agent" }).getAttribute("href")).toBe(
      "/console/handles/alice-agent/egress",
    );
    expect(await problemsOf(page)).toEqual([]);
  });

  // [D16-approvals-undo]
  it("answers by keyboard, and undoes for five seconds before anything is sent", async () => {
    const [second, third] = [await send("the second wire"), await send("the third wire")];
    await expect.poll(() => rows().count()).toBe(3);
    const sendNow = await holdAnswers(page);
    await page.keyboard.press("j");
    await expect.poll(() => page.locator("section.sheet").innerText()).toContain("the second wire");
    await page.keyboard.press("r");
    await expect.poll(() => rows().count()).toBe(2);
    await page.getByText("Rejected: @alice-agent to @bob-agent.").waitFor();
    await page.keyboard.press("u");
    await expect.poll(() => rows().count()).toBe(3);
    await page.keyboard.press("a");
    await page.getByText("Approved: @alice-agent to @bob-agent. It is sent in 5 seconds").waitFor();
    expect(await statusOf(second)).toBe("pending");
    expect(await statusOf(third)).toBe("pending");
    expect(await sendNow()).toBe(1);
    await expect.poll(() => statusOf(second)).toBe("approved");
    await expect.poll(texts).not.toContain("the second wire");
  });

  // [D16-approvals-many]
  it("answers many at once, and sends what can still be undone when the page is left", async () => {
    const ids = [await send("many 1"), await send("many 2")];
    await expect.poll(() => rows().count()).toBe(4);
    for (const name of ["many 1", "many 2"])
      await page.locator(".pick", { hasText: name }).getByRole("checkbox").check();
    await page.getByRole("button", { name: "Reject 2 selected" }).click();
    await expect.poll(() => rows().count()).toBe(2);
    await page.goto("about:blank");
    for (const id of ids) await expect.poll(() => statusOf(id)).toBe("rejected");
    await page.goBack();
    await expect.poll(() => rows().count()).toBe(2);
  });

  // [D16-approvals]
  it("approves and remembers, and lists what was answered", async () => {
    const sendNow = await holdAnswers(page);
    await page.getByRole("button", { name: "Approve and always allow" }).click();
    expect(await sendNow()).toBe(1);
    await expect
      .poll(async () => (await open.owner.get("/handles/alice-agent/egress")).body.allow)
      .toEqual(["@bob-agent"]);
    await page.getByRole("link", { name: "Approved" }).click();
    await page.locator(".list a").first().click();
    expect(await page.locator("section.sheet").innerText()).toContain("the third wire");
    await page.goBack();
    await page.getByRole("link", { name: "Rejected" }).click();
    await expect.poll(() => page.locator(".list > li").count()).toBe(2);
    expect(await problemsOf(page)).toEqual([]);
  });

  it("goes on where it was after the daemon has restarted", async () => {
    await page.goto(`${daemon.origin}/console/approvals`);
    await expect.poll(() => rows().count()).toBe(1);
    await open.owner.put("/handles/alice-agent/egress", { mode: "approval", allow: [] });
    await daemon.restart();
    await send("after the restart");
    await expect.poll(() => rows().count(), { timeout: 30_000 }).toBe(2);
  });

  // [D16-approvals-seen]
  it("never answers another one than the human has seen", async () => {
    await page.goto(`${daemon.origin}/console/approvals`);
    await expect.poll(() => rows().count()).toBe(2);
    const approve = page.getByRole("button", { name: "Approve", exact: true });
    await approve.waitFor();
    /** Answers the oldest approval whose wire has this text elsewhere. */
    const answerElsewhere = async (text: string) => {
      const { approvals } = (await open.owner.get("/approvals?status=pending")).body;
      const { id } = approvals
        .reverse()
        .find(({ wire }: { wire: { text_body: string } }) => wire.text_body.includes(text));
      expect((await open.owner.put(`/approvals/${id}`, { status: "rejected" })).status).toBe(200);
    };
    await answerElsewhere("");
    await page.locator("section.sheet", { hasText: "Rejected" }).waitFor();
    await send("takes its place");
    await expect.poll(() => rows().count()).toBe(2);
    expect(await approve.count()).toBe(0);
    await page.keyboard.press("a");
    await page.keyboard.press("r");
    expect(await rows().count()).toBe(2);
    await page.keyboard.press("j");
    await approve.waitFor();

    await page.locator(".pick", { hasText: "takes its place" }).getByRole("checkbox").check();
    await answerElsewhere("takes its place");
    await send("arrives later");
    await page.getByText("What you selected was answered, withdrawn or has expired.").waitFor();
    expect(await approve.count()).toBe(0);
    await page.keyboard.press("a");
    expect(await rows().count()).toBe(2);
    await page.getByRole("button", { name: "Clear the selection" }).click();
    await approve.waitFor();
  });

  // [D16-approvals-seen]
  it("answers what is selected while another one is read, and stays with that one", async () => {
    const [selected, read] = [rows().nth(0), rows().nth(1)];
    const text = await read.locator(".snippet").innerText();
    await selected.getByRole("checkbox").check();
    await read.getByRole("link").click();
    await expect.poll(() => page.locator("section.sheet").innerText()).toContain(text);
    const sendNow = await holdAnswers(page);
    await page.getByRole("button", { name: "Reject 1 selected" }).click();
    const answer = page.waitForResponse((response) => response.request().method() === "PUT");
    expect(await sendNow()).toBe(1);
    await answer;
    expect(await page.locator("section.sheet").innerText()).toContain(text);
    await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
  });

  // [D16-approvals]
  it("says that an answer came too late", async () => {
    const { approvals } = (await open.owner.get("/approvals?status=pending")).body;
    expect(approvals).toHaveLength(1);
    const sendNow = await holdAnswers(page);
    await page.getByRole("button", { name: "Approve", exact: true }).click();
    await open.owner.put(`/approvals/${approvals[0].id}`, { status: "rejected" });
    expect(await sendNow()).toBe(1);
    await page.getByText("Your answer came too late").waitFor();
    expect(await rows().count()).toBe(0);
    await page.goto(`${daemon.origin}/console/approvals`);
    await send("one more");
    // The details of a reply show the wire that it answers, also in a long thread.
    let reply_to: string | undefined;
    for (let n = 1; n <= 22; n++)
      reply_to = (await bob.post("/wires", { to: "@alice-agent", text: `question ${n}`, reply_to })).body.id;
    await alice.post("/wires", { to: "@bob-agent", text: "the answer", reply_to });
    await expect.poll(() => rows().count()).toBe(2);
    await page.keyboard.press("j");
    await page.locator("section.sheet").getByText("question 1", { exact: true }).waitFor();
    await page.locator("section.sheet").getByText("question 22", { exact: true }).waitFor();
  });

  // [D16-approvals-facts]
  it("marks what looks like a secret, and expands payloads by a key", async () => {
    const payload = { a: { b: { c: { d: { e: { f: { password: "tulip" } } } } } } };
    await alice.post("/wires", { to: "@bob-agent", payload });
    await rows().filter({ hasText: "Apparent secret" }).locator("a").click();
    const sheet = page.locator("section.sheet").first();
    await sheet.getByText("This looks like a secret: password").waitFor();
    expect(await sheet.getByText('"tulip"').count()).toBe(0);
    await page.keyboard.press("e");
    await sheet.getByText('"tulip"').waitFor();
    await page.getByLabel("Select all that is shown").check();
    await page.getByRole("button", { name: "Approve 3 selected (1 apparent secret)" }).waitFor();
    await page.keyboard.press("Escape");
    expect(await problemsOf(page)).toEqual([]);
    const { approvals } = (await open.owner.get("/approvals?status=pending")).body;
    await open.owner.put(`/approvals/${approvals.at(-1).id}`, { status: "rejected" });
    await expect.poll(() => rows().count()).toBe(2);
    // A recipient that is no contact is completed, too.
    await page.getByRole("link", { name: "New wire" }).click();
    await page.locator('datalist option[value="@bob-agent"]').waitFor({ state: "attached" });
    await page.goto(`${daemon.origin}/console/approvals`);
  });

  // [D16-approvals-notify]
  it("notifies while the page is hidden, by the service worker, unless the human turns it off", async () => {
    await page.addInitScript(`
      Object.defineProperty(document, "visibilityState", { get: () => "hidden" });
      Object.defineProperty(Notification, "permission", { get: () => "granted" });
      Notification.requestPermission = async () => "granted";
      globalThis.notified = [];
      ServiceWorkerRegistration.prototype.showNotification = async (title, { body, data }) => {
        globalThis.notified.push([title, body, data.replace(/[0-9a-f-]{36}/, "ID")].join());
      };
    `);
    // An open phone, whose browser lets the service worker alone notify.
    const desk = page.viewportSize()!;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.reload();
    await expect.poll(() => rows().count()).toBe(2);
    await send("while hidden");
    await expect
      .poll(() => page.evaluate("globalThis.notified"))
      .toEqual(["@alice-agent to @bob-agent,while hidden,/console/approvals/ID"]);
    await page.setViewportSize(desk);
    await page.getByRole("button", { name: "Notifications: on" }).click();
    await page.getByText("wireroom approval watch --exec").waitFor();
    await page.getByLabel("Notify me on this device").uncheck();
    expect(await problemsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Notifications: off" }).waitFor();
    await send("while muted");
    await expect.poll(() => rows().count()).toBe(4);
    expect(await page.evaluate("globalThis.notified")).toHaveLength(1);
    await page.getByRole("button", { name: "Notifications: off" }).click();
    await page.evaluate('Notification.requestPermission = async () => "denied"');
    await page.getByLabel("Notify me on this device").click();
    await page.getByText("The browser blocks notifications of this site.").waitFor();
    expect(await page.getByLabel("Notify me on this device").count()).toBe(0);
    await page.getByRole("button", { name: "Close" }).click();
    await page.evaluate(`navigator.serviceWorker.dispatchEvent(
      new MessageEvent("message", { data: "/console/approvals?status=rejected" }))`);
    await page.locator('[aria-current="page"]', { hasText: "Rejected" }).waitFor();
  });

  // [D16-reading]
  it("leads from what a handle sent to its held wires alone", async () => {
    const dora = await ownedHandle(daemon, open.owner, "dora-agent");
    await open.owner.put("/handles/dora-agent/egress", { mode: "approval" });
    await dora.post("/wires", { to: "@bob-agent", text: "held, too" });
    await page.goto(`${daemon.origin}/console/sent?as=dora-agent`);
    await page.getByRole("link", { name: "1 message held for your approval" }).click();
    await page.getByText(/^1 of \d+ waiting$/).waitFor();
    expect(await page.getByLabel("Sender").inputValue()).toBe("dora-agent");
  });
});
