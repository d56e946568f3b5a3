import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { Command } from "commander";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../cli/exit-codes.js";
import { buildProgram, groupsOf } from "../../cli/program.js";
import { COMMAND } from "../harness/daemon.js";
import { runInProcess } from "../harness/in-process.js";
import { isInstalled } from "../harness/is-installed.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";
import { Terminal } from "../harness/terminal.js";

const root = resolve(import.meta.dirname, "../..");

/** Returns the project files that are loaded with a file, directly or indirectly. */
function loadedWith(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  const text = readFileSync(resolve(root, path), "utf8");
  for (const [, specifier] of text.matchAll(/^(?:import|export) (?!type)[^;]*?from "(\.[^"]+)";/gms)) {
    const target = relative(root, resolve(root, dirname(path), specifier!)).replace(/\.js$/, ".ts");
    loadedWith(target, seen);
  }
  return seen;
}

describe("wireroom --help", () => {
  // [C-help-light]
  it("loads neither the SDK, nor the daemon, nor the views", () => {
    const program = readFileSync(resolve(root, "cli/program.ts"), "utf8");
    const commands = [...program.matchAll(/import\("\.\/(.+)\.js"\)/g)].map(([, path]) => `cli/${path}.ts`);
    const loaded = ["cli/program.ts", ...commands].flatMap((path) => [...loadedWith(path)]);
    expect(loaded.length).toBeGreaterThan(20);
    const heavy = /^(sdk\/(?!src\/generated\/enums)|src\/(?!mcp-hosts)|daemon\/(?!closest-word)|cli\/views)/;
    expect(loaded.filter((path) => heavy.test(path))).toEqual([]);
  });

  // [C-help-light]
  it("loads only the called command, wherever the shared options stand", async () => {
    for (const command of (await buildProgram()).commands) {
      const name = command.name();
      const { commands } = await buildProgram(process, groupsOf(["--json", "--profile", "up", name, "list"]));
      expect(commands.map((each) => each.name())).toContain(name);
      expect(commands.length).toBeLessThanOrEqual(3);
    }
  });

  // [C-narrow-terminal]
  it("wraps descriptions between words, also on a narrow terminal", async () => {
    const terminal = Terminal.wireroom(["handle", "--help"], { columns: 60, rows: 50 });
    const shown = await terminal.waitFor("print help for a command");
    expect(shown).toMatch(/^ {2}--as <handle> +act as this handle of the profile$/m);
    expect(shown).toMatch(/^ {27}\(env: WIREROOM_HANDLE\)$/m);
  });

  // [C-help-light]
  it("fits a screen, and help all describes every command and option", async () => {
    const [short, all] = [await runInProcess(["--help"]), await runInProcess(["help", "all"])];
    // A terminal of 80 columns and 24 rows, with its prompt.
    expect(short.stdout.split("\n").length).toBeLessThanOrEqual(24);
    expect(all.code).toBe(0);
    for (const command of (await buildProgram()).commands) {
      expect(short.stdout.split(/[\s,]+/)).toContain(command.name());
      expect(all.stdout).toMatch(new RegExp(`^  ${command.name()} .*\\w`, "m"));
    }
    expect(all.stdout).toContain("--profile <name>");
  });

  // [C-help-width]
  it("fits 80 columns on every page, and lists long choices once", async () => {
    const pages = (command: Command, path: string[]): string[][] => [
      path,
      ...command.commands.flatMap((child) => pages(child, [...path, child.name()])),
    ];
    const wide: string[] = [];
    for (const path of pages(await buildProgram(), [])) {
      const { stdout } = await runInProcess([...path, "--help"]);
      const lists = stdout.replace(/\s+/g, " ").match(/\(choices: [^)]{50,}\)/g) ?? [];
      expect(new Set(lists).size, `lists of choices of ${path.join(" ")}`).toBe(lists.length);
      const lines = stdout.split("\n").filter((line) => stringWidth(line) > 80);
      wide.push(...lines.map((line) => `${path.join(" ")}: ${line}`));
    }
    expect(wide).toEqual([]);
  });

  // [C-show-alias]
  it("names get as an alias of every command show, which does the same", async () => {
    const program = await buildProgram();
    const shown = program.commands.filter((group) => group.commands.some((each) => each.name() === "show"));
    expect(shown.map((group) => group.name())).toEqual(expect.arrayContaining(["wire", "schema", "space"]));
    for (const group of shown) {
      const { stdout } = await runInProcess([group.name(), "get", "--help"]);
      expect(stdout).toContain(`Usage: wireroom ${group.name()} show|get `);
      expect(await completions(`${group.name()} get --jso`)).toEqual(["--json"]);
    }
  });

  // [C-suggestion]
  it("suggests the most similar command or subcommand for a mistyped one", async () => {
    for (const [args, nearest] of [
      [["stauts"], "status"],
      [["key", "isue"], "issue"],
      [["up", "--prot", "1"], "--port"],
      [["egress", "set", "@alice", "--allow", "@bob"], "wireroom egress allow"],
    ] as const) {
      const mistyped = await runInProcess(args);
      expect(mistyped).toMatchObject({ code: EXIT.usage, stdout: "" });
      expect(mistyped.stderr).toContain(`Did you mean ${nearest}?`);
    }
  });
});

