/** Answers to approvals: how a human gives them, takes them back and leaves them. */
import type { Locator, Page, Route } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openChromium } from "../harness/chromium.js";
import {
  type Console,
  holdAnswers,
  openConsole,
  ownedHandle,
  problemsOf,
  signedIn,
  signIn,
  signOut,
} from "../harness/console.js";
import { type AgentClient, NO_LIMITS } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { OAUTH_DAEMON, OAuthHuman } from "../harness/oauth.js";

const LINES = [
  { sku: "A-1", price: 2 },
  { sku: "B-2", price: 3 },
];

const browser = await openChromium();
const { daemon } = await daemonFixture([], { ...OAUTH_DAEMON, args: [...OAUTH_DAEMON.args, ...NO_LIMITS] });

describe.skipIf(!browser)("the answers to approvals", () => {
  let open: Console;
  let page: Page;
  let alice: AgentClient;
  const rows = () => page.locator(".list > .pick");
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const goto = (path: string) => page.goto(`${daemon.origin}/console${path}`);
  const approvals = async () =>
    (await open.owner.get("/approvals?limit=100")).body.approvals as {
      id: string;
      status: string;
      wire: { id: string };
    }[];
  const statusOf = async (id: string) => (await approvals()).find(({ wire }) => wire.id === id)!.status;
  const send = async (text: string): Promise<string> => {
    const { status, body } = await alice.post("/wires", { to: "@bob-agent", text });
    expect(status).toBe(202);
    return body.id;
  };
  /** Presses a key with the modifiers and the repetitions that a real keyboard would send. */
  const details = () => page.locator("section.sheet");
  const currentRow = () => page.locator(".pick[aria-current]");
  /** Whether the element is whole in the window, between the header and the bottom. */
  const isVisible = async (locator: Locator) => {
    const { y, height } = (await locator.boundingBox())!;
    return y >= 0 && y + height <= page.viewportSize()!.height;
  };
  const press = (init: object) =>
    page.evaluate(
      `document.body.dispatchEvent(new KeyboardEvent("keydown", ${JSON.stringify({ bubbles: true, cancelable: true, ...init })}))`,
    );

  beforeAll(async () => {
    if (!browser) return;
    open = await openConsole(browser, daemon, { path: "/approvals" });
    page = open.page;
    const bob = daemon.client(await (await OAuthHuman.signUp(daemon)).idToken());
    for (const slug of ["bob-agent", "b0b-agent"]) await ownedHandle(daemon, bob, slug);
    alice = await ownedHandle(daemon, open.owner, "alice-agent");
    await open.owner.put("/handles/alice-agent/egress", { mode: "approval" });
  });
  afterEach(async () => {
    if (!browser) return;
    for (const { id, status } of await approvals())
      if (status === "pending") await open.owner.put(`/approvals/${id}`, { status: "rejected" });
    await open.owner.put("/handles/alice-agent/egress", { mode: "approval", allow: [] });
    await goto("/approvals");
    await page.getByRole("heading", { name: "Nothing waits for you" }).waitFor();
  });
  afterAll(() => expect(open?.complaints ?? []).toEqual([]));

  // [D16-approvals-undo]
  it("undoes the answer to the only approval by keyboard", async () => {
    const id = await send("the only wire");
    await rows().first().waitFor();
    await holdAnswers(page);
    await page.keyboard.press("a");
    await page.getByRole("heading", { name: "Nothing waits for you" }).waitFor();
    await page.keyboard.press("u");
    await expect.poll(() => rows().count()).toBe(1);
    expect(await statusOf(id)).toBe("pending");
    expect(await page.getByText("It is sent in 5 seconds").count()).toBe(0);
  });

  // [D16-approvals]
  it("answers one approval by a double click, and by a key that is held", async () => {
    for (const text of ["wire 1", "wire 2", "wire 3", "wire 4", "wire 5"]) await send(text);
    await expect.poll(() => rows().count()).toBe(5);
    await holdAnswers(page);
    await button("Approve").dblclick();
    await expect.poll(() => rows().count()).toBe(4);
    await page.locator("h1").click();
    await page.keyboard.down("r");
    await page.keyboard.down("r");
    await page.keyboard.up("r");
    await expect.poll(() => rows().count()).toBe(3);
    await button("Reject").focus();
    await page.keyboard.down("Enter");
    await page.keyboard.down("Enter");
    await page.keyboard.up("Enter");
    await expect.poll(() => rows().count()).toBe(2);
    // A held key may still move through the list.
    await press({ key: "j" });
    await press({ key: "k" });
    await press({ key: "j", repeat: true });
    await expect.poll(() => page.locator(".pick[aria-current]").innerText()).toContain("wire 5");
    for (let n = 2; n < 5; n++) {
      await page.keyboard.press("u");
      await expect.poll(() => rows().count()).toBe(n + 1);
    }
  });

  // [D16-approvals]
  it("allows a recipient for good only with Shift, and says so", async () => {
    const id = await send("with Caps Lock");
    await rows().first().waitFor();
    const sendNow = await holdAnswers(page);
    await press({ key: "A", code: "KeyA", shiftKey: false });
    await page.getByText("It is sent in 5 seconds.").waitFor();
    await page.keyboard.press("u");
    await rows().first().waitFor();
    await press({ key: "a", code: "KeyA", shiftKey: true });
    await page
      .getByText("It is sent in 5 seconds, and this recipient is always allowed from then on.")
      .waitFor();
    expect(await sendNow()).toBe(1);
    await expect.poll(() => statusOf(id)).toBe("approved");
    expect((await open.owner.get("/handles/alice-agent/egress")).body.allow).toEqual(["@bob-agent"]);
  });

  // [D16-approvals]
  it("are not shown again by a list that was read before they were sent", async () => {
    const id = await send("answered meanwhile");
    await rows().first().waitFor();
    const sendNow = await holdAnswers(page);
    let answer!: () => void;
    const late = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const listed = /\/v1\/approvals\?.*wait=0/;
    let read!: () => void;
    const isRead = new Promise<void>((resolve) => {
      read = resolve;
    });
    await page.route(listed, async (route: Route) => {
      const response = await route.fetch();
      if ((await response.text()).includes("arrives meanwhile")) {
        read();
        await late;
      }
      await route.fulfill({ response });
    });
    await send("arrives meanwhile");
    await isRead;
    const sent = page.waitForResponse((response) => response.request().method() === "PUT");
    await page.keyboard.press("a");
    await sendNow();
    await sent;
    expect(await statusOf(id)).toBe("approved");
    answer();
    for (const pauseMs of [0, 500]) {
      await page.evaluate(`new Promise((resolve) => setTimeout(resolve, ${pauseMs}))`);
      await expect.poll(() => rows().allInnerTexts()).toEqual([expect.stringContaining("arrives meanwhile")]);
    }
    await page.unroute(listed);
  });

  // [D16-approvals-many] [D16-console-sign-out]
  it("are sent before the human signs out, who stays if one does not arrive", async () => {
    const id = await send("approved, and signed out");
    await rows().first().waitFor();
    await holdAnswers(page);
    await page.route("**/v1/approvals/*", (route) =>
      route.fulfill({ status: 409, json: { code: "CONFLICT", message: "not now" } }),
    );
    await page.keyboard.press("a");
    await signOut(page);
    await page.getByText("The answer did not arrive, and it waits again: not now").waitFor();
    await page.getByText("You are still signed in").waitFor();
    await page.unroute("**/v1/approvals/*");
    await page.getByRole("link", { name: "Approvals" }).click();
    await rows().first().waitFor();
    await page.locator("h1").click();
    await page.keyboard.press("a");
    await page.getByText("It is sent in 5 seconds").waitFor();
    await signOut(page);
    await button("Sign in").waitFor();
    expect(await statusOf(id)).toBe("approved");
    await signIn(page, open.email);
  });

  // [D16-approvals-many]
  it("are sent with a fresh token when the page is left, however long it was idle", async () => {
    const id = await send("after an hour");
    await rows().first().waitFor();
    await holdAnswers(page);
    const answered = page.waitForRequest((request) => request.method() === "PUT");
    const renewed = page.waitForResponse("**/identity/console/session");
    await page.evaluate("{ const now = Date.now; Date.now = () => now() + 3_600_000; }");
    await page.keyboard.press("a");
    const { id_token } = await (await renewed).json();
    await page.evaluate(`Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
      document.dispatchEvent(new Event("visibilitychange"))`);
    expect((await answered).headers().authorization).toBe(`Bearer ${id_token}`);
    await expect.poll(() => statusOf(id)).toBe("approved");
  });

  // [D16-approvals]
  it("are those of the human of the tab alone, if two have signed in in one browser", async () => {
    const second = await OAuthHuman.signUp(daemon);
    const context = await browser!.newContext();
    const tabs = [await context.newPage(), await context.newPage()] as const;
    for (const tab of tabs) {
      await tab.goto(`${daemon.origin}/console/approvals`);
      await tab.getByRole("button", { name: "Sign in" }).waitFor();
    }
    await send("for the first human");
    await signIn(tabs[0], open.email);
    await tabs[0].locator(".pick").waitFor();
    await signIn(tabs[1], second.email);
    await tabs[1].getByRole("heading", { name: "Nothing waits for you" }).waitFor();
    await send("for the first human, too");
    await expect.poll(() => tabs[0].locator(".pick").count()).toBe(2);
    expect(await tabs[1].locator(".pick").count()).toBe(0);
    await signedIn(tabs[1]);
    await context.close();
  });

  // [D16-approvals-list] [D16-approvals-many]
  it("follow the selection in a list that is longer than the window", async () => {
    for (let n = 1; n <= 24; n++) await send(`wire ${n}`);
    await alice.post("/wires", { to: "@b0b-agent", text: "the last one", payload: { lines: LINES } });
    await expect.poll(() => rows().count()).toBe(25);
    for (let n = 0; n < 15; n++) await page.keyboard.press("j");
    await details().getByText("wire 16", { exact: true }).waitFor();
    expect(await isVisible(currentRow())).toBe(true);
    expect(await page.evaluate("scrollY")).toBe(0);
    const before = await currentRow().boundingBox();
    await page.locator(".pick", { hasText: /wire 15$/m }).click();
    await details().getByText("wire 15", { exact: true }).waitFor();
    await page.keyboard.press("j");
    expect((await currentRow().boundingBox())!.y).toBe(before!.y);

    // The keys also work on a check box and on a filter.
    const box = (text: RegExp) => page.locator(".pick", { hasText: text }).getByRole("checkbox");
    await box(/wire 16/).check();
    await box(/wire 19/).click({ modifiers: ["Shift"] });
    await page.getByText("4 selected", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("25 waiting").waitFor();
    await page.getByLabel("Text").fill("WIRE 16");
    await expect.poll(() => rows().count()).toBe(1);
    await page.getByLabel("Text").fill("");
    await page.getByLabel("Recipient").selectOption("@b0b-agent");
    await expect.poll(() => rows().count()).toBe(1);
    // No button answers what a filter hides.
    await details().getByText("the last one", { exact: true }).waitFor();
    await page.getByLabel("Kind").selectOption("knock");
    await page.getByText("Nothing matches.").waitFor();
    await button("Approve").waitFor({ state: "detached" });
    expect(await details().count()).toBe(0);
    await page.getByRole("button", { name: "Show all" }).click();
    await details().getByText("wire 1", { exact: true }).waitFor();
    for (let n = 0; n < 15; n++) await page.keyboard.press("j");
    await page.keyboard.press("g");
    const group = page.getByLabel("Select all of @alice-agent to @bob-agent");
    await group.waitFor();
    for (let n = 0; n < 12; n++) await page.keyboard.press("k");
    await details().getByText("wire 4", { exact: true }).waitFor();
    const head = (await page.locator(".group").first().boundingBox())!;
    expect((await currentRow().boundingBox())!.y).toBeGreaterThanOrEqual(head.y + head.height);
    await group.check();
    await page.getByText("24 selected", { exact: true }).waitFor();
    for (const name of ["Approve 24 and always allow", "Reject 24 with a note"]) await button(name).waitFor();
    await holdAnswers(page);
    await page.keyboard.press("r");
    await page.getByText("Rejected 24: @alice-agent to @bob-agent and 23 more.").waitFor();

    // What is left has a payload, and a recipient that looks like a known one.
    expect(await details().locator("td").allInnerTexts()).toEqual(["A-1", "2", "B-2", "3"]);
    await page.getByRole("button", { name: "Raw" }).click();
    expect(await details().locator("pre").innerText()).toBe(JSON.stringify({ lines: LINES }, null, 2));
    await page.keyboard.press("a");
    await page.getByText("Approved 1 and rejected 24. The last was @alice-agent to @b0b-agent.").waitFor();
    await page.getByRole("button", { name: "Undo all" }).click();
    await expect.poll(() => rows().count()).toBe(25);
    // Undo selects again what one answer went to.
    await page.getByText("24 selected", { exact: true }).waitFor();
    await page.keyboard.press("g");
    // A filter does not hide what is ticked again.
    await page.keyboard.press("Escape");
    for (const text of [/wire 16/, /wire 17/]) await box(text).check();
    await page.keyboard.press("r");
    await page.getByText("Rejected 2: ").waitFor();
    await page.getByLabel("Recipient").selectOption("@b0b-agent");
    await expect.poll(() => rows().count()).toBe(1);
    await page.keyboard.press("u");
    await page.getByText("2 selected", { exact: true }).waitFor();
    expect(await rows().count()).toBe(3);
    // A filter survives a reload.
    await page.reload();
    await page.getByText("1 of 25 waiting").waitFor();
    await page.getByLabel("Recipient").selectOption("");
  });

  // [D16-approvals-note]
  it("offer those like one whose recipient is always allowed, and tell the handle why one is rejected", async () => {
    const ids = [await send("twin 1"), await send("twin 2"), await send("twin 3")];
    for (const text of ["other 1", "other 2"]) await alice.post("/wires", { to: "@b0b-agent", text });
    await expect.poll(() => rows().count()).toBe(5);
    await holdAnswers(page);
    // Those for each of several recipients are offered.
    for (const n of [0, 3]) await rows().nth(n).getByRole("checkbox").check();
    await page.keyboard.press("Shift+A");
    await page.getByText("@alice-agent to @bob-agent and 1 more: 3 others wait.").waitFor();
    await page.keyboard.press("u");
    await expect.poll(() => rows().count()).toBe(5);
    for (const { id, target } of (await open.owner.get("/approvals?status=pending")).body.approvals)
      if (target === "@b0b-agent") await open.owner.put(`/approvals/${id}`, { status: "rejected" });
    await goto("/approvals");
    await expect.poll(() => rows().count()).toBe(3);
    const sendNow = await holdAnswers(page);
    await page.keyboard.press("Shift+A");
    const offer = page.getByText("@alice-agent to @bob-agent: 2 others wait.");
    await offer.waitFor();
    // The offer ends when the human leaves the approvals.
    await page.getByRole("link", { name: "Sent" }).click();
    await offer.waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Approvals" }).click();
    await expect.poll(() => rows().count()).toBe(2);
    expect(await offer.count()).toBe(0);
    await page.keyboard.press("u");
    await expect.poll(() => rows().count()).toBe(3);
    await page.keyboard.press("Shift+A");
    await offer.waitFor();
    await page.keyboard.press("Shift+R");
    // A longer note is not cut.
    await page.getByLabel("Note").fill("x".repeat(501));
    await page.getByText("501 characters. At most 500 are possible.").waitFor();
    await page.keyboard.press("Control+Enter");
    expect(await page.getByRole("dialog").count()).toBe(1);
    await page.getByLabel("Note").fill("Ask for the price first.");
    await page.keyboard.press("Control+Enter");
    await page.getByText("1 other waits.").waitFor();
    await rows().getByRole("link").click();
    await page.waitForURL("**/approvals/*");
    await page.getByRole("button", { name: "Approve it, too" }).click();
    await page.getByRole("heading", { name: "Nothing waits for you" }).waitFor();
    expect(await sendNow()).toBe(3);
    const expected = ["approved", "rejected", "approved"];
    await expect.poll(() => Promise.all(ids.map(statusOf))).toEqual(expected);
    const { approval_notices } = (await alice.get("/inbox")).body;
    expect(approval_notices.find((each: { note: string | null }) => each.note)?.note).toBe(
      "Ask for the price first.",
    );
  });

  // [D16-approvals-facts]
  it("show that the policy that held a wire would allow it now", async () => {
    for (const text of ["wire 1", "wire 2"]) await send(text);
    await expect.poll(() => rows().count()).toBe(2);
    const fact = details().getByText("because @bob-agent was on neither of its lists");
    await fact.waitFor();
    expect(await fact.innerText()).not.toContain("now");
    await open.owner.put("/handles/alice-agent/egress", { also_allow: ["@bob-agent"] });
    await page.keyboard.press("j");
    await details().getByText("It allows @bob-agent now.").waitFor();
  });

  // [D16-approvals-list]
  it("can follow a long wire that the keyboard scrolls", async () => {
    await send("a line\n".repeat(200));
    await rows().first().waitFor();
    const scrolled = () => page.evaluate<number>(`document.querySelector(".pane-body").scrollTop`);
    for (const [down, up] of [
      ["PageDown", "PageUp"],
      ["Space", "Shift+Space"],
    ] as const) {
      await page.keyboard.press(down);
      await expect.poll(scrolled).toBeGreaterThan(100);
      await page.keyboard.press(up);
      await expect.poll(scrolled).toBe(0);
    }
    await rows().getByRole("checkbox").focus();
    await page.keyboard.press("Space");
    await page.getByText("1 selected", { exact: true }).waitFor();
    expect(await scrolled()).toBe(0);
    await page.keyboard.press("?");
    await page.getByRole("dialog").getByText("PageDown").waitFor();
    await page.keyboard.press("Escape");
  });

  // [D16-approvals-elsewhere]
  it("given elsewhere show in all tabs at once, also on the page of that approval", async () => {
    const id = await send("answered on a phone");
    await rows().first().waitFor();
    const other = await page.context().newPage();
    await other.goto(`${daemon.origin}/console/approvals`);
    await other.locator(".pick").waitFor();
    const approval = (await approvals()).find(({ wire }) => wire.id === id)!;
    const answer = { status: "rejected", note: "Not now." };
    await open.owner.put(`/approvals/${approval.id}`, answer);
    for (const tab of [page, other]) await tab.locator(".pick").waitFor({ state: "detached" });
    await other.goto(`${daemon.origin}/console/approvals/${approval.id}`);
    await other.locator("section.sheet", { hasText: "Not now." }).getByText("Rejected").waitFor();
    await other.close();
  });

  // [D16-approvals-phone] [D16-approvals-many]
  it("are at the thumb on a phone, where a swipe answers", async () => {
    const before = page.viewportSize()!;
    for (let n = 1; n <= 12; n++) await send(`wire ${n}`);
    await expect.poll(() => rows().count()).toBe(12);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => currentRow().count()).toBe(0);
    await page.keyboard.press("a");
    await page.getByText("Open an approval or select some first.").waitFor();
    for (const n of [0, 1]) await rows().nth(n).getByRole("checkbox").check();
    expect(await isVisible(button("Reject 2 selected"))).toBe(true);
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    await details().getByText("wire 1", { exact: true }).waitFor();
    await page.getByText("1 of 12").waitFor();
    const bar = (await page.locator(".answer-bar").boundingBox())!;
    expect(bar.y + bar.height).toBe(844);
    // Two thirds of the window are for the wire.
    expect(bar.y - (await details().boundingBox())!.y).toBeGreaterThan(563);
    await holdAnswers(page);
    const session = await page.context().newCDPSession(page);
    const swipe = async (from: number, to: number) => {
      const touch = (type: "touchStart" | "touchMove" | "touchEnd", x?: number) =>
        session.send("Input.dispatchTouchEvent", {
          type,
          touchPoints: x === undefined ? [] : [{ x, y: 300 }],
        });
      await touch("touchStart", from);
      await touch("touchMove", (from + to) / 2);
      await touch("touchMove", to);
      await touch("touchEnd");
    };
    await swipe(100, 300);
    await page.getByText("Approved: @alice-agent to @bob-agent.").waitFor();
    await details().getByText("wire 2", { exact: true }).waitFor();
    await swipe(300, 100);
    await page.getByText("Approved 1 and rejected 1. The last was").waitFor();
    await button("Undo all").click();
    expect(await problemsOf(page)).toEqual([]);
    await page.setViewportSize(before);
    await button("Reject").waitFor();
  });

  // [D16-approvals-phone]
  it("stay on the screen of a phone during a swipe", async () => {
    const id = await send("swiped and taken back");
    const context = await browser!.newContext({
      isMobile: true,
      hasTouch: true,
      viewport: { width: 390, height: 844 },
      storageState: await page.context().storageState(),
    });
    const phone = await context.newPage();
    await phone.goto(`${daemon.origin}/console/approvals`);
    await phone.locator(".pick a.to").tap();
    await phone.locator("section.sheet").getByText("swiped and taken back").waitFor();
    const session = await context.newCDPSession(phone);
    const touch = (type: "touchStart" | "touchMove" | "touchCancel", ...x: number[]) =>
      session.send("Input.dispatchTouchEvent", { type, touchPoints: x.map((each) => ({ x: each, y: 300 })) });
    for (const [from, to] of [
      [300, 110],
      [100, 290],
    ] as const) {
      await touch("touchStart", from);
      for (const x of [(2 * from + to) / 3, (from + 2 * to) / 3, to]) {
        await touch("touchMove", x);
        await phone.locator("[data-swipe]").waitFor();
        expect(await phone.evaluate("[innerWidth, innerHeight]")).toEqual([390, 844]);
      }
      await touch("touchCancel");
    }
    expect(await statusOf(id)).toBe("pending");
    await context.close();
  });

  /** Approves so many wires at once. Returns their ids. */
  const approveMany = async (count: number) => {
    const ids: string[] = [];
    for (let n = 1; n <= count; n++) ids.push(await send(`one of many: ${n}`));
    await expect.poll(() => rows().count()).toBe(count);
    for (const row of await rows().all()) await row.getByRole("checkbox").check();
    const sendNow = await holdAnswers(page);
    await button(`Approve ${count} selected`).click();
    expect(await sendNow()).toBe(1);
    return ids;
  };
  const statuses = (ids: readonly string[]) => Promise.all(ids.map(statusOf));

  // [D16-approvals-many]
  it("are all sent if the page is left while one after the other is sent", async () => {
    // The second answer gets no response as long as the page is shown.
    await page.evaluate(`{
      const send = fetch;
      globalThis.answers = 0;
      globalThis.fetch = (url, init) =>
        init?.method !== "PUT" || init.keepalive || ++globalThis.answers !== 2 ? send(url, init) : new Promise(() => {});
    }`);
    const ids = await approveMany(4);
    await expect.poll(() => page.evaluate("globalThis.answers")).toBe(2);
    await page.goto("about:blank");
    await expect.poll(() => statuses(ids)).toEqual(ids.map(() => "approved"));
  });

  // [D16-approvals-many]
  it("say what was approved, but not sent, when the page is left and shown again", async () => {
    const carl = daemon.client(await (await OAuthHuman.signUp(daemon)).idToken());
    await ownedHandle(daemon, carl, "carl-agent");
    for (const text of ["too late", "this one, too"])
      expect((await alice.post("/wires", { to: "@carl-agent", text })).status).toBe(202);
    await expect.poll(() => rows().count()).toBe(2);
    await carl.delete("/handles/carl-agent");
    await holdAnswers(page);
    for (const text of ["It is sent in 5 seconds", "They are sent in 5 seconds"]) {
      await page.keyboard.press("a");
      await page.getByText(text).waitFor();
    }
    let responses = 0;
    page.on("response", (response) => response.request().method() === "PUT" && responses++);
    await page.evaluate(`Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
      document.dispatchEvent(new Event("visibilitychange"))`);
    await expect.poll(() => responses).toBe(2);
    // The same problem is shown once.
    await page.getByText("It was approved, but not sent to @carl-agent:").waitFor();
  });

  // [D16-approvals]
  it("stay answered in all tabs if a list that was asked for before comes after them", async () => {
    await send("answered meanwhile");
    const other = await page.context().newPage();
    await other.goto(`${daemon.origin}/console/approvals`);
    for (const tab of [page, other]) await tab.locator(".list > .pick").waitFor();
    // The first tab reads the approvals for both. Its next list comes late, and it reads no other one after
    // it.
    let come!: () => void;
    const late = new Promise<void>((resolve) => {
      come = resolve;
    });
    let state = "";
    await page.route("**/v1/approvals?*", async (route) => {
      if (state === "late" && route.request().url().includes("wait=45")) {
        state = "shown";
        return;
      }
      const response = await route.fetch();
      if (state === "") {
        state = "late";
        await late;
      }
      await route.fulfill({ response });
    });
    await send("one more");
    await expect.poll(() => state).toBe("late");
    const sendNow = await holdAnswers(other);
    await other.locator(".pick", { hasText: "answered meanwhile" }).getByRole("checkbox").check();
    const answer = other.waitForResponse((response) => response.request().method() === "PUT");
    await other.getByRole("button", { name: "Reject 1 selected" }).click();
    expect(await sendNow()).toBe(1);
    await answer;
    come();
    await expect.poll(() => state).toBe("shown");
    for (const tab of [page, other]) {
      await tab.locator(".pick", { hasText: "one more" }).waitFor();
      await tab.evaluate(
        "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))",
      );
      await expect.poll(() => tab.locator(".pick", { hasText: "answered meanwhile" }).count()).toBe(0);
    }
    await page.unroute("**/v1/approvals?*");
    await other.close();
  });

  // [D16-approvals-many] [D16-console-sign-out]
  it("are all sent before the human signs out while one after the other is sent", async () => {
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "PUT" || request.method() === "DELETE") sent.push(request.method());
    });
    let answer!: () => void;
    const late = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/v1/approvals/*", async (route) => {
      await late;
      await route.continue();
    });
    const ids = await approveMany(3);
    await expect.poll(() => sent).toEqual(["PUT"]);
    await signOut(page);
    answer();
    await button("Sign in").waitFor();
    expect(sent).toEqual(["PUT", "PUT", "PUT", "DELETE"]);
    // The next human at this browser does not see that something waited.
    expect(await page.locator("#icon").getAttribute("href")).toMatch(/\/icon\.svg$/);
    expect(await statuses(ids)).toEqual(ids.map(() => "approved"));
    await page.unroute("**/v1/approvals/*");
    await signIn(page, open.email);
  });
});
