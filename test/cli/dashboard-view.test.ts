import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { createSpace, expectOk, sendWire } from "../harness/api-helpers.js";
import { addConnection } from "../harness/connections.js";
import { type Body, type Client, startDaemon } from "../harness/daemon.js";
import { startFaultProxy } from "../harness/fault-proxy.js";
import { KEYS, type Terminal } from "../harness/terminal.js";
import { screenHides, screenShows, viewFixture, viewsOf } from "../harness/view-fixture.js";

const { daemon, views } = await viewFixture();

/** The dashboard of a human of this name. */
async function open(human: string, env: Record<string, string> = {}): Promise<Terminal> {
  const token = await daemon.issuer.token({ claims: { sub: human, email: `${human}@example.com` } });
  const config = join(views.folder, human);
  const terminal = views.open(["dashboard"], {
    columns: 130,
    env: { WIREROOM_ID_TOKEN: token, WIREROOM_CONFIG_DIR: config, ...env },
  });
  await screenShows(terminal, "● live");
  return terminal;
}

/** A dashboard whose ID token expires. It runs beside the other tests, so that none of them waits for it. */
let expiring: Terminal;

beforeAll(async () => {
  // The daemon accepts a token for 30 seconds after its expiry, so this one is accepted for 40 seconds, which
  // is longer than a test waits for a text.
  const exp = Math.floor(Date.now() / 1_000) + 10;
  const token = await daemon.issuer.token({ claims: { sub: "eda", email: "eda@example.com", exp } });
  expiring = views.openForAll(["dashboard"], { env: { WIREROOM_ID_TOKEN: token } });
  await screenShows(expiring, "● live");
});

/** Goes to a pane by its number and waits until it is there. */
async function pane(
  terminal: Terminal,
  number: number,
  title: string,
  shows: string | RegExp,
): Promise<string> {
  terminal.press(String(number));
  await screenShows(terminal, `╭─ ${title}`);
  return screenShows(terminal, shows);
}

async function keysOf(human: Client): Promise<Body[]> {
  return (await expectOk(human.get("/keys"))).keys;
}

