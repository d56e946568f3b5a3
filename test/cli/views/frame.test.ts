import { spawnSync } from "node:child_process";
import { beforeAll, describe, expect, it } from "vitest";
import { expectOk, sendWire } from "../../harness/api-helpers.js";
import { runProcess } from "../../harness/command.js";
import { type AgentClient, COMMAND } from "../../harness/daemon.js";
import { isInstalled } from "../../harness/is-installed.js";
import { KEYS, Terminal } from "../../harness/terminal.js";
import { screenHides, screenShows, type ViewOptions, viewFixture } from "../../harness/view-fixture.js";

const { daemon, views } = await viewFixture();
let reader: AgentClient;
let other: AgentClient;

beforeAll(async () => {
  reader = await daemon.createAgent("reader");
  other = await daemon.createAgent("other");
  await sendWire(other, "reader", { text: "A wire to look at" });
});

async function open(options: ViewOptions = {}, args: string[] = []): Promise<Terminal> {
  const env = { WIREROOM_API_KEY: reader.key, ...options.env };
  const terminal = views.open(["inbox", "-i", ...args], { ...options, env });
  await screenShows(terminal, "A wire to look at");
  return terminal;
}

/** The text of the wire that `other` received last. */
async function lastText(): Promise<string | undefined> {
  const { wires } = await expectOk(other.get("/inbox?limit=100"));
  return wires.at(-1)?.text_body;
}