describe("wireroom completion", () => {
  // [C-completion]
  it("completes commands, subcommands, options and choices", async () => {
    const names = (await buildProgram()).commands.map((command) => command.name());
    expect(await completions("")).toEqual([...names, "help"]);
    expect(await completions("key iss")).toEqual(["issue"]);
    expect(await completions("--profile up --json do")).toEqual(["down", "doctor"]);
    expect(await completions("up --da")).toEqual(["--data-dir", "--database-url"]);
    expect(await completions("egress set alice --mode ")).toEqual(["open", "allowlist", "approval"]);
    expect(await completions("completion ")).toEqual(["bash", "zsh", "fish", "powershell"]);
    expect(await completions("backup packag")).toEqual([]);
    expect(await completions("backup packag", { SHELL: "/bin/zsh" })).toEqual(["__tabtab_complete_files__"]);
    expect(await completions("up --host ", { SHELL: "zsh" })).toEqual([]);
    expect(await completions("key iss", { SHELL: "zsh" })).toEqual([expect.stringMatching(/^issue:\w/)]);
    for (const SHELL of ["fish", "pwsh"])
      expect(await completions("key iss", { SHELL })).toEqual([expect.stringMatching(/^issue\t\w/)]);
  });

  // [C-completion-names]
  it("completes handles and profiles that the machine knows, in an interactive bash", async () => {
    const folder = new TemporaryFolder("wireroom-known-").path;
    const profiles = join(folder, "profiles");
    mkdirSync(profiles);
    writeFileSync(
      join(profiles, "default.json"),
      JSON.stringify({ handle: "carol", keys: { alice: "wr_a", "$(x)": "wr_x" } }),
    );
    writeFileSync(join(profiles, "work.json"), JSON.stringify({ keys: { dora: "wr_d" } }));
    writeFileSync(join(profiles, "broken.json"), "{");
    const env = { WIREROOM_CONFIG_DIR: folder, WIREROOM_PROFILE: undefined };
    expect(await completions("send ", env)).toEqual(["alice", "carol"]);
    expect(await completions("send @a", { ...env, SHELL: "zsh" })).toEqual(["@alice"]);
    expect(await completions("--profile work send ", env)).toEqual(["dora"]);
    expect(await completions("--profile=work send ", env)).toEqual(["dora"]);
    expect(await completions("--profile ", env)).toEqual(["broken", "default", "work"]);
    for (const damaged of ["broken", "none", "../x"])
      expect(await completions(`--profile ${damaged} send `, env)).toEqual([]);

    const terminal = new Terminal("bash", ["--norc", "--noprofile", "-i"], {
      env: { WIREROOM_CONFIG_DIR: folder, PS1: "ready> ", WIREROOM_PROFILE: undefined },
    });
    await terminal.waitFor("ready>");
    terminal.press(
      `wireroom() { "${process.execPath}" "${COMMAND}" "$@"; }; eval "$(wireroom completion bash)"; clear\r`,
    );
    await terminal.waitUntil(() => /^ready> *$/.test(terminal.screen), "a new prompt");
    for (const [typed, completed] of [
      ["wireroom send @al", "wireroom send @alice"],
      ["wireroom send ca", "wireroom send carol"],
      ["wireroom --as al", "wireroom --as alice"],
      ["wireroom --as @ca", "wireroom --as @carol"],
      ["wireroom --profile work --as ", "wireroom --profile work --as dora"],
      ["wireroom --profile wo", "wireroom --profile work"],
      ["wireroom --as @alice send @ca", "wireroom --as @alice send @carol"],
      ["wireroom key iss", "wireroom key issue"],
    ]) {
      terminal.press(`${typed}\t`);
      await terminal.waitUntil(() => terminal.screen.trimEnd().endsWith(`ready> ${completed}`), completed!);
      terminal.press("\x15", "clear\r");
      await terminal.waitUntil(() => /^ready> *$/.test(terminal.screen), "a new prompt");
    }
    terminal.kill();
  }, 60_000);

  // [C-completion]
  it.each(["bash", "zsh", "fish", "powershell"])("prints a script for %s", async (shell) => {
    const { code, stdout } = await runInProcess(["completion", shell]);
    expect(code).toBe(0);
    expect(stdout).toContain("completion-server");
  });

  describe.each(["bash", "zsh", "fish"])("for %s", (shell) => {
    // [C-completion]
    it.runIf(isInstalled(shell))("prints a script that the shell can parse", async () => {
      execFileSync(shell, [shell === "fish" ? "--no-execute" : "-n", await scriptFor(shell)]);
    });
  });
});