describe("the dashboard", () => {
  // [C-dashboard-panes]
  it("shows account, handles, keys, spaces, limits and the log", async () => {
    const agent = await daemon.createAgent("pam", { display_name: "Pamela", bio: "Prints things" });
    await createSpace(agent, "print-shop", { description: "What is printed" });
    const terminal = await open("pam", { WIREROOM_API_KEY: agent.key });
    const handles = await screenShows(terminal, "Prints things");
    expect(handles).toMatch(/@pam +Pamela +everyone +no/);
    await pane(terminal, 1, "Account", /e-mail +pam@example\.com/);
    await screenShows(terminal, /acts as +@pam/);
    await pane(terminal, 3, "Keys", new RegExp(`${agent.key.slice(0, 12)}… +@pam +valid`));
    await pane(terminal, 4, "Egress", /@pam +open/);
    await pane(terminal, 5, "Approvals", "Nothing waits for you");
    await pane(terminal, 6, "Spaces", /#print-shop +owner +public +anyone +What is printed/);
    await pane(terminal, 7, "Limits", /wires per minute +━+ +60 +60 +1 min +- /);
    terminal.resize(90, 30);
    // The bar is shorter where there is less room, and not cut.
    const limits = await screenShows(terminal, /wires per minute +━+ +60 +60 +1 min/);
    for (const line of limits.split("\n").filter((each) => each.includes("━")))
      expect(line).not.toContain("…");
    terminal.resize(130, 40);
    await pane(terminal, 8, "Audit log", /key\.issued/);
    await screenShows(terminal, /handle\.created +@pam +ok/);
    terminal.press("q");
    expect(await terminal.exitCode).toBe(0);
  });

  // [C-dashboard-handle]
  it("creates the first handle, says what was wrong with one, and the other panes then work with it", async () => {
    const human = await daemon.humanClient("hal");
    const terminal = await open("hal");
    await pane(terminal, 6, "Spaces", "no handle yet");
    terminal.press("2");
    await screenShows(terminal, "No handles yet");
    terminal.press("c", "NO", KEYS.enter);
    await screenShows(terminal, "VALIDATION_ERROR");
    terminal.press("\x15", "hal-one", KEYS.tab, "Hal", KEYS.enter);
    await screenShows(terminal, "@hal-one is yours");
    await screenShows(terminal, /@hal-one +Hal/);
    const { handles } = await expectOk(human.get("/handles"));
    expect(handles).toMatchObject([{ slug: "hal-one", display_name: "Hal", bio: null }]);
    await pane(terminal, 6, "Spaces", "in no space yet");
  });

  // [C-dashboard-handle]
  it("selects the new handle, for which the next key is issued", async () => {
    const human = await daemon.humanClient("hana");
    await expectOk(human.post("/handles", { slug: "hana-one" }), 201);
    const terminal = await open("hana");
    await screenShows(terminal, /▌@hana-one/);
    terminal.press("c", "hana-two", KEYS.enter);
    await screenShows(terminal, "@hana-two is yours");
    terminal.press("i");
    await screenShows(terminal, "Issue a key");
    await screenShows(terminal, /^.*│ +@hana-two +│.*$/m);
    terminal.press(KEYS.enter);
    await screenShows(terminal, "Key of @hana-two");
    terminal.press(KEYS.escape);
    await screenHides(terminal, "Key of @hana-two");
    // The same in the pane of keys: the next key revokes the new one.
    await pane(terminal, 3, "Keys", /▌wr_\w+… +@hana-two +valid/);
    terminal.press("i", KEYS.shiftTab, "\x15", "@hana-one", KEYS.enter);
    await screenShows(terminal, "Key of @hana-one");
    terminal.press(KEYS.escape);
    await screenShows(terminal, /▌wr_\w+… +@hana-one +valid/);
  });

  // [C-dashboard-retire]
  it("retires a handle after a question, once its name was typed", async () => {
    const agent = await daemon.createAgent("old");
    await sendWire(agent, "@old", { text: "hello" });
    await daemon.createAgent("old-two", {}, "old");
    const terminal = await open("old");
    await screenShows(terminal, /@old /);
    terminal.press("g", "r");
    await screenShows(terminal, "Retire @old?");
    expect(terminal.screen).toContain("1 item in its inbox is unread.");
    expect(terminal.screen).toContain("Its name can never be used again");
    terminal.press("n");
    await screenHides(terminal, "Retire @old?");
    terminal.press("r");
    await screenShows(terminal, "Retire @old?");
    terminal.press("y");
    await screenShows(terminal, "Type @old");
    terminal.press("@old-two", KEYS.enter);
    await screenShows(terminal, "type @old to retire it");
    terminal.press("\x15", "@old", KEYS.enter);
    await screenShows(terminal, "@old is retired");
    await screenShows(terminal, /▌@old-two/);
    expect((await agent.get("/profile")).status).toBe(401);
    const { handles } = await expectOk(agent.owner.get("/handles"));
    expect(handles.map(({ slug }: Body) => slug)).toEqual(["old-two"]);
  });

  // [C-dashboard-issue]
  it("issues a key, shows it once, and keeps it in the profile", async () => {
    const human = await daemon.humanClient("ira");
    await expectOk(human.post("/handles", { slug: "ira-bot" }), 201);
    const terminal = await open("ira");
    await screenShows(terminal, /▌@ira-bot/);
    terminal.press("i");
    await screenShows(terminal, "Issue a key");
    terminal.press("30d", KEYS.enter);
    const screen = await screenShows(terminal, "It is shown this once");
    const key = /wr_\w{43}/.exec(screen)![0];
    terminal.press("s");
    await screenShows(terminal, "kept in the profile default");
    terminal.press(KEYS.escape);
    await screenHides(terminal, key);
    expect((await expectOk(daemon.client(key).get("/profile"))).slug).toBe("ira-bot");
    const file = join(views.folder, "ira", "profiles", "default.json");
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
      handle: "ira-bot",
      keys: { "ira-bot": key },
    });
    expect((await keysOf(human))[0].expires_at).not.toBe(null);
    await pane(terminal, 7, "Limits", "wires per minute");
    await pane(terminal, 1, "Account", /acts as +@ira-bot/);
  });

  // [C-dashboard-revoke]
  it("revokes a key after a question", async () => {
    const agent = await daemon.createAgent("rex");
    const terminal = await open("rex");
    await pane(terminal, 3, "Keys", /valid/);
    terminal.press("r");
    await screenShows(terminal, "Revoke this key?");
    terminal.press(KEYS.enter);
    await screenHides(terminal, "Revoke this key?");
    expect((await agent.get("/profile")).status).toBe(200);
    terminal.press("r", "y");
    await screenShows(terminal, /wr_\w+… +@rex +revoked/);
    expect((await agent.get("/profile")).status).toBe(401);
  });

  // [C-dashboard-no-key]
  it("says how to choose a handle where the handle's panes need one, and acts as it without a key", async () => {
    await daemon.createAgent("ned");
    await daemon.createAgent("ned-two", {}, "ned");
    const terminal = await open("ned");
    const screen = await pane(terminal, 6, "Spaces", "several handles");
    expect(screen).toContain("wireroom handle use @ned");
    await pane(terminal, 2, "Handles", /▌@ned /);
    terminal.press("u");
    await screenShows(terminal, "@ned is the active handle now");
    await pane(terminal, 6, "Spaces", "in no space yet");
  });

  // [C-dashboard-no-key]
  it("acts as the only handle once the daemon answers again", async () => {
    await daemon.createAgent("lone");
    const proxy = await startFaultProxy(() => daemon.origin);
    const findsHandle = ({ path }: { path: string }) => path.endsWith("/handles?limit=2");
    proxy.setDefaultFault((request) => (findsHandle(request) ? "cut-before" : "pass"));
    const terminal = await open("lone", { WIREROOM_URL: proxy.base });
    await screenShows(terminal, "no answer from the daemon");
    proxy.setDefaultFault(() => "pass");
    await pane(terminal, 6, "Spaces", "in no space yet");
    terminal.kill();
    await proxy.close();
  });

  // [C-dashboard-revoke] [C-dashboard-panes]
  it("lists connections, and revokes one after a question", async () => {
    await daemon.createAgent("cora");
    const { token } = await addConnection(daemon, "cora", "Some Host");
    const terminal = await open("cora");
    await pane(terminal, 9, "Connections", /Some Host +@cora/);
    terminal.press("r");
    await screenShows(terminal, "Revoke this connection?");
    terminal.press("y");
    await screenShows(terminal, "No client acts for your handles");
    expect((await daemon.client(token).get("/profile")).status).toBe(401);
  });

  // [C-dashboard-egress]
  it("edits whom a handle may write to", async () => {
    const agent = await daemon.createAgent("eve");
    await daemon.createAgent("target");
    const terminal = await open("eve");
    await pane(terminal, 4, "Egress", /▌@eve +open/);
    terminal.press("e", "\x15", "closed", KEYS.enter);
    await screenShows(terminal, "the mode is one of");
    terminal.press("\x15", "allowlist", KEYS.tab, "@eve", KEYS.enter);
    await screenShows(terminal, /▌@eve +allowlist +@eve/);
    expect(await expectOk(agent.owner.get("/handles/eve/egress"))).toEqual({
      mode: "allowlist",
      allow: ["@eve"],
      deny: [],
      publish: true,
    });
    expect((await agent.post("/wires", { to: "@target", text: "hi" })).body.code).toBe("EGRESS_BLOCKED");
    terminal.press("e");
    await screenShows(terminal, "Mode: open, allowlist, approval");
    // Changed elsewhere while the form is open.
    await expectOk(agent.owner.put("/handles/eve/egress", { deny: ["@target"] }));
    terminal.press("\x15", "open", KEYS.enter);
    await screenShows(terminal, /▌@eve +open +@eve +@target/);
    terminal.press("e", KEYS.tab, KEYS.tab, KEYS.tab, "\x15", "never", KEYS.enter);
    await screenShows(terminal, "publish is yes or no");
    terminal.press("\x15", "no", KEYS.enter);
    await screenShows(terminal, /▌@eve +open +@eve +@target +no/);
    expect((await agent.put("/profile", { bio: "psst" })).body.code).toBe("EGRESS_BLOCKED");
  });

  // [C-dashboard-approvals] [C-dashboard-details]
  it("shows all of what waits for approval, page by page, and answers it", async () => {
    const agent = await daemon.createAgent("abe");
    const friend = await daemon.createAgent("abes-friend");
    await expectOk(agent.owner.put("/handles/abe/egress", { mode: "approval" }));
    const long = ["the third", ...Array.from({ length: 30 }, (_, n) => `line ${n + 1} of it`)].join("\n");
    for (const text of ["the first", "the second", long])
      await expectOk(agent.post("/wires", { to: "@abes-friend", text }), 202);
    const terminal = await open("abe");
    const waiting = await pane(terminal, 5, "Approvals", /▌pending +@abe +@abes-friend +wire +the third/);
    expect(waiting).toMatch(/5 Approvals +3 /);
    const first = await screenShows(terminal, /Details ─+ \d+ lines below: J/);
    expect(first).not.toContain("line 30 of it");
    terminal.press("J", "J", "J", "J");
    const end = await screenShows(terminal, "line 30 of it");
    expect(end).not.toContain("lines below");
    terminal.press("K");
    await screenHides(terminal, "line 30 of it");
    terminal.press("K", "K", "K");
    await screenShows(terminal, /│ from +@abe/);
    // Another row begins at its beginning.
    terminal.press("J", KEYS.down);
    await screenShows(terminal, /▌pending +@abe +@abes-friend +wire +the second/);
    await screenShows(terminal, /│ from +@abe/);
    terminal.press(KEYS.up);
    await screenShows(terminal, /▌pending +@abe +@abes-friend +wire +the third/);
    terminal.press("r");
    await screenShows(terminal, "Reject this wire to @abes-friend");
    terminal.press("Ask me first.", KEYS.enter);
    await screenShows(terminal, /rejected +@abe/);
    await screenShows(terminal, /▌pending +@abe +@abes-friend +wire +the second/);
    terminal.press("a");
    await screenShows(terminal, /approved +@abe/);
    await screenShows(terminal, /▌pending +@abe +@abes-friend +wire +the first/);
    terminal.press("A");
    await screenHides(terminal, "pending ");
    // The menu counts what waits, not what is answered.
    await screenShows(terminal, /5 Approvals +0 /);
    const { wires } = await expectOk(friend.get("/inbox"));
    expect(wires.map((wire: Body) => wire.text_body)).toEqual(["the second", "the first"]);
    expect((await expectOk(agent.owner.get("/handles/abe/egress"))).allow).toEqual(["@abes-friend"]);
    const { approval_notices } = await expectOk(agent.get("/inbox"));
    expect(approval_notices.map(({ note }: Body) => note)).toEqual(["Ask me first.", null, null]);
    await sendWire(agent, "@abes-friend", { text: "freely now" });
  });

  // [C-dashboard-ended]
  it("ends with the error when the ID token has expired", async () => {
    expect(await expiring.exitCode).toBe(4);
    expect(expiring.screen).toContain("the ID token has expired; sign in again");
  });

  // [C-dashboard-away]
  it("waits for a daemon that goes away", async () => {
    const own = await startDaemon({ isHosted: true });
    const ownViews = viewsOf(own);
    try {
      await own.createAgent("amy");
      const token = await own.issuer.token({ claims: { sub: "amy", email: "amy@example.com" } });
      const terminal = ownViews.open(["dashboard"], { env: { WIREROOM_ID_TOKEN: token } });
      await screenShows(terminal, /@amy/);
      await screenShows(terminal, "● live");
      await own.restart(async () => {
        await screenShows(terminal, "no answer from the daemon");
        expect(terminal.screen).toMatch(/@amy/);
      });
      await screenShows(terminal, "● live");
      terminal.press(KEYS.interrupt);
      expect(await terminal.exitCode).toBe(130);
    } finally {
      await ownViews.close();
      await own.stop();
    }
  });
});