describe("a view", () => {
  // [C-view-terminal]
  it("is refused without a terminal", async () => {
    const env = {
      WIREROOM_URL: daemon.base,
      WIREROOM_API_KEY: reader.key,
      WIREROOM_CONFIG_DIR: views.folder,
    };
    for (const view of [["inbox", "-i"], ["dashboard"]]) {
      const { code, stdout, stderr } = await runProcess(view, { env });
      expect({ code, stdout }).toEqual({ code: 10, stdout: "" });
      expect(stderr).toContain("NO_TERMINAL");
      expect(stderr).toContain("wireroom ");
    }
  });

  // [C-view-restored]
  it.each([
    ["q", ["q"], 0],
    ["Ctrl-C in a form", ["n", KEYS.interrupt], 130],
  ])("leaves the terminal as it was, ended by %s", async (_how, keys, code) => {
    const script = `echo before; "$@"; echo "code $?"; stty -a | grep -o -- "-*icanon"; stty -a | grep -o -- "-*echo "`;
    const terminal = new Terminal("bash", ["-c", script, "sh", process.execPath, COMMAND, "inbox", "-i"], {
      columns: 120,
      rows: 30,
      env: {
        WIREROOM_URL: daemon.base,
        WIREROOM_CONFIG_DIR: views.folder,
        WIREROOM_API_KEY: reader.key,
      },
    });
    const screen = await screenShows(terminal, "A wire to look at");
    expect(screen).not.toContain("before");
    terminal.press(...keys);
    await terminal.exitCode;
    await screenShows(terminal, /^echo$/m);
    expect(terminal.screen).toBe(`before\ncode ${code}\nicanon\necho`);
    expect(terminal.written.lastIndexOf("\x1b[?25h")).toBeGreaterThan(
      terminal.written.lastIndexOf("\x1b[?25l"),
    );
  });

  // [C-view-restored]
  it.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("leaves the terminal as it was, ended by %s", async (signal, code) => {
    const terminal = await open({ isSeparate: true });
    terminal.kill(signal);
    expect(await terminal.exitCode).toBe(code);
    expect(terminal.screen).toBe("");
    const { written } = terminal;
    for (const [on, off] of [
      ["\x1b[?1049h", "\x1b[?1049l"],
      ["\x1b[?25l", "\x1b[?25h"],
      ["\x1b[?2004h", "\x1b[?2004l"],
      ["\x1b[?7l", "\x1b[?7h"],
    ] as const)
      expect(written.lastIndexOf(off)).toBeGreaterThan(written.lastIndexOf(on));
  });

  // [C-view-help]
  it("shows every key on ?, until any is pressed, also in the environment of a CI", async () => {
    const terminal = await open({ isSeparate: true, env: { CI: "true", CONTINUOUS_INTEGRATION: "1" } });
    terminal.press("?");
    const screen = await screenShows(terminal, "any key closes this");
    for (const words of ["moves the inbox's checkpoint", "a wire of your own", "leave at once", "● ○ ✓"])
      expect(screen).toContain(words);
    terminal.press("q");
    await screenHides(terminal, "any key closes this");
    expect(terminal.screen).toContain("A wire to look at");
    expect(coloursOf(terminal).size).toBeGreaterThan(0);
    terminal.press("q");
    expect(await terminal.exitCode).toBe(0);
  });

  // [C-view-colours]
  it.each([
    ["NO_COLOR", { NO_COLOR: "1" }, []],
    ["--no-color", {}, ["--no-color"]],
  ])("has no colour with %s, and says all the same", async (_how, env, args) => {
    const terminal = await open({ isSeparate: true, env }, args);
    expect(coloursOf(terminal)).toEqual(new Set());
    expect(terminal.screen).toMatch(/▌○ /);
    terminal.press("q");
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.history).not.toContain("Warning");
  });

  // [C-view-terminal]
  it("is refused if the terminal is dumb", async () => {
    const terminal = new Terminal("env", ["TERM=dumb", process.execPath, COMMAND, "inbox", "-i"], {
      columns: 120,
      env: {
        WIREROOM_URL: daemon.base,
        WIREROOM_CONFIG_DIR: views.folder,
        WIREROOM_API_KEY: reader.key,
      },
    });
    expect(await terminal.exitCode).toBe(10);
    expect(terminal.history).toContain("TERM is dumb (NO_TERMINAL)");
  });

  // [C-view-narrow]
  it("shows one pane at a time where it is narrow", async () => {
    const terminal = await open({ columns: 60, rows: 20 });
    await screenShows(terminal, "● live");
    expect(terminal.screen).toContain("╭─ Inbox");
    expect(terminal.screen).not.toContain("╭─ Thread");
    terminal.press(KEYS.tab);
    await screenShows(terminal, "╭─ Thread");
    expect(terminal.screen).not.toContain("╭─ Inbox");
    terminal.resize(30, 8);
    await screenShows(terminal, "This window is too small");
    terminal.press("q");
    expect(await terminal.exitCode).toBe(0);
  });

  // [C-view-resize]
  it("fits every size that it is given", async () => {
    const terminal = await open();
    for (const [columns, rows] of [
      [200, 50],
      [91, 14],
      [70, 40],
      [120, 30],
    ] as const) {
      terminal.resize(columns, rows);
      const fits = () => {
        const lines = terminal.screen.split("\n");
        const [, edge = "", ...rest] = lines;
        const isFramed = /^╭─.*╮$/.test(edge) && edge.length === columns;
        return isFramed && lines.length === rows - 1 && rest.at(-1)!.includes("q leave");
      };
      await terminal.waitUntil(fits, `a screen of ${columns} × ${rows}`);
      expect(terminal.screen.match(/wireroom inbox/g)).toHaveLength(1);
    }
  });

  // [C-view-restored]
  it.runIf(isInstalled("tmux", "-V"))(
    "leaves no rows behind in tmux after the window has grown",
    async () => {
      const socket = `wireroom-test-${process.pid}`;
      const shell = new Terminal(
        "tmux",
        ["-L", socket, "-f", "/dev/null", "new-session", "bash --norc --noprofile -i"],
        {
          columns: 80,
          rows: 24,
          env: {
            WIREROOM_URL: daemon.base,
            WIREROOM_CONFIG_DIR: views.folder,
            WIREROOM_API_KEY: reader.key,
            TMUX: undefined,
          },
        },
      );
      try {
        await screenShows(shell, "[0] 0:bash");
        shell.press(`seq 101 140; ${process.execPath} ${COMMAND} inbox -i\r`);
        await screenShows(shell, "A wire to look at");
        shell.resize(120, 40);
        await shell.waitUntil(
          () => shell.screen.split("\n")[37]?.includes("q leave") === true,
          "the whole window",
        );
        shell.press("q");
        await screenHides(shell, "A wire to look at");
        await screenShows(shell, /138\n139\n140\n/);
        expect(shell.screen).not.toMatch(/[│╭╰]/);
        expect(shell.screen).toContain("119\n120\n121\n122\n123\n124");
      } finally {
        spawnSync("tmux", ["-L", socket, "kill-server"]);
        shell.kill();
      }
    },
  );

  // [C-view-resize]
  it("continues after Ctrl-Z in a window of another size", async () => {
    const env = {
      WIREROOM_URL: daemon.base,
      WIREROOM_CONFIG_DIR: views.folder,
      WIREROOM_API_KEY: reader.key,
    };
    const shell = new Terminal("bash", ["--norc", "--noprofile", "-i"], {
      columns: 120,
      rows: 30,
      env: { ...env, PS1: "ready> " },
    });
    try {
      await screenShows(shell, "ready>");
      shell.press(`${process.execPath} ${COMMAND} inbox -i\r`);
      await screenShows(shell, "A wire to look at");
      shell.press("\x1a");
      await screenShows(shell, /Stopped/);
      expect(shell.screen).not.toContain("A wire to look at");
      shell.resize(100, 24);
      shell.press("fg\r");
      await screenShows(shell, "A wire to look at");
      const isFramed = () => {
        const lines = shell.screen.split("\n");
        // The screen may be empty for a moment.
        return lines[1]?.length === 100 && lines.length === 23 && lines.at(-1)!.includes("q leave");
      };
      await shell.waitUntil(isFramed, "a frame of 100 × 24");
      expect(shell.screen.match(/wireroom inbox/g)).toHaveLength(1);
      shell.press("q");
      await screenShows(shell, /ready> *$/);
    } finally {
      shell.kill();
    }
  });

  it("goes on after Ctrl-Z if no shell could continue it", async () => {
    const terminal = await open({ isSeparate: true });
    terminal.press("\x1a");
    await terminal.waitUntil(
      () => terminal.written.includes("\x1b[?1049l"),
      "a view that has left the screen",
    );
    // Until the view goes on, the terminal is not in raw mode, and keeps the key.
    const leave = setInterval(() => terminal.press("q"), 200);
    try {
      expect(await terminal.exitCode).toBe(0);
      // It has left the alternate screen for a moment, and entered it again.
      expect(terminal.written.split("\x1b[?1049h").length).toBe(3);
    } finally {
      clearInterval(leave);
    }
  });

  it("keeps the borders in their columns, whatever width the terminal gives an emoji", async () => {
    const fan = await daemon.createAgent("fan");
    await sendWire(other, "fan", { text: "family 👩‍👩‍👧, heart ❤️, flag 🇳🇴, thumb 👍🏽 and 木" });
    const terminal = views.open(["inbox", "-i"], { env: { WIREROOM_API_KEY: fan.key } });
    await screenShows(terminal, "family");
    await screenShows(terminal, "1 wire");
    const { active } = terminal.emulator.buffer;
    for (let y = 2; y <= 25; y++) expect(active.getLine(y)!.getCell(119)!.getChars()).toBe("│");
  });

  // [C-view-hostile]
  it("shows hostile text as what it is", async () => {
    const victim = await daemon.createAgent("victim");
    const text = "start\x1b[2J\x1b[31mred\x1b]52;c;aGk=\x07 \u202edesrever\u202c\r\x9b1mC1\ttab";
    await sendWire(other, "victim", { text, payload: { "\x1b[2J": "\x1b]0;title\x07" } });
    const terminal = views.open(["inbox", "-i"], { env: { WIREROOM_API_KEY: victim.key } });
    const screen = await screenShows(terminal, /│ {3}start/);
    expect(screen).toContain("wireroom inbox");
    expect(screen).toContain("␛[2J");
    expect(screen).toContain("<U+202E>desrever");
    const ours = terminal.written;
    for (const theirs of ["\x1b[31mred", "\x1b]", "\u202e", "\x9b", "\x07"])
      expect(ours).not.toContain(theirs);
    expect(screen.split("\n").filter((line) => /[╮│╯]$/.test(line.trimEnd()))).toHaveLength(26);
  });
});

