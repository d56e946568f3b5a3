/** The output of the commands for agents without `--json`, in a pipe and on a terminal. */
import { spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CliFixture } from "../harness/cli-fixture.js";
import { type Body, COMMAND, NO_LIMITS } from "../harness/daemon.js";
import { startFaultProxy } from "../harness/fault-proxy.js";
import { hold } from "../harness/held-requests.js";
import { runInProcess } from "../harness/in-process.js";
import { KEYS, Terminal } from "../harness/terminal.js";

/** Text that would clear the screen, reverse the writing direction and start new lines. */
const HOSTILE = "\u001b[2J\u009b31m\u202eevil\u2066\r\nnext line\ttab";

let cli: CliFixture;

beforeAll(async () => {
  cli = await CliFixture.start({ args: NO_LIMITS });
  await cli.createHandle("alice");
  await cli.createHandle("bob");
  await cli.agent("alice").post("/spaces", { slug: "ops", visibility: "public" });
});

afterAll(() => cli.stop());

const wireOf = async (id: string) => (await cli.agent("alice").get(`/wires/${id.trim()}`)).body;
const inboxOf = async (slug: string) => (await cli.agent(slug).get("/inbox?limit=100")).body;

function terminal(slug: string, args: readonly string[], columns = 80): Terminal {
  return Terminal.inProcess(args, { env: cli.env(slug), columns });
}

