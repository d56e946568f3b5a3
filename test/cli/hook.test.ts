/** `wireroom hook`, with the input that hosts pass. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { delimiter, join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { profileFile, tokenFile } from "../../cli/profiles/folder.js";
import { isAlive } from "../../cli/profiles/lock.js";
import { accountOf, writeToken } from "../../cli/profiles/token-cache.js";
import { UNTRUSTED_CONTENT_NOTICE } from "../../src/generate/mcp/instructions.js";
import { runProcess } from "../harness/command.js";
import { COMMAND } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { decideApproval, sendHeldWire, setEgressPolicy } from "../harness/egress.js";
import { runInProcess } from "../harness/in-process.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";

const { daemon, alice, bob } = await hostedFixture(["alice", "bob"]);
const folder = new TemporaryFolder("wireroom-hook-").path;
const env = { WIREROOM_URL: daemon.base, WIREROOM_API_KEY: alice.key, WIREROOM_CONFIG_DIR: folder };

let sessions = 0;
const newSession = () => `5e0f7c1a-0000-4000-8000-${String(++sessions).padStart(12, "0")}`;

/**
 * The input of an event, as Codex 0.171.0 passes it. Claude Code 2.1.332, Gemini CLI 0.61.0 and Copilot CLI
 * 1.0.102 pass a part of it, with the same names.
 */
function inputOf(event: string, session: string, more: object = {}): string {
  return JSON.stringify({
    session_id: session,
    turn_id: "1",
    transcript_path: null,
    cwd: "/home/ada",
    hook_event_name: event,
    model: "gpt-5",
    permission_mode: "default",
    ...more,
  });
}

async function run(input: string, args: string[] = [], variables: Record<string, string> = {}) {
  const { code, stdout, stderr } = await runInProcess(["hook", ...args], {
    env: { ...env, ...variables },
    input,
  });
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
}

const hook = async (event: string, session: string, more?: object, args?: string[]) => {
  const stdout = await run(inputOf(event, session, more), args);
  expect(stdout).toMatch(/^(|.*\n)$/);
  return stdout === "" ? undefined : JSON.parse(stdout);
};

const send = async (text = "hello") => (await bob.post("/wires", { to: "@alice", text })).body.id as string;

/**
 * Returns the environment of a human who is signed in, with a stored access token. Any request to the
 * provider would fail.
 */
async function signedIn() {
  const folder = new TemporaryFolder("wireroom-hook-").path;
  const signIn = { email: "ada@example.com", issuer: "http://127.0.0.1:9", clientId: "c", idToken: "t" };
  const owner = { url: daemon.base, account: accountOf(signIn.idToken), handle: "alice" };
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const variables = { WIREROOM_CONFIG_DIR: folder, WIREROOM_URL: daemon.base };
  await mkdir(join(folder, "profiles"));
  await writeFile(
    profileFile("default", variables),
    JSON.stringify({ url: daemon.base, handle: "alice", signIn }),
  );
  await writeToken(tokenFile("default", variables), owner, { token: alice.key, expires_at });
  return variables;
}

/** Acknowledges everything. */
async function readAll() {
  const { body } = await alice.get("/inbox?limit=100");
  await alice.get(`/inbox?cursor=${body.next_cursor}`);
}

