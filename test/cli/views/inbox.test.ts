import { describe, expect, it } from "vitest";
import {
  createSpace,
  expectOk,
  makeContacts,
  readInboxToEnd,
  readWire,
  registerSchema,
  schemaRequiring,
  sendKnock,
  sendWire,
} from "../../harness/api-helpers.js";
import { type AgentClient, type Body, NO_LIMITS, startDaemon } from "../../harness/daemon.js";
import { startFaultProxy } from "../../harness/fault-proxy.js";
import { KEYS, type Terminal } from "../../harness/terminal.js";
import { screenHides, screenShows, type Views, viewFixture, viewsOf } from "../../harness/view-fixture.js";

const { daemon, views } = await viewFixture();
let count = 0;

/** Two agents that know each other, the reader's inbox empty. */
async function pair(
  fields: Record<string, unknown> = {},
): Promise<[reader: AgentClient, other: AgentClient]> {
  const number = ++count;
  const reader = await daemon.createAgent(`reader-${number}`, fields);
  const other = await daemon.createAgent(`other-${number}`);
  await makeContacts(other, reader);
  await readInboxToEnd(reader);
  return [reader, other];
}

async function open(reader: AgentClient, options: Parameters<Views["open"]>[1] = {}): Promise<Terminal> {
  const env = { WIREROOM_API_KEY: reader.key, ...options.env };
  const terminal = views.open(["inbox", "-i"], { ...options, env });
  await screenShows(terminal, "● live");
  return terminal;
}

/** Texts of what is pending, in the order of the log. */
async function pendingTexts(reader: AgentClient): Promise<string[]> {
  const page: Body = await expectOk(reader.get("/inbox?limit=100"));
  return page.wires.map((wire: Body) => wire.text_body);
}

