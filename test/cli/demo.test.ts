/** Tests of `wireroom demo` in an empty home folder, and of what it leaves behind. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { runProcess } from "../harness/command.js";
import { COMMAND } from "../harness/daemon.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";
import { KEYS, Terminal } from "../harness/terminal.js";

let home: string;
/** The folder for temporary files, which only the demo uses. */
let temporary: string;
let env: Record<string, string>;

beforeEach(() => {
  const { path } = new TemporaryFolder("wireroom-demo-test-");
  home = join(path, "home");
  temporary = join(path, "tmp");
  for (const folder of [home, temporary]) mkdirSync(folder);
  env = { HOME: home, TMPDIR: temporary };
});

/** Returns the processes and files of the demo. */
function left(): string[] {
  const processes = execFileSync("ps", ["-eo", "args"]).toString().split("\n");
  const files = readdirSync(temporary).filter((name) => name.startsWith("wireroom"));
  return [...processes.filter((args) => args.includes(temporary)), ...files, ...readdirSync(home)];
}

async function expectNothingLeft(): Promise<void> {
  await expect.poll(left, { timeout: 10_000 }).toEqual([]);
}

function daemonPid(): number {
  const line = execFileSync("ps", ["-eo", "pid,args"])
    .toString()
    .split("\n")
    .find((each) => each.includes(temporary));
  return Number(line!.trim().split(" ")[0]);
}

// [C-demo]
it("tells the whole story on a terminal of 80 columns, and leaves nothing", async () => {
  const WIREROOM_CONFIG_DIR = new TemporaryFolder("wireroom-demo-config-").path;
  mkdirSync(join(WIREROOM_CONFIG_DIR, "profiles"));
  writeFileSync(join(WIREROOM_CONFIG_DIR, "profiles/default.json"), '{"keys":{"alice":"wr_a"}}');
  const terminal = Terminal.wireroom(["demo"], { env: { ...env, WIREROOM_CONFIG_DIR }, rows: 50 });
  expect(await terminal.exitCode).toBe(0);
  // A machine that is set up already need not be set up again.
  await terminal.waitFor("Next step:\n  wireroom inbox");
  const { screen } = terminal;
  for (const line of [
    '$ wireroom send @weather "Will it rain in Oslo?"\n          ✗ refused: @weather accepts wires only from its contacts\n@planner',
    "✗ refused: payload.days must be <= 14\n@planner",
    "… held until you approve it\nyou ",
    "$ wireroom approval approve WIRE\n          ✓ delivered\n@planner",
    "✓ read by @weather\n\nThe demo is over, and everything of it is deleted.",
  ])
    expect(screen).toContain(line);
  await expectNothingLeft();
});

// [C-demo] [C-demo-ends]
it("takes 80 columns for the width of a terminal that does not know its own; Ctrl-C in the middle leaves nothing", async () => {
  const shell = 'stty cols 0 && exec "$@"';
  const args = ["-c", shell, "sh", process.execPath, COMMAND, "demo"];
  const terminal = new Terminal("sh", args, { env, rows: 50 });
  await terminal.waitFor("A stranger's agent, @weather, sells them.");
  terminal.press(KEYS.interrupt);
  expect(await terminal.exitCode).toBe(130);
  await expectNothingLeft();
});

// [C-demo] [C-demo-own]
it("tells it in a pipe without colours, whatever the environment sets", async () => {
  const nowhere = "http://127.0.0.1:9";
  const ended = await runProcess(["demo"], {
    env: {
      ...env,
      ...{ HTTP_PROXY: nowhere, HTTPS_PROXY: nowhere, WIREROOM_URL: nowhere, WIREROOM_API_KEY: "wr_nobody" },
      ...{
        WIREROOM_HOST: "nowhere",
        WIREROOM_PORT: "1",
        WIREROOM_DATA_DIR: "/nowhere",
        WIREROOM_CONFIG_DIR: "/nowhere",
      },
      ...{
        WIREROOM_DATABASE_URL: "sqlite:/nowhere/else.db",
        WIREROOM_LOCAL_SIGN_IN: "off",
        WIREROOM_LIMITS: "x",
      },
    },
  });
  expect(ended).toMatchObject({ code: 0, stderr: "\nThe demo is over, and everything of it is deleted.\n" });
  expect(ended.stdout).toMatch(/^Your agent @planner [\s\S]*✓ read by @weather\n$/);
  expect(ended.stdout).not.toContain("\x1b");
  await expectNothingLeft();
});

// [C-demo-own]
it("needs no home folder", async () => {
  const { code, stdout } = await runProcess(["demo", "--json"], {
    env: { ...env, HOME: "" },
    unprivileged: true,
  });
  expect(code).toBe(0);
  const steps = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(steps).toContainEqual({
    by: "@planner",
    text: "asks as a stranger.",
    commands: ['wireroom send @weather "Will it rain in Oslo?"'],
    outcome: "✗ refused: @weather accepts wires only from its contacts",
  });
  await expectNothingLeft();
});

// [C-demo-ends]
it.each<[what: string, end: (terminal: Terminal) => void, exitCode: number]>([
  ["Ctrl-C twice", (terminal) => terminal.press(KEYS.interrupt, KEYS.interrupt), 130],
  ["a closed terminal", (terminal) => terminal.kill("SIGHUP"), 129],
  ["SIGKILL", (terminal) => terminal.kill("SIGKILL"), 137],
  ["the end of its daemon", () => process.kill(daemonPid(), "SIGKILL"), 1],
])("leaves nothing after %s in the middle", async (_what, end, exitCode) => {
  const terminal = Terminal.wireroom(["demo", "--keep"], { env });
  await terminal.waitFor("@weather  takes");
  end(terminal);
  expect(await terminal.exitCode).toBe(exitCode);
  await expectNothingLeft();
});

// [C-demo-ends]
it("leaves nothing after Ctrl-C during the start of its daemon", async () => {
  const terminal = Terminal.wireroom(["demo"], { env });
  await terminal.waitFor("starting a daemon");
  terminal.press(KEYS.interrupt);
  expect(await terminal.exitCode).toBe(130);
  await expectNothingLeft();
});

// [C-demo-keep]
it("--keep leaves the daemon running until it is stopped as printed", async () => {
  // The pipe saves the pauses for a reader.
  const shell = 'set -o pipefail; "$@" | cat';
  const args = ["-c", shell, "bash", process.execPath, COMMAND, "demo", "--keep"];
  const terminal = new Terminal("bash", args, { env, rows: 50, columns: 200 });
  expect(await terminal.exitCode).toBe(0);
  const [, origin, ticket] = / {2}(http\S+)\/console#ticket=(\w+)/.exec(terminal.screen)!;
  const [, pid] = /kill (\d+)/.exec(terminal.screen)!;
  const opened = await fetch(`${origin}/identity/console-session`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: origin! },
    body: JSON.stringify({ ticket }),
  });
  expect(opened.status).toBe(204);
  process.kill(Number(pid));
  await expectNothingLeft();
});
