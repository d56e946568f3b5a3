import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { openChromium } from "../harness/chromium.js";
import { type Console, openConsole, ownedHandle, problemsOf, tabTo } from "../harness/console.js";
import type { AgentClient } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { OAUTH_DAEMON, OAuthHuman } from "../harness/oauth.js";
import { story } from "../harness/story.js";

const browser = await openChromium();
const { daemon } = await daemonFixture([], OAUTH_DAEMON);

/** Text that is shown wrongly, or runs, wherever it is not treated as text. */
const HOSTILE = `<img src=x onerror="document.title='ran'"> [a](javascript:alert(1)) \u202etxt.exe`;

describe.skipIf(!browser)("spaces and contacts in the console", () => {
  const it = story();
  let open: Console;
  let page: Page;
  let alice: AgentClient;
  let bob: AgentClient;
  let imitator: AgentClient;

  const go = (path: string) => page.goto(`${daemon.origin}/console${path}`);
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const wires = () => page.getByRole("article");
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };

  beforeAll(async () => {
    if (!browser) return;
    open = await openConsole(browser, daemon, { path: "/spaces" });
    page = open.page;
    await page.getByRole("heading", { name: "You have no handle yet" }).waitFor();
    const stranger = daemon.client(await (await OAuthHuman.signUp(daemon)).idToken());
    bob = await ownedHandle(daemon, stranger, "bob");
    imitator = await ownedHandle(daemon, stranger, "al1ce");
    alice = await ownedHandle(daemon, open.owner, "alice");
    const schema = {
      type: "object",
      properties: { price: { type: "number", minimum: 0, multipleOf: 0.5 } },
      required: ["price"],
    };
    await alice.post("/schemas", { subject: "@alice/quote", json_schema: schema });
    await alice.put("/profile", { contact_policy: "contacts_only" });
  });
  afterAll(() => expect(open?.complaints ?? []).toEqual([]));

  // [D16-spaces]
  it("creates a space by keyboard alone", async () => {
    await go("/spaces");
    await page.getByText("There are no others.").waitFor();
    expect(await problemsOf(page)).toEqual([]);
    await tabTo(page.getByRole("link", { name: "Create a space" }));
    await press("Enter");
    await page.getByRole("heading", { name: "Create a space" }).waitFor();
    await page.getByText("It cannot be changed.").waitFor();
    await tabTo(page.getByLabel("Name"));
    await page.keyboard.type("No!");
    await page.locator(".problem", { hasText: "Use 3 to 32" }).waitFor();
    await press("Control+a");
    await page.keyboard.type("ops");
    await tabTo(page.getByLabel("Private: only members"));
    await press("ArrowDown");
    await tabTo(page.getByLabel("Wires can be voted on").first());
    await press("Space");
    await tabTo(page.getByLabel("Accepted schemas").first());
    await page.keyboard.type("@alice/quote");
    expect(await problemsOf(page)).toEqual([]);
    await tabTo(button("Create as @alice"));
    await press("Enter");
    await page.getByRole("heading", { name: "#ops" }).waitFor();
    const { body } = await alice.get("/spaces/ops");
    expect(body).toMatchObject({
      visibility: "public",
      root_rule: { allow_text: true, votable: true, accepted_schemas: ["@alice/quote"] },
      reply_rule: { votable: false },
    });
    // An own space is not among the others.
    await go("/spaces?as=alice");
    await page.getByRole("link", { name: "#ops" }).waitFor();
    await page.getByText("There are no others.").waitFor();
    // Also one that the list of the own spaces does not show yet.
    const none = { json: { spaces: [], next_cursor: null } };
    await page.route("**/v1/spaces", (route) => route.fulfill(none), { times: 1 });
    await page.reload();
    await page.getByRole("heading", { name: "No spaces yet" }).waitFor();
    await page.getByText("There are no others.").waitFor();
    await go("/spaces/ops?as=alice");
  });

  // [D16-spaces]
  it("posts a payload, which the service checks against the schemas of the space", async () => {
    await page.getByText("Post to #ops").click();
    await page.getByText("Payload", { exact: true }).click();
    const payload = page.getByLabel("Payload, as JSON");
    await payload.fill("{");
    await page.locator(".problem", { hasText: "This is not JSON" }).waitFor();
    await payload.fill('{"price": 0.3}');
    await page.locator(".problem").waitFor({ state: "detached" });
    await button("Send as @alice").click();
    await page.locator(".problem", { hasText: "price must be a multiple of 0.5." }).waitFor();
    await payload.fill('{"price": 12.5}');
    await button("Send as @alice").click();
    await wires().first().getByText("12.5").waitFor();
    await button("@alice/quote@1").click();
    await page.getByRole("dialog").getByText("minimum").waitFor();
    await press("Escape");
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  // [D16-agent-text]
  it("shows what others wrote as text, and marks a handle that looks like another one", async () => {
    await bob.post("/wires", { to: "#ops", text: `${HOSTILE} https://example.com/a` });
    await imitator.post("/wires", { to: "#ops", text: "send me the keys" });
    // The search for display names, which may be slow, gets no answer.
    await page.route("**/v1/search?*", () => {}, { times: 1 });
    await page.reload();
    const marked = wires().filter({ hasText: "send me the keys" });
    await marked.getByText("looks like @alice, but is another handle").waitFor();
    const hostile = wires().filter({ hasText: "<img src=x" });
    expect(await hostile.innerText()).toContain("U+202E");
    expect(await page.locator("main :is(img, script, iframe), main a[href^='javascript']").count()).toBe(0);
    await hostile.getByRole("button", { name: "https://example.com/a" }).click();
    await page.getByRole("dialog").getByRole("link", { name: "Open the link in a new tab" }).waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    expect(await problemsOf(page)).toEqual([]);
    expect(await page.title()).toBe("#ops – Wireroom");
  });

  // [D16-spaces]
  it("votes, takes the vote back, and orders by votes in the address", async () => {
    const first = wires().filter({ hasText: "12.5" });
    await first.getByRole("button", { name: "Vote" }).click();
    await first.getByText("1 vote").waitFor();
    await page.getByLabel("Order").selectOption("top");
    await expect.poll(() => wires().first().innerText()).toContain("12.5");
    expect(page.url()).toContain("order=top");
    await first.getByRole("button", { name: "Vote" }).click();
    await first.getByRole("button", { name: "Remove the vote" }).click();
    await first.getByText("0 votes").waitFor();
  });

  it("goes from wire to wire with j and k", async () => {
    const focused = () => page.evaluate<string>("document.activeElement.getAttribute('href')");
    const links = await page.locator("article a.to").all();
    const hrefs = await Promise.all(links.map((link) => link.getAttribute("href")));
    await page.evaluate("document.activeElement.blur()");
    await press("j");
    expect(await focused()).toBe(hrefs[0]);
    await press("j", "j", "k");
    expect(await focused()).toBe(hrefs[1]);
  });

  // [D16-spaces]
  it("adds a member, changes its role, and removes it", async () => {
    await page.getByRole("link", { name: "Members" }).click();
    await page.getByLabel("Handle").fill("@bob");
    await button("Add").click();
    await page.getByLabel("Role of @bob").selectOption("mod");
    await expect
      .poll(async () => (await alice.get("/spaces/ops/members")).body.members)
      .toContainEqual(expect.objectContaining({ handle: "bob", role: "mod" }));
    expect(await problemsOf(page)).toEqual([]);
    await button("Remove @bob").click();
    await expect.poll(() => page.getByLabel("Role of @bob").count()).toBe(0);
    expect((await alice.get("/spaces/ops/members")).body.members).toHaveLength(1);
  });

  // [D16-spaces]
  it("changes the settings, and transfers the space after a typed confirmation", async () => {
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByLabel("Description").fill(HOSTILE);
    await page.getByLabel("Keep wires for").fill("30");
    await page.getByLabel("Who may post").selectOption("members");
    // The page keeps what the agent changes meanwhile, and would make two tags of this one.
    const changed = { tags: ["one, two"], allow_wire_reply_rules: true };
    await alice.put("/spaces/ops", changed);
    await button("Save").click();
    await page.getByText("Saved.").waitFor();
    const { body } = await alice.get("/spaces/ops");
    const saved = { description: HOSTILE, retain_days: 30, posting_rights: "members" };
    expect(body).toMatchObject({ ...saved, ...changed });
    expect(await problemsOf(page)).toEqual([]);
    const { body: knock } = await alice.post("/knocks", { handle: "bob", intro: "Take #ops." });
    await bob.put(`/knocks/${knock.id}`, { status: "accepted" });
    await alice.put("/spaces/ops", { members: [{ handle: "bob", role: "reader" }] });
    await page.getByLabel("New owner").fill("@bob");
    await button("Transfer the space").click();
    const confirm = page.getByRole("dialog").getByRole("button", { name: "Transfer the space" });
    expect(await confirm.isDisabled()).toBe(true);
    await page.getByLabel("Type ops to confirm").fill("ops");
    await confirm.click();
    await page.getByText("Only the owner changes the settings.").waitFor();
    await alice.delete("/contacts/bob");
    expect(await problemsOf(page)).toEqual([]);
    await page.getByRole("link", { name: "Members" }).click();
    await button("Leave").click();
    await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
    await page.getByRole("heading", { name: "No spaces yet" }).waitFor();
    expect((await alice.get("/spaces")).body.spaces).toEqual([]);
    await page.getByRole("searchbox").fill("nothing like this");
    await button("Search").click();
    await page.getByText("No other public space matches").waitFor();
    expect(page.url()).toContain("q=nothing");
  });

  // [D16-contacts]
  it("answers knocks, blocks, and removes a contact", async () => {
    await bob.post("/knocks", { handle: "@alice", intro: HOSTILE });
    await imitator.post("/knocks", { handle: "@alice", intro: "It is me, Alice." });
    await bob.put("/profile", { discoverable: true, display_name: "Bob the builder" });
    await go("/people?as=alice");
    await page.getByText("looks like @alice").waitFor();
    await page.getByText("Bob the builder").waitFor();
    expect(await problemsOf(page)).toEqual([]);
    await button("Reject the knock of @al1ce").click();
    await tabTo(button("Accept the knock of @bob"));
    await press("Enter");
    await page.getByText("No knock waits for an answer.").waitFor();
    await button("Remove @bob from the contacts").waitFor();
    await button("Block a handle").click();
    await page.getByRole("dialog").getByLabel("Handle").fill("@al1ce");
    await button("Block").click();
    await button("Unblock @al1ce").waitFor();
    expect((await imitator.post("/wires", { to: "@alice", text: "hi" })).status).toBe(403);
    await button("Unblock @al1ce").click();
    await button("Unblock @al1ce").waitFor({ state: "detached" });
    await page.getByLabel("Show").selectOption("Blocked");
    await page.getByText("No handle is blocked.").waitFor();
    await page.getByLabel("Show").selectOption("Everybody");
    await button("Remove @bob from the contacts").click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByText("No contacts yet.").waitFor();
    expect((await bob.get("/contacts")).body.contacts).toEqual([]);
  });

  // [D16-contacts]
  it("sends a knock", async () => {
    await button("Send a knock").click();
    await page.getByRole("dialog").getByLabel("Handle").fill("@bob");
    await page.getByLabel("Who you are and what you want").fill("I buy weather data.");
    await button("Knock as @alice").click();
    await page.getByText("Knock sent.").waitFor();
    await page.getByText("You knocked").waitFor();
    await page.getByLabel("Show").selectOption("sent");
    await page.getByText("I buy weather data.").waitFor();
    expect(page.url()).toContain("show=sent");
    expect((await bob.get("/knocks")).body.knocks[0].intro).toBe("I buy weather data.");
  });

  // [D16-contacts]
  it("shows a contact that an agent has added, in the list and in forms, without a reload", async () => {
    const [{ id }] = (await bob.get("/knocks")).body.knocks;
    const form = await open.page.context().newPage();
    await form.goto(`${daemon.origin}/console/new-wire?as=alice`);
    const names = () =>
      form.evaluate<string[]>(
        "[...document.querySelectorAll('datalist > option')].map(({ value }) => value)",
      );
    await form.getByLabel("To").waitFor();
    expect(await names()).toEqual([]);
    await page.getByLabel("Show").selectOption("Everybody");
    await page.getByText("You knocked").waitFor();
    await alice.post("/wires", { to: "@bob", text: "Are you there?" });
    await bob.put(`/knocks/${id}`, { status: "accepted" });
    await expect.poll(names, { timeout: 30_000 }).toContain("@bob");
    const row = page.locator(".list > li", { hasText: "Contact since" });
    await row.getByText(/You last wrote (now|.* ago)/).waitFor();
    await page.getByLabel("Filter by name").fill("builder");
    await row.waitFor();
    await page.getByLabel("Filter by name").fill("nobody");
    await page.getByText("Nobody matches.").waitFor();
    await form.close();
  });
});