describe("reading", () => {
  // [C-inbox-view-live] [C-inbox-view-elsewhere]
  it("shows what arrives while one reads, leaves the checkpoint alone, and marks what another client acknowledges", async () => {
    const [reader, other] = await pair();
    const terminal = await open(reader);
    expect(terminal.screen).toContain("Nothing new");
    await sendWire(other, reader.slug, { text: "the first" });
    await screenShows(terminal, /▌. @other-\d+ +the first/);
    await sendWire(other, reader.slug, { text: "the second" });
    await screenShows(terminal, /● @other-\d+ +the second/);
    await screenShows(terminal, "2 pending");
    expect(await pendingTexts(reader)).toEqual(["the first", "the second"]);
    await readInboxToEnd(reader);
    await screenShows(terminal, /✓ @other-\d+ +the second/);
    await sendWire(other, reader.slug, { text: "the third" });
    await screenShows(terminal, "1 pending");
    const slug = `room-${count}`;
    const root_rule = { allow_text: true, claimable: true };
    await expectOk(other.post("/spaces", { slug, visibility: "public", root_rule }), 201);
    const { id } = await sendWire(other, `#${slug}`, { text: "look here", mentions: [reader.slug] });
    await expectOk(other.put(`/wires/${id}/claim`, {}));
    await screenShows(terminal, new RegExp(`● @other-\\d+ +mentions you in #${slug}`));
    terminal.press("G");
    await screenShows(terminal, /│ +look here /);
    await screenShows(terminal, /claimed by @other-\d+, expires in \d+ min/);
    terminal.press("r", "I did", KEYS.enter);
    await screenShows(terminal, `Sent to #${slug}`);
    terminal.press("q");
    expect(await terminal.exitCode).toBe(0);
    expect(await pendingTexts(reader)).toEqual(["the third"]);
  });

  // [C-inbox-view-thread]
  it("shows the whole thread, indented, with payloads and their schema", async () => {
    const [reader, other] = await pair();
    const ref = await registerSchema(other, "quote", schemaRequiring({ town: "string" }));
    const rule = { allow_text: true, accepted_schemas: [ref] };
    await expectOk(reader.put("/profile", { inbox_rule: rule }));
    const root = await sendWire(reader, other.slug, { text: "What does rain cost?" });
    await sendWire(other, reader.slug, { payload: { town: "Oslo" }, text: "This:", reply_to: root.id });
    const terminal = await open(reader);
    const screen = await screenShows(terminal, "schema @other");
    expect(screen).toMatch(/ {3}you → @other-\d+/);
    expect(screen).toContain("What does rain cost?");
    expect(screen).toMatch(/│ {3}│ @other-\d+ → you/);
    expect(screen).toContain('"town": "Oslo"');
    expect(screen).toContain(`schema ${ref}`);
    expect(screen).toContain("2 wires");
  });

  // [C-inbox-view-thread]
  it("finds the selected wire in a thread of several pages", async () => {
    const own = await startDaemon({ args: NO_LIMITS, isHosted: true });
    const ownViews = viewsOf(own);
    try {
      const reader = await own.createAgent("reader");
      const other = await own.createAgent("other");
      await makeContacts(other, reader);
      const root = await sendWire(reader, "other", { text: "the root" });
      for (let number = 1; number <= 110; number++)
        await sendWire(other, "reader", { text: `reply ${number}`, reply_to: root.id });
      await readInboxToEnd(reader);
      await sendWire(other, "reader", { text: "the newest", reply_to: root.id });
      const terminal = ownViews.open(["inbox", "-i"], { env: { WIREROOM_API_KEY: reader.key } });
      await screenShows(terminal, / wires/);
      terminal.press(KEYS.tab, "r");
      const screen = await screenShows(terminal, "Reply to @other: ");
      expect(screen).toContain("Reply to @other: the newest");
      expect(screen).toContain("112 wires");
    } finally {
      await ownViews.close();
      await own.stop();
    }
  });

  // [C-inbox-view-find]
  it("narrows the list to what is typed, and searches a space", async () => {
    const [reader, other] = await pair();
    for (const text of ["apples are in", "pears are late", "more apples"])
      await sendWire(other, reader.slug, { text });
    const space = `find-${count}`;
    await createSpace(other, space);
    await sendWire(other, `#${space}`, { text: "the disk is full" });
    await sendWire(other, `#${space}`, { text: "the disk is empty" });
    const terminal = await open(reader);
    await screenShows(terminal, "3 pending");
    terminal.press("/", "apples");
    await screenHides(terminal, "pears");
    expect(terminal.screen).toContain("more apples");
    terminal.press(KEYS.enter, KEYS.escape);
    await screenShows(terminal, "pears");
    terminal.press("s", `#${space}`, KEYS.tab, "disk -empty", KEYS.enter);
    const screen = await screenShows(terminal, "the disk is full");
    expect(screen).not.toContain("the disk is empty");
    expect(screen).toContain("1 wire");
  });
});

