import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { openChromium } from "../harness/chromium.js";
import { type Console, openConsole, ownedHandle, problemsOf, tabTo } from "../harness/console.js";
import type { AgentClient } from "../harness/daemon.js";
import { NO_LIMITS } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { OAUTH_DAEMON, OAuthHuman } from "../harness/oauth.js";
import { story } from "../harness/story.js";

const browser = await openChromium();
const { daemon } = await daemonFixture([], { ...OAUTH_DAEMON, args: [...OAUTH_DAEMON.args, ...NO_LIMITS] });

describe.skipIf(!browser)("reading in the console", () => {
  const it = story();
  let open: Console;
  let page: Page;
  let alice: AgentClient;
  let bob: AgentClient;
  /** The ids of bob's question, and of alice's answer. */
  let question: string;
  let answer: string;

  const go = (path: string) => page.goto(`${daemon.origin}/console${path}`);
  const wires = () => page.getByRole("article");
  const link = (name: string) => page.getByRole("link", { name, exact: true });
  const sendAs = async (agent: AgentClient, body: object): Promise<string> =>
    (await agent.post("/wires", body)).body.id;

  beforeAll(async () => {
    if (!browser) return;
    open = await openConsole(browser, daemon, { path: "/inbox" });
    page = open.page;
    await page.getByRole("heading", { name: "You have no handle yet" }).waitFor();
    const stranger = daemon.client(await (await OAuthHuman.signUp(daemon)).idToken());
    bob = await ownedHandle(daemon, stranger, "bob");
    alice = await ownedHandle(daemon, open.owner, "alice");
    question = await sendAs(bob, { to: "@alice", text: `What does it cost?\n${"please ".repeat(200)}` });
    const payload = {
      price: 12.5,
      lines: [{ day: "Monday" }],
      many: Array.from({ length: 600 }, (_, n) => n),
    };
    answer = await sendAs(alice, { to: "@bob", payload, reply_to: question });
    await alice.post("/spaces", { slug: "ops", visibility: "private" });
    await sendAs(alice, { to: "#ops", text: "The disks are full." });
    await sendAs(alice, { to: "#ops", text: "Nothing to see." });
  });
  afterAll(async () => {
    expect(open?.complaints ?? []).toEqual([]);
  });

  // [D16-reading]
  it("shows what a handle received, newest first, whole and as it arrives", async () => {
    await go("/inbox");
    await wires().getByText("What does it cost?").waitFor();
    await wires().getByText("a stranger").waitFor();
    const gone = await sendAs(bob, { to: "@alice", text: "a mistake" });
    await bob.delete(`/wires/${gone}`);
    await bob.post("/knocks", { handle: "@alice", intro: "May I write to you?" });
    await page.getByText("May I write to you?").waitFor();
    const rows = await page.locator(".list > li").allInnerTexts();
    expect(rows.map((row) => /mistake|Removed|May I write|What does it cost/.exec(row)?.[0])).toEqual([
      "May I write",
      "Removed",
      "What does it cost",
    ]);
    // A thread is one row, with its newest wire and the number of new ones.
    const first = await sendAs(bob, { to: "@alice", text: "The first part." });
    await sendAs(bob, { to: "@alice", text: "The second part.", payload: { price: 3 }, reply_to: first });
    const conversation = page.locator(".list > li", { hasText: "The second part." });
    await conversation.getByText("2 new").waitFor();
    await conversation.getByText("{ price: 3 }").waitFor();
    await conversation.getByRole("link", { name: "Reply" }).waitFor();
    expect(await page.getByText("The first part.").count()).toBe(0);
    await page.getByLabel("Filter by text").fill("SECOND part");
    await expect.poll(() => page.locator(".list > li").count()).toBe(1);
    await page.getByLabel("Filter by text").fill("");
    await page.getByLabel("Show").selectOption("Knocks");
    await page.getByText("May I write to you?").waitFor();
    expect(await page.locator(".list > li").count()).toBe(1);
    await page.getByLabel("Show").selectOption("Everything");
    await bob.post("/spaces", { slug: "plaza", visibility: "public" });
    await sendAs(bob, { to: "#plaza", text: "Look here.", mentions: ["alice"] });
    await page.locator(".list > li").getByText("#plaza").waitFor();
    // What the agent has not acknowledged is marked, and a knock is answered in place.
    await page.locator(".list > li", { hasText: "What does it cost?" }).getByText("New").waitFor();
    await page.getByRole("button", { name: "Accept the knock of @bob" }).click();
    await page.locator(".list > li").getByText("Accepted", { exact: true }).waitFor();
    expect((await alice.get("/contacts")).body.contacts).toMatchObject([{ handle: "bob" }]);
    expect(await problemsOf(page)).toEqual([]);
  });

  // [D16-reading]
  it("lists what a handle sent, with payloads that unfold", async () => {
    await link("Sent").click();
    await wires().getByText("The disks are full.").waitFor();
    expect(await wires().count()).toBe(3);
    const wire = wires().filter({ hasText: "12.5" });
    expect(await wire.getByText("Monday").count()).toBe(0);
    await wire.getByText('"lines": [1]').click();
    await wire.locator("summary", { hasText: '0: { day: "Monday" }' }).waitFor();
    await tabTo(wire.getByText('"many": [600]'));
    await page.keyboard.press("Enter");
    await wire.getByText("… 100").waitFor();
    expect(await problemsOf(page)).toEqual([]);
    await page.getByLabel("Recipient").selectOption("@bob");
    await expect.poll(() => wires().count()).toBe(1);
    await page.getByLabel("Recipient").selectOption("All recipients");
    await page.getByLabel("Filter by text").fill("disks");
    await expect.poll(() => wires().count()).toBe(1);
    // Wires without a payload do not contain "null".
    await page.getByLabel("Filter by text").fill("null");
    await page.getByText("Nothing matches.").waitFor();
    await page.getByLabel("Filter by text").fill("");
    await expect.poll(() => wires().count()).toBe(3);
  });

  // [D16-reading]
  it("shows one wire with its delivery, and removes it after asking", async () => {
    await go(`/wires/${answer}?as=alice`);
    await page.getByText("Not read yet, sent").waitFor();
    const { next_cursor } = (await bob.get("/inbox")).body;
    await bob.get(`/inbox?cursor=${encodeURIComponent(next_cursor)}`);
    await page.reload();
    await page.getByText(/^Read now/).waitFor();
    expect(await problemsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Remove the wire" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove the wire" }).click();
    await page.getByText("Removed by its sender").waitFor();
    expect(await page.getByText("12.5").count()).toBe(0);
    expect((await bob.get(`/wires/${answer}`)).body.tombstone.removed_by).toBe("sender");
  });

  // [D16-reading]
  it("shows a thread with tombstones, and replies to a chosen wire by keyboard alone", async () => {
    await link("Thread").click();
    await wires().first().getByText("What does it cost?").waitFor();
    await wires().nth(1).getByText("Removed by its sender").waitFor();
    const more = wires().first().getByRole("button", { name: "Show the whole text" });
    const short = (await wires().first().innerText()).length;
    await tabTo(more);
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await wires().first().innerText()).length).toBeGreaterThan(short);
    expect(await problemsOf(page)).toEqual([]);
    await tabTo(wires().first().getByRole("button", { name: "Reply" }));
    await page.keyboard.press("Enter");
    await expect.poll(() => page.url()).toContain(`reply=${question}`);
    const text = page.getByLabel("Text", { exact: true });
    await expect.poll(() => text.and(page.locator(":focus")).count()).toBe(1);
    await page.keyboard.type("It costs 15.");
    await tabTo(page.getByRole("button", { name: "Send as @alice" }));
    await page.keyboard.press("Enter");
    await wires().nth(2).getByText("It costs 15.").waitFor();
    const { wires: thread } = (await bob.get(`/threads/${question}`)).body;
    expect(thread.at(-1)).toMatchObject({ text_body: "It costs 15.", reply_to: question });
    await page.getByRole("heading", { name: "Thread with @bob: What does it cost?" }).waitFor();
    await page.reload();
    await wires().nth(2).getByText("Not read yet, sent").waitFor();
  });

  // [D16-reading]
  it("searches the wires of a space", async () => {
    await link("Search").click();
    await page.getByRole("searchbox").fill("disk");
    await page.keyboard.press("Enter");
    await wires().getByText("The disks are full.").waitFor();
    expect(await wires().count()).toBe(1);
    expect(page.url()).toContain("q=disk");
    await page.getByRole("searchbox").fill("elephant");
    await page.keyboard.press("Enter");
    await page.getByText("Nothing in the direct messages and spaces of @alice matches “elephant”.").waitFor();
    expect(await problemsOf(page)).toEqual([]);
  });

  // [D21-navigation]
  it("remembers the handle as which it acts", async () => {
    const carol = await ownedHandle(daemon, open.owner, "carol");
    await sendAs(bob, { to: "@carol", text: "Hello, Carol." });
    await bob.post("/knocks", { handle: "@carol", intro: "May I?" });
    await go("/inbox?as=carol");
    await wires().getByText("Hello, Carol.").waitFor();
    await link("Inbox 2").waitFor();
    // What is new for one handle marks nothing of another.
    const marks = () => page.locator(".new").count();
    await page.getByLabel("Act as").selectOption("alice");
    await wires().getByText("What does it cost?").waitFor();
    await expect.poll(marks).toBeGreaterThan(0);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/v1/inbox?*", (route) => released.then(() => route.continue()));
    await page.getByLabel("Act as").selectOption("carol");
    await wires().getByText("Hello, Carol.").waitFor();
    expect(await marks()).toBe(0);
    release();
    await expect.poll(marks).toBe(2);
    await page.unroute("**/v1/inbox?*");
    await link("People 1").click();
    await page.getByRole("button", { name: "Accept the knock of @bob" }).click();
    await page.getByText("No knock waits").waitFor();
    await link("Inbox 2").click();
    await page.locator(".list > li").getByText("Accepted", { exact: true }).waitFor();
    await go("/sent");
    expect(await page.getByLabel("Act as").inputValue()).toBe("carol");
    await link("Inbox 2").click();
    // A click anywhere in a row leads to the thread.
    await wires().getByText("Hello, Carol.").click();
    await page.getByRole("heading", { name: "Thread" }).waitFor();
    await page.getByLabel("Act as").selectOption("alice");
    await wires().getByText("What does it cost?").waitFor();
    expect(page.url()).toMatch(/\/console\/inbox\?as=alice$/);
    await open.owner.delete(`/handles/${carol.slug}`);
    for (const path of ["/wires/%E0%A4%A", "/ready"]) {
      await go(path);
      await page.getByRole("heading", { name: "Not found" }).waitFor();
    }
    await go("/inbox");
  });

  // [D21-claims]
  it("shows jobs on a board, and claims, finishes and reopens one", async () => {
    const root_rule = { allow_text: true, accepted_schemas: [], votable: false, claimable: true };
    await alice.post("/spaces", { slug: "jobs", visibility: "private", root_rule });
    const job = await sendAs(alice, { to: "#jobs", text: "Count the boxes." });
    await go("/spaces/jobs?as=alice");
    await link("Jobs").click();
    const column = (state: string) => page.getByRole("region", { name: state });
    await column("Open").getByRole("button", { name: "Claim as @alice" }).click();
    await column("Claimed").getByText("Claimed by @alice").waitFor();
    expect((await alice.get(`/wires/${job}`)).body.claim).toMatchObject({ state: "claimed", by: "alice" });
    await column("Claimed").getByRole("button", { name: "Finish" }).click();
    await column("Done").getByText("Done by @alice").waitFor();
    expect(await problemsOf(page)).toEqual([]);
    // The keys lead from one column to the next.
    await sendAs(alice, { to: "#jobs", text: "Sweep the yard." });
    await link("Wires").click();
    await link("Jobs").click();
    await column("Open").getByText("Sweep the yard.").waitFor();
    await column("Done").getByText("Count the boxes.").waitFor();
    for (const [key, state] of [
      ["j", "Open"],
      ["j", "Done"],
      ["k", "Open"],
    ] as const) {
      await page.keyboard.press(key);
      await column(state).locator("a.to:focus").waitFor();
    }
    // A claim that is about to end still runs.
    const tab = await page.context().newPage();
    const { body: car } = await alice.post("/wires", { to: "#jobs", text: "Wash the car." });
    const { body: claim } = await alice.put(`/wires/${car.id}/claim`, { seconds: 600 });
    await tab.clock.setFixedTime(Date.parse(claim.until) - 5_000);
    await tab.goto(`${daemon.origin}/console/wires/${car.id}?as=alice`);
    await tab.getByText("Claimed by @alice, expires in some seconds").waitFor();
    await tab.close();
    await column("Done").getByText("Count the boxes.").click();
    await page.getByRole("heading", { name: "Wire" }).waitFor();
    await page.getByRole("button", { name: "Reopen" }).click();
    await page.getByRole("button", { name: "Claim as @alice" }).waitFor();
    expect((await alice.get(`/wires/${job}`)).body.claim.state).toBe("open");
  });

  // [D21-new-wire]
  it("sends a new wire by keyboard, whose draft stays until then", async () => {
    await link("New wire").click();
    await page.getByLabel("To").fill("@bob");
    await page.getByLabel("Text", { exact: true }).fill("A new subject.");
    await page.getByText("Payload", { exact: true }).click();
    await page.getByLabel("Payload, as JSON").fill('{"price": 2}');
    await link("Sent").click();
    await page.goBack();
    await expect.poll(() => page.getByLabel("To").inputValue()).toBe("@bob");
    expect(await page.getByLabel("Text", { exact: true }).inputValue()).toBe("A new subject.");
    expect(await page.getByLabel("Payload, as JSON").isVisible()).toBe(true);
    expect(await problemsOf(page)).toEqual([]);
    await page.getByLabel("Text", { exact: true }).press("Control+Enter");
    await wires().getByText("A new subject.").waitFor();
    const [wire] = (await bob.get("/inbox")).body.wires.slice(-1);
    expect(wire).toMatchObject({ text_body: "A new subject.", payload: { price: 2 } });
    // A click on a time in a row shows times exactly, and does not follow the row.
    const time = wires().first().locator("span > time");
    await time.click();
    await expect.poll(async () => (await time.innerText()) === (await time.getAttribute("title"))).toBe(true);
    expect(page.url()).toMatch(/\/console\/sent\?as=alice$/);
    await page.keyboard.press("t");
  });

  // [D21-navigation]
  it("says that the daemon does not answer, also behind a proxy, and then reads what it could not", async () => {
    let attempts = 0;
    const refuse = (route: Route) => {
      if (route.request().url().includes("/v1/blocks?")) attempts++;
      return route.fulfill({ status: 502 });
    };
    for (const url of ["**/v1/**", "**/healthz"]) await page.route(url, refuse);
    await link("People").click();
    await page.getByText("Wireroom does not answer. New items").waitFor();
    await expect.poll(() => attempts).toBe(4);
    expect(await page.getByRole("alert").count()).toBe(0);
    await page.unrouteAll();
    await page.getByRole("button", { name: "Remove @bob from the contacts" }).waitFor();
    expect(await page.getByText("Wireroom does not answer").count()).toBe(0);
    await page.keyboard.press("j");
    await page.getByRole("link", { name: "Write to @bob" }).and(page.locator(":focus")).waitFor();
  });

  // [D16-search]
  it("searches the direct messages and all spaces of a handle, one after the other, and keeps the chosen one in the address", async () => {
    for (let n = 1; n <= 21; n++) {
      const slug = `room-${String(n).padStart(2, "0")}`;
      expect((await alice.post("/spaces", { slug, visibility: "private" })).status).toBe(201);
    }
    for (let n = 1; n <= 6; n++) await sendAs(alice, { to: "#room-20", text: `disk ${n} is empty` });
    await sendAs(bob, { to: "@alice", text: "disks in a message" });
    await go("/search?as=alice&q=disk");
    const found = (space: string) => page.getByRole("region", { name: `#${space}` }).getByRole("article");
    await page.getByText("Only the first 20 of 23 spaces were searched.").waitFor();
    expect(await page.getByLabel("Where").inputValue()).toBe("");
    // The spaces are listed newest first.
    expect(await found("room-20").count()).toBe(5);
    expect(await found("ops").count()).toBe(0);
    expect(await page.locator("mark").allInnerTexts()).toEqual(expect.arrayContaining(["disk", "disks"]));
    expect(await problemsOf(page)).toEqual([]);
    await page.getByRole("link", { name: "All matches in #room-20" }).click();
    await expect.poll(() => wires().count()).toBe(6);
    expect(page.url()).toContain("space=room-20");
    await page.getByLabel("Where").selectOption("ops");
    await wires().getByText("The disks are full.").waitFor();
    await page.reload();
    await wires().getByText("The disks are full.").waitFor();
    expect(await page.getByLabel("Where").inputValue()).toBe("ops");
    await page.getByLabel("Where").selectOption("");
    await page.getByRole("searchbox").fill("elephant");
    await page.keyboard.press("Enter");
    await page.getByText("Nothing in the direct messages and spaces of @alice matches “elephant”.").waitFor();
    await page.getByRole("searchbox").fill("disks -full");
    await page.keyboard.press("Enter");
    const messages = page.getByRole("region", { name: "Direct messages" }).getByRole("article");
    await expect.poll(() => messages.count()).toBe(1);
    expect(await page.locator("mark").allInnerTexts()).not.toContain("full");
    await page.getByLabel("Where").selectOption("Direct messages");
    await expect.poll(() => wires().count()).toBe(1);
    expect(page.url()).toContain("space=%40");
    await ownedHandle(daemon, open.owner, "adam");
    await page.reload();
    await page.getByLabel("Where").selectOption("Direct messages of all my handles");
    await page.getByText("Found in 1 of").waitFor();
    await page.getByRole("heading", { name: "Direct messages of @alice" }).waitFor();
    await page.getByText("Held wires are not searched.").waitFor();
  });

  // [D16-reading]
  it("leaves the checkpoint of the handle where it was", async () => {
    const { body } = await alice.get("/inbox");
    expect(body.wires.map(({ id }: { id: string }) => id)).toContain(question);
    expect(body.knocks).toHaveLength(1);
    expect((await bob.get(`/wires/${question}`)).body.delivery.state).toBe("queued");
  });

  // [D16-agent-text]
  it("shows a text with very many invisible characters whole, and as few elements", async () => {
    const text = `${"\u200bx".repeat(30_000)} https://example.com the end`;
    const id = await sendAs(bob, { to: "@alice", payload: { text } });
    await go(`/wires/${id}?as=alice`);
    const shown = wires().locator(".json .agent-text");
    await expect.poll(() => shown.count()).toBe(1);
    const content = (await shown.textContent())!;
    expect(content.match(/U\+200Bx|<U\+200B>x/g)).toHaveLength(30_000);
    expect(content).toMatch(/ https:\/\/example\.com the end"$/);
    expect(await shown.locator("*").count()).toBe(1_000);
  });

  // [D16-search]
  it("highlights what the query asks for, in a text with very many such words as few elements", async () => {
    const text = `well-known or full ${"word ".repeat(12_000)}end`;
    await sendAs(bob, { to: "@alice", payload: { text } });
    await go(`/search?as=alice&space=%40&q=${encodeURIComponent('well-known OR word -"full tapes"')}`);
    const shown = wires().locator(".json .agent-text");
    await expect.poll(() => shown.count()).toBe(1);
    expect(await shown.textContent()).toBe(JSON.stringify(text));
    expect(new Set(await shown.locator("mark").allInnerTexts())).toEqual(new Set(["well", "known", "word"]));
    // 1,000 highlights, the text before each, the text after them, and an empty text.
    const nodes = "document.querySelector('.json .agent-text').childNodes.length";
    expect(await page.evaluate<number>(nodes)).toBe(2_002);
  });
});
