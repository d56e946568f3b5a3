/** Tests what the console shows and sends after a response was lost, late or an error. */
import type { Locator, Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { openChromium } from "../harness/chromium.js";
import { type Console, openConsole, ownedHandle } from "../harness/console.js";
import { type AgentClient, NO_LIMITS } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { OAUTH_DAEMON, OAuthHuman } from "../harness/oauth.js";
import { story } from "../harness/story.js";

const browser = await openChromium();
const { daemon } = await daemonFixture([], { ...OAUTH_DAEMON, args: [...OAUTH_DAEMON.args, ...NO_LIMITS] });

describe.skipIf(!browser)("the console after a lost response", () => {
  const it = story();
  let open: Console;
  let page: Page;
  let alice: AgentClient;
  let bob: AgentClient;
  const goto = (path: string) => page.goto(`${daemon.origin}/console${path}`);
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  /** The daemon gets the request, and the page no response. */
  const loseResponse = async (route: Route) => {
    await route.fetch();
    await route.abort();
  };
  /** A promise, and the function that resolves it. */
  const later = () => {
    let answer!: () => void;
    const late = new Promise<void>((resolve) => {
      answer = resolve;
    });
    return { late, answer };
  };
  /** Expects that a late response, or that the page waits for it no more, changes nothing that is shown. */
  const isStill = async (shown: Locator, answer: () => void) => {
    const loading = page.getByText("Loading …");
    await expect.poll(() => loading.count()).toBe(0);
    answer();
    await page.evaluate("new Promise((resolve) => setTimeout(resolve, 500))");
    expect(await shown.count()).toBe(1);
    expect(await loading.count()).toBe(0);
    expect(await page.locator(".toast").allInnerTexts()).toEqual([]);
  };
  const sentTexts = async () =>
    (await alice.get("/sent?limit=100")).body.wires.map((each: { text_body: string }) => each.text_body);

  beforeAll(async () => {
    if (!browser) return;
    open = await openConsole(browser, daemon, { path: "/inbox" });
    page = open.page;
    const other = await OAuthHuman.signUp(daemon);
    bob = await ownedHandle(daemon, daemon.client(await other.idToken()), "bob");
    alice = await ownedHandle(daemon, open.owner, "alice");
  });
  afterAll(() => expect(open?.complaints ?? []).toEqual([]));

  // [D16-reading]
  it("sends a wire once when the human sends it again, and another one after it was sent", async () => {
    const { body } = await bob.post("/wires", { to: "@alice", text: "a question" });
    await goto(`/threads/${body.id}?as=alice`);
    await button("Reply").click();
    const text = page.getByLabel("Text");
    await text.fill("an answer");
    await page.route("**/v1/wires", loseResponse);
    await button("Send as @alice").click();
    await page.getByText("The daemon did not answer.").waitFor({ timeout: 30_000 });
    await page.unroute("**/v1/wires");
    await button("Send as @alice").click();
    await page.getByText("Sent.").waitFor();
    expect(await sentTexts()).toEqual(["an answer"]);

    for (const times of [2, 3]) {
      await button("Reply").first().click();
      await text.fill("an answer");
      await button("Send as @alice").click();
      await expect.poll(async () => (await sentTexts()).length).toBe(times);
      await expect.poll(() => text.inputValue()).toBe("");
    }
  });

  // [D16-contacts]
  it("sends a knock once when the human sends it again", async () => {
    await goto("/people?as=alice");
    await button("Send a knock").click();
    const form = page.getByRole("dialog");
    await form.getByRole("textbox").first().fill("@bob");
    await form.getByRole("textbox").last().fill("May I?");
    const keys = new Set<string>();
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/knocks"))
        keys.add(request.headers()["idempotency-key"]!);
    });
    await page.route("**/v1/knocks", loseResponse);
    await button("Knock as @alice").click();
    await page.getByText("The daemon did not answer.").waitFor({ timeout: 30_000 });
    await page.unroute("**/v1/knocks");
    await button("Knock as @alice").click();
    await page.getByText("Knock sent.").waitFor();
    expect(keys.size).toBe(1);
    expect((await bob.get("/knocks")).body.knocks).toHaveLength(1);
  });

  // [D16-contacts]
  it("shows nothing of one address below the error of another", async () => {
    await bob.post("/knocks", { handle: "@alice", intro: "Hello, I am new." });
    await goto("/people?as=alice");
    await page.getByText("Hello, I am new.").waitFor();
    const sent = /\/v1\/knocks\?.*direction=sent/;
    await page.route(sent, (route) =>
      route.fulfill({ status: 404, json: { code: "NOT_FOUND", message: "lost" } }),
    );
    await page.getByLabel("Show").selectOption("Knocks sent");
    await page.getByRole("alert").getByText("lost").waitFor();
    expect(await page.getByText("Hello, I am new.").count()).toBe(0);
    await page.unroute(sent);
    await button("Try again").click();
    await page.getByText("May I?").waitFor();
  });

  // [D16-contacts]
  it("shows a list whose filter was changed while a further page was read", async () => {
    const { late, answer } = later();
    const listed = /\/v1\/knocks\?/;
    await page.route(listed, async (route) => {
      if (route.request().url().includes("cursor=later")) {
        await late;
        return route.fulfill({ json: { knocks: [], next_cursor: null } }).catch(() => {});
      }
      const response = await route.fetch();
      return route.fulfill({ response, json: { ...(await response.json()), next_cursor: "later" } });
    });
    await goto("/people?as=alice");
    await page.getByText("Hello, I am new.").waitFor();
    await button("Show more").click();
    await page.getByLabel("Show").selectOption("Knocks sent");
    await page.getByText("May I?").waitFor();
    await isStill(page.getByText("May I?"), answer);
    await page.unroute(listed);
  });

  // [D16-contacts]
  it("does not show an answered knock again when an older response arrives", async () => {
    await goto("/people?as=alice");
    await page.getByText("Hello, I am new.").waitFor();
    const { late, answer } = later();
    const { late: isRead, answer: read } = later();
    // The counts in the navigation read the knocks with a limit.
    const listed = ({ searchParams }: URL) =>
      searchParams.get("direction") === "received" && !searchParams.has("limit");
    const hold = async (route: Route) => {
      const response = await route.fetch();
      read();
      await late;
      await route.fulfill({ response });
    };
    await page.route(listed, hold, { times: 1 });
    await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
    await isRead;
    await button("Reject the knock of @bob").click();
    const empty = page.getByText("No knock waits for an answer.");
    await empty.waitFor();
    await button("Dismiss").click();
    await isStill(empty, answer);
  });

  // [D16-handles]
  it("shows every change of a policy, although the response to the first one is late", async () => {
    const { late, answer } = later();
    const changed = "**/v1/handles/alice/egress";
    await goto("/handles/alice/egress");
    await page.getByLabel("Open:").waitFor();
    await page.route(
      changed,
      async (route) => {
        const response = await route.fetch();
        await late;
        await route.fulfill({ response });
      },
      { times: 1 },
    );
    await page.getByLabel("Approval:").check();
    const deny = page.locator("form", { hasText: "Deny list" });
    await deny.getByLabel("Handle or space").fill("@bob");
    await button("Add").last().click();
    // The second response would arrive now, before the first one.
    await page.evaluate("new Promise((resolve) => setTimeout(resolve, 500))");
    answer();
    await page.getByText("Saved.").nth(1).waitFor();
    await deny.getByRole("button", { name: "Remove @bob" }).waitFor();
    expect(await page.getByLabel("Approval:").isChecked()).toBe(true);
    expect((await open.owner.get("/handles/alice/egress")).body).toMatchObject({
      mode: "approval",
      deny: ["@bob"],
    });
    await open.owner.put("/handles/alice/egress", { mode: "open", deny: [] });
  });

  // [D16-live]
  it("shows a feed whose filter was changed while a further page was read", async () => {
    await alice.post("/spaces", { slug: "ops", visibility: "public" });
    await alice.post("/wires", { to: "#ops", text: "the only post" });
    const { late, answer } = later();
    const posts = /\/v1\/spaces\/ops\/wires\?/;
    await page.route(posts, async (route) => {
      const url = route.request().url();
      if (url.includes("cursor=later")) await late;
      if (/wait=|cursor=latest/.test(url)) return route.continue();
      const response = await route.fetch({ url: url.replace(/&?cursor=later/, "") });
      const json = { ...(await response.json()), next_cursor: "later" };
      return route.fulfill({ response, json }).catch(() => {});
    });
    await goto("/spaces/ops?as=alice");
    await page.getByText("the only post").waitFor();
    await button("Show more").click();
    await page.getByLabel("Order").selectOption("top");
    await expect.poll(() => page.getByText("the only post").count()).toBe(1);
    await isStill(page.getByText("the only post"), answer);
    await page.unroute(posts);
  });
});