describe("answering", () => {
  // [C-inbox-view-reply]
  it("sends a reply with text and payload into the thread", async () => {
    const [reader, other] = await pair();
    const asked = await sendWire(other, reader.slug, { text: "How many?" });
    const terminal = await open(reader);
    await screenShows(terminal, "How many?");
    terminal.press("r", "Forty", "\x1b\r", "or so", KEYS.tab, '{"count": 40}');
    await screenShows(terminal, '{"count": 40}');
    terminal.press(KEYS.enter);
    await screenShows(terminal, "Sent to @other");
    await screenShows(terminal, '"count": 40');
    const { wires } = await expectOk(other.get("/inbox"));
    const reply = wires.find((wire: Body) => wire.reply_to === asked.id);
    expect(reply).toMatchObject({
      text_body: "Forty\nor so",
      payload: { count: 40 },
      thread_id: asked.thread_id,
    });
  });

  // [C-inbox-view-refused]
  it("keeps a refused reply open until it is right", async () => {
    const [reader, other] = await pair();
    const ref = await registerSchema(other, "strict", schemaRequiring({ price: "number" }));
    const rule = { allow_text: false, accepted_schemas: [ref] };
    const asked = await sendWire(other, reader.slug, { text: "Your offer?", reply_rule: rule });
    const terminal = await open(reader);
    await screenShows(terminal, "Your offer?");
    terminal.press("p", "{nonsense", KEYS.enter);
    await screenShows(terminal, "the payload is not JSON");
    terminal.press("\x15", '{"price": "high"}', KEYS.enter);
    await screenShows(terminal, "SCHEMA_VALIDATION_FAILED");
    expect(terminal.screen).toContain("payload.price");
    terminal.press("\x15", '{"price": 7}', KEYS.enter);
    await screenShows(terminal, "Sent to");
    const { wires } = await expectOk(other.get("/inbox"));
    expect(wires.find((wire: Body) => wire.reply_to === asked.id).payload).toEqual({ price: 7 });
  });

  // [C-inbox-view-reply]
  it("sends a reply once, although the response to it was lost and the user sends it again", async () => {
    const [reader, other] = await pair();
    await sendWire(other, reader.slug, { text: "How many?" });
    await readInboxToEnd(other);
    const proxy = await startFaultProxy(() => daemon.origin);
    const terminal = await open(reader, { env: { WIREROOM_URL: proxy.base } });
    await screenShows(terminal, "How many?");
    proxy.setDefaultFault(({ method }) => (method === "POST" ? "cut-after" : "pass"));
    terminal.press("r", "Forty", KEYS.enter);
    await screenShows(terminal, "CONNECTION_FAILED");
    proxy.setDefaultFault(() => "pass");
    terminal.press(KEYS.escape);
    await screenHides(terminal, "CONNECTION_FAILED");
    terminal.press("r");
    await screenShows(terminal, "Forty");
    terminal.press(KEYS.enter);
    await screenShows(terminal, "Sent to @other");
    expect(await pendingTexts(other)).toEqual(["Forty"]);
    terminal.press("r", "Forty", KEYS.enter);
    await expect.poll(() => pendingTexts(other)).toEqual(["Forty", "Forty"]);
    terminal.kill();
    await proxy.close();
  });

  // [C-inbox-view-stranger] [C-inbox-view-held]
  it("names a stranger and answers it; says that a reply waits for approval", async () => {
    const [reader] = await pair();
    const stranger = await daemon.createAgent(`stranger-${count}`);
    await sendWire(stranger, reader.slug, { text: "You do not know me" });
    const terminal = await open(reader);
    await screenShows(terminal, new RegExp(`@${stranger.slug} +You do not`));
    terminal.press("r", "Who are you?", KEYS.enter);
    await screenShows(terminal, `Sent to @${stranger.slug}`);
    const { wires } = await expectOk(stranger.get("/inbox"));
    expect(wires.map((wire: Body) => wire.text_body)).toEqual(["Who are you?"]);
    await expectOk(reader.owner.put(`/handles/${reader.slug}/egress`, { mode: "approval" }));
    terminal.press("r", "As fast as I may", KEYS.enter);
    await screenShows(terminal, "once your human approves it");
    const { approvals } = await expectOk(reader.owner.get("/approvals?status=pending"));
    expect(approvals).toMatchObject([
      { target: `@${stranger.slug}`, wire: { text_body: "As fast as I may" } },
    ]);
    const answer = { status: "rejected", note: "Not today." };
    await expectOk(reader.owner.put(`/approvals/${approvals[0].id}`, answer));
    await screenShows(terminal, /● your human +rejected the wire to/);
    terminal.press("G");
    await screenShows(terminal, `│ rejected the wire to @${stranger.slug}: Not today. `);
    expect(terminal.screen).toContain("2 pending");
  });

  // [C-inbox-view-knock]
  it("accepts a knock, and rejects one after a question", async () => {
    const [reader] = await pair({ contact_policy: "contacts_only" });
    const friend = await daemon.createAgent(`friend-${count}`);
    const pest = await daemon.createAgent(`pest-${count}`);
    const welcome = await sendKnock(friend, reader.slug, "an old friend");
    const unwelcome = await sendKnock(pest, reader.slug, "BUY NOW");
    const terminal = await open(reader);
    await screenShows(terminal, "a accept");
    terminal.press("a");
    await screenShows(terminal, `@${friend.slug} is a contact now`);
    terminal.press(KEYS.down);
    await screenShows(terminal, /BUY NOW[\s\S]*a accept/);
    terminal.press("r");
    await screenShows(terminal, "Reject this knock?");
    terminal.press("n", "r", "y");
    await screenShows(terminal, "Knock rejected");
    const { knocks } = await expectOk(reader.get("/knocks"));
    const statusOf = (id: string) => knocks.find((each: Body) => each.id === id).status;
    expect([statusOf(welcome), statusOf(unwelcome)]).toEqual(["accepted", "rejected"]);
    await sendWire(friend, reader.slug, { text: "thank you" });
  });

  // [C-inbox-view-knock]
  it("rejects the knock of the question, although an acknowledgement selects another one meanwhile", async () => {
    const [reader] = await pair({ contact_policy: "contacts_only" });
    const [pest, friend] = [
      await daemon.createAgent(`pest-${count}`),
      await daemon.createAgent(`friend-${count}`),
    ];
    const unwelcome = await sendKnock(pest, reader.slug, "BUY NOW");
    const welcome = await sendKnock(friend, reader.slug, "an old friend");
    const proxy = await startFaultProxy(() => daemon.origin);
    proxy.setDefaultFault(({ path }) => (path.includes("cursor=") ? "slow" : "pass"));
    const terminal = await open(reader, { env: { WIREROOM_URL: proxy.base } });
    await screenShows(terminal, "BUY NOW");
    terminal.press("d", "r");
    await screenShows(terminal, "Reject this knock?");
    await expect.poll(async () => (await expectOk(reader.get("/inbox"))).knocks.length).toBe(1);
    await screenShows(terminal, "1 item acknowledged");
    terminal.press("y");
    await screenShows(terminal, "Knock rejected");
    const { knocks } = await expectOk(reader.get("/knocks"));
    const statusOf = (id: string) => knocks.find((each: Body) => each.id === id).status;
    expect([statusOf(unwelcome), statusOf(welcome)]).toEqual(["rejected", "pending"]);
    terminal.kill();
    await proxy.close();
  });

  // [C-inbox-view-delete]
  it("deletes a wire of one's own after a question, and no other", async () => {
    const [reader, other] = await pair();
    const asked = await sendWire(other, reader.slug, { text: "Say something" });
    const own = await sendWire(reader, other.slug, { text: "Something silly", reply_to: asked.id });
    const terminal = await open(reader);
    await screenShows(terminal, "Something silly");
    terminal.press(KEYS.tab, "D");
    await screenShows(terminal, "Only a wire of your own");
    terminal.press(KEYS.down, "D");
    await screenShows(terminal, "Delete this wire?");
    terminal.press("n");
    await screenHides(terminal, "Delete this wire?");
    terminal.press("D", "y");
    await screenShows(terminal, "removed by its sender");
    expect((await readWire(other, own)).text_body).toBe(null);
    expect((await readWire(other, asked)).text_body).toBe("Say something");
  });
});