describe("a paste outside a text field", () => {
  // [C-view-paste]
  it.each([
    ["without marks", "x\rn\rdelete\r"],
    ["without marks in one line", "dn".repeat(20)],
    ["with keys behind its end mark", "\x1b[200~x\x1b[201~dn"],
  ])("does nothing: %s", async (_what, pasted) => {
    const terminal = await open();
    terminal.press(pasted);
    // If the machine is busy, the first keys may arrive together with the paste. `q` does not leave a form.
    const leave = setInterval(() => terminal.press("q"), 200);
    expect(await terminal.exitCode).toBe(0);
    clearInterval(leave);
    expect((await expectOk(reader.get("/inbox"))).wires).toHaveLength(1);
  });
});

describe("a text field", () => {
  // [C-view-paste]
  it("takes what is pasted as text, whatever it is", async () => {
    const terminal = await open();
    terminal.press("n", "@other", KEYS.tab, "\x1b[200~line one\rq\r\x03line four\x1b[201~");
    const screen = await screenShows(terminal, "line four");
    expect(screen).toMatch(/line one +│/);
    terminal.press(KEYS.enter);
    await screenShows(terminal, "Sent to @other");
    expect(await lastText()).toBe("line one\nq\n\x03line four");
  });

  // [C-view-paste]
  it("takes a paste without marks as text: carriage returns, CR LF, an empty first line, a long line, two in a row", async () => {
    const terminal = await open();
    for (const [pasted, text] of [
      ["one: stop\rtwo: delete\rdD zz0\r", "one: stop\ntwo: delete\ndD zz0"],
      ["one\r\ntwo\r\nzz1", "one\ntwo\nzz1"],
      ["\rx\rzz2", "\nx\nzz2"],
      [`${"word ".repeat(20)}zz3\r`, `${"word ".repeat(20)}zz3`],
      ["\x1b[200~a\rb\x1b[201~\x1b[200~c\x1b[201~\rdDzz4", "a\nbc\ndDzz4"],
    ] as const) {
      terminal.press("n", "@other", KEYS.tab);
      await screenShows(terminal, "▸ Text");
      terminal.press(pasted);
      await screenShows(terminal, text.slice(-3));
      terminal.press("!", KEYS.enter);
      await screenHides(terminal, "▸ Text");
      await expect.poll(async () => (await lastText())?.replace("\n!", "!")).toBe(`${text}!`);
    }
  });

  // [C-view-paste]
  it("takes a paste of 100 kB without marks, and sends nothing", async () => {
    const terminal = await open({ isSeparate: true });
    const before = await lastText();
    terminal.press("n", "@other", KEYS.tab);
    await screenShows(terminal, "▸ Text");
    terminal.press(Array.from({ length: 2_500 }, (_, i) => `dD ${i}: ${"木".repeat(10)}\r`).join(""));
    await screenShows(terminal, "dD 2499: ");
    terminal.press("the end");
    await screenShows(terminal, /▸ Text[^▸]*the end/);
    expect(await lastText()).toBe(before);
  });

  // [C-view-paste]
  it("takes a paste without marks into a single line, and into the filter", async () => {
    const terminal = await open();
    terminal.press("/");
    await screenShows(terminal, "Enter keep the filter");
    terminal.press("wire\rto\r");
    await screenShows(terminal, "/ wire to");
    terminal.press(KEYS.enter, KEYS.escape);
    await screenHides(terminal, "/ wire to");
    terminal.press("s");
    await screenShows(terminal, "▸ Space");
    terminal.press("#a\r#b\rq");
    await screenShows(terminal, "#a #b q");
  });

  // [C-view-paste]
  it("types what a slow link delivers at once, also its Enter key", async () => {
    const terminal = await open();
    terminal.press("n@other\ttyped words\r");
    await screenShows(terminal, "Sent to @other");
    expect(await lastText()).toBe("typed words");
  });

  // [C-view-paste]
  it("reads keys again after a paste without an end", async () => {
    const terminal = await open();
    terminal.press("n", "\x1b[200~@lost");
    await screenShows(terminal, /^.*@lost/m);
    terminal.press("\x1b[200~ never ends");
    await screenShows(terminal, "@lost never ends");
    terminal.press(KEYS.interrupt);
    expect(await terminal.exitCode).toBe(130);
  });

  // [C-view-editing]
  it("knows the editing keys, and wide signs", async () => {
    const terminal = await open();
    terminal.press("n", "@other", KEYS.tab);
    terminal.press("wrong words", "\x17", "\x17", "木曜👩‍👩‍👧日", KEYS.left, KEYS.left, KEYS.backspace);
    terminal.press(
      KEYS.home,
      "<",
      KEYS.end,
      ">",
      "\x01",
      KEYS.delete,
      "a ",
      "\x05",
      " z",
      "\x1b\r",
      "four",
      KEYS.up,
      "!",
    );
    await screenShows(terminal, "four");
    terminal.press(KEYS.enter);
    await screenShows(terminal, "Sent to @other");
    expect(await lastText()).toBe("a 木!👩‍👩‍👧日> z\nfour");
  });
});

/** Colours of the cells that are not the terminal's own. */
function coloursOf({ emulator }: Terminal): Set<number> {
  const colours = new Set<number>();
  const { active } = emulator.buffer;
  for (let y = 0; y < emulator.rows; y++) {
    for (let x = 0; x < emulator.cols; x++) {
      const cell = active.getLine(active.viewportY + y)?.getCell(x);
      if (cell && !cell.isFgDefault()) colours.add(cell.getFgColor());
      if (cell && !cell.isBgDefault()) colours.add(-1 - cell.getBgColor());
    }
  }
  return colours;
}