describe("wireroom hook", () => {
  // [C-hook]
  it("prints the context of a turn, or a reason to go on, in the form of the event", async () => {
    const id = await send();
    for (const hookEventName of ["SessionStart", "UserPromptSubmit", "BeforeAgent"]) {
      const output = await hook(hookEventName, newSession());
      expect(output).toEqual({
        hookSpecificOutput: { hookEventName, additionalContext: expect.stringContaining(id) },
      });
    }
    for (const event of ["Stop", "AfterAgent"]) {
      const output = await hook(event, newSession(), { stop_hook_active: false });
      expect(output).toEqual({ decision: "block", reason: expect.stringContaining(id) });
    }
    const text = expect.stringContaining(id);
    const kimi = { turn_id: undefined, client_type: "kimi_code_cli" };
    expect(await hook("UserPromptSubmit", newSession(), kimi)).toEqual({ message: text });
    expect(await hook("Stop", newSession(), kimi)).toEqual({
      hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: text },
    });
    const variables = { COPILOT_CLI: "1" };
    const copilot = inputOf("SessionStart", newSession(), { turn_id: undefined, transcript_path: undefined });
    expect(JSON.parse(await run(copilot, [], variables))).toEqual({ additionalContext: text });
    const claude = { turn_id: undefined, transcript_path: "/home/ada/session.jsonl" };
    const below = inputOf("SessionStart", newSession(), claude);
    expect(JSON.parse(await run(below, [], variables))).toHaveProperty("hookSpecificOutput");
    for (const event of ["PreToolUse", "SessionEnd", "Notification"])
      expect(await hook(event, newSession())).toBeUndefined();
    for (const input of ["", "hello", "[1]", "null"]) {
      const lines = (await run(input)).split("\n");
      expect(lines).toContain(UNTRUSTED_CONTENT_NOTICE);
      expect(JSON.parse(lines.at(-2)!)).toMatchObject({ kind: "wire", id, from: "@bob", thread_id: id });
    }
  });

  // [C-hook]
  it("names the command that reads the same inbox", async () => {
    await send();
    const own = { WIREROOM_API_KEY: "" };
    const profile = { url: daemon.base, handle: "bob", keys: { alice: alice.key, bob: bob.key } };
    await mkdir(join(folder, "profiles"), { recursive: true });
    await writeFile(join(folder, "profiles", "two.json"), JSON.stringify(profile));
    const text = await run("", ["--profile", "two", "--as", "alice"], own);
    expect(text).toContain("wireroom inbox --profile two --as @alice. Then acknowledge them");
    const args = ["hook", "install", "codex", "--print", "--profile", "two", "--as"];
    const variables = { ...env, ...own, CODEX_HOME: folder };
    expect((await runInProcess([...args, "alice"], { env: variables })).code).toBe(0);
    expect((await runInProcess([...args, "nobody"], { env: variables })).code).toBe(3);
  });

  // [C-hook-once]
  it("names an item once in a session, and acknowledges nothing", async () => {
    await readAll();
    const [one, other] = [newSession(), newSession()];
    const first = await send();
    expect(JSON.stringify(await hook("UserPromptSubmit", one))).toContain(first);
    expect(await hook("UserPromptSubmit", one)).toBeUndefined();
    const second = await send();
    const { additionalContext } = (await hook("UserPromptSubmit", one)).hookSpecificOutput;
    expect(additionalContext).toContain("2 unread, 1 of them new");
    expect([additionalContext.includes(first), additionalContext.includes(second)]).toEqual([false, true]);
    for (const [event, session] of [
      ["UserPromptSubmit", other],
      ["SessionStart", one],
    ] as const) {
      const output = JSON.stringify(await hook(event, session));
      expect([output.includes(first), output.includes(second)]).toEqual([true, true]);
    }
    const named = ["--session", "nightly"];
    expect([(await run("", named)).includes(second), await run("", named)]).toEqual([true, ""]);
    expect((await alice.get("/inbox")).body.wires).toHaveLength(2);
    // Only ids of unread items are kept.
    await readAll();
    await send();
    await hook("UserPromptSubmit", one);
    const file = (await readdir(join(folder, "hooks"))).find((name) => name.startsWith(one))!;
    expect(JSON.parse(await readFile(join(folder, "hooks", file), "utf8")).ids).toHaveLength(1);
  });

  // [C-hook-once]
  it("keeps sessions apart whose ids begin alike", async () => {
    const id = await send();
    const long = "s".repeat(200);
    for (const session of [`${long}1`, `${long}2`])
      expect(JSON.stringify(await hook("UserPromptSubmit", session))).toContain(id);
  });

  // [C-hook-once]
  it("shows items while the files of old sessions are deleted", async () => {
    const id = await send();
    const crowded = new TemporaryFolder("wireroom-hook-").path;
    const hooks = join(crowded, "hooks");
    await mkdir(hooks);
    for (const name of ["mine.sh", ...[...Array(101).keys()].map((n) => `${n}.json`)]) {
      await writeFile(join(hooks, name), "{}");
      await utimes(join(hooks, name), 1, 1);
    }
    // To `stat`, it is a file that another hook has just renamed.
    await symlink("/nonexistent", join(hooks, "link.json"));
    const input = inputOf("UserPromptSubmit", newSession());
    expect(await run(input, [], { WIREROOM_CONFIG_DIR: crowded })).toContain(id);
    const left = await readdir(hooks);
    expect([left.length < 60, left.includes("mine.sh")]).toEqual([true, true]);
  });

  const more =
    "The inbox may contain more, which this hook cannot show until the first ones are acknowledged.";

  // [C-hook-more]
  it("does not say so of payloads and long texts that are far from filling a page", async () => {
    await readAll();
    for (let n = 0; n < 4; n++) await bob.post("/wires", { to: "@alice", text: "t".repeat(500), payload: n });
    const few = (await hook("UserPromptSubmit", newSession())).hookSpecificOutput.additionalContext;
    expect(few).toContain(": 4 unread, 4 of them new");
    expect(few).not.toContain(more);
    await readAll();
  });

  // [C-hook-more]
  it("says that items may follow that it cannot show", async () => {
    await readAll();
    // The daemon stores the numbers in their long form, so four wires exceed a page.
    const payload = { numbers: Array(52_000).fill("@") };
    const body = JSON.stringify({ to: "@alice", text: "hello", payload }).replaceAll('"@"', "1e20");
    for (let n = 0; n < 4; n++) {
      const headers = { authorization: `Bearer ${bob.key}`, "content-type": "application/json" };
      expect((await fetch(`${daemon.base}/wires`, { method: "POST", headers, body })).status).toBe(201);
    }
    const large = (await hook("UserPromptSubmit", newSession())).hookSpecificOutput.additionalContext;
    expect(large).toContain("at least 3 unread, 3 of them new");
    expect(large).toContain(more);
    await readAll();
    await readAll();

    await Promise.all([...Array(20)].map(() => send()));
    const session = newSession();
    const few = JSON.stringify(await hook("UserPromptSubmit", session));
    expect([few.includes(": 20 unread, 20 of them new"), few.includes(more)]).toEqual([true, false]);
    const removed = await Promise.all([...Array(40)].map(() => send()));
    await hook("UserPromptSubmit", session);
    await hook("UserPromptSubmit", session);
    // Each of these is one more item of the inbox, which the hook does not name.
    await Promise.all(removed.map((id) => bob.delete(`/wires/${id}`)));
    const full = (await hook("UserPromptSubmit", session)).hookSpecificOutput.additionalContext;
    expect([full.includes("at least 60 unread"), full.includes(more)]).toEqual([true, true]);
    expect(await hook("UserPromptSubmit", session)).toBeUndefined();
    await send("behind the page");
    expect(await hook("UserPromptSubmit", session)).toBeUndefined();
    await readAll();
    await readAll();
  });

  // [C-hook-stop]
  it("lets an agent go on for new wires alone, at most 5 times in a row", async () => {
    await readAll();
    const session = newSession();
    expect(await hook("Stop", session, { stop_hook_active: false })).toBeUndefined();
    const stranger = await daemon.createAgent("hook-stranger");
    await alice.put("/profile", { contact_policy: "contacts_only" });
    await stranger.post("/knocks", { handle: "alice", intro: "hello" });
    await alice.put("/profile", { contact_policy: "open" });
    expect(await hook("Stop", session, { stop_hook_active: false })).toBeUndefined();
    expect(JSON.stringify(await hook("UserPromptSubmit", session))).toContain("@hook-stranger");

    const outputs: unknown[] = [];
    for (const stop_hook_active of [false, true, true, true, true, true]) {
      await send();
      outputs.push(await hook("Stop", session, { stop_hook_active }));
    }
    expect(outputs.map((output) => output !== undefined)).toEqual([true, true, true, true, true, false]);
    // The next turn starts to count again, and the wire that was left is still new.
    expect(await hook("Stop", session, { stop_hook_active: false })).toBeDefined();
    expect(await hook("Stop", session, { stop_hook_active: true })).toBeUndefined();
  });

  // [C-hook-stop]
  it("counts itself how often an agent goes on if the host does not say it", async () => {
    await readAll();
    const session = newSession();
    const goesOn = async () => {
      await send();
      return (await hook("Stop", session)) !== undefined;
    };
    for (let n = 0; n < 7; n++) expect(await goesOn(), String(n)).toBe(n < 5);
    await readAll();
    expect(await hook("UserPromptSubmit", session)).toBeUndefined();
    expect(await goesOn()).toBe(true);
  });

  // [C-hook-words]
  it("shows no words of others, and at most 20 items in a turn", async () => {
    await readAll();
    await send("obey");
    for (const event of ["UserPromptSubmit", "Stop"])
      expect(JSON.stringify(await hook(event, newSession(), { stop_hook_active: false }))).not.toContain(
        "obey",
      );

    const output = await hook("UserPromptSubmit", newSession());
    const [, , notice, line, ...rest] = output.hookSpecificOutput.additionalContext.split("\n");
    expect([notice, rest]).toEqual([UNTRUSTED_CONTENT_NOTICE, []]);
    expect(JSON.parse(line)).toMatchObject({ kind: "wire", from: "@bob" });

    for (let n = 0; n < 30; n++) await send();
    const session = newSession();
    const first = (await hook("UserPromptSubmit", session)).hookSpecificOutput;
    expect(first.additionalContext).toContain("20 of them new");
    expect(first.additionalContext.length).toBeLessThan(9_000);
    // The rest is new in the next turn.
    const second = (await hook("UserPromptSubmit", session)).hookSpecificOutput;
    expect(second.additionalContext).toContain("11 of them new");
  });

  // [C-hook-quiet]
  it("prints nothing if the inbox cannot be read, or the session cannot be remembered", async () => {
    await send();
    const input = inputOf("UserPromptSubmit", newSession());
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as { port: number };
    const broken = new TemporaryFolder("wireroom-hook-").path;
    await mkdir(join(broken, "profiles"));
    await writeFile(join(broken, "hooks"), "a file in place of the folder");
    const failing: Record<string, string>[] = [
      { WIREROOM_URL: "http://127.0.0.1:1/v1" },
      { WIREROOM_URL: `http://127.0.0.1:${port}/v1` },
      { WIREROOM_URL: `${daemon.origin}/v9` },
      { WIREROOM_URL: "nowhere" },
      { WIREROOM_API_KEY: "" },
      { WIREROOM_API_KEY: "wr_wrong" },
      { WIREROOM_CONFIG_DIR: broken },
      { WIREROOM_PROFILE: "../x" },
    ];
    expect(await Promise.all(failing.map((variables) => run(input, [], variables)))).toEqual(
      failing.map(() => ""),
    );
    await writeFile(join(broken, "profiles/default.json"), "{");
    expect(await run(input, [], { WIREROOM_CONFIG_DIR: broken })).toBe("");
    silent.close();
  });

  // [C-hook-quiet]
  it.each([
    ["an access token", 3_600],
    ["an ID token", -3_600],
  ])("ends after 2 seconds, also while it waits for %s", async (_, lifeSeconds) => {
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const url = `http://127.0.0.1:${(silent.address() as { port: number }).port}/v1`;
    const folder = new TemporaryFolder("wireroom-hook-").path;
    const claims = { iss: url, sub: "ada", exp: Math.floor(Date.now() / 1_000) + lifeSeconds };
    const idToken = `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.x`;
    const signIn = { email: "ada@example.com", issuer: url, clientId: "c", idToken, refreshToken: "r" };
    const variables = { ...env, WIREROOM_CONFIG_DIR: folder, WIREROOM_URL: url, WIREROOM_API_KEY: "" };
    await mkdir(join(folder, "profiles"));
    await writeFile(profileFile("default", variables), JSON.stringify({ url, handle: "alice", signIn }));
    const started = performance.now();
    const input = inputOf("UserPromptSubmit", newSession());
    const ended = await runProcess(["hook"], { env: variables, input, timeoutMs: 50_000 });
    expect(ended).toEqual({ code: 0, stdout: "", stderr: "" });
    // Requests of other commands wait for 15 s or longer. The start of the process takes a while on a busy
    // machine.
    expect(performance.now() - started).toBeLessThan(12_000);
    silent.close();
  });

  // [C-hook-light]
  it("loads neither the SDK nor the other commands", async () => {
    await readAll();
    const id = await send();
    const coverage = new TemporaryFolder("wireroom-hook-").path;
    const { code, stdout, stderr } = await runProcess(["hook"], {
      env: { ...(await signedIn()), NODE_V8_COVERAGE: coverage },
      input: inputOf("SessionStart", newSession()),
    });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(id);
    const [report] = await readdir(coverage);
    const { result } = JSON.parse(await readFile(join(coverage, report!), "utf8"));
    const files = (result as { url: string }[])
      .map(({ url }) => url)
      .filter((url) => url.startsWith("file:"));
    expect(files.length).toBeLessThan(8);
    const sizes = await Promise.all(files.map(async (url) => (await stat(fileURLToPath(url))).size));
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(60_000);
    const packages = files.flatMap((url) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []);
    expect(packages).toEqual(["env-paths"]);
  });
});

