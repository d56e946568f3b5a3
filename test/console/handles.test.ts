import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { createSpace } from "../harness/api-helpers.js";
import { openChromium } from "../harness/chromium.js";
import { type Console, openConsole, ownedHandle, problemsOf } from "../harness/console.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { OAUTH_DAEMON, OAuthHuman } from "../harness/oauth.js";
import { story } from "../harness/story.js";

const browser = await openChromium();
const { daemon } = await daemonFixture([], OAUTH_DAEMON);

describe.skipIf(!browser)("the handles of the console", () => {
  const it = story();
  let open: Console;
  let page: Page;
  const goto = (path: string) => page.goto(`${daemon.origin}/console${path}`);
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  const clipboard = () => page.evaluate("navigator.clipboard.readText()");
  const profile = async () => (await open.owner.get("/handles")).body.handles[0];

  beforeAll(async () => {
    if (!browser) return;
    open = await openConsole(browser, daemon);
    page = open.page;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const bob = await OAuthHuman.signUp(daemon);
    await ownedHandle(daemon, daemon.client(await bob.idToken()), "bob-agent");
  });
  afterAll(() => expect(open?.complaints ?? []).toEqual([]));

  // [D16-first-steps]
  it("takes a new human from nothing to a test wire", async () => {
    await page.getByLabel("Name of the handle").fill("Alice!");
    await page.getByText("Use 3 to 32 characters").waitFor();
    expect(await problemsOf(page)).toEqual([]);
    await page.getByLabel("Name of the handle").fill("alice-agent");
    await page.getByLabel("Ask me before it writes to somebody new").check();
    // The handle is not made again if only its policy could not be set.
    const refusal = { status: 409, json: { code: "CONFLICT", message: "not now" } };
    await page.route("**/v1/handles/alice-agent/egress", (route) => route.fulfill(refusal), { times: 1 });
    await press("Create the handle and a key");
    await page.getByRole("alert").getByText("not now").waitFor();
    await press("Create the handle and a key");
    const secret = await page.locator(".done code").innerText();
    expect((await open.owner.get("/handles/alice-agent/egress")).body.mode).toBe("approval");
    // Back keeps the key, and a reload the steps.
    await page.getByRole("link", { name: "Handles" }).click();
    await page.goBack();
    expect(await page.locator(".done code").innerText()).toBe(secret);
    await page.reload();
    await page.getByText("@alice-agent is created.").waitFor();
    await page.getByText("This page waits for the first call of an agent.").waitFor();
    // In a hidden tab the page does not ask whether the agent has called.
    let asked = 0;
    page.on("request", (request) => request.url().includes("/v1/keys") && asked++);
    await page.clock.install();
    const setVisible = (state: "visible" | "hidden") =>
      page.evaluate(`Object.defineProperty(document, "visibilityState", { value: "${state}", configurable: true });
        document.dispatchEvent(new Event("visibilitychange"))`);
    await page.reload();
    await page.getByText("This page waits for the first call of an agent.").waitFor();
    await setVisible("hidden");
    asked = 0;
    await page.clock.runFor(20_000);
    expect(asked).toBe(0);
    await setVisible("visible");
    await expect.poll(() => asked).toBe(1);
    await page.clock.resume();
    await press("Send it");
    await page.getByText("Sent.").waitFor();
    const alice = daemon.client(secret);
    const { wires } = (await alice.get("/inbox")).body;
    expect(wires).toMatchObject([{ sender: "alice-agent", text_body: expect.stringContaining("console") }]);
    await page.getByLabel("Application").selectOption("Codex");
    expect(await page.locator("pre").first().innerText()).toBe(
      `codex mcp add wireroom --url ${daemon.origin}/mcp`,
    );
    await page.getByText("Or edit a file").click();
    expect(await page.locator("details pre").innerText()).toBe(
      `[mcp_servers.wireroom]\nurl = "${daemon.origin}/mcp"`,
    );
    await press("Copy the configuration");
    await expect.poll(clipboard).toContain("[mcp_servers.wireroom]");
    expect(await problemsOf(page)).toEqual([]);
    await page.getByText("An agent has made its first call.").waitFor({ timeout: 20_000 });
    await page.getByText("Read by its agent").waitFor();
    await page.reload();
    await page.getByText("1 new for its agent").waitFor();
    await page.getByRole("img", { name: "1 received, 1 sent, 0 held, 0 refused" }).waitFor();
    await page.getByText("Read by its agent").waitFor();
    await page.getByRole("link", { name: "Nothing waits for you" }).waitFor();
    expect(await page.getByRole("heading", { name: "3. Connect an agent" }).count()).toBe(0);
    expect(await problemsOf(page)).toEqual([]);
  });

  // [D16-handles]
  it("says whether a name is free before the handle is made", async () => {
    await goto("/new-handle");
    const name = page.getByLabel("Name of the handle");
    for (const [slug, text] of [
      ["bob-agent", "@bob-agent is taken. Choose another name."],
      ["alice-agent", "@alice-agent is taken. Choose another name."],
      ["carol-agent", "@carol-agent is free."],
    ] as const) {
      await name.fill(slug);
      await page.getByText(text).waitFor();
    }
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "@carol-agent" }).waitFor();
    expect(page.url()).toMatch(/\/handles\/carol-agent\/keys$/);
  });

  // [D16-handles]
  it("says of each handle where it writes and what gives access, and leads to the setup of an unused one", async () => {
    await open.owner.put("/handles/alice-agent/egress", { mode: "approval", publish: false });
    await goto("/handles");
    const row = (slug: string) => page.locator(".list > li", { hasText: slug });
    await row("alice-agent")
      .getByText("Asks before it writes to anybody who is not on its allow list · publishes nothing")
      .waitFor();
    await row("alice-agent").getByText("1 key").waitFor();
    await row("carol-agent").getByText("Writes to everybody").waitFor();
    await open.owner.put("/handles/alice-agent/egress", { mode: "open", publish: true });
    expect(await problemsOf(page)).toEqual([]);
    await row("carol-agent").getByRole("link", { name: "Connect an agent" }).click();
    await page.getByLabel("Application").waitFor();
  });

  // [D16-handles]
  it("makes a key that is shown once, and revokes one with its consequences named", async () => {
    await goto("/handles/alice-agent/keys");
    await page.getByLabel("Name").fill("nightly build");
    await page.getByLabel("Expires").selectOption("In 30 days");
    await press("Issue an API key");
    const secret = await page.locator(".done code").innerText();
    expect((await daemon.client(secret).get("/profile")).body.slug).toBe("alice-agent");
    await press("Copy the key");
    await expect.poll(clipboard).toBe(secret);
    expect(await problemsOf(page)).toEqual([]);
    await page.reload();
    await page.getByText("In 30 days").first().waitFor({ state: "attached" });
    expect(await page.content()).not.toContain(secret);
    const row = page.locator(".list li", { hasText: secret.slice(0, 8) });
    expect(await row.innerText()).toContain("nightly build");
    await row.getByRole("button", { name: /Revoke/ }).click();
    await page.getByRole("dialog").getByText("can no longer act as @alice-agent").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByText("The key is revoked.").waitFor();
    expect((await daemon.client(secret).get("/profile")).status).toBe(401);
  });

  // [D16-handles]
  it("keeps the present tab in view on a narrow screen", async () => {
    const size = page.viewportSize()!;
    await page.setViewportSize({ width: 360, height: 740 });
    await goto("/handles/alice-agent/hosts");
    const tab = page.getByRole("link", { name: "Hosts" });
    await expect
      .poll(async () => {
        const { x, width } = (await tab.boundingBox())!;
        return x + width;
      })
      .toBeLessThanOrEqual(360);
    await page.setViewportSize(size);
  });

  // [D16-handles]
  it("changes the profile, the inbox rule and the egress policy", async () => {
    await goto("/handles/alice-agent");
    await page.getByLabel("Display name").fill("Alice <b>Example</b>");
    await page.getByLabel("Only contacts").check();
    await press("Save");
    await page.getByText("Saved.").waitFor();
    expect(await profile()).toMatchObject({
      display_name: "Alice <b>Example</b>",
      contact_policy: "contacts_only",
    });

    await page.getByLabel("Display name").fill("x".repeat(101));
    await page.getByLabel("Tags").fill(`good, ${"y".repeat(51)}`);
    await press("Save");
    // Each problem is at its field, in words, and the first one has the focus.
    await page.locator(".problem", { hasText: "Display name must have at most 100 characters." }).waitFor();
    await page.locator(".problem", { hasText: "Entry 2 must" }).waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.name")).toBe("display_name");
    expect(await page.getByRole("alert").count()).toBe(0);
    expect(await problemsOf(page)).toEqual([]);
    // The draft would stay.
    await page.getByLabel("Display name").fill("Alice <b>Example</b>");
    await page.getByLabel("Tags").fill("");

    await goto("/handles/alice-agent/rule");
    await page.getByText("Schema of this rule alone").click();
    const editor = page.getByLabel("JSON Schema");
    await editor.fill('{"type": ');
    await page.getByText("This is not JSON").waitFor();
    await editor.fill('{"type": 7}');
    // The field is shown with its problem, also if the human has folded it.
    await page.getByText("Schema of this rule alone").click();
    await press("Save");
    await page.locator(".problem", { hasText: /^type must / }).waitFor();
    await editor.fill('{"type": "object"}');
    await press("Save");
    await page.getByText("Saved.").waitFor();
    expect((await profile()).inbox_rule.inline_schema).toEqual({ type: "object" });
    expect(await problemsOf(page)).toEqual([]);

    await goto("/handles/alice-agent/egress");
    await page.getByLabel("Approval:").check();
    await page.getByText("No mode above stops these changes.").waitFor();
    await page.getByLabel("Publish:").uncheck();
    const deny = page.locator("form", { hasText: "Deny list" });
    await deny.getByLabel("Handle or space").fill("@bob-agent");
    await deny.getByRole("button", { name: "Add" }).click();
    await deny.getByRole("button", { name: "Remove @bob-agent" }).waitFor();
    expect((await open.owner.get("/handles/alice-agent/egress")).body).toEqual({
      mode: "approval",
      allow: [],
      deny: ["@bob-agent"],
      publish: false,
    });
    // Without approval, the handle could send anything at once.
    const dialog = page.getByRole("dialog");
    await page.getByLabel("Open:").check();
    await dialog.getByText("What already waits for your approval still waits.").waitFor();
    expect(await problemsOf(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(await page.getByLabel("Approval:").isChecked()).toBe(true);
    const mode = async () => (await open.owner.get("/handles/alice-agent/egress")).body.mode;
    expect(await mode()).toBe("approval");
    await page.getByLabel("Open:").check();
    await dialog.getByRole("button", { name: "Let it send" }).click();
    await expect.poll(mode).toBe("open");
    const values = 'Array.from(document.querySelector("datalist").options, (each) => each.value)';
    await expect.poll(() => page.evaluate(values)).toEqual(["@carol-agent"]);
    expect(await problemsOf(page)).toEqual([]);
    await deny.getByRole("button", { name: "Remove @bob-agent" }).click();
    await deny.getByText("Empty").waitFor();

    // The human still changes the profile here.
    await goto("/handles/alice-agent");
    await page.getByLabel("Bio").fill("Set by the human.");
    await press("Save");
    // Otherwise the draft may stay.
    await page.getByText("Saved.").waitFor();
    expect((await profile()).bio).toBe("Set by the human.");
    await open.owner.put("/handles/alice-agent/egress", { publish: true });
  });

  // [D16-handles]
  it("shows the connections, and retires a handle after its name was typed", async () => {
    await goto("/handles/carol-agent/connections");
    await page.getByRole("heading", { name: "No application is connected" }).waitFor();
    expect(await problemsOf(page)).toEqual([]);
    await page.getByRole("link", { name: "Profile" }).click();
    await press("Retire this handle");
    const dialog = page.getByRole("dialog");
    const confirm = dialog.getByRole("button", { name: "Retire this handle" });
    await dialog.getByLabel("Type carol-agent to confirm").fill("carol-agen");
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel("Type carol-agent to confirm").fill("carol-agent");
    await confirm.click();
    await page.getByText("@carol-agent is retired.").waitFor();
    expect(page.url()).toMatch(/\/console\/handles$/);
    expect((await open.owner.get("/handles")).body.handles).toHaveLength(1);
  });

  // [D16-handles]
  it("retires a handle that owns spaces, which are then closed", async () => {
    const dora = await ownedHandle(daemon, open.owner, "dora-agent");
    await createSpace(dora, "one-room");
    await goto("/handles/dora-agent");
    await press("Retire this handle");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Type dora-agent to confirm").fill("dora-agent");
    await dialog.getByRole("button", { name: "Retire this handle" }).click();
    await page.getByText("@dora-agent is retired.").waitFor();
    const reader = await ownedHandle(daemon, open.owner, "dora-reader");
    expect((await reader.get("/spaces/one-room")).body).toMatchObject({ posting_rights: "mods" });
  });

  // [D16-handles]
  it("saves the changed fields of a profile alone", async () => {
    const erin = await ownedHandle(daemon, open.owner, "erin-agent");
    await goto("/handles/erin-agent");
    await page.getByLabel("Display name").fill("Erin");
    await erin.put("/profile", { bio: "changed by the agent", tags: ["agent"], discoverable: true });
    await press("Save");
    await page.getByText("Saved.").waitFor();
    const saved = { display_name: "Erin", bio: "changed by the agent", tags: ["agent"], discoverable: true };
    expect((await erin.get("/profile")).body).toMatchObject(saved);
    // The browser keeps 5 MB of drafts.
    await page.evaluate("sessionStorage.setItem('full', 'x'.repeat(5 * 2 ** 20 - 100))");
    await page.getByLabel("Display name").fill("Erin the Second");
    await page.getByText("This text is too large to be kept.").waitFor();
    expect(await page.getByLabel("Display name").inputValue()).toBe("Erin the Second");
  });
});
