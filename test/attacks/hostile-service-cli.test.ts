/** A malicious service cannot control the terminal of the command, crash it, or make it hang. */
import { writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { runInProcess } from "../harness/in-process.js";
import { SignedInHuman } from "../harness/signed-in-human.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";
import { Terminal } from "../harness/terminal.js";
import { screenShows } from "../harness/view-fixture.js";

/**
 * Clears the screen, writes to the clipboard (OSC 52), links (OSC 8), renames the window; C1, bidi controls,
 * invisible characters (among them tags, which can hide a text), line tricks.
 */
const HOSTILE =
  "\u200b\u2060\ufeff\u00ad\u{e0041}\u{e0149}\u3164\u2800\u115f\x1b[2J\x1b]52;c;cm0gLXJm\x07\x1b]8;;http://evil.example\x1b\\x\x1b]0;t\x07\x9b31m\x9d0;t\x9c\u202egnp\u2066\u2028\r\b\x7f\x00\nfake line";
/** Control and other invisible characters, except those that join letters and emoji, and line separators. */
const DANGEROUS =
  /[^\P{Cc}\n\t]|[^\P{Cf}\u200c\u200d]|(?!\u200c|\u200d|\ufe0f)\p{Default_Ignorable_Code_Point}|[\p{Zl}\p{Zp}\u2800]/u;

const { daemon, alice, bob } = await hostedFixture(["alice", "bob"], {});
let server: Server;
let url: string;
let token: string;
/** Names of members that every object of the service has, although nobody set them. */
const INHERITED = ["constructor", "__proto__", "toString", "hasOwnProperty"];
let respond: (body: unknown) => { status?: number; body: unknown };

/** Adds hostile text to every string and every key, except keys that the command reads. */
function poisoned(value: unknown): unknown {
  if (typeof value === "string") return value + HOSTILE;
  if (Array.isArray(value)) return value.map(poisoned);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, poisoned(each)]));
}

