/** `wireroom watch` with real commands. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { expectOk } from "../harness/api-helpers.js";
import { type AgentClient, COMMAND } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { startFaultProxy } from "../harness/fault-proxy.js";
import { runInProcess } from "../harness/in-process.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";

const { daemon, bob } = await hostedFixture(["bob"]);

let folder: string;
let worker: AgentClient;
let workers = 0;

beforeEach(async () => {
  folder = new TemporaryFolder("wireroom-watch-").path;
  worker = await daemon.createAgent(`watch-worker-${++workers}`);
});

const at = (name: string) => join(folder, name);
const linesOf = (name: string) =>
  existsSync(at(name)) ? readFileSync(at(name), "utf8").split("\n").filter(Boolean) : [];

const journalLines = () => readdirSync(at("config/watch")).flatMap((name) => linesOf(`config/watch/${name}`));

const environment = () => ({
  WIREROOM_URL: daemon.base,
  WIREROOM_API_KEY: worker.key,
  WIREROOM_CONFIG_DIR: at("config"),
  OUT: at("out"),
  TRY: at("try"),
});

/** Runs the command with `--once` in this process. */
async function watchOnce(...args: string[]) {
  return runInProcess(["watch", "--once", "--json", "--retry-delay", "0", ...args], { env: environment() });
}