describe("wireroom hook --wake", () => {
  const status = async () => {
    const { stdout } = await runInProcess(["hook", "status", "--json"], { env });
    return JSON.parse(stdout).sessions as Record<string, string | null>[];
  };
  const statusOf = async (session: string) => (await status()).find((each) => each.session === session);

  /** Starts a waiter in this process. Resolves when it waits. */
  async function wait(session: string, { args = [], more = {} }: { args?: string[]; more?: object } = {}) {
    const input = inputOf("Stop", session, { stop_hook_active: false, ...more });
    const ended = runInProcess(["hook", "--wake", ...args], { env, input });
    await expect.poll(() => statusOf(session)).toMatchObject({ waiting_since: expect.any(String) });
    return { ended };
  }
  const NOT_WOKEN = { code: 0, stdout: "", stderr: "" };
  const end = (session: string) => hook("SessionEnd", session);

  // [C-hook-wake] [C-hook-status]
  it("waits for a wire, and ends with the code that wakes the session", async () => {
    await readAll();
    const session = newSession();
    const waiter = await wait(session);
    const id = await send("obey");
    const { code, stdout, stderr } = await waiter.ended;
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(UNTRUSTED_CONTENT_NOTICE);
    expect(stderr).not.toContain("obey");
    const line = JSON.parse(stderr.trimEnd().split("\n").at(-1)!);
    expect(line).toMatchObject({ kind: "wire", id, from: "@bob", relation: "stranger", sent_by: "agent" });
    expect((await alice.get("/inbox")).body.wires).toHaveLength(1);
    expect(await hook("UserPromptSubmit", session)).toBeUndefined();
    expect(await hook("Stop", session, { stop_hook_active: true })).toBeUndefined();
    expect(await statusOf(session)).toEqual({
      session,
      profile: "default",
      handle: null,
      last_hook_at: expect.any(String),
      waiting_since: expect.any(String),
      last_wake_at: expect.any(String),
    });
    const { stdout: table } = await runInProcess(["hook", "status"], { env });
    expect(table).toContain(session);
  });

  // [C-hook-wake-once]
  it("wakes one session for a wire, and none that was told of it or that has nothing but a knock", async () => {
    await readAll();
    const pair = [newSession(), newSession()] as const;
    const [one, other] = pair;
    const told = await send();
    expect(JSON.stringify(await hook("Stop", one, { stop_hook_active: false }))).toContain(told);
    const waiters = [await wait(one), await wait(other)];
    const knocker = await daemon.createAgent(`knocker-${sessions}`);
    await alice.put("/profile", { contact_policy: "contacts_only" });
    await knocker.post("/knocks", { handle: "alice", intro: "hello" });
    await alice.put("/profile", { contact_policy: "open" });
    const id = await send();
    const { code, stderr, n } = await Promise.race(
      waiters.map(async ({ ended }, n) => ({ ...(await ended), n })),
    );
    expect([code, stderr.includes(id), stderr.includes(told)]).toEqual([2, true, false]);
    // Without the record of the woken session, the wire would be news for the other one.
    await end(pair[1 - n]!);
    await end(pair[n]!);
    const codes = (await Promise.all(waiters.map(({ ended }) => ended))).map((ended) => ended.code);
    expect(codes.sort()).toEqual([0, 2]);
    expect((await status()).filter(({ session }) => [one, other].includes(session!))).toEqual([]);
  });

  // [C-hook-wake] [C-hook-stop] [C-hook-words] [C-hook-origin]
  it("tells of decisions on held messages, and wakes for one that was not sent", async () => {
    await readAll();
    await setEgressPolicy(alice, { mode: "approval", allow: [], deny: [] });
    const [sent, unsent] = [await sendHeldWire(alice, "@bob"), await sendHeldWire(alice, "@bob")];
    await setEgressPolicy(alice, { mode: "open", allow: [], deny: [] });
    const session = newSession();
    const waiter = await wait(session, { args: ["--relation", "contact"] });
    await decideApproval(alice, sent);
    expect(await hook("Stop", newSession(), { stop_hook_active: false })).toBeUndefined();
    await decideApproval(alice, unsent, { status: "rejected", note: "obey" });
    const { code, stderr } = await waiter.ended;
    expect(code).toBe(2);
    expect(stderr).toContain("idle: a notice that a held message of yours was not sent has arrived");
    expect(stderr).not.toContain("obey");
    const notice = (await alice.get("/inbox")).body.approval_notices[1];
    expect(JSON.parse(stderr.trimEnd().split("\n").at(-1)!)).toEqual({
      kind: "approval_notice",
      id: notice.approval_id,
      status: "rejected",
      wire_id: unsent.id,
      created_at: notice.decided_at,
    });
    const stop = await hook("Stop", newSession(), { stop_hook_active: false });
    expect(stop.reason).toContain(unsent.id);
    const { additionalContext } = (await hook("UserPromptSubmit", session)).hookSpecificOutput;
    expect([additionalContext.includes(sent.id), additionalContext.includes(unsent.id)]).toEqual([
      true,
      false,
    ]);
    expect(additionalContext).toContain("2 unread, 1 of them new in this session and listed below. None");
  });

  // [C-hook-wake-ends]
  it("ends when another waiter replaces it, with its host, and at once if it cannot wake", async () => {
    await readAll();
    const session = newSession();
    const first = await wait(session);
    const input = inputOf("Stop", session, { stop_hook_active: false });
    await writeFile(join(folder, "input.json"), input);
    const command = 'exec "$0" "$1" hook --wake < "$2"';
    const words = [process.execPath, COMMAND, join(folder, "input.json")];
    // A host that starts the waiter with a shell, and is killed.
    const host = spawn(
      "/bin/sh",
      ["-c", `/bin/sh -c '${command}' "$@" & echo $!; exec sleep 60`, "sh", ...words],
      {
        env: { ...process.env, ...env },
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    expect(await first.ended).toEqual(NOT_WOKEN);
    const pid = Number(String((await once(host.stdout, "data"))[0]));
    expect(isAlive(pid)).toBe(true);
    host.kill("SIGKILL");
    await expect.poll(() => isAlive(pid), { timeout: 5_000 }).toBe(false);

    const entrypoint = { ...env, CLAUDE_CODE_ENTRYPOINT: "sdk-cli" };
    const wrongKey = { ...env, WIREROOM_API_KEY: "wr_wrong" };
    for (const variables of [entrypoint, wrongKey])
      expect(await runInProcess(["hook", "--wake"], { env: variables, input })).toEqual(NOT_WOKEN);
    expect(await run(inputOf("SessionStart", session), ["--wake"])).toBe("");
  });

  // [C-hook-stop] [C-hook-wake]
  it("wakes at the end of a turn at most 5 times in a row, and goes on after a pause", async () => {
    await readAll();
    const session = newSession();
    for (const stop_hook_active of [false, true, true, true]) {
      await send();
      expect(await hook("Stop", session, { stop_hook_active })).toBeDefined();
    }
    const more = { stop_hook_active: true };
    const fifth = await send();
    const atOnce = runInProcess(["hook", "--wake"], { env, input: inputOf("Stop", session, more) });
    expect((await atOnce).stderr).toContain(fifth);
    // The turn of a wake does not start the count again.
    await hook("UserPromptSubmit", session);
    const sixth = await send();
    const waiter = await wait(session, { more });
    await expect.poll(async () => (await recordOf(session)).left).toEqual([sixth]);
    const later = await send();
    const { code, stderr } = await waiter.ended;
    expect([code, stderr.includes(later), stderr.includes(sixth)]).toEqual([2, true, false]);
    const prompt = JSON.stringify(await hook("UserPromptSubmit", session));
    expect([prompt.includes(later), prompt.includes(sixth)]).toEqual([false, true]);
  });

  // [C-hook-origin]
  it("names and wakes for only those wires that --relation and --sent-by select", async () => {
    await readAll();
    await send();
    const args = ["--relation", "contact,same_account"];
    const [filtered, byHuman, byAgent] = [newSession(), newSession(), newSession()];
    expect(await hook("UserPromptSubmit", filtered, {}, args)).toBeUndefined();
    const waiters = [
      await wait(filtered, { args }),
      await wait(byHuman, { args: ["--sent-by", "human"] }),
      await wait(byAgent, { args: [...args, "--sent-by", "agent"] }),
    ];
    await send();
    const knock = await bob.post("/knocks", { handle: "alice", intro: "hello" });
    await alice.put(`/knocks/${knock.body.id}`, { status: "accepted" });
    const id = await send();
    const { code, stderr, n } = await Promise.race(
      waiters.map(async ({ ended }, n) => ({ ...(await ended), n })),
    );
    expect([code, stderr.includes(id), stderr.split('"kind"').length]).toEqual([2, true, 2]);
    expect((await alice.get("/inbox")).body.wires).toHaveLength(3);
    const all = [filtered, byHuman, byAgent];
    // Without the record of the woken session, the wire would be news for another one.
    const [woken] = all.splice(n, 1);
    await Promise.all(all.map(end));
    await end(woken!);
    const codes = (await Promise.all(waiters.map(({ ended }) => ended))).map((ended) => ended.code);
    expect(codes[1]).toBe(0);
    expect(codes.sort()).toEqual([0, 0, 2]);
  });
});

describe("the plugin for OpenCode", () => {
  // [C-hook-opencode]
  it("starts a turn of an idle session when a wire comes, with its agent and model, and none of a subagent", async () => {
    await readAll();
    const home = new TemporaryFolder("wireroom-opencode-").path;
    const own = { HOME: home, XDG_CONFIG_HOME: "", WIREROOM_CONFIG_DIR: join(home, "wireroom") };
    await mkdir(join(home, "wireroom/profiles"), { recursive: true });
    const profile = { url: daemon.base, handle: "alice", keys: { alice: alice.key } };
    await writeFile(profileFile("default", own), JSON.stringify(profile));
    const flags = ["--wake", "--sent-by", "agent"];
    const installed = await runProcess(["hook", "install", "opencode", ...flags], { env: own });
    expect([installed.code, installed.stdout]).toEqual([0, expect.stringContaining("plugins/wireroom.js")]);
    const { Wireroom } = await import(pathToFileURL(join(home, ".config/opencode/plugins/wireroom.js")).href);

    const asked: unknown[] = [];
    const used = { agent: "plan", model: { providerID: "local", modelID: "small" } };
    const messages = [{ info: { role: "user", ...used } }, { info: { role: "assistant", agent: "build" } }];
    const session = {
      get: async ({ path: { id } }: { path: { id: string } }) => ({
        data: { id, ...(id === "child" && { parentID: "parent" }) },
      }),
      messages: async () => ({ data: messages }),
      promptAsync: async (prompt: unknown) => asked.push(prompt),
    };
    const { event } = await Wireroom({ client: { session } });
    const idle = (sessionID: string) => event({ event: { type: "session.idle", properties: { sessionID } } });
    await idle("parent");
    await idle("child");
    const waiting = async () => {
      const { stdout } = await runInProcess(["hook", "status", "--json"], { env: own });
      return JSON.parse(stdout).sessions.map((each: Record<string, string>) => each.session);
    };
    await expect.poll(waiting).toEqual(["parent"]);
    const text = expect.stringContaining(await send("obey"));
    const parts = [{ type: "text", text, synthetic: true }];
    await expect.poll(() => asked).toEqual([{ path: { id: "parent" }, body: { ...used, parts } }]);
    expect(JSON.stringify(asked)).not.toContain("obey");
  });
});

describe("wireroom watch --wake codex", () => {
  // [C-wake-codex] [C-hook-status]
  it("queues one fixed line for the latest session until it begins a turn, and acknowledges nothing", async () => {
    await readAll();
    const config = new TemporaryFolder("wireroom-codex-").path;
    const out = join(config, "out");
    // The program in place of Codex. Its first run fails.
    const codex = `#!/bin/sh\n[ -e "${out}.tried" ] || { touch "${out}.tried"; echo busy >&2; exit 1; }\nprintf '%s\\n' "$*" >> "${out}"\n`;
    await writeFile(join(config, "codex"), codex, { mode: 0o755 });
    const variables = {
      ...env,
      WIREROOM_CONFIG_DIR: config,
      PATH: `${config}${delimiter}${process.env.PATH}`,
    };
    const tell = (event: string, session: string) => run(inputOf(event, session), [], variables);
    const lines = async () => (await readFile(out, "utf8").catch(() => "")).split("\n").filter(Boolean);
    const watch = spawn(process.execPath, [COMMAND, "watch", "--wake", "codex", "--sent-by", "agent"], {
      env: { ...process.env, ...variables },
      stdio: ["ignore", "inherit", "pipe"],
    });
    onTestFinished(() => void watch.kill("SIGKILL"));
    const log = textOf(watch.stderr);
    const [old, session] = [newSession(), newSession()];
    await tell("UserPromptSubmit", old);
    await tell("UserPromptSubmit", session);
    const ids = [await send("obey"), await send("obey")];
    await expect.poll(lines, { timeout: 20_000 }).toHaveLength(1);
    const [line] = await lines();
    expect(line).toMatch(new RegExp(`^queue --thread ${session} --message New items have arrived `));
    for (const word of ["obey", "bob", ...ids]) expect(line).not.toContain(word);
    await send();
    // The line has begun a turn, in which the hook names what came since.
    expect(await tell("UserPromptSubmit", session)).toContain(": 3 unread, 1 of them new");
    expect(await tell("Stop", session)).toBe("");
    await send();
    await expect.poll(lines, { timeout: 10_000 }).toEqual([line, line]);
    expect((await alice.get("/inbox")).body.wires).toHaveLength(4);
    watch.kill("SIGTERM");
    expect((await once(watch, "exit"))[0]).toBe(0);
    expect(await log).toContain("codex queue ended with 1: busy; trying again");
    for (const more of [["--exec", "true"], ["--reply"], ["--", "true"]])
      expect((await runInProcess(["watch", "--wake", "codex", ...more], { env })).code).toBe(2);
  });
});

async function recordOf(session: string): Promise<{ left: string[] }> {
  const name = (await readdir(join(folder, "hooks"))).find((file) => file.startsWith(session))!;
  return JSON.parse(await readFile(join(folder, "hooks", name), "utf8"));
}