beforeAll(async () => {
  // Passes each request on to a real daemon, and changes its response.
  server = createServer(async (request, response) => {
    const body: Buffer[] = [];
    for await (const chunk of request) body.push(chunk as Buffer);
    const { authorization = "", "content-type": type = "application/json" } = request.headers;
    const answer = await fetch(`${daemon.origin}${request.url}`, {
      method: request.method!,
      headers: { authorization, "content-type": type },
      ...(body.length > 0 && { body: Buffer.concat(body) }),
    });
    const lines = (await answer.text()).trimEnd().split("\n");
    const changed = lines.map((line) => respond(JSON.parse(line)));
    response.writeHead(changed[0]?.status ?? answer.status, { "content-type": "application/json" });
    response.end(changed.map((each) => JSON.stringify(each.body)).join("\n"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  token = (await SignedInHuman.create(daemon, "alice")).env.WIREROOM_ID_TOKEN!;
  await alice.post("/spaces", { slug: "ops", visibility: "public" });
  await alice.post("/wires", { to: "#ops", text: "post" });
  await alice.post("/schemas", { subject: "@alice/quote", json_schema: { title: "t", type: "object" } });
  await bob.post("/wires", { to: "@alice", text: "hi", payload: { a: "b" } });
  const removed = await bob.post("/wires", { to: "@alice", text: "gone" });
  await bob.delete(`/wires/${removed.body.id}`);
  await bob.post("/knocks", { handle: "@alice", intro: "let me in" });
});

afterAll(() => {
  server.close();
});

const COMMANDS = [
  "whoami",
  "handle list",
  "handle show alice",
  "key list",
  "key issue alice",
  "connection list",
  "egress show alice",
  "approval list",
  "audit",
  "limits",
  "inbox",
  "thread ID",
  "wire show ID",
  "send @bob hello",
  "space list",
  "space show ops",
  "space feed ops",
  "space members ops",
  "search handles alice",
  "search spaces ops",
  "search schemas quote",
  "schema show @alice/quote",
  "knock list",
  "contact list",
  "block list",
  "profile show",
  "call profile.get",
  "export -",
];

/** Runs a command in a pipe, with `--json`, and on a terminal. Returns everything that it printed. */
async function outputsOf(line: string): Promise<{ code: number | null; text: string; mode: string }[]> {
  const { body } = await alice.get("/inbox");
  const args = line.replace("ID", body.wires[0].id).split(" ");
  const env = {
    WIREROOM_API_KEY: alice.key,
    WIREROOM_ID_TOKEN: token,
    WIREROOM_URL: url,
    WIREROOM_CONFIG_DIR: "/nonexistent",
  };
  const modes: [mode: string, extra: string[], isTerminal: boolean][] = [
    ["pipe", [], false],
    ["json", ["--json"], false],
    ["terminal", ["--no-color"], true],
  ];
  return Promise.all(
    modes.map(async ([mode, extra, isTerminal]) => {
      const { code, stdout, stderr } = await runInProcess([...args, ...extra], { env, isTerminal });
      return { mode, code, text: stdout + stderr };
    }),
  );
}

describe("hostile text of the service reaches no terminal", () => {
  it.each(COMMANDS)("in the results of wireroom %s", async (line) => {
    respond = (body) => ({ body: poisoned(body) });
    for (const { mode, text, code } of await outputsOf(line)) {
      expect(text, mode).not.toMatch(DANGEROUS);
      expect(text, mode).not.toMatch(/^fake line/m);
      expect(text, mode).not.toMatch(/is not a function|Cannot read prop|is not iterable/);
      expect(code, mode).toEqual(expect.any(Number));
    }
  });

  it.each(COMMANDS)("in an error of wireroom %s", async (line) => {
    const hostile = {
      code: `CODE${HOSTILE}`,
      message: HOSTILE,
      rule_source: HOSTILE,
      schema_ref: HOSTILE,
      schema_url: HOSTILE,
      errors: [{ instancePath: `/${HOSTILE}`, keyword: HOSTILE, message: HOSTILE }, { message: HOSTILE }],
    };
    respond = () => ({ status: 422, body: hostile });
    for (const { mode, text, code } of await outputsOf(line)) {
      expect(text, mode).not.toMatch(DANGEROUS);
      expect(code, mode).toBe(9);
    }
  });
});

describe("hostile text of the service cannot control a view", () => {
  const SUFFIX = `${HOSTILE}${"w".repeat(2_000)}`;

  /**
   * Starts a view. Its texts and keys end with hostile text and a very long word, except ids, so that threads
   * can be read.
   */
  function open(...args: string[]): Terminal {
    respond = (body) => ({
      body: JSON.parse(JSON.stringify(body), (key, value) =>
        typeof value === "string" && !/(^|_)id$|cursor/.test(key) ? value + SUFFIX : value,
      ),
    });
    const env = {
      WIREROOM_API_KEY: alice.key,
      WIREROOM_ID_TOKEN: token,
      WIREROOM_URL: url,
      WIREROOM_CONFIG_DIR: "/nonexistent",
    };
    const terminal = Terminal.wireroom(args, { env, columns: 100, rows: 30 });
    onTestFinished(() => terminal.kill());
    return terminal;
  }

  /**
   * Checks what the view has written apart from its own escape sequences, and that its borders are in their
   * columns.
   */
  function expectHarmless(terminal: Terminal): void {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with a control character
    const texts = terminal.written.replaceAll(/\x1b\[[\d;?<>=]*[ -/]*[@-~]/g, "").replaceAll("\r\n", "\n");
    expect(texts).not.toMatch(DANGEROUS);
    const { screen } = terminal;
    const edges = screen.split("\n").filter((line) => /^[│╭╰]/.test(line));
    expect(edges.length).toBeGreaterThan(20);
    for (const line of edges) expect(line.trimEnd(), screen).toMatch(/^.{99}[│╮╯]$/u);
  }

  // [C-view-hostile]
  it("in the inbox", async () => {
    const terminal = open("inbox", "-i");
    await screenShows(terminal, "fake linewww");
    expectHarmless(terminal);
  });

  // [C-view-hostile]
  it("in each pane of the dashboard", async () => {
    const terminal = open("dashboard");
    await screenShows(terminal, "<U+E0041>");
    for (let pane = 1; pane <= 8; pane++) {
      terminal.press(String(pane));
      await screenShows(terminal, new RegExp(`▌${pane} `));
      await new Promise((resolve) => setTimeout(resolve, 100));
      await terminal.waitUntil(() => true, "a whole frame");
      expectHarmless(terminal);
    }
  });
});

describe("hostile text in the log", () => {
  it.each([true, false])("is harmless in wireroom logs; on a terminal: %s", async (isTerminal) => {
    const folder = new TemporaryFolder("wireroom-hostile-log-").path;
    const entry = { level: 30, time: "x", msg: HOSTILE, [HOSTILE]: { [HOSTILE]: [HOSTILE] } };
    await writeFile(join(folder, "daemon.log"), `${JSON.stringify(entry)}\n${HOSTILE}\n`);
    const { code, stdout } = await runInProcess(["logs", "--data-dir", folder], { isTerminal });
    expect(code).toBe(0);
    // The text holds no colour codes of its own, so these are the command's.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes are escape sequences
    const text = stdout.replaceAll(/\u001B\[\d+m/g, "");
    expect(text === stdout).toBe(!isTerminal);
    expect(text).not.toMatch(DANGEROUS);
    // A log that is not JSON may contain line feeds, but the JSON line stays one line.
    expect(stdout.trimEnd().split("\n")).toHaveLength(3);
  });
});

describe("an error of the service with values of a wrong type", () => {
  it.each([
    ...INHERITED.map((code) => ({ code, message: "m", rule_source: code, removed_by: code })),
    {
      code: "VALIDATION_ERROR",
      message: "m",
      errors: 5,
      retry_after: "soon",
      rule_source: {},
      schema_ref: [],
    },
    { code: "VALIDATION_ERROR", message: "m", errors: [null, 5, { instancePath: 5, message: {} }] },
    { code: "RATE_LIMITED", message: "m", retry_after: -1 },
    { code: "RATE_LIMITED", message: "m", retry_after: 1e300 },
    { code: "RATE_LIMITED", message: "m", retry_after: null },
  ])("is printed as an error: %j", async (body) => {
    respond = () => ({ status: 429, body });
    for (const { mode, code, text } of await outputsOf("send @bob hello")) {
      expect([mode, code]).toEqual([mode, INHERITED.includes(body.code) ? 9 : expect.any(Number)]);
      expect(text, mode).toContain("m");
      expect(text, mode).not.toMatch(/native code|is not a function|Cannot read|undefined|NaN/);
    }
  });
});
