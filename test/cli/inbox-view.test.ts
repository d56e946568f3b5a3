import { describe, expect, it } from "vitest";
import { type AgentClient, type Body, startDaemon } from "../harness/daemon.js";
import {
  befriend,
  createSpace,
  emptyInbox,
  knock,
  ok,
  register,
  requiring,
  send,
  wireOf,
} from "../harness/talk.js";
import { KEYS, type Terminal } from "../harness/terminal.js";
import { fileViews, screenHides, screenShows, type Views, viewsOf } from "../harness/view.js";

const { daemon, views } = await fileViews();
let count = 0;

/** Two agents that know each other, the reader's inbox empty. */
async function pair(
  fields: Record<string, unknown> = {},
): Promise<[reader: AgentClient, other: AgentClient]> {
  const number = ++count;
  const reader = await daemon.agent(`reader-${number}`, fields);
  const other = await daemon.agent(`other-${number}`);
  await befriend(other, reader);
  await emptyInbox(reader);
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
  const page: Body = await ok(reader.get("/inbox?limit=100"));
  return page.wires.map((wire: Body) => wire.text_body);
}

describe("reading", () => {
  it("shows what arrives while one reads, and leaves the checkpoint alone [C-inbox-view-live]", async () => {
    const [reader, other] = await pair();
    const terminal = await open(reader);
    expect(terminal.screen).toContain("Nothing new");
    await send(other, reader.slug, { text: "the first" });
    await screenShows(terminal, /▌. @other-\d+ +the first/);
    await send(other, reader.slug, { text: "the second" });
    await screenShows(terminal, /● @other-\d+ +the second/);
    await screenShows(terminal, "2 pending");
    terminal.press("q");
    expect(await terminal.ended).toBe(0);
    expect(await pendingTexts(reader)).toEqual(["the first", "the second"]);
  });

  it("shows the whole thread, indented, with payloads and their schema [C-inbox-view-thread]", async () => {
    const [reader, other] = await pair();
    const ref = await register(other, "quote", requiring({ town: "string" }));
    const rule = { allow_text: true, accepted_schemas: [ref] };
    await ok(reader.put("/profile", { inbox_rule: rule }));
    const root = await send(reader, other.slug, { text: "What does rain cost?" });
    await send(other, reader.slug, { payload: { town: "Oslo" }, text: "This:", reply_to: root.id });
    const terminal = await open(reader);
    const screen = await screenShows(terminal, "schema @other");
    expect(screen).toMatch(/ {3}you → @other-\d+/);
    expect(screen).toContain("What does rain cost?");
    expect(screen).toMatch(/│ {3}│ @other-\d+ → you/);
    expect(screen).toContain('"town": "Oslo"');
    expect(screen).toContain(`schema ${ref}`);
    expect(screen).toContain("2 wires");
  });

  it("marks what another reader deals with [C-inbox-view-elsewhere]", async () => {
    const [reader, other] = await pair();
    await send(other, reader.slug, { text: "for anyone" });
    const terminal = await open(reader);
    await screenShows(terminal, "1 pending");
    await emptyInbox(reader);
    await screenShows(terminal, /✓ @other-\d+ +for anyone/);
  });

  it("narrows the list to what is typed, and searches a space [C-inbox-view-find]", async () => {
    const [reader, other] = await pair();
    for (const text of ["apples are in", "pears are late", "more apples"])
      await send(other, reader.slug, { text });
    const space = `find-${count}`;
    await createSpace(other, space);
    await send(other, `#${space}`, { text: "the disk is full" });
    await send(other, `#${space}`, { text: "the disk is empty" });
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
  it("sends a reply with text and payload into the thread [C-inbox-view-reply]", async () => {
    const [reader, other] = await pair();
    const asked = await send(other, reader.slug, { text: "How many?" });
    const terminal = await open(reader);
    await screenShows(terminal, "How many?");
    terminal.press("r", "Forty", "\x1b\r", "or so", KEYS.tab, '{"count": 40}');
    await screenShows(terminal, '{"count": 40}');
    terminal.press(KEYS.enter);
    await screenShows(terminal, "Sent to @other");
    await screenShows(terminal, '"count": 40');
    const { wires } = await ok(other.get("/inbox"));
    const reply = wires.find((wire: Body) => wire.reply_to === asked.id);
    expect(reply).toMatchObject({
      text_body: "Forty\nor so",
      payload: { count: 40 },
      thread_id: asked.thread_id,
    });
  });

  it("keeps a refused reply open until it is right [C-inbox-view-refused]", async () => {
    const [reader, other] = await pair();
    const ref = await register(other, "strict", requiring({ price: "number" }));
    const rule = { allow_text: false, accepted_schemas: [ref] };
    const asked = await send(other, reader.slug, { text: "Your offer?", reply_rule: rule });
    const terminal = await open(reader);
    await screenShows(terminal, "Your offer?");
    terminal.press("p", "{nonsense", KEYS.enter);
    await screenShows(terminal, "the payload is not JSON");
    terminal.press("\x15", '{"price": "high"}', KEYS.enter);
    await screenShows(terminal, "SCHEMA_VALIDATION_FAILED");
    expect(terminal.screen).toContain("/price");
    terminal.press("\x15", '{"price": 7}', KEYS.enter);
    await screenShows(terminal, "Sent to");
    const { wires } = await ok(other.get("/inbox"));
    expect(wires.find((wire: Body) => wire.reply_to === asked.id).payload).toEqual({ price: 7 });
  });

  it("says that a reply waits for approval [C-inbox-view-held]", async () => {
    const [reader, other] = await pair();
    await ok(reader.owner.put(`/handles/${reader.slug}/egress`, { mode: "approval" }));
    await send(other, reader.slug, { text: "Quickly, please" });
    const terminal = await open(reader);
    await screenShows(terminal, "Quickly, please");
    terminal.press("r", "As fast as I may", KEYS.enter);
    await screenShows(terminal, "once your human approves it");
    const { approvals } = await ok(reader.owner.get("/approvals?status=pending"));
    expect(approvals).toMatchObject([{ target: `@${other.slug}`, wire: { text_body: "As fast as I may" } }]);
  });

  it("names a stranger and answers it [C-inbox-view-stranger]", async () => {
    const [reader] = await pair();
    const stranger = await daemon.agent(`stranger-${count}`);
    await send(stranger, reader.slug, { text: "You do not know me" });
    const terminal = await open(reader);
    await screenShows(terminal, new RegExp(`@${stranger.slug} +You do not`));
    terminal.press("r", "Who are you?", KEYS.enter);
    await screenShows(terminal, `Sent to @${stranger.slug}`);
    const { wires } = await ok(stranger.get("/inbox"));
    expect(wires.map((wire: Body) => wire.text_body)).toEqual(["Who are you?"]);
  });

  it("accepts a knock, and rejects one after a question [C-inbox-view-knock]", async () => {
    const [reader] = await pair({ contact_policy: "contacts_only" });
    const friend = await daemon.agent(`friend-${count}`);
    const pest = await daemon.agent(`pest-${count}`);
    const welcome = await knock(friend, reader.slug, "an old friend");
    const unwelcome = await knock(pest, reader.slug, "BUY NOW");
    const terminal = await open(reader);
    await screenShows(terminal, "a accept");
    terminal.press("a");
    await screenShows(terminal, `@${friend.slug} is a contact now`);
    terminal.press(KEYS.down);
    await screenShows(terminal, /BUY NOW[\s\S]*a accept/);
    terminal.press("x");
    await screenShows(terminal, "Reject this knock?");
    terminal.press("n", "x", "y");
    await screenShows(terminal, "Knock rejected");
    const { knocks } = await ok(reader.get("/knocks"));
    const statusOf = (id: string) => knocks.find((each: Body) => each.id === id).status;
    expect([statusOf(welcome), statusOf(unwelcome)]).toEqual(["accepted", "rejected"]);
    await send(friend, reader.slug, { text: "thank you" });
  });

  it("deletes a wire of one's own after a question, and no other [C-inbox-view-delete]", async () => {
    const [reader, other] = await pair();
    const asked = await send(other, reader.slug, { text: "Say something" });
    const own = await send(reader, other.slug, { text: "Something silly", reply_to: asked.id });
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
    expect((await wireOf(other, own)).text_body).toBe(null);
    expect((await wireOf(other, asked)).text_body).toBe("Say something");
  });
});

describe("dealing with items", () => {
  it("moves the checkpoint behind the selected one, and no further [C-inbox-view-deal]", async () => {
    const [reader, other] = await pair();
    for (const text of ["one", "two", "three", "four"]) await send(other, reader.slug, { text });
    await knock(await daemon.agent(`late-${count}`), reader.slug);
    const terminal = await open(reader);
    await screenShows(terminal, "5 pending");
    terminal.press("j", "j", "d");
    await screenShows(terminal, "3 items dealt with");
    await screenShows(terminal, "2 pending");
    expect(await pendingTexts(reader)).toEqual(["four"]);
    terminal.press("G", "d");
    await screenShows(terminal, "0 pending");
    const page = await ok(reader.get("/inbox"));
    expect([page.wires, page.knocks]).toEqual([[], []]);
    await send(other, reader.slug, { text: "five" });
    await screenShows(terminal, "1 pending");
  });
});

describe("a daemon that is not there", () => {
  it("is waited for, and nothing is lost [C-inbox-view-away]", async () => {
    const own = await startDaemon();
    const ownViews = viewsOf(own);
    try {
      const reader = await own.agent("reader");
      const other = await own.agent("other");
      await send(other, "reader", { text: "before" });
      const terminal = ownViews.open(["inbox", "-i"], { env: { WIREROOM_API_KEY: reader.key } });
      await screenShows(terminal, "before");
      await own.kill();
      await screenShows(terminal, "no answer from the daemon");
      terminal.press("r");
      await screenShows(terminal, "Reply");
      terminal.press(KEYS.escape);
      await own.restart();
      await screenShows(terminal, "● live");
      await send(other, "reader", { text: "afterwards" });
      const screen = await screenShows(terminal, "afterwards");
      expect(screen.match(/before/g)).toHaveLength(2);
      terminal.press("q");
      expect(await terminal.ended).toBe(0);
    } finally {
      await ownViews.close();
      await own.stop();
    }
  });

  it("and a key that is revoked ends the view with 3 [C-inbox-view-revoked]", async () => {
    const [reader, other] = await pair();
    await send(other, reader.slug, { text: "soon over" });
    const terminal = await open(reader);
    await screenShows(terminal, "soon over");
    await ok(reader.owner.delete(`/keys/${reader.keyId}`));
    expect(await terminal.ended).toBe(3);
    expect(terminal.screen).toContain("UNAUTHORIZED");
    expect(terminal.screen).not.toContain("soon over");
  });
});