/** Starts the command as a process. */
function startWatch(...args: string[]): ChildProcess {
  const env = { ...process.env, ...environment() };
  return spawn(process.execPath, [COMMAND, "watch", ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
}

async function eventually(isTrue: () => boolean): Promise<void> {
  for (let n = 0; n < 1_500 && !isTrue(); n++) await sleep(20);
  expect(isTrue()).toBe(true);
}

/** A process that has ended may stay listed as a zombie. */
function isRunning(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return /^[^Z\s]/.test(stdout);
}

/** The log that `--json` prints, without its first line. */
const eventsOf = (stdout: string) =>
  stdout
    .split("\n")
    .slice(1)
    .filter(Boolean)
    .map((line) => JSON.parse(line));

async function send(text: string, more: object = {}): Promise<string> {
  const { status, body } = await bob.post("/wires", { to: `@${worker.slug}`, text, ...more });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.id;
}

const unread = async () =>
  ((await worker.get("/inbox")).body.wires as { text_body: string }[]).map(({ text_body }) => text_body);

/** A shell line that appends the text of the item. */
const APPEND = 'printf "%s\\n" "$WIREROOM_TEXT" >> "$OUT"';

describe("wireroom watch", () => {
  // [C-watch]
  it("runs a command for each item, with the item as JSON and as variables, and acknowledges it", async () => {
    const root = await send("first");
    await send("second", { reply_to: root });
    const script = 'cat >> "$OUT"; env | grep ^WIREROOM_ | sort > "$OUT.env"';
    const { code, stdout, stderr } = await watchOnce("--exec", script);
    expect([code, stderr]).toEqual([0, ""]);
    const items = linesOf("out").map((line) => JSON.parse(line));
    expect(items).toMatchObject([
      { kind: "wire", wire: { id: root, text_body: "first", sender: "bob" } },
      { kind: "wire", wire: { text_body: "second", reply_to: root } },
    ]);
    expect(linesOf("out.env")).toEqual(
      expect.arrayContaining([
        "WIREROOM_ATTEMPT=1",
        "WIREROOM_FROM=@bob",
        `WIREROOM_ID=${items[1].wire.id}`,
        "WIREROOM_KIND=wire",
        `WIREROOM_REPLY_TO=${root}`,
        "WIREROOM_TEXT=second",
        `WIREROOM_THREAD_ID=${root}`,
      ]),
    );
    expect(linesOf("out.env").join()).not.toContain("WIREROOM_SPACE");
    expect(await unread()).toEqual([]);
    expect(JSON.parse(stdout.split("\n")[0]!)).toEqual({
      time: expect.any(String),
      event: "watching",
      file: expect.stringMatching(/dead-letters\.jsonl$/),
    });
    const events = eventsOf(stdout);
    expect(events.map(({ event }) => event)).toEqual(["started", "succeeded", "started", "succeeded"]);
    expect(events[1]).toMatchObject({ kind: "wire", id: root, from: "@bob", attempt: 1, exit_code: 0 });
  });

  // [C-json-fields]
  it("logs the chosen fields of each event that has them", async () => {
    const id = await send("first");
    const { code, stdout, stderr } = await watchOnce("--json=event,id,exit_code", "--exec", APPEND);
    expect([code, stderr, linesOf("out")]).toEqual([0, "", ["first"]]);
    expect(eventsOf(stdout)).toEqual([
      { event: "started", id },
      { event: "succeeded", id, exit_code: 0 },
    ]);
    await send("second");
    const refused = await watchOnce("--json=event,exitcode", "--exec", APPEND);
    expect([refused.code, refused.stdout, linesOf("out")]).toEqual([2, "", ["first"]]);
    expect(JSON.parse(refused.stderr).message).toMatch(
      /^the result has no field "exitcode"; its fields are .*exit_code/,
    );
    expect(await unread()).toEqual(["second"]);
  });

  // [C-watch-input]
  it("inserts nothing of an item into a command, and survives texts that no variable can contain", async () => {
    const hostile = ['$(touch "$OUT.bad")', "`touch $OUT.bad`", "'; touch $OUT.bad; '", "a\nb", "--help"];
    for (const text of [...hostile, "n\0l", "é".repeat(8_192)]) await send(text);
    await send("big", { payload: { text: "x".repeat(30_000) } });
    expect(
      (await watchOnce("--concurrency", "4", "--exec", 'cat >> "$OUT"; echo "$WIREROOM_TEXT" >/dev/null'))
        .code,
    ).toBe(0);
    expect((await readdir(folder)).sort()).toEqual(["config", "out"]);
    expect(linesOf("out")).toHaveLength(8);

    await send("$(touch $OUT.bad)");
    // Without a shell, nothing is expanded at all.
    const program = [
      "/bin/sh",
      "-c",
      'printf "%s|%s" "$1" "$WIREROOM_TEXT" > "$OUT.args"',
      "sh",
      "$WIREROOM_TEXT",
    ];
    expect((await watchOnce("--", ...program)).code).toBe(0);
    expect(linesOf("out.args")).toEqual(["$WIREROOM_TEXT|$(touch $OUT.bad)"]);
  });

  // [C-watch-input]
  it("needs exactly one command", async () => {
    for (const args of [
      [],
      ["--exec", " "],
      ["--exec", "true", "--", "true"],
      ["--on-failure", "dead-letter", "--exec", "true"],
    ])
      expect((await runInProcess(["watch", ...args], { env: environment() })).code).toBe(2);
  });

  // [C-watch-order]
  it("handles the items of a thread in order, and others meanwhile", async () => {
    const roots = [await send("a0"), await send("b0")];
    for (const n of [1, 2, 3])
      for (const [index, reply_to] of roots.entries()) await send(`${"ab"[index]}${n}`, { reply_to });
    // The first item of a thread ends after the last one of the other.
    const wait = 'for n in $(seq 500); do grep -qx b3 "$OUT" 2>/dev/null && break; sleep 0.02; done';
    const slow = `case "$WIREROOM_TEXT" in a0) ${wait};; esac; `;
    expect((await watchOnce("--concurrency", "2", "--exec", slow + APPEND)).code).toBe(0);
    const order = linesOf("out");
    expect(order.filter((text) => text.startsWith("a"))).toEqual(["a0", "a1", "a2", "a3"]);
    expect(order.filter((text) => text.startsWith("b"))).toEqual(["b0", "b1", "b2", "b3"]);
    expect(order.indexOf("b3")).toBeLessThan(order.indexOf("a1"));
  });

  // [C-watch-retries]
  it("runs a failed command again, before later items of its thread", async () => {
    const root = await send("flaky");
    await send("later", { reply_to: root });
    const script = `${APPEND}; [ "$WIREROOM_TEXT" = later ] || [ "$WIREROOM_ATTEMPT" -ge 3 ]`;
    const { code, stdout } = await watchOnce("--exec", script);
    expect(code).toBe(0);
    expect(linesOf("out")).toEqual(["flaky", "flaky", "flaky", "later"]);
    expect(stdout).toContain('"event":"failed"');
    expect(await unread()).toEqual([]);
  });

  // [C-watch-on-failure]
  it("stops, skips or stores an item whose last attempt fails", async () => {
    await send("bad");
    await send("good");
    const script = `${APPEND}; [ "$WIREROOM_TEXT" = good ] || exit 7`;
    const stopped = await watchOnce("--retries", "1", "--on-failure", "stop", "--exec", script);
    expect(stopped.code).toBe(1);
    expect(stopped.stderr).toContain("exited with 7");
    expect(stopped.stderr).not.toContain("skip");
    // The other thread goes on meanwhile.
    expect(linesOf("out").sort()).toEqual(["bad", "bad", "good"]);
    expect(await unread()).toEqual(["bad", "good"]);

    const dead = at("dead.jsonl");
    const stored = await watchOnce("--retries", "0", "--on-failure", "dead-letter", dead, "--exec", script);
    expect(stored.code).toBe(0);
    expect(linesOf("dead.jsonl").map((line) => JSON.parse(line))).toMatchObject([
      {
        attempt: 1,
        exit_code: 7,
        reason: "exited with 7",
        item: { kind: "wire", wire: { text_body: "bad" } },
      },
    ]);
    expect((await stat(dead)).mode & 0o077).toBe(0);
    expect(await unread()).toEqual([]);

    await send("bad");
    expect((await watchOnce("--retries", "0", "--on-failure", "skip", "--", "false")).code).toBe(0);
    expect(await unread()).toEqual([]);
    // By default, the file is in the configuration folder, and the log names it.
    await send("bad");
    const args = ["watch", "--once", "--retries", "0", "--exec", "exit 7"];
    const { code, stderr } = await runInProcess(args, { env: environment() });
    const [file] = (await readdir(at("config/watch"))).filter((name) => name.endsWith(".dead-letters.jsonl"));
    expect(linesOf(`config/watch/${file}`).map((line) => JSON.parse(line))).toMatchObject([
      { reason: "exited with 7", item: { wire: { text_body: "bad" } } },
    ]);
    expect([code, await unread()]).toEqual([0, []]);
    const [started, , kept] = stderr.split("\n");
    expect(started).toBe(
      `watching the inbox of @${worker.slug}; items whose command fails go to ${at(`config/watch/${file}`)}`,
    );
    expect(kept).toContain(`stored in ${at(`config/watch/${file}`)}`);
  });

  // [C-watch-failed-reply] [C-watch-dead-letters]
  it("tells the sender that no answer comes, and runs dead letters again", async () => {
    const id = await send("flaky");
    const replies = async () =>
      (await bob.get(`/threads/${id}`)).body.wires
        .slice(1)
        .map(({ text_body }: { text_body: string }) => text_body);
    const script = `${APPEND}; [ -f "$TRY" ] && echo answer`;
    const args = ["--reply", "--kind", "wire", "--retries", "0", "--exec", script];
    const failed = await watchOnce(...args);
    const ofFailure = ["started", "failed", "dead_lettered", "replied"];
    expect(eventsOf(failed.stdout).map(({ event }) => event)).toEqual(ofFailure);
    const noAnswer = "[no answer: the command for this wire failed]";
    expect([await replies(), await unread()]).toEqual([[noAnswer], []]);
    await send(noAnswer);
    const untold = await watchOnce("--on-failure", "skip", ...args);
    expect(eventsOf(untold.stdout).map(({ event }) => event)).toEqual(["started", "failed", "skipped"]);

    // It fails again, and then succeeds. Nobody is told twice that it has failed.
    expect((await watchOnce("--dead-letters", ...args)).code).toBe(0);
    await writeFile(at("try"), "");
    const again = await watchOnce("--dead-letters", ...args);
    expect(eventsOf(again.stdout).map(({ event }) => event)).toEqual(["started", "replied", "succeeded"]);
    expect([await replies(), linesOf("out")]).toEqual([
      [noAnswer, "answer"],
      ["flaky", noAnswer, "flaky", "flaky"],
    ]);
    expect((await readdir(at("config/watch"))).filter((name) => name.includes("dead-letters"))).toEqual([]);
    // A notice is kept as well.
    await bob.delete(`/wires/${await send("removed")}`);
    const ofNotice = ["--kind", "tombstone_notice", "--pass", "--retries", "0"];
    await watchOnce(...ofNotice, "--exec", "exit 1");
    await watchOnce("--dead-letters", "--exec", 'echo "$WIREROOM_KIND" >> "$OUT"');
    expect(linesOf("out").at(-1)).toBe("tombstone_notice");
    const none = await watchOnce("--dead-letters", ...args);
    expect([none.code, eventsOf(none.stdout)]).toEqual([0, []]);
    const noFile = await watchOnce("--dead-letters", "--on-failure", "skip", ...args);
    expect([noFile.code, noFile.stderr]).toEqual([
      2,
      expect.stringContaining("--on-failure dead-letter FILE"),
    ]);
  });

  // [C-watch-missing]
  it("looks for the program before the first item, and ends without a retry if a program is missing", async () => {
    for (const program of [at("missing"), "wireroom-no-such-program", folder]) {
      const { code, stderr } = await watchOnce("--", program);
      expect([code, JSON.parse(stderr).message]).toEqual([
        1,
        expect.stringContaining(`the program ${program} cannot be found`),
      ]);
    }
    await writeFile(at("plain"), "");
    const plain = await watchOnce("--", at("plain"));
    expect(JSON.parse(plain.stderr).message).toBe(`the program ${at("plain")} is not executable`);
    const handle = { env: environment() };
    const missing = await runInProcess(["watch", "--", "no-such-program"], handle);
    expect(missing.stderr).toContain("Install it, or name it by its whole path.");
    for (const args of [
      ["helper", "--reply", "--exec", "true"],
      ["@helper", "--reply"],
    ]) {
      const { stderr } = await runInProcess(["watch", ...args], handle);
      expect(stderr).toContain(`If ${args[0]} is the handle, write it before the command: --as ${args[0]}`);
    }
    expect((await runInProcess(["watch"], handle)).stderr).toContain("wireroom watch --help");
    const late = await watchOnce("--", "true", "--reply");
    expect(late.stderr).toBe("warning: --reply comes after --, where it is an argument of the command\n");
    const id = await send("unknown");
    for (const [exitCode, why] of [
      [127, "found"],
      [126, "executed"],
    ]) {
      const ended = await watchOnce("--exec", `${APPEND}; exit ${exitCode}`);
      expect([ended.code, JSON.parse(ended.stderr).message]).toEqual([
        1,
        `the command exited with ${exitCode}: a program cannot be ${why}`,
      ]);
      expect(eventsOf(ended.stdout).map(({ event }) => event)).toEqual(["started", "failed"]);
    }
    expect([linesOf("out"), await unread(), id.length]).toEqual([["unknown", "unknown"], ["unknown"], 36]);
  });

  // [C-watch-timeout]
  it("ends a command that takes too long, with all that it has started", async () => {
    await send("hang");
    const script = 'sleep 60 & echo $! >> "$OUT"; sleep 60';
    const args = ["--timeout", "1", "--retries", "0", "--on-failure", "stop", "--exec", script];
    const { code, stderr } = await watchOnce(...args);
    expect([code, stderr.includes("timed out after 1 s")]).toEqual([1, true]);
    const [pid] = linesOf("out");
    await eventually(() => !isRunning(Number(pid)));
  });

  // [C-watch-forks]
  it("does not wait for what a command has left in the background", async () => {
    await send("fork");
    const started = performance.now();
    const script = 'sleep 30 & echo $! > "$OUT"; echo answer';
    expect((await watchOnce("--reply", "--exec", script)).code).toBe(0);
    expect(performance.now() - started).toBeLessThan(10_000);
    const pid = Number(linesOf("out")[0]);
    process.kill(pid, "SIGKILL");
    expect((await bob.get("/inbox?limit=100")).body.wires.at(-1)).toMatchObject({ text_body: "answer" });
  });

  // [C-watch-reply]
  it("replies once with what a command prints", async () => {
    const ids = [await send("text"), await send("json"), await send("nothing"), await send("number")];
    const answers = 'text) echo " hello ";; json) echo "{\\"n\\": 1}";; nothing) ;; number) echo 42;;';
    const script = `case "$WIREROOM_TEXT" in ${answers} esac`;
    expect((await watchOnce("--reply", "--exec", script)).code).toBe(0);
    const replies = async () => {
      const threads = await Promise.all(ids.map((id) => bob.get(`/threads/${id}`)));
      return threads.map(({ body }) =>
        body.wires.slice(1).map((wire: Record<string, unknown>) => [wire.text_body, wire.payload]),
      );
    };
    const expected = [[["hello", null]], [[null, { n: 1 }]], [], [["42", null]]];
    expect(await replies()).toEqual(expected);

    // As after a crash between the reply and its record: the command runs again, and prints something else.
    const again = await send("again");
    const first = { text: "first" };
    const headers = { "idempotency-key": `watch-${again}` };
    await worker.post("/wires", { ...first, to: "@bob", reply_to: again }, headers);
    expect((await watchOnce("--reply", "--exec", "echo second")).code).toBe(0);
    const { body } = await bob.get(`/threads/${again}`);
    expect(body.wires.map((wire: { text_body: string }) => wire.text_body)).toEqual(["again", "first"]);
  });

  // [C-watch-reply-exact]
  it("sends no JSON that would arrive changed", async () => {
    const id = await send("order");
    const outputs = ['{"order": 9007199254740993}', '{"a": 1, "a": 2}', '["\\ud800"]'];
    for (const output of outputs) {
      const args = ["--reply", "--retries", "0", "--on-failure", "stop", "--", "printf", "%s", output];
      const { code, stderr } = await watchOnce(...args);
      expect([code, JSON.parse(stderr).message]).toEqual([
        1,
        expect.stringContaining(`the command for wire ${id} wrote JSON that the service does not accept: `),
      ]);
    }
    expect(await unread()).toEqual(["order"]);
    expect((await bob.get(`/threads/${id}`)).body.wires).toHaveLength(1);
  });

  // [C-watch-reply-held]
  it("says that a reply waits for a human's approval", async () => {
    const setMode = (mode: string) => expectOk(worker.owner.put(`/handles/${worker.slug}/egress`, { mode }));
    await send("careful");
    await send("as careful");
    await setMode("approval");
    const { stdout } = await watchOnce("--reply", "--kind", "wire", "--exec", "echo answer");
    await send("for a human");
    const forHuman = ["watch", "--once", "--reply", "--exec", "echo answer"];
    const { stderr } = await runInProcess(forHuman, { env: environment() });
    await setMode("open");
    const ofOne = ["started", "reply_held", "succeeded"];
    expect(eventsOf(stdout).map(({ event }) => event)).toEqual([...ofOne, ...ofOne]);
    expect(stderr).toContain("reply held until its human approves it: wireroom approval list");
  });

  // [C-watch-reply-refused]
  it("acknowledges an item whose reply is refused, and runs its command only once", async () => {
    const inline_schema = { type: "object", required: ["never"], properties: { never: false } };
    const id = await send("unanswerable", { reply_rule: { allow_text: false, inline_schema } });
    await send("honest");
    const dead = at("dead.jsonl");
    const args = ["--reply", "--on-failure", "dead-letter", dead, "--exec", `${APPEND}; echo answer`];
    const { code, stdout } = await watchOnce(...args);
    expect([code, linesOf("out")]).toEqual([0, ["unanswerable", "honest"]]);
    const refusal = { id, attempt: 1, exit_code: 0, code: expect.stringMatching(/^[A-Z_]+$/) };
    const events = eventsOf(stdout);
    expect(events.map(({ event }) => event)).toEqual([
      "started",
      "reply_refused",
      "dead_lettered",
      "started",
      "replied",
      "succeeded",
    ]);
    expect(events[1]).toMatchObject(refusal);
    expect(linesOf("dead.jsonl").map((line) => JSON.parse(line))).toMatchObject([
      { code: events[1].code, item: { wire: { id } } },
    ]);
    expect(await unread()).toEqual([]);

    // By default too, a refusal does not stop the watch.
    const carol = await daemon.createAgent(`watch-carol-${workers}`);
    await carol.post("/wires", { to: `@${worker.slug}`, text: "closed" });
    expect((await carol.put(`/blocks/${worker.slug}`)).status).toBe(200);
    const closed = await watchOnce("--reply", "--exec", `${APPEND}; echo answer`);
    expect([closed.code, linesOf("out").at(-1), await unread()]).toEqual([0, "closed", []]);
    expect(eventsOf(closed.stdout).map(({ event }) => event)).toEqual([
      "started",
      "reply_refused",
      "dead_lettered",
    ]);
  });

  // [C-watch-reply-cut]
  it("cuts a text that no wire can contain, and says so at its end", async () => {
    const id = await send("tell me all");
    const lengths: [string, string][] = [
      ["é".repeat(8_192), "é".repeat(8_192)],
      ["é".repeat(9_000), "[cut: the reply had 9000 characters]"],
      ["é".repeat(700_000), "[cut: the reply had more than 524288 characters]"],
      [JSON.stringify(["x".repeat(262_000)]), "[cut: the reply had 262004 characters]"],
    ];
    for (const [index, [output]] of lengths.entries()) {
      await writeFile(at("output"), output);
      if (index > 0) await send("more", { reply_to: id });
      expect((await watchOnce("--reply", "--exec", `cat "${at("output")}"`)).code).toBe(0);
    }
    const { body } = await bob.get(`/threads/${id}`);
    const replies = body.wires
      .filter(({ sender }: { sender: string }) => sender === worker.slug)
      .map(({ text_body }: { text_body: string }) => text_body);
    expect(replies.map((text: string) => [...text].length)).toEqual(lengths.map(() => 8_192));
    for (const [index, [, end]] of lengths.entries()) expect(replies[index].endsWith(end)).toBe(true);
  });

  // [C-watch-log]
  it("says what it watches, what became of each reply, and which filters no item can match", async () => {
    await send("question");
    await send("silence");
    const script = 'if [ "$WIREROOM_TEXT" = question ]; then echo answer; fi';
    const watchWith = (...filters: string[]) =>
      runInProcess(["watch", "--once", "--reply", ...filters, "--exec", script], { env: environment() });
    const { code, stderr } = await watchWith("--from", "@nobody-here", "--from", "@bob");
    expect([code, stderr.trimEnd().split("\n")]).toEqual([
      0,
      [
        "warning: there is no handle @nobody-here, so no item is from it",
        expect.stringMatching(`^watching the inbox of @${worker.slug}; .*dead-letters.jsonl$`),
        expect.stringMatching(/succeeded, in [\d.]+ s, replied$/),
        expect.stringMatching(/succeeded, in [\d.]+ s, no output, so no reply$/),
      ],
    ]);
    expect((await watchWith("--schema", "@bob/nothing@1")).stderr).toMatch(
      /^warning: there is no schema @bob\/nothing@1, so no wire has it\n/,
    );
    await expectOk(worker.post("/spaces", { slug: worker.slug, visibility: "public" }), 201);
    for (const filters of [
      ["--kind", "knock", "--sent-by", "agent"],
      ["--space", worker.slug, "--relation", "self"],
    ])
      expect((await watchWith(...filters)).stderr).toMatch(
        /^warning: no item can match these filters together\n/,
      );
  });

  // [C-watch-reply-refused]
  it("ends if the key of a reply is no longer valid, and runs the command only once", async () => {
    await send("late");
    const script = `${APPEND}; while [ ! -f "$TRY" ]; do sleep 0.02; done; echo answer`;
    const watching = watchOnce("--reply", "--on-failure", "skip", "--exec", script);
    await eventually(() => linesOf("out").length === 1);
    await worker.owner.delete(`/keys/${worker.keyId}`);
    await writeFile(at("try"), "");
    const { code, stdout } = await watching;
    expect([code, linesOf("out")]).toEqual([3, ["late"]]);
    expect(eventsOf(stdout).map(({ event }) => event)).toEqual(["started"]);

    // The next watch sends the reply, also without --reply.
    worker.key = (await expectOk(worker.owner.post("/keys", { handle_id: worker.id }), 201)).key;
    const next = await watchOnce("--exec", APPEND);
    expect(eventsOf(next.stdout).map(({ event }) => event)).toEqual(["replied", "succeeded"]);
    expect((await bob.get("/inbox?limit=100")).body.wires.at(-1)).toMatchObject({ text_body: "answer" });
  });

  // [C-watch-reply-refused]
  it("ends and keeps the reply if a proxy refuses it, so that the next watch sends it", async () => {
    await send("through a proxy");
    const proxy = await startFaultProxy(() => daemon.origin);
    proxy.setDefaultFault(({ method }) => (method === "POST" ? "403" : "pass"));
    const dead = at("dead.jsonl");
    const args = ["--reply", "--on-failure", "dead-letter", dead, "--exec", `${APPEND}; echo answer`];
    const refused = await watchOnce("--url", proxy.base, ...args);
    await proxy.close();
    expect([refused.code, linesOf("out"), linesOf("dead.jsonl")]).toEqual([9, ["through a proxy"], []]);
    expect(JSON.parse(refused.stderr).code).toBe("UNEXPECTED_RESPONSE");
    const next = await watchOnce(...args);
    expect(eventsOf(next.stdout).map(({ event }) => event)).toEqual(["replied", "succeeded"]);
  });

  // [C-watch-removed]
  it("runs no command for a wire that was removed", async () => {
    const id = await send("never mind");
    expect((await bob.delete(`/wires/${id}`)).status).toBe(200);
    await send("the question");
    const { code } = await watchOnce("--kind", "wire", "--pass", "--exec", `echo "$WIREROOM_ID" >> "$OUT"`);
    expect([code, linesOf("out").length, await unread()]).toEqual([0, 1, []]);
    expect(linesOf("out")).not.toContain(id);
  });

  // [C-watch-handle]
  it("lets its commands act as the handle of the item, whatever handle the profile uses by then", async () => {
    await send("who am I?");
    const other = await daemon.createAgent(`watch-other-${workers}`);
    const profile = {
      url: daemon.base,
      handle: worker.slug,
      keys: { [worker.slug]: worker.key, [other.slug]: other.key },
    };
    await mkdir(at("config/profiles"), { recursive: true });
    await writeFile(at("config/profiles/default.json"), JSON.stringify(profile), { mode: 0o600 });
    const wireroom = `${process.execPath} ${COMMAND}`;
    const script = `${wireroom} handle use ${other.slug} && ${wireroom} whoami --jq .handle.slug >> "$OUT"`;
    const { WIREROOM_API_KEY: _, ...env } = environment();
    const watched = await runInProcess(["watch", "--once", "--json", "--exec", script], { env });
    expect([watched.code, linesOf("out")]).toEqual([0, [worker.slug]]);
  });

  // [C-watch-on-failure]
  it("writes whole lines of dead letters, also at the same time and after a torn one", async () => {
    // Each of these characters takes six bytes in the file.
    const payload = { text: "\u00ad".repeat(125_000) };
    for (let n = 0; n < 6; n++) await send(`big ${n}`, { payload });
    await writeFile(at("dead.jsonl"), '{"torn');
    const args = ["--retries", "0", "--concurrency", "6", "--on-failure", "dead-letter", at("dead.jsonl")];
    expect((await watchOnce(...args, "--exec", "cat >/dev/null; exit 1")).code).toBe(0);
    const [torn, ...whole] = linesOf("dead.jsonl");
    expect(torn).toBe('{"torn');
    const texts = whole.map((line) => JSON.parse(line).item.wire.text_body);
    expect(texts.sort()).toEqual([0, 1, 2, 3, 4, 5].map((n) => `big ${n}`));
  });

  // [C-watch-filter]
  it("names the sender whose unread items hide newer ones", async () => {
    await Promise.all(Array.from({ length: 100 }, (_, n) => send(`noise ${n}`)));
    const carol = await daemon.createAgent(`watch-carol-${workers}`);
    await carol.post("/wires", { to: `@${worker.slug}`, text: "urgent" });
    const args = ["--from", `@${carol.slug}`, "--exec", APPEND];
    const { code, stderr } = await watchOnce(...args);
    expect([code, linesOf("out")]).toEqual([0, []]);
    expect(stderr).toContain("the 100 oldest unread items do not match, 100 of them from @bob,");
    expect((await watchOnce("--pass", ...args)).code).toBe(0);
    expect(linesOf("out")).toEqual(["urgent"]);
  });

  // [C-watch-filter]
  it("leaves items that its filters do not take unread, or passes over them", async () => {
    const carol = await daemon.createAgent(`watch-carol-${workers}`);
    const fromCarol = async (text: string) => carol.post("/wires", { to: `@${worker.slug}`, text });
    await send("bob 1");
    await fromCarol("carol 1");
    await send("bob 2");
    await fromCarol("carol 2");
    const args = ["--from", `@${carol.slug}`, "--exec", APPEND];
    expect((await watchOnce(...args)).code).toBe(0);
    // A finished item behind one that is left stays in the inbox, but its command does not run again.
    expect(await unread()).toEqual(["bob 1", "carol 1", "bob 2", "carol 2"]);
    await fromCarol("carol 3");
    expect((await watchOnce(...args)).code).toBe(0);
    expect(linesOf("out")).toEqual(["carol 1", "carol 2", "carol 3"]);

    expect((await watchOnce("--schema", "@acme/order", "--exec", APPEND)).code).toBe(0);
    expect((await watchOnce("--kind", "knock", "--pass", "--exec", APPEND)).code).toBe(0);
    expect(linesOf("out")).toHaveLength(3);
    expect(await unread()).toEqual([]);
  });

  // [C-watch-origin] [C-watch-hops]
  it("runs no command for wires of other origins, which stay unread, or with too many hops, which do not", async () => {
    const { body } = await worker.post("/wires", { to: "@bob", text: "question" });
    const answers = [
      await send("answer 1", { reply_to: body.id }),
      await send("answer 2", { reply_to: body.id }),
    ];
    await send("new");
    expect((await watchOnce("--relation", "contact,same_account", "--exec", APPEND)).code).toBe(0);
    expect((await watchOnce("--sent-by", "human", "--exec", APPEND)).code).toBe(0);
    expect([linesOf("out"), await unread()]).toEqual([[], ["answer 1", "answer 2", "new"]]);
    const { stdout } = await watchOnce("--relation", "stranger", "--max-hops", "0", "--exec", APPEND);
    const tooFar = eventsOf(stdout).filter(({ event }) => event === "too_many_hops");
    expect(tooFar).toMatchObject([
      { id: answers[0], hops: 1, count: 1 },
      { id: answers[1], hops: 1, count: 2 },
    ]);
    expect([linesOf("out"), await unread()]).toEqual([["new"], []]);
    expect((await watchOnce("--relation", "friend", "--exec", APPEND)).code).toBe(2);
  });

  // [C-watch-space]
  it("watches a space from its own position, without the wires of the handle itself", async () => {
    const space = `watch-space-${workers}`;
    await bob.post("/spaces", { slug: space, visibility: "public", posting_rights: "anyone" });
    const post = async (agent: AgentClient, text: string) =>
      (await agent.post("/wires", { to: `#${space}`, text })).body.id as string;
    await post(bob, "before");
    const args = [
      "--space",
      `#${space}`,
      "--reply",
      "--exec",
      `${APPEND}; echo "re: $WIREROOM_TEXT $WIREROOM_SPACE"`,
    ];
    expect((await watchOnce(...args)).code).toBe(0);
    expect(linesOf("out")).toEqual([]);
    const one = await post(bob, "one");
    await post(worker, "own");
    for (let n = 0; n < 2; n++) expect((await watchOnce(...args)).code).toBe(0);
    expect(linesOf("out")).toEqual(["one"]);
    const { body } = await bob.get(`/threads/${one}`);
    expect(body.wires[1]).toMatchObject({ text_body: `re: one #${space}`, reply_to: one });
    expect((await watchOnce(...args, "--name", "second", "--start", "beginning")).code).toBe(0);
    expect(linesOf("out")).toEqual(["one", "before", "one"]);
  });

  // [C-watch-killed]
  it("goes on after it was killed: what it ran has ended with it, and runs again", async () => {
    const root = await send("slow");
    await send("quick");
    const script = [
      'echo "$WIREROOM_TEXT start" >> "$OUT"',
      '[ "$WIREROOM_TEXT" = slow ] && [ -f "$TRY" ] && ps -o stat= -p "$(cat "$TRY")" | grep -q "^[^Z]" && echo both >> "$OUT"',
      '[ -f "$TRY" ] || [ "$WIREROOM_TEXT" = quick ] || { trap "" TERM; echo $$ > "$TRY"; sleep 60; }',
      'echo "$WIREROOM_TEXT end" >> "$OUT"',
    ].join("; ");
    const child = startWatch("--concurrency", "2", "--exec", script);
    await eventually(() => linesOf("try").length === 1 && linesOf("out").includes("quick end"));
    const left = Number(linesOf("try")[0]);
    // The record of the end is written after the end.
    await eventually(() => journalLines().some((line) => line.includes('"done"')));
    child.kill("SIGKILL");
    await once(child, "exit");

    await send("later", { reply_to: root });
    expect((await watchOnce("--exec", script)).code).toBe(0);
    expect(isRunning(left)).toBe(false);
    const lines = linesOf("out");
    expect(lines.filter((line) => line.startsWith("quick"))).toEqual(["quick start", "quick end"]);
    expect(lines.slice(-4)).toEqual(["slow start", "slow end", "later start", "later end"]);
    expect(await unread()).toEqual([]);
  });

  // [C-watch-killed]
  it("sends the reply of a command that has exited, and does not run it again", async () => {
    const proxy = await startFaultProxy(() => daemon.origin);
    proxy.setDefaultFault(({ method }) => (method === "POST" ? "503" : "pass"));
    const posts = () => proxy.requests.filter(({ method }) => method === "POST").length;
    const args = ["--reply", "--exec", `${APPEND}; echo "answer to $WIREROOM_TEXT"`];
    for (const [signal, end] of [
      ["SIGTERM", [0, null]],
      ["SIGKILL", [null, "SIGKILL"]],
    ] as const) {
      const id = await send(signal);
      const before = posts();
      const child = startWatch("--url", proxy.base, "--grace", "0", ...args);
      let log = "";
      child.stderr!.on("data", (chunk) => {
        log += chunk;
      });
      await eventually(() => posts() > before && log.includes("reply waits, "));
      child.kill(signal);
      expect([await once(child, "exit"), await unread()]).toEqual([end, [signal]]);
      const { code, stdout } = await watchOnce(...args);
      expect([code, linesOf("out").at(-1)]).toEqual([0, signal]);
      expect(eventsOf(stdout).map(({ event }) => event)).toEqual(["replied", "succeeded"]);
      const { body } = await bob.get(`/threads/${id}`);
      expect(body.wires.map((wire: { text_body: string }) => wire.text_body)).toEqual([
        signal,
        `answer to ${signal}`,
      ]);
    }
    expect([linesOf("out"), await unread()]).toEqual([["SIGTERM", "SIGKILL"], []]);
    await proxy.close();
  });

  // [C-watch-killed]
  it("ignores lines of its record that it has not written", async () => {
    await watchOnce("--", "true");
    const journal = (await readdir(at("config/watch"))).find((name) => name.endsWith(".journal"))!;
    const lines = [
      "null",
      "5",
      '"x"',
      "[]",
      "{}",
      '{"done":5}',
      '{"start":4711,"startedAt":0}',
      '{"exited":"wire x"}',
      '{"don',
    ];
    await writeFile(at(`config/watch/${journal}`), lines.join("\n"));
    await send("one");
    const { code, stderr } = await watchOnce("--exec", APPEND);
    expect([code, stderr, linesOf("out")]).toEqual([0, "", ["one"]]);
  });

  it("ends if its record cannot be written, and leaves the item unread", async () => {
    const child = startWatch("--exec", APPEND);
    let stderr = "";
    child.stderr!.on("data", (chunk: Buffer) => {
      stderr += chunk;
    });
    const folder = at("config/watch");
    const journalOf = () =>
      (existsSync(folder) ? readdirSync(folder) : []).find((name) => /journal$/.test(name));
    await eventually(() => journalOf() !== undefined);
    const journal = join(folder, journalOf()!);
    await rm(journal);
    await mkdir(journal);
    await send("one");
    expect(await once(child, "exit")).toEqual([1, null]);
    expect(stderr).toContain("EISDIR");
    expect([linesOf("out"), await unread()]).toEqual([["one"], ["one"]]);
  });

  it("ends if its log cannot be printed, and runs no command without a line", async () => {
    await send("one");
    const child = startWatch("--once", "--on-failure", "skip", "--jq", ".event | error", "--exec", APPEND);
    expect(await once(child, "exit")).toEqual([2, null]);
    expect([linesOf("out"), await unread()]).toEqual([[], ["one"]]);
  });

  // [C-watch-stop]
  it("lets running commands end after SIGTERM, and starts no other", async () => {
    for (const text of ["one", "two"]) await send(text);
    const child = startWatch("--exec", `echo start >> "$TRY"; sleep 0.5; ${APPEND}`);
    let log = "";
    child.stderr!.on("data", (chunk: Buffer) => {
      log += chunk;
    });
    await eventually(() => linesOf("try").length === 1);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(log).toContain("waiting up to 20 s for 1 item in progress; a second Ctrl-C kills what runs");
    expect([linesOf("out"), await unread()]).toEqual([["one"], ["two"]]);

    const impatient = startWatch("--grace", "0", "--exec", 'echo $$ > "$TRY.pid"; sleep 60');
    await eventually(() => linesOf("try.pid").length === 1);
    impatient.kill("SIGTERM");
    expect(await once(impatient, "exit")).toEqual([0, null]);
    await eventually(() => !isRunning(Number(linesOf("try.pid")[0])));
    expect(await unread()).toEqual(["two"]);
  });

  // [C-watch-lock]
  it("runs once for each handle and name", async () => {
    await send("one");
    const child = startWatch("--exec", `${APPEND}; sleep 60`);
    await eventually(() => linesOf("out").length === 1);
    // Another name of the same service changes nothing.
    const second = await watchOnce("--url", daemon.base.replace("127.0.0.1", "localhost"), "--", "true");
    expect([second.code, JSON.parse(second.stderr).message]).toEqual([
      1,
      `process ${child.pid} already watches the inbox of @${worker.slug}`,
    ]);
    expect((await watchOnce("--name", "other", "--from", "@nobody", "--", "true")).code).toBe(0);
    // A claim of a process that ended long ago, whose id another process has now.
    const files = await readdir(at("config/watch"));
    const claim = files.find((name) => name.includes(`-${child.pid}-`))!;
    const ended = once(child, "exit");
    // The second signal ends the command. Two that follow each other fast may arrive as one.
    const signals = setInterval(() => child.kill("SIGTERM"), 100);
    await ended;
    clearInterval(signals);
    // The next watch need not wait, because a second signal leaves no claim.
    expect((await readdir(at("config/watch"))).filter((name) => name.includes(`-${child.pid}-`))).toEqual([]);
    const reused = at(`config/watch/${claim.replace(`-${child.pid}-`, `-${process.pid}-`)}`);
    await writeFile(reused, "");
    await utimes(reused, 1, 1);
    expect((await watchOnce("--exec", APPEND)).code).toBe(0);
    expect(await readFile(at("out"), "utf8")).toContain("one");
  });

  // [C-watch-lock]
  it("runs after one that was killed, if another that started at the same time gives way", async () => {
    await send("one");
    const killed = startWatch("--exec", `${APPEND}; sleep 60`);
    await eventually(() => linesOf("out").length === 1);
    killed.kill("SIGKILL");
    await once(killed, "exit");
    const folder = at("config/watch");
    const claimOf = ({ pid }: { pid?: number | undefined }) =>
      readdirSync(folder).find((name) => name.includes(`-${pid}-`));
    const other = join(folder, claimOf(killed)!.replace(`-${killed.pid}-`, `-${process.pid}-`));
    await writeFile(other, "");
    const next = startWatch("--once", "--exec", APPEND);
    const ended = once(next, "exit");
    await eventually(() => claimOf(next) !== undefined);
    await rm(other);
    expect(await ended).toEqual([0, null]);
  });

  // [C-watch-lock]
  it("is not kept from running by a claim with its own process id, as in a container that was restarted", async () => {
    await send("one");
    const child = startWatch("--exec", `${APPEND}; sleep 60`);
    await eventually(() => linesOf("out").length === 1);
    const [claim] = (await readdir(at("config/watch"))).filter((name) => name.includes(`-${child.pid}-`));
    child.kill("SIGKILL");
    await once(child, "exit");
    // The shell leaves its process id to the watch, after it has put it into the name of the claim.
    const folder = at("config/watch");
    const [before, after] = claim!.split(`-${child.pid}-`);
    const script = `mv "${folder}/${claim}" "${folder}/${before}-$$-${after}"; exec "$@"`;
    const command = [process.execPath, COMMAND, "watch", "--once", "--exec", APPEND];
    const env = { ...process.env, ...environment() };
    const next = spawn("sh", ["-c", script, "sh", ...command], { env, stdio: "ignore" });
    expect(await once(next, "exit")).toEqual([0, null]);
  });
});

describe("wireroom space work", () => {
  let slug: string;

  beforeEach(async () => {
    slug = `jobs-${workers}`;
    const root_rule = { allow_text: true, claimable: true };
    await expectOk(worker.post("/spaces", { slug, visibility: "public", root_rule }), 201);
  });

  const post = async (text: string): Promise<string> =>
    (await expectOk(worker.post("/wires", { to: `#${slug}`, text }), 201)).id;
  const wires = async (): Promise<{ text_body: string; claim?: { state: string } }[]> =>
    (await expectOk(worker.get(`/spaces/${slug}/wires?order=oldest`))).wires;
  const workOnce = (...args: string[]) =>
    runInProcess(["space", "work", slug, "--once", "--json", ...args], { env: environment() });
  const startWork = (...args: string[]) =>
    spawn(process.execPath, [COMMAND, "space", "work", slug, "--json", ...args], {
      env: { ...process.env, ...environment() },
      stdio: ["ignore", "pipe", "ignore"],
    });

  // [C-space-work] [C-space-work-on-failure]
  it("finishes what its command does, gives back what fails, and ends it at --max-attempts", async () => {
    for (const text of ["good", "bad"]) await post(text);
    const line = 'echo "$WIREROOM_TEXT $WIREROOM_ATTEMPT"; test "$WIREROOM_TEXT" = good';
    const { code, stdout } = await workOnce("--reply", "--max-attempts", "2", "--exec", line);
    expect(code).toBe(0);
    expect(eventsOf(stdout).map(({ event, attempt }) => `${event} ${attempt ?? ""}`.trim())).toEqual([
      ...["started 1", "succeeded 1", "replied"],
      ...["started 1", "failed 1", "started 2", "failed 2", "skipped 2"],
    ]);
    expect((await wires()).map(({ claim, text_body }) => [text_body, claim])).toEqual([
      ["good", { state: "done", by: worker.slug, until: null, attempt: 1 }],
      ["bad", { state: "done", by: worker.slug, until: null, attempt: 2 }],
      ["good 1", undefined],
      ["[failed after 2 attempts: exited with 1]", undefined],
    ]);
  });

  // [C-space-work-on-failure]
  it("stores a wire whose last attempt fails, or gives it back and ends, as --on-failure says", async () => {
    const id = await post("bad");
    const unlimited = await workOnce("--on-failure", "stop", "--", "false");
    expect([unlimited.code, unlimited.stderr]).toEqual([2, expect.stringContaining("--max-attempts N")]);
    await post("good");
    // The last command that runs still ends by itself.
    const line =
      'test "$WIREROOM_TEXT" = bad || { touch "$OUT"; exec sleep 1; }; until [ -e "$OUT" ]; do sleep 0.05; done; exit 1';
    const stop = ["--concurrency", "2", "--max-attempts", "1", "--on-failure", "stop"];
    const stopped = await workOnce(...stop, "--exec", line);
    expect(stopped.stdout).not.toContain("claim_lost");
    expect([stopped.code, JSON.parse(stopped.stderr).message]).toEqual([
      1,
      `attempt 1 at wire ${id} failed: exited with 1`,
    ]);
    const good = { text_body: "good", claim: { state: "done", attempt: 1 } };
    expect(await wires()).toMatchObject([{ claim: { state: "open", attempt: 1 } }, good]);

    const toFile = ["--on-failure", "dead-letter", at("failed.jsonl")];
    const stored = await workOnce("--max-attempts", "2", ...toFile, "--exec", "exit 7");
    expect(eventsOf(stored.stdout).map(({ event }) => event)).toEqual(["started", "failed", "dead_lettered"]);
    expect(linesOf("failed.jsonl").map((line) => JSON.parse(line))).toMatchObject([
      { attempt: 2, exit_code: 7, reason: "exited with 7", item: { kind: "wire", wire: { id } } },
    ]);
    expect(await wires()).toMatchObject([
      { claim: { state: "done", attempt: 2 } },
      good,
      { text_body: "[failed after 2 attempts: exited with 7]" },
    ]);
  });

  // [C-space-work] [C-space-work-on-failure]
  it("counts a refused reply as a failure, and finishes the wire without a notice that is refused, too", async () => {
    await post("a question");
    await expectOk(worker.put(`/spaces/${slug}`, { reply_rule: { allow_text: false } }));
    const { stdout } = await workOnce("--reply", "--max-attempts", "1", "--", "echo", "an answer");
    expect(eventsOf(stdout)).toMatchObject([
      { event: "started" },
      { event: "reply_refused", code: "POSTING_DENIED" },
      { event: "skipped" },
    ]);
    expect(await wires()).toMatchObject([{ text_body: "a question", claim: { state: "done", attempt: 1 } }]);
  });

  // [C-space-work]
  it("runs up to --concurrency commands at the same time, each for another wire", async () => {
    for (const text of ["one", "two", "three"]) await post(text);
    // Each command waits until all three run.
    const line = `${APPEND}; until [ "$(wc -l < "$OUT")" -eq 3 ]; do sleep 0.05; done`;
    expect((await workOnce("--concurrency", "3", "--timeout", "20", "--exec", line)).code).toBe(0);
    expect(linesOf("out").sort()).toEqual(["one", "three", "two"]);
    expect((await wires()).map(({ claim }) => claim?.state)).toEqual(["done", "done", "done"]);
  });

  // [C-space-work-lost]
  it("answers nothing for a claim that ended while it slept, and goes on; one that is killed loses its claim and its command", async () => {
    await post("first");
    const line = `echo $$ > "${at("pid")}"; ${APPEND}; until [ -e "$TRY" ]; do sleep 0.05; done; echo "late $WIREROOM_TEXT"`;
    const asleep = startWork("--seconds", "2", "--reply", "--exec", line);
    let log = "";
    asleep.stdout!.on("data", (chunk: Buffer) => (log += chunk.toString()));
    const isOpen = async () => (await wires()).some(({ claim }) => claim?.state === "open");
    await eventually(() => linesOf("out").length === 1);
    // Longer than its lease: the claim is renewed while the command runs.
    await sleep(2_300);
    expect(await isOpen()).toBe(false);
    asleep.kill("SIGSTOP");
    await expect.poll(isOpen, { timeout: 10_000 }).toBe(true);
    await workOnce("--reply", "--exec", 'echo "attempt $WIREROOM_ATTEMPT"');
    await writeFile(at("try"), "");
    asleep.kill("SIGCONT");
    await eventually(() => log.includes('"claim_lost"'));

    await rm(at("try"));
    await post("second");
    await eventually(() => linesOf("out").length === 2);
    asleep.kill("SIGKILL");
    await once(asleep, "exit");
    await eventually(() => !isRunning(Number(linesOf("pid")[0])));
    await expect.poll(isOpen, { timeout: 10_000 }).toBe(true);
    await writeFile(at("try"), "");
    await workOnce("--reply", "--exec", 'echo "attempt $WIREROOM_ATTEMPT"');
    expect((await wires()).map(({ text_body, claim }) => [text_body, claim?.state])).toEqual([
      ["first", "done"],
      ["attempt 2", undefined],
      ["second", "done"],
      ["attempt 2", undefined],
    ]);
  });

  // [C-claim]
  it("is corrected by the owner with wire release and reopen", async () => {
    await expectOk(worker.put(`/spaces/${slug}`, { members: [{ handle: "bob", role: "poster" }] }));
    const id = await post("to correct");
    const as = (key: string, ...args: string[]) =>
      runInProcess(args, { env: { ...environment(), WIREROOM_API_KEY: key } });
    const state = async () => (await wires())[0]!.claim;
    const claim = (body: object) => expectOk(bob.put(`/wires/${id}/claim`, body));

    await claim({});
    expect(await as(worker.key, "wire", "release", id)).toMatchObject({ code: 0, stdout: `${id}\n` });
    expect(await state()).toMatchObject({ state: "open", by: null });

    const { token } = await claim({});
    await claim({ token, done: true });
    const done = await as(
      worker.key,
      "space",
      "feed",
      slug,
      "--claim-state",
      "done",
      "--jq",
      ".wires[].claim.state",
    );
    expect(done.stdout).toBe("done\n");
    const plain = await as(worker.key, "space", "feed", slug, "--claim-state", "done");
    expect(plain.stdout).toMatch(/\tdone\t@bob\t\n$/);
    const waiting = await as(worker.key, "space", "feed", slug, "--claim-state", "done", "--follow");
    expect([waiting.code, waiting.stderr]).toEqual([2, expect.stringContaining("--claim-state")]);

    expect((await as(bob.key, "wire", "reopen", id)).code).toBe(4);
    expect((await as(worker.key, "wire", "reopen", id)).code).toBe(0);
    expect(await state()).toMatchObject({ state: "open" });
  });

  // [C-space-work]
  it("gives back what runs when it is ended by SIGTERM", async () => {
    await post("long");
    const child = startWork("--grace", "0", "--exec", 'touch "$OUT"; exec sleep 60');
    await eventually(() => existsSync(at("out")));
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(await wires()).toMatchObject([{ claim: { state: "open", by: null, until: null, attempt: 1 } }]);
  });
});