describe("in a pipe", () => {
  // [C-agent-plain] [C-send-input]
  it("a created resource is printed as its id; text and payload are read from options, files and standard input", async () => {
    const typed = await cli.runAs("alice", "send", "@bob", "--", "- a dash");
    expect(await wireOf(typed.stdout)).toMatchObject({ text_body: "- a dash" });
    const dash = await cli.runAs("alice", "send", "@bob", "-5 degrees");
    expect([dash.code, dash.stderr]).toEqual([
      2,
      expect.stringContaining(
        "put -- before a text that starts with a dash: wireroom send <to> -- '-5 degrees'",
      ),
    ]);
    const words = await cli.runAs("alice", "space", "search", "ops", "costly", "-start");
    expect([words.code, words.stderr]).toEqual([
      2,
      expect.stringContaining("wireroom space search <space> -- -start"),
    ]);
    const piped = await cli.runWithInput("alice", "two\nlines\n", "send", "bob", "-");
    expect(await wireOf(piped.stdout)).toMatchObject({ text_body: "two\nlines" });
    const file = await cli.writeFile("payload.json", '{"from": "a file"}');
    const filed = await cli.runAs("alice", "send", "bob", "@bob is no file", "--payload", `@${file}`);
    expect(await wireOf(filed.stdout)).toMatchObject({
      text_body: "@bob is no file",
      payload: { from: "a file" },
    });
    const twice = await cli.runWithInput("alice", "1", "send", "bob", "-", "--payload", "-");
    expect(twice).toMatchObject({ code: 2, stdout: "" });
  });

  it("an error names the command instead of the field of the API", async () => {
    const owner = await cli.runAs("alice", "space", "remove-member", "ops", "@alice", "--yes");
    expect(owner.stderr).toMatch(/^error @alice owns the space; .*wireroom space transfer/);
  });

  // [C-send-idempotent]
  it("commands with the same idempotency key send one wire", async () => {
    const args = ["send", "@bob", "once", "--idempotency-key", "order-42"];
    const first = await cli.runAs("alice", ...args);
    expect((await cli.runAs("alice", ...args)).stdout).toBe(first.stdout);
  });

  // [C-send-waits] [C-wire-wait] [C-sent]
  it("send --wait-for-reply prints the reply; sent and wire get show what became of a wire", async () => {
    await cli.createHandle("dave");
    const [alice, dave] = [cli.agent("alice"), cli.agent("dave")];
    const asking = cli.runAs("alice", "send", "dave", "a question", "--wait-for-reply");
    const { wires, next_cursor } = (await dave.get("/inbox?wait=20")).body;
    await dave.get(`/inbox?cursor=${next_cursor}`);
    await dave.post("/wires", { to: "alice", text: "an answer", reply_to: wires[0].id });
    const [id, reply] = (await asking).stdout.split("\n");
    expect(id).toBe(wires[0].id);
    expect(reply).toContain("\t@dave\t@alice\tan answer\t");
    const none = await cli.runAs("alice", "send", "dave", "x".repeat(300), "--wait-for-reply", "0");
    expect(none.stderr).toMatch(/^No reply yet. Wait for it: wireroom wire wait [0-9a-f-]{36}\n$/);
    // wire wait outlasts more failures than other commands.
    const proxy = await startFaultProxy(() => cli.daemon.origin);
    proxy.queueFaults("503", "503", "503");
    const again = await cli.runAs("alice", "wire", "wait", id!, "--url", proxy.base);
    await proxy.close();
    expect([again.code, again.stdout]).toEqual([0, `${reply}\n`]);
    const { body } = await cli.runJson("alice", "sent", "@dave", "--brief");
    expect(body.wires).toMatchObject([
      { text_body: "x".repeat(280), cut: true },
      { id, cut: false },
    ]);
    expect((await cli.runJson("alice", "wire", "get", id!)).body.delivery.state).toBe("read");
    const shown = terminal("alice", ["wire", "get", id!]);
    expect(await shown.exitCode).toBe(0);
    expect(await shown.waitFor(" read ")).toMatch(/from a stranger to @dave .* read (now|\d+ s ago)/);
    expect((await cli.runAs("alice", "sent", "--delivery", "read")).stdout).toMatch(
      new RegExp(`^${id}\t.*\n$`),
    );
    await alice.post("/knocks", { handle: "dave", intro: "hi" });
    await dave.post("/wires", { to: "alice", text: "hello" });
    expect((await cli.runAs("alice", "send", "dave", "hi")).stderr).toMatch(
      /^An agent last read the inbox of @dave \S+/,
    );
    const contacts = await cli.runAs("alice", "contact", "list");
    expect(contacts.stdout).toMatch(/^@dave\t\S+Z\t\S+:00\.000Z\n$/);
    await cli.runAs("dave", "profile", "set", "--delivery-receipts", "off");
    expect((await dave.get("/profile")).body.delivery_receipts).toBe(false);
    expect((await alice.get(`/wires/${id}`)).body.delivery.state).toBe("queued");
  });

  // [C-space-names]
  it("a space may be named with or without #", async () => {
    const bare = await cli.runAs("alice", "space", "post", "ops", "one");
    const signed = await cli.runAs("alice", "space", "post", "#ops", "two");
    expect((await wireOf(bare.stdout)).space_id).toBe((await wireOf(signed.stdout)).space_id);
    const handle = await cli.runAs("alice", "space", "show", "@ops");
    expect(handle).toMatchObject({ code: 2, stderr: expect.stringContaining("is a handle") });
  });

  // [C-agent-plain] [C-agent-pages]
  it("lists print one item per line and the option for the next page; --all prints every page", async () => {
    const page = await cli.runAs("bob", "space", "feed", "ops", "--limit", "1");
    expect(page.stdout.trimEnd().split("\n")).toHaveLength(1);
    expect(page.stdout.split("\t")[4]).toBe("two");
    expect(page.stderr).toMatch(/More results: add --cursor \S+, or --all/);
    const all = await cli.runJson("bob", "space", "feed", "ops", "--limit", "1", "--all");
    expect(all.body.wires).toHaveLength(2);
    expect(all.body.next_cursor).toBeNull();
    const empty = await cli.runAs("bob", "contact", "list");
    expect(empty).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  // [C-inbox-checkpoint]
  it("a mention is a line in the inbox of the handle", async () => {
    const sent = await cli.runAs("alice", "send", "#ops", "look", "--mention", "bob", "--mention", "@alice");
    expect(await wireOf(sent.stdout)).toMatchObject({ mentions: ["bob", "alice"] });
    const { stdout } = await cli.runAs("bob", "inbox", "--limit", "100");
    expect(stdout).toMatch(
      new RegExp(`^space_notice\t${sent.stdout.trim()}\t[^\t]+\t@alice\tmentions you in #ops\t\t$`, "m"),
    );
    await cli.runAs("bob", "inbox", "--done");
  });

  it("reading the inbox acknowledges nothing, but --cursor and --done do", async () => {
    await cli.createHandle("carol");
    for (const text of ["one", "two", "three"])
      await cli.agent("alice").post("/wires", { to: "carol", text });
    const first = await cli.runJson("carol", "inbox", "--limit", "1");
    expect((await inboxOf("carol")).wires).toHaveLength(3);
    const second = await cli.runAs("carol", "inbox", "--cursor", first.body.next_cursor, "--limit", "1");
    expect(second.stdout).toMatch(/^wire\t\S+\t\S+\t\S+\ttwo\t\t\n$/);
    expect((await inboxOf("carol")).wires).toHaveLength(2);
    const { id } = (await inboxOf("carol")).wires[1];
    await cli.agent("alice").delete(`/wires/${id}`);
    expect((await cli.runAs("carol", "inbox")).stdout).toContain("\t@alice\t\t\tsender\n");
    expect((await cli.runAs("carol", "wire", "show", id)).stdout).toMatch(/\t@carol\t\t\t.*\tsender\n$/);
    expect((await cli.runAs("carol", "inbox", "--done")).code).toBe(0);
    expect((await inboxOf("carol")).wires).toHaveLength(0);
  });

  it("inbox --wait waits for the next item", async () => {
    await cli.createHandle("erin");
    const waiting = await hold(cli.daemon, () => cli.runAs("erin", "inbox", "--wait", "50"));
    await cli.agent("alice").post("/wires", { to: "erin", text: "awaited" });
    expect((await waiting()).stdout).toMatch(/^wire\t\S+\t\S+\t\S+\tawaited\t\t\n$/);
  });

  // [C-hostile-text]
  it("text of other handles stays on its line without control characters", async () => {
    await cli.createHandle("dora");
    await cli.agent("alice").post("/wires", { to: "dora", text: HOSTILE, payload: { "\u202e": "\u009b" } });
    const plain = await cli.runAs("dora", "inbox");
    expect(plain.stdout.split("\n")).toHaveLength(2);
    const json = await cli.runAs("dora", "inbox", "--json");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the output must not contain these characters
    for (const { stdout } of [plain, json]) expect(stdout).not.toMatch(/[\u001b\u009b\u202e\u2066\r]/);
    expect(JSON.parse(json.stdout).wires[0]).toMatchObject({
      text_body: HOSTILE,
      payload: { "\u202e": "\u009b" },
    });
  });

  // [C-pipe-closed]
  it("closing the pipe early is no error, also for help texts", async () => {
    const profiles = join(cli.env("bob").WIREROOM_CONFIG_DIR!, "profiles");
    await mkdir(profiles, { recursive: true });
    await writeFile(join(profiles, "work.json"), "{}", { mode: 0o600 });
    for (const args of [
      ["space", "--help"],
      ["call", "--help"],
      ["inbox", "--json"],
      ["completion", "bash"],
      ["completion-server"],
    ]) {
      const child = spawn(process.execPath, [COMMAND, ...args], {
        env: { ...process.env, ...cli.env("bob") },
        stdio: ["ignore", "pipe", "pipe"],
      });
      child.stdout.destroy();
      let stderr = "";
      child.stderr.on("data", (chunk: Buffer) => {
        stderr += chunk.toString();
      });
      const code = await new Promise((resolve) => child.once("close", resolve));
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    }
  });
});

describe("on a terminal", () => {
  // [C-agent-terminal] [C-hostile-text]
  it("a thread shows names, indentation and relative times, and removes control characters from text", async () => {
    const alice = cli.agent("alice");
    const root = await alice.post("/wires", { to: "bob", text: HOSTILE });
    await cli.agent("bob").post("/wires", { to: "alice", text: "what?", reply_to: root.body.id });
    const shown = terminal("bob", ["thread", root.body.id], 120);
    expect(await shown.exitCode).toBe(0);
    const screen = await shown.waitFor("what?");
    expect(screen).toMatch(/^@alice\S* → @bob\S* {2}(now|\d+ (s|min) ago) /m);
    expect(screen).toMatch(/^ {2}@bob\S* → @alice\S* /m);
    expect(screen).toMatch(/^ {4}what\?$/m);
    expect(screen).toContain("␛[2J<U+009B>31m<U+202E>evil");
    expect(shown.written).not.toContain("\u001b[2J");
  });

  // [C-agent-terminal]
  it("a brief feed is a line for each wire with its votes, although payloads are left out", async () => {
    await cli.agent("alice").post("/spaces", {
      slug: "votes",
      visibility: "public",
      root_rule: { allow_text: false, inline_schema: { type: "object" }, votable: true },
    });
    const post = async (payload: object) =>
      (await cli.agent("alice").post("/wires", { to: "#votes", payload })).body.id;
    const [other, best] = [await post({ title: "other" }), await post({ title: "best" })];
    await cli.agent("bob").put(`/wires/${best}/vote`);
    const args = ["space", "feed", "votes", "--order", "top", "--brief", "--no-color"];
    const { stdout } = await runInProcess(args, { env: cli.env("bob"), isTerminal: true });
    const row = (votes: number, id: string) =>
      expect.stringMatching(new RegExp(`^${votes} +@alice\\S* +${id}$`));
    expect(stdout.trimEnd().split("\n").slice(1)).toEqual([row(1, best), row(0, other)]);
  });

  // [C-agent-terminal]
  it("send prints the sent wire and the next step", async () => {
    const shown = terminal("alice", ["send", "@bob", "hi"]);
    expect(await shown.exitCode).toBe(0);
    expect(await shown.waitFor("wireroom thread ")).toContain("sent to @bob");
  });

  it("a second knock does not claim to be sent, because the first intro stays", async () => {
    await cli.createHandle("frank", { contact_policy: "contacts_only" });
    const knock = (intro: string) =>
      runInProcess(["knock", "send", "@frank", intro, "--no-color"], {
        env: cli.env("alice"),
        isTerminal: true,
      });
    expect((await knock("I am two")).stdout).toContain("✓ sent a knock to @frank");
    expect((await knock("I am two")).stdout).toContain("✓ sent a knock to @frank");
    const corrected = (await knock("I am Alice")).stdout;
    expect(corrected).toContain("a knock to @frank is already pending; its intro stays");
    expect(corrected).not.toContain("sent a knock");
    expect((await inboxOf("frank")).knocks).toMatchObject([{ intro: "I am two" }]);
  });

  // [C-send-waits]
  it("send --wait-for-reply says that it waits, and after Ctrl-C how to wait again", async () => {
    const args = ["send", "@bob", "are you there?", "--wait-for-reply", "10m"];
    const waiting = Terminal.wireroom(args, { env: cli.env("alice") });
    const [, id] = /sent to @bob {2}(\S+)/.exec(await waiting.waitFor("Ctrl-C ends only the wait"))!;
    expect(waiting.history).toContain("Waiting up to 10 min for a reply.");
    await expect
      .poll(async () => (await inboxOf("bob")).wires.map(({ text_body }: Body) => text_body), {
        timeout: 20_000,
      })
      .toContain("are you there?");
    waiting.press(KEYS.interrupt);
    expect(await waiting.exitCode).toBe(130);
    expect(waiting.history).toContain("Only the wait has ended. To wait again: wireroom wire wait ");
    const refused = await cli.runAs("alice", "wire", "wait", id!, "--timeout", "25h");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("at most 24h")]);
    const quiet = await cli.runAs("alice", "send", "@bob", "no wait", "--wait-for-reply", "0");
    expect(quiet.stderr).not.toContain("Waiting");
  });

  // [C-agent-confirm]
  it("a command that cannot be undone asks for confirmation", async () => {
    const { body } = await cli.agent("alice").post("/wires", { to: "alice", text: "kept" });
    const asked = terminal("alice", ["wire", "delete", body.id]);
    await asked.waitFor("permanently? [y/N]");
    asked.press("n", KEYS.enter);
    expect(await asked.exitCode).toBe(10);
    expect((await wireOf(body.id)).tombstone).toBeNull();
    const confirmed = terminal("alice", ["wire", "delete", body.id]);
    await confirmed.waitFor("permanently? [y/N]");
    confirmed.press("y", KEYS.enter);
    expect(await confirmed.exitCode).toBe(0);
    expect((await wireOf(body.id)).tombstone).toMatchObject({ removed_by: "sender" });
  });

  // [C-agent-confirm]
  it("a shorter time for the posts of a space is confirmed, a longer one is not", async () => {
    const alice = cli.agent("alice");
    await alice.post("/spaces", { slug: "brief", visibility: "public" });
    const update = (days: string, ...more: string[]) =>
      cli.runAs("alice", "space", "update", "brief", "--retain-days", days, ...more);
    const retained = async () => (await alice.get("/spaces/brief")).body.retain_days;
    expect((await update("30")).code).toBe(10);
    expect(await retained()).toBeNull();
    const asked = terminal("alice", ["space", "update", "brief", "--retain-days", "30"]);
    await asked.waitFor("older than 30 days? [y/N]");
    asked.press("y", KEYS.enter);
    expect(await asked.exitCode).toBe(0);
    expect((await update("60")).code).toBe(0);
    expect((await update("59")).code).toBe(10);
    expect((await update("1", "--yes")).code).toBe(0);
    expect((await update("none")).code).toBe(0);
    expect(await retained()).toBeNull();
  });

  // [C-narrow-terminal]
  it("tables fit the width of the terminal", async () => {
    const description = "a very long description ".repeat(10);
    await cli.agent("bob").post("/spaces", { slug: "narrow", visibility: "public", description });
    const shown = terminal("bob", ["space", "list"], 44);
    expect(await shown.exitCode).toBe(0);
    const lines = (await shown.waitFor("#narrow")).split("\n");
    expect(lines.find((line) => line.includes("#narrow"))).toMatch(/owner {2}public.*…$/);
    // A line that is too long would wrap into a row without its own cells.
    expect(lines.findIndex((line) => line.includes("#narrow"))).toBe(1);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(44);
  });

  // [C-narrow-terminal]
  it.each([60, 61])("tables with wide characters fit %i columns", async (width) => {
    await cli.createHandle(`wide-${width}`);
    const fields = { slug: `wide-${width}`, visibility: "public", description: "日本語".repeat(50) };
    await cli.agent(`wide-${width}`).post("/spaces", fields);
    const shown = terminal(`wide-${width}`, ["space", "list"], width);
    expect(await shown.exitCode).toBe(0);
    const lines = (await shown.waitFor("#wide")).split("\n").filter((line) => line.trim() !== "");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/日…$|本…$|語…$/);
  });

  // [C-inbox-follow-interrupt]
  it("Ctrl-C ends --follow with exit code 130", async () => {
    await cli.agent("alice").post("/wires", { to: "alice", text: "to follow" });
    const following = Terminal.wireroom(["inbox", "--follow"], { env: cli.env("alice") });
    await following.waitFor("to follow");
    following.press(KEYS.interrupt);
    expect(await following.exitCode).toBe(130);
    expect((await inboxOf("alice")).wires).toHaveLength(0);
  });
});

