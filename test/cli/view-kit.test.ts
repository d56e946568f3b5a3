import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { wireroom } from "../harness/command.js";
import { type AgentClient, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { ok, send } from "../harness/talk.js";
import { KEYS, Terminal } from "../harness/terminal.js";
import { screenHides, screenShows, type Views, viewsOf } from "../harness/view.js";

let daemon: TestDaemon;
let views: Views;
let reader: AgentClient;
let other: AgentClient;

beforeAll(async () => {
  daemon = await startDaemon();
  views = viewsOf(daemon);
  reader = await daemon.agent("reader");
  other = await daemon.agent("other");
  await send(other, "reader", { text: "A wire to look at" });
});
afterAll(async () => {
  await views.close();
  await daemon.stop();
});

async function open(options: Parameters<Views["open"]>[1] = {}, args: string[] = []): Promise<Terminal> {
  const env = { WIREROOM_API_KEY: reader.key, ...options.env };
  const terminal = views.open(["inbox", "-i", ...args], { ...options, env });
  await screenShows(terminal, "A wire to look at");
  return terminal;
}

describe("a view", () => {
  it("is refused without a terminal [C-view-terminal]", async () => {
    const env = { WIREROOM_URL: daemon.base, WIREROOM_API_KEY: reader.key, WIREROOM_CONFIG_DIR: views.folder };
    for (const view of [["inbox", "-i"], ["dashboard"]]) {
      const { code, stdout, stderr } = await wireroom(view, { env });
      expect({ code, stdout }).toEqual({ code: 10, stdout: "" });
      expect(stderr).toContain("NO_TERMINAL");
      expect(stderr).toContain("wireroom ");
    }
  });

  it.each([
    ["q", async (terminal: Terminal) => terminal.press("q"), 0],
    ["Ctrl-C", async (terminal: Terminal) => terminal.press(KEYS.interrupt), 130],
    [
      "Ctrl-C in a form",
      async (terminal: Terminal) => {
        terminal.press("n");
        await screenShows(terminal, "New wire");
        terminal.press(KEYS.interrupt);
      },
      130,
    ],
    ["SIGTERM", async (terminal: Terminal) => terminal.kill("SIGTERM"), 143],
    ["SIGHUP", async (terminal: Terminal) => terminal.kill("SIGHUP"), 129],
  ])("leaves the terminal as it was, ended by %s [C-view-restored]", async (_how, end, code) => {
    const shell = `echo before; "$0" "$@"; code=$?; stty -a | grep -o -- '[-]*icanon'; echo "code $code"`;
    const terminal = views.open([]);
    terminal.kill();
    const env = { WIREROOM_URL: daemon.base, WIREROOM_CONFIG_DIR: views.folder, WIREROOM_API_KEY: reader.key };
    const viewed = viaShell(shell, env);
    await screenShows(viewed, "A wire to look at");
    expect(viewed.screen).not.toContain("before");
    await end(viewed);
    if (code > 128 && code !== 130) {
      // The shell got the signal as well; what counts is what was written last.
      await viewed.ended;
    } else {
      await screenShows(viewed, `code ${code}`);
      expect(viewed.screen).toContain("before");
      expect(viewed.screen).toMatch(/^icanon/m);
    }
  });
});

function viaShell(script: string, env: Record<string, string>): Terminal {
  return new Terminal("bash", ["-c", script], { columns: 120, rows: 30, env });
}

describe("x", () => {
  it("y", async () => {
    await ok(reader.get("/profile"));
    await screenHides(await open(), "never");
  });
});
