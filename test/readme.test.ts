/** Runs all commands that README.md prints, from first to last, in new shells with a new home folder. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "./harness/free-port.js";
import { KEYS, Terminal } from "./harness/terminal.js";

const root = resolve(import.meta.dirname, "..");
const readme = readFileSync(join(root, "README.md"), "utf8");
const PRINTED_PORT = "4747";
const INSTALL_MS = 240_000;

/** The input and expected output of a line in the README. A line without a step must only exit with 0. */
interface Step {
  /** Start of the line. */
  line: string;
  exitCode?: number;
  /** Text that the screen must show after the line was entered. */
  shows?: string;
  /** Keys to press each time the screen shows a text. */
  answers?: readonly (readonly [shown: string | RegExp, ...keys: string[]])[];
  timeoutMs?: number;
}

const STEPS: readonly Step[] = [
  { line: "wireroom init alice", shows: "created @alice" },
  { line: "wireroom inbox --as @bob", shows: "Will it rain in Oslo?" },
  { line: "wireroom mcp install claude-code", shows: ".claude/skills/wireroom/SKILL.md" },
  { line: "npm init", timeoutMs: INSTALL_MS },
  {
    line: "WIREROOM_API_KEY=$(wireroom key issue @bob) node",
    answers: [["answered @alice", KEYS.interrupt]],
    exitCode: 130,
  },
  { line: "curl", shows: '"text_body":"You asked: Will it rain in Oslo?"' },
  { line: "wireroom schema register", shows: "registered @alice/forecast@1" },
  { line: `wireroom space post weather --payload '{"city": "Oslo", "days": 10}'`, shows: "sent to #weather" },
  {
    line: `wireroom space post weather --payload '{"city": "Oslo", "days": 30}'`,
    exitCode: 6,
    shows: "payload.days must be <= 14",
  },
  {
    line: "WIREROOM_API_KEY=$(wireroom key issue @alice --expires 1h) wireroom send",
    shows: "held the wire to @bob",
  },
  { line: "wireroom approval list", shows: "May I share your forecast?" },
  {
    line: "wireroom dashboard",
    answers: [
      ["● live", "5"],
      [/▌pending +@alice/, "a"],
      [/▌approved +@alice/, "q"],
    ],
  },
  {
    line: "wireroom inbox --interactive --as @bob",
    answers: [[/inbox +@bob[\s\S]*May I share your forecast/, "q"]],
  },
  { line: "wireroom inbox", shows: "You asked: Will it rain in Oslo?" },
  { line: "npm install --global", timeoutMs: INSTALL_MS },
];

interface Block {
  language: string;
  text: string;
  /** The text before the code block. */
  before: string;
}

const [intro, ...fenced] = readme.split(/^```/m);
/** Every second part is a code block: its language, then its lines. */
const blocks: Block[] = fenced.flatMap((part, index) => {
  const [, language, text] = part.match(/^(\w*)\n(.*)$/s)!;
  return index % 2 === 0 ? [{ language: language!, text: text!, before: fenced[index - 1] ?? intro! }] : [];
});

let home: string;
let port: string;
let daemonTerminal: Terminal;
let shell: Terminal;
let prompts = 1;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "wireroom-readme-"));
  port = String(await freePort());
  packDriver();
  daemonTerminal = newShell();
  shell = newShell();
});

afterAll(async () => {
  for (const terminal of [daemonTerminal, shell]) {
    terminal.kill("SIGHUP");
    await terminal.exitCode;
  }
  rmSync(home, { recursive: true, force: true });
});

/** Starts a shell whose prompt contains the number of the next command and the exit code of the last one. */
function newShell(): Terminal {
  const inherited = Object.keys(process.env).filter((name) => /^(npm_|wireroom_|xdg_)/i.test(name));
  return new Terminal("bash", ["--norc", "--noprofile"], {
    columns: 250,
    rows: 60,
    cwd: root,
    env: {
      ...Object.fromEntries(inherited.map((name) => [name, undefined])),
      HOME: home,
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      PS1: "[\\#:$?]$ ",
      PS2: "[more]",
      WIREROOM_PORT: port,
      WIREROOM_URL: `http://127.0.0.1:${port}/v1`,
      // A writable folder for global packages, the installed packages as cache, and no compilation of the
      // driver.
      npm_config_prefix: join(home, "global"),
      npm_config_cache: process.env.npm_config_cache ?? join(homedir(), ".npm"),
      npm_config_userconfig: process.env.npm_config_userconfig ?? join(homedir(), ".npmrc"),
      npm_config_prefer_offline: "true",
      // Neither is a step of the README, and npm would wait for the registry.
      npm_config_audit: "false",
      npm_config_update_notifier: "false",
      // npm waits for five minutes for a registry that does not respond. It tries again sooner here, within
      // INSTALL_MS.
      npm_config_fetch_timeout: "20000",
      npm_config_fetch_retries: "8",
      npm_config_fetch_retry_mintimeout: "1000",
      npm_config_fetch_retry_maxtimeout: "5000",
      npm_config_sqlite3_local_prebuilds: home,
    },
  });
}