describe("acknowledging items", () => {
  // [C-inbox-view-deal]
  it("moves the checkpoint behind the selected one, and no further", async () => {
    const [reader, other] = await pair();
    for (const text of ["one", "two", "three", "four"]) await sendWire(other, reader.slug, { text });
    await sendKnock(await daemon.createAgent(`late-${count}`), reader.slug);
    const terminal = await open(reader);
    await screenShows(terminal, "5 pending");
    terminal.press("j", "j", "d");
    await screenShows(terminal, "Acknowledge 3 items?");
    terminal.press("y");
    await screenShows(terminal, "3 items acknowledged");
    await screenShows(terminal, "2 pending");
    expect(await pendingTexts(reader)).toEqual(["four"]);
    terminal.press("G", "d", "y");
    await screenShows(terminal, "0 pending");
    const page = await expectOk(reader.get("/inbox"));
    expect([page.wires, page.knocks]).toEqual([[], []]);
    await sendWire(other, reader.slug, { text: "five" });
    await screenShows(terminal, "1 pending");
  });

  // [C-inbox-view-deal]
  it("asks before it acknowledges items that the filter hides", async () => {
    const [reader, other] = await pair();
    for (const text of ["apples", "pears", "plums", "more apples"])
      await sendWire(other, reader.slug, { text });
    const terminal = await open(reader);
    await screenShows(terminal, "4 pending");
    terminal.press("/", "more", KEYS.enter);
    await screenShows(terminal, "acknowledge 4");
    terminal.press("d");
    const question = await screenShows(terminal, "Acknowledge 4 items?");
    expect(question).toContain("so the 3 pending items before it");
    expect(question).toContain("The filter hides 3 of them.");
    terminal.press("n");
    await screenHides(terminal, "Acknowledge 4 items?");
    expect(await pendingTexts(reader)).toHaveLength(4);
    terminal.press("d", "y");
    await screenShows(terminal, "4 items acknowledged");
    expect(await pendingTexts(reader)).toEqual([]);
  });
});

