/** Lists that grow while a human reads them. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { openChromium } from "../harness/chromium.js";
import { type Console, openConsole, ownedHandle, problemsOf } from "../harness/console.js";
import type { AgentClient } from "../harness/daemon.js";
import { NO_LIMITS } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { countHeld } from "../harness/held-requests.js";
import { OAUTH_DAEMON, OAuthHuman } from "../harness/oauth.js";
import { story } from "../harness/story.js";

const browser = await openChromium();
const { daemon } = await daemonFixture([], { ...OAUTH_DAEMON, args: [...OAUTH_DAEMON.args, ...NO_LIMITS] });

/** The wires in an inbox that needs two pages. */
const RECEIVED = 150;
/** A new wire appears within this time, which is less than that of any poll. */
const SOON = { timeout: 10_000 };
/** The approvals of the browser are one held request. */
const HELD_BY_APPROVALS = 1;

describe.skipIf(!browser)("lists that grow", () => {
  const it = story();
  let open: Console;
  let page: Page;
  let alice: AgentClient;
  let bob: AgentClient;

  const go = (path: string) => page.goto(`${daemon.origin}/console${path}`);
  const wire = (text: string) => page.getByRole("article").filter({ hasText: text });
  const send = async (to: string, text: string, fields: object = {}): Promise<string> => {
    const { status, body } = await bob.post("/wires", { to, text, ...fields });
    expect(status, JSON.stringify(body)).toBe(201);
    return body.id;
  };
  const held = () => countHeld(daemon);
  /** Waits until the page follows what it shows. */
  const followed = () => expect.poll(held).toBe(HELD_BY_APPROVALS + 1);
  const setVisible = (state: "visible" | "hidden") =>
    page.evaluate(`Object.defineProperty(document, "visibilityState", { value: "${state}", configurable: true });
      document.dispatchEvent(new Event("visibilitychange"))`);
  const topOf = async (text: string) => (await wire(text).boundingBox())!.y;
  /**
   * Scrolls to the wire, so that a click scrolls no further. The browser lays out what has come into view,
   * after which nothing may move.
   */
  const scrolledTopOf = async (text: string) => {
    await wire(text).getByText(text).hover();
    let [top, last] = [0, 0];
    await expect
      .poll(
        async () => {
          [top, last] = [await topOf(text), top];
          return top - last;
        },
        { interval: 200 },
      )
      .toBe(0);
    return top;
  };

  beforeAll(async () => {
    if (!browser) return;
    open = await openConsole(browser, daemon, { path: "/inbox" });
    page = open.page;
    alice = await ownedHandle(daemon, open.owner, "alice");
    const other = await OAuthHuman.signUp(daemon);
    bob = await ownedHandle(daemon, daemon.client(await other.idToken()), "bob");
    await alice.post("/spaces", { slug: "ops", visibility: "public" });
    for (let n = 1; n <= RECEIVED; n++) await send("@alice", `wire ${n} of many`);
  }, 60_000);
  afterAll(() => expect(open?.complaints ?? []).toEqual([]));

  // [D16-reading]
  it("shows the newest items of an inbox after one page, and older ones on demand", async () => {
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/handles/alice/inbox?")) asked.push(new URL(request.url()).search);
    });
    await go("/inbox?as=alice");
    await wire(`wire ${RECEIVED} of many`).waitFor();
    await followed();
    expect(asked.filter((query) => query.includes("order=newest"))).toHaveLength(1);
    expect(asked).toHaveLength(3);
    expect(await page.getByRole("article").count()).toBe(100);
    await page.getByRole("link", { name: "Inbox 100+" }).waitFor();
    await page.getByRole("button", { name: "Show more" }).click();
    await wire("wire 1 of many").waitFor();
    expect(await page.getByRole("article").count()).toBe(RECEIVED);
    expect(await page.getByRole("button", { name: "Show more" }).count()).toBe(0);
  });

  // [D21-back]
  it("goes back to the same pages and to the same place", async () => {
    const before = await scrolledTopOf("wire 20 of many");
    await wire("wire 20 of many").getByText("wire 20 of many").click();
    await page.getByRole("heading", { name: "Thread" }).waitFor();
    expect(await page.evaluate("scrollY")).toBe(0);
    await page.goBack();
    await wire("wire 20 of many").waitFor();
    expect(await page.getByRole("article").count()).toBe(RECEIVED);
    await expect.poll(async () => Math.round((await topOf("wire 20 of many")) - before)).toBe(0);

    // What is opened meanwhile begins at its top.
    await wire("wire 20 of many").getByText("wire 20 of many").click();
    await page.getByRole("heading", { name: "Thread" }).waitFor();
    const inbox = `document.querySelector('nav a[href*="/inbox"]')`;
    await page.evaluate(`addEventListener("popstate", () => ${inbox}.click(), { once: true })`);
    await page.goBack();
    await wire("wire 20 of many").waitFor();
    const frames =
      "new Promise((done) => { let n = 30; (function next() { n-- ? requestAnimationFrame(next) : done(); })(); })";
    await page.evaluate(frames);
    expect(await page.evaluate("scrollY")).toBe(0);
  });

  // [D21-new-wire]
  it("completes the name of a sender that is no contact", async () => {
    await page.getByRole("link", { name: "New wire" }).click();
    await page.locator('datalist option[value="@bob"]').waitFor({ state: "attached" });
    await page.goBack();
    await wire("wire 20 of many").waitFor();
  });

  // [D16-live]
  it("shows a new item at once, and announces it", async () => {
    await page.reload();
    await wire(`wire ${RECEIVED} of many`).waitFor();
    await followed();
    // The announcement goes again after three seconds.
    const announced = page.getByRole("status").filter({ hasText: "1 new" }).waitFor({ state: "attached" });
    await Promise.all([announced, send("@alice", "the first new one")]);
    await wire("the first new one").waitFor(SOON);
    expect(await page.getByRole("article").first().innerText()).toContain("the first new one");
    expect(await page.getByRole("button", { name: "1 new" }).count()).toBe(0);
  });

  // [D16-live]
  it("moves nothing that is read: a button offers new items, and leads to them", async () => {
    const before = await scrolledTopOf("wire 60 of many");
    await send("@alice", "the second new one");
    await page.getByRole("button", { name: "1 new" }).waitFor(SOON);
    await send("@alice", "the third new one");
    const button = page.getByRole("button", { name: "2 new" });
    await button.waitFor(SOON);
    expect(await topOf("wire 60 of many")).toBe(before);
    expect(await wire("the third new one").count()).toBe(0);
    expect(await problemsOf(page)).toEqual([]);
    await button.click();
    await expect.poll(() => wire("the third new one").locator("a.to:focus").count()).toBe(1);
    expect(
      (await page.getByRole("article").allInnerTexts())
        .slice(0, 3)
        .map((text) => /the \w+ new one/.exec(text)?.[0]),
    ).toEqual(["the third new one", "the second new one", "the first new one"]);
    expect(await wire("the third new one").isVisible()).toBe(true);
  });

  // [D16-live]
  it("leaves the keyboard focus where it is", async () => {
    // The button has moved the focus into the list.
    await page.keyboard.press("j");
    const focused = page.locator("article a.to:focus");
    const before = await focused.getAttribute("href");
    await send("@alice", "the fourth new one");
    const button = page.getByRole("button", { name: "1 new" });
    await button.waitFor(SOON);
    expect(await focused.getAttribute("href")).toBe(before);
    await button.press("Enter");
    await wire("the fourth new one").waitFor();
  });

  // [D16-live]
  it("holds a request only while the tab is visible, and misses nothing", async () => {
    await followed();
    await setVisible("hidden");
    await expect.poll(held).toBe(HELD_BY_APPROVALS);
    await go("/inbox?as=alice");
    await page.reload();
    await wire("the fourth new one").waitFor();
    await followed();
    await setVisible("hidden");
    await expect.poll(held).toBe(HELD_BY_APPROVALS);
    await send("@alice", "sent while hidden");
    expect(await wire("sent while hidden").count()).toBe(0);
    await setVisible("visible");
    await wire("sent while hidden").waitFor(SOON);
    await followed();
  });

  // [D16-live]
  it("holds at most three requests in many visible tabs, and leaves connections for all", async () => {
    const id = await send("@alice", "shown in every tab");
    const views = [
      "/spaces/ops?as=alice",
      "/spaces/ops?as=alice&replies=no",
      "/spaces/ops?as=alice&order=oldest",
      `/threads/${id}?as=alice`,
    ];
    const tabs: Page[] = [];
    for (const path of views) {
      const tab = await page.context().newPage();
      // A tab of another window is visible, too.
      await tab.addInitScript('Object.defineProperty(document, "visibilityState", { value: "visible" })');
      await tab.goto(`${daemon.origin}/console${path}`);
      await tab
        .getByText(/No wires yet|shown in every tab/)
        .first()
        .waitFor({ timeout: 15_000 });
      tabs.push(tab);
    }
    await expect.poll(held).toBe(HELD_BY_APPROVALS + 3);
    for (const tab of tabs) await tab.close();
    await followed();
  });

  // [D16-live]
  it("follows on after the daemon was restarted, and says meanwhile that it does not", {
    timeout: 60_000,
  }, async () => {
    await daemon.restart(() =>
      page.getByText("New items do not appear at the moment.").waitFor({ timeout: 20_000 }),
    );
    await send("@alice", "after the restart");
    await wire("after the restart").waitFor({ timeout: 20_000 });
    await expect.poll(() => page.getByText("New items do not appear at the moment.").count()).toBe(0);
  });

  // [D16-live]
  it("follows the feed of a space, newest first and oldest first", async () => {
    await go("/spaces/ops?as=alice");
    await page.getByText("No wires yet").waitFor();
    await followed();
    await send("#ops", "the first post");
    await wire("the first post").waitFor(SOON);
    await send("#ops", "the second post");
    await wire("the second post").waitFor(SOON);
    expect(await page.getByRole("article").first().innerText()).toContain("the second post");
    // Back shows the list of before and reads it again, also if a new wire comes meanwhile.
    await wire("the second post").locator("a.to").click();
    await page.getByRole("button", { name: "Remove the wire as a mod" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove the wire as a mod" }).click();
    await page.getByText("Removed by a mod").first().waitFor();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/feed\?.*order=newest/, (route) => released.then(() => route.continue()));
    await page.goBack();
    await wire("the second post").waitFor();
    await followed();
    await send("#ops", "came meanwhile");
    await wire("came meanwhile").waitFor(SOON);
    release();
    await expect.poll(() => wire("the second post").count()).toBe(0);
    await wire("came meanwhile").waitFor();
    await page.unroute(/feed\?.*order=newest/);
    await page.getByLabel("Order").selectOption("oldest");
    await expect
      .poll(async () => await page.getByRole("article").first().innerText())
      .toContain("the first post");
    await followed();
    await send("#ops", "the third post");
    await wire("the third post").waitFor(SOON);
    expect(await page.getByRole("article").last().innerText()).toContain("the third post");
    await page.getByLabel("Order").selectOption("top");
    await expect.poll(held).toBe(HELD_BY_APPROVALS);
  });

  // [D16-live]
  it("follows a thread at its end, and offers what comes below the window", async () => {
    const root = await send("#ops", "the question");
    for (let n = 1; n <= 20; n++) await send("#ops", `answer ${n} of many`, { reply_to: root });
    await go(`/threads/${root}?as=alice`);
    await wire("answer 20 of many").waitFor();
    await followed();
    // The newest is in view at first.
    expect((await wire("answer 20 of many").boundingBox())!.y).toBeLessThan(page.viewportSize()!.height);
    await page.evaluate("scrollTo(0, 0)");
    await send("#ops", "a late answer", { reply_to: root });
    const button = page.getByRole("button", { name: "1 new" });
    await button.waitFor(SOON);
    expect(await wire("a late answer").count()).toBe(0);
    await button.click();
    await expect.poll(() => wire("a late answer").locator("a.to:focus").count()).toBe(1);
    await page.evaluate("scrollTo(0, document.body.scrollHeight)");
    await send("#ops", "a later answer", { reply_to: root });
    await wire("a later answer").waitFor(SOON);
    expect(await problemsOf(page)).toEqual([]);
  });

  // [D16-live]
  it("replies to the wire for which the form was opened, whatever comes or goes meanwhile", async () => {
    const root = await send("#ops", "the first question");
    await go(`/threads/${root}?as=alice`);
    await wire("the first question").waitFor();
    await followed();
    await page.getByText("Reply to @bob").waitFor();
    await page.getByLabel("Text").fill("an answer to the first question");
    const second = await send("#ops", "the second question", { reply_to: root });
    await wire("the second question").waitFor(SOON);
    await page.getByRole("button", { name: "Send as @alice" }).click();
    await page.getByText("Sent.").waitFor();
    await page.locator(".quote").waitFor({ state: "detached" });
    await wire("an answer to the first question").waitFor();
    const replies = async () =>
      (await alice.get(`/threads/${root}`)).body.wires
        .filter(({ sender }: { sender: string }) => sender === "alice")
        .map(({ reply_to }: { reply_to: string }) => reply_to);
    expect(await replies()).toEqual([root]);

    // The next reply is to the wire that is the last one by now.
    await expect.poll(() => page.getByLabel("Text").inputValue()).toBe("");
    await page.getByLabel("Text").fill("an answer to the second question");
    await page.getByRole("button", { name: "Send as @alice" }).click();
    await expect.poll(replies).toEqual([root, second]);
    await expect.poll(() => page.getByLabel("Text").inputValue()).toBe("");
  });

  // [D16-reading]
  it("shows another conversation with each press of Show more, whatever came meanwhile", async () => {
    await ownedHandle(daemon, open.owner, "dora");
    await send("@dora", "the oldest");
    /** Fills a page of the inbox. */
    const fill = async (subject: string) => {
      const root = await send("@dora", subject);
      for (let n = 1; n < 100; n++) await send("@dora", `${subject} ${n}`, { reply_to: root });
      return root;
    };
    const first = await fill("first subject");
    await fill("second subject");
    await go("/inbox?as=dora");
    await wire("second subject 99").waitFor();
    await followed();
    await send("@dora", "first subject again", { reply_to: first });
    await wire("first subject again").waitFor(SOON);
    await page.getByRole("button", { name: "Show more" }).click();
    await wire("the oldest").waitFor();
  });

  // [D16-live]
  it("misses no wire that comes while the last page of a thread is read", async () => {
    const root = await send("#ops", "the root");
    for (const text of ["on the first page", "on the last page"])
      await send("#ops", text, { reply_to: root });
    /** A promise, and the function that resolves it. */
    const later = () => {
      let resolve!: () => void;
      return { promise: new Promise<void>((done) => (resolve = done)), resolve: () => resolve() };
    };
    const [read, shown] = [later(), later()];
    // Pages of two wires. The daemon has read the second page before it comes.
    const pages = /\/threads\/.*limit=100/;
    await page.route(pages, async (route) => {
      const url = route.request().url();
      if (url.includes("wait=")) return route.continue();
      const response = await route.fetch({ url: url.replace("limit=100", "limit=2") });
      if (url.includes("cursor=")) {
        read.resolve();
        await shown.promise;
      }
      return route.fulfill({ response });
    });
    await go(`/threads/${root}?as=alice`);
    await read.promise;
    await send("#ops", "came meanwhile", { reply_to: root });
    shown.resolve();
    await wire("on the last page").waitFor();
    await wire("came meanwhile").waitFor();
    expect(await wire("on the last page").count()).toBe(1);
    await page.unroute(pages);
  });
});