/** Packs the compiled driver of this checkout into the file that its installer looks for. */
function packDriver(): void {
  const driver = join(root, "node_modules/sqlite3");
  const { version } = JSON.parse(readFileSync(join(driver, "package.json"), "utf8"));
  const name = `sqlite3-v${version}-napi-v6-${process.platform}-${process.arch}.tar.gz`;
  cpSync(
    join(driver, "build/Release/node_sqlite3.node"),
    join(home, "driver/build/Release/node_sqlite3.node"),
  );
  execFileSync("tar", ["-czf", join(home, name), "-C", join(home, "driver"), "build"]);
}

/**
 * Enters a line, runs its step, and waits for the next prompt. Returns false if the shell waits for more
 * lines.
 */
async function enter(line: string, step: Step | undefined): Promise<boolean> {
  const before = shell.history;
  shell.press(line.replaceAll(PRINTED_PORT, port), KEYS.enter);
  for (const [wanted, ...keys] of step?.answers ?? []) {
    await shell.waitFor(wanted);
    shell.press(...keys);
  }
  const prompt = new RegExp(`(?:\\[${prompts + 1}:(\\d+)\\]\\$|\\[more\\])$`);
  const screen = await shell.waitUntil(
    (text) => text !== before && prompt.test(text),
    `a prompt after ${line}`,
    step?.timeoutMs,
  );
  const code = screen.match(prompt)![1];
  if (code === undefined) return false;
  prompts++;
  const shown = screen.slice(before.length);
  expect({ line, code: Number(code), shown }).toMatchObject({ line, code: step?.exitCode ?? 0 });
  if (step?.shows) expect(withoutSpace(shown)).toContain(withoutSpace(step.shows));
  return true;
}

/** Removes white space, because a terminal wraps long lines anywhere. */
function withoutSpace(text: string): string {
  return text.replace(/\s+/g, "");
}

function saveAsTold({ before, text }: Block): void {
  const [, file, folder] = before.match(/Save this as `([^`]+)` in `~\/([^`]+)`/)!;
  writeFileSync(join(home, folder!, file!), text.replaceAll(PRINTED_PORT, port));
}

describe("README.md", () => {
  const [first, ...rest] = blocks;
  const used = new Set<Step>();

  // [C-readme]
  it("contains only shell and JavaScript blocks, and starts with npm start", () => {
    expect([...new Set(blocks.map(({ language }) => language))].sort()).toEqual(["js", "sh"]);
    expect(first!.text).toBe("npm start\n");
  });

  // [C-readme]
  it(
    "starts a daemon with its first block",
    async () => {
      daemonTerminal.press(first!.text.trim(), KEYS.enter);
      await daemonTerminal.waitFor(`Wireroom is running at http://127.0.0.1:${port}/v1`, INSTALL_MS);
    },
    INSTALL_MS,
  );

  // [C-readme]
  it(
    "runs as printed from the first line to the last",
    async () => {
      await shell.waitFor("[1:0]$");
      for (const block of rest) {
        if (block.language === "js") saveAsTold(block);
        else await runBlock(block);
      }
      expect(STEPS.filter((step) => !used.has(step)).map(({ line }) => line)).toEqual([]);
    },
    2 * INSTALL_MS,
  );

  async function runBlock({ text }: Block): Promise<void> {
    for (const line of text.trimEnd().split("\n")) {
      const step = STEPS.find((each) => line.startsWith(each.line));
      if (step) used.add(step);
      await enter(line, step);
    }
  }

  // [C-readme]
  it("connects an MCP host", async () => {
    const { mcpServers } = JSON.parse(readFileSync(join(home, ".claude.json"), "utf8"));
    const { command, args } = mcpServers.wireroom;
    const client = new Client({ name: "readme", version: "1.0.0" });
    await client.connect(new StdioClientTransport({ command, args, env: { HOME: home } }));
    const { structuredContent } = await client.callTool({ name: "read_inbox", arguments: {} });
    expect(structuredContent).toMatchObject({ wires: [{ text_body: "You asked: Will it rain in Oslo?" }] });
    await client.close();
  });

  // [C-readme]
  it("installs a command that runs without the checkout", () => {
    const command = join(home, "global/bin/wireroom");
    const env = {
      PATH: process.env.PATH,
      HOME: home,
      WIREROOM_DATA_DIR: join(home, "elsewhere"),
      WIREROOM_PORT: "0",
    };
    const run = (...args: string[]) => execFileSync(command, args, { cwd: home, env, encoding: "utf8" });
    expect(JSON.parse(run("up", "--json")).data_dir).toBe(join(home, "elsewhere"));
    run("down");
  });

  // [C-readme]
  it("ends the daemon with Ctrl-C", async () => {
    daemonTerminal.press(KEYS.interrupt);
    await daemonTerminal.waitFor(/\[2:\d+\]\$$/);
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow();
  });
});