describe("the list", () => {
  it("has one row for a wire that its sender removes; a single item is acknowledged without a question", async () => {
    const [reader, other] = await pair();
    const wire = await sendWire(other, reader.slug, { text: "soon gone" });
    const terminal = await open(reader);
    await screenShows(terminal, "soon gone");
    await expectOk(other.delete(`/wires/${wire.id}`));
    const row = new RegExp(`@${other.slug} +removed by its sender`);
    const screen = await screenShows(terminal, row);
    expect(screen.match(/removed by|soon gone/g)).toHaveLength(2);
    expect(screen).toContain("1 pending");
    terminal.press("d");
    await screenShows(terminal, "1 item acknowledged");
    await screenShows(terminal, "0 pending");
    const { tombstone_notices, ...page } = await expectOk(reader.get("/inbox"));
    expect([page.wires, tombstone_notices]).toEqual([[], []]);
  });

  // [C-view-help]
  it("names at its foot only keys that do what they say", async () => {
    const [reader, other] = await pair({ contact_policy: "contacts_only" });
    const wanted = await sendWire(other, reader.slug, { text: "a wire" });
    expect(wanted.id).toBeDefined();
    await sendKnock(await daemon.createAgent(`knocking-${count}`), reader.slug, "let me in");
    const terminal = await open(reader, { columns: 160 });
    await screenShows(terminal, "2 pending");
    const foot = () => terminal.screen.split("\n").at(-1)!;
    expect(foot()).toMatch(/r reply.*d acknowledge .*q leave/);
    expect(foot()).not.toMatch(/accept|delete/);
    terminal.press("j");
    await screenShows(terminal, /a accept +r reject +d acknowledge 2/);
    expect(foot()).not.toContain("reply");
    terminal.press("p");
    await screenShows(terminal, "Select a wire to reply to");
    terminal.press("/", "q", "?");
    await screenShows(terminal, "/ q?");
    expect(foot()).toMatch(/Enter keep the filter +Esc show all/);
    expect(foot()).not.toMatch(/q leave|\? help/);
    terminal.press(KEYS.escape);
    await screenShows(terminal, "let me in");
    terminal.press("G", "a");
    await screenShows(terminal, "is a contact now");
    expect(foot()).not.toContain("accept");
  });
});

describe("a daemon that is not there", () => {
  // [C-inbox-view-away]
  it("is waited for, and nothing is lost", async () => {
    const own = await startDaemon({ isHosted: true });
    const ownViews = viewsOf(own);
    try {
      const reader = await own.createAgent("reader");
      const other = await own.createAgent("other");
      await sendWire(other, "reader", { text: "before" });
      const terminal = ownViews.open(["inbox", "-i"], { env: { WIREROOM_API_KEY: reader.key } });
      await screenShows(terminal, "before");
      await own.restart(async () => {
        await screenShows(terminal, "no answer from the daemon");
        terminal.press("r");
        await screenShows(terminal, "Reply");
        terminal.press(KEYS.escape);
      });
      await screenShows(terminal, "● live");
      await sendWire(other, "reader", { text: "afterwards" });
      const screen = await screenShows(terminal, "afterwards");
      expect(screen.match(/before/g)).toHaveLength(2);
      terminal.press("q");
      expect(await terminal.exitCode).toBe(0);
    } finally {
      await ownViews.close();
      await own.stop();
    }
  });

  // [C-inbox-view-revoked]
  it("and a key that is revoked ends the view with 3", async () => {
    const [reader, other] = await pair();
    await sendWire(other, reader.slug, { text: "soon over" });
    const terminal = await open(reader);
    await screenShows(terminal, "soon over");
    await expectOk(reader.owner.delete(`/keys/${reader.keyId}`));
    expect(await terminal.exitCode).toBe(3);
    expect(terminal.screen).toContain("UNAUTHORIZED");
    expect(terminal.screen).not.toContain("soon over");
  });
});