/** Returns what is offered to a shell, by default bash, for a command line with the cursor at its end. */
async function completions(line: string, env: NodeJS.ProcessEnv = {}): Promise<string[]> {
  const { stdout } = await runInProcess(["completion-server"], {
    env: { SHELL: "bash", COMP_LINE: `wireroom ${line}`, COMP_POINT: String(9 + line.length), ...env },
  });
  return stdout.split("\n").filter(Boolean);
}

/** Writes the completion script of a shell to a file. Returns its path. */
async function scriptFor(shell: string): Promise<string> {
  const { stdout } = await runInProcess(["completion", shell]);
  const file = join(new TemporaryFolder("wireroom-completion-").path, shell);
  writeFileSync(file, stdout);
  return file;
}

describe("docs/cli.md and the pages of docs/cli", () => {
  // [C-page]
  it("contains every command, exit code and environment variable", async () => {
    const paths = [
      "docs/cli.md",
      ...readdirSync(resolve(root, "docs/cli")).map((name) => `docs/cli/${name}`),
    ];
    const page = paths.map((path) => readFileSync(resolve(root, path), "utf8")).join("\n");
    for (const command of (await buildProgram()).commands) {
      expect(page).toContain(`\n## wireroom ${command.name()}\n`);
      for (const child of command.commands)
        expect(page).toContain(`\n### wireroom ${command.name()} ${child.name()}\n`);
    }
    for (const code of Object.values(EXIT)) expect(page).toMatch(new RegExp(`^\\| ${code} \\| .+ \\|$`, "m"));
    for (const name of ["WIREROOM_API_KEY", "WIREROOM_DATA_DIR", "WIREROOM_PROFILE"])
      expect(page).toContain(`| \`${name}\` |`);
  });
});