describe("every command", () => {
  const COMMANDS = [
    ...["send", "inbox", "thread", "vote", "unvote", "limits", "call"].map((name) => [name]),
    ...["show", "delete"].map((verb) => ["wire", verb]),
    ...["create", "show", "list", "update", "feed", "post", "search"].map((verb) => ["space", verb]),
    ...["members", "add-member", "remove-member", "transfer", "remove-wire"].map((verb) => ["space", verb]),
    ...["handles", "spaces", "schemas", "messages"].map((kind) => ["search", kind]),
    ...["register", "show", "check"].map((verb) => ["schema", verb]),
    ...["send", "list", "accept", "reject"].map((verb) => ["knock", verb]),
    ...["list", "remove"].map((verb) => ["contact", verb]),
    ...["add", "list", "remove"].map((verb) => ["block", verb]),
    ...["show", "set"].map((verb) => ["profile", verb]),
  ];

  // [C-agent-help]
  it.each(COMMANDS.map((words) => [words.join(" "), words] as const))(
    "has a description and an example: %s",
    async (_name, words) => {
      const { code, stdout } = await runInProcess([...words, "--help"]);
      expect(code).toBe(0);
      expect(stdout).toMatch(new RegExp(`^Usage: wireroom ${words.join(" ")}(?:\\|get)? `));
      expect(stdout).toMatch(new RegExp(`Examples?:\\n {2}\\$ .*wireroom ${words.join(" ")}`));
    },
  );
});
