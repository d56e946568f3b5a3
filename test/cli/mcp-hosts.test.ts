/**
 * `wireroom mcp install` and `uninstall` with the configuration files of MCP hosts, in an empty home folder.
 */
import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { chmod, lstat, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as toml from "@decimalturn/toml-patch";
import { parse as parseJson } from "jsonc-parser";
import { beforeEach, describe, expect, it } from "vitest";
import { changeConfig } from "../../cli/services/mcp-hosts/config-file.js";
import { HOSTS } from "../../cli/services/mcp-hosts/hosts.js";
import { HOST_IDS } from "../../src/mcp-hosts/entries.js";
import { COMMAND } from "../harness/daemon.js";
import { freePort } from "../harness/free-port.js";
import { runInProcess } from "../harness/in-process.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";

const URL = "http://127.0.0.1:4747/mcp";
const KEY = `wr_${"k".repeat(43)}`;
const CURSOR = ".cursor/mcp.json";

let home: string;

/** Path of a file in the home folder. */
const at = (path: string) => join(home, path);
const read = (path: string) => readFile(at(path), "utf8");

async function write(path: string, text: string | Buffer): Promise<void> {
  await mkdir(dirname(at(path)), { recursive: true });
  await writeFile(at(path), text);
}

function run(...args: string[]) {
  const env = {
    HOME: home,
    WIREROOM_CONFIG_DIR: at("wireroom"),
    XDG_CONFIG_HOME: undefined,
    CLAUDE_CONFIG_DIR: undefined,
    CODEX_HOME: undefined,
    GEMINI_CLI_HOME: undefined,
    COPILOT_HOME: undefined,
    KIMI_CODE_HOME: undefined,
    WIREROOM_API_KEY: undefined,
    WIREROOM_URL: undefined,
    WIREROOM_HANDLE: undefined,
  };
  return runInProcess(["mcp", ...args], { env });
}

/** Runs the command with `--json`. Returns the changes. */
async function change(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, "--json");
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout).changes;
}

/** Saves a key of @alice in the profile. */
const saveKey = () =>
  write("wireroom/profiles/default.json", JSON.stringify({ handle: "alice", keys: { alice: KEY } }));

const backups = () => readdir(at("wireroom/backups")).catch(() => []);

beforeEach(() => {
  home = new TemporaryFolder("wireroom-hosts-").path;
});

const http = { type: "http", url: URL };
/** The file of each host with OAuth on Linux, and its content after the first installation. */
const FILES = {
  "claude-code": [".claude.json", { mcpServers: { wireroom: http } }],
  cursor: [CURSOR, { mcpServers: { wireroom: { url: URL } } }],
  vscode: [".config/Code/User/mcp.json", { servers: { wireroom: http } }],
  "vscode-insiders": [".config/Code - Insiders/User/mcp.json", { servers: { wireroom: http } }],
  gemini: [".gemini/settings.json", { mcpServers: { wireroom: http } }],
  copilot: [".copilot/mcp-config.json", { mcpServers: { wireroom: http } }],
  opencode: [".config/opencode/opencode.json", { mcp: { wireroom: { type: "remote", url: URL } } }],
  kimi: [".kimi-code/mcp.json", { mcpServers: { wireroom: { url: URL } } }],
  windsurf: [".codeium/windsurf/mcp_config.json", { mcpServers: { wireroom: { serverUrl: URL } } }],
  zed: [".config/zed/settings.json", { context_servers: { wireroom: { url: URL } } }],
} as const;

describe("wireroom mcp install", () => {
  // [C-mcp-install]
  it("writes the URL of the endpoint, and nothing secret, in the form of the host", async () => {
    await saveKey();
    for (const [host, [file, content]] of Object.entries(FILES)) {
      expect(await change("install", host)).toMatchObject([
        { host, file: at(file), action: "add", written: true, backup: null },
      ]);
      expect([host, JSON.parse(await read(file))]).toEqual([host, content]);
    }
    await change("install", "codex");
    expect(await read(".codex/config.toml")).toBe(`[mcp_servers.wireroom]\nurl = "${URL}"\n`);
    expect(Object.keys(FILES).concat("codex", "claude-desktop").sort()).toEqual([...HOST_IDS].sort());
  });

  // [C-mcp-install]
  it("uses the daemon, the name and the project of its flags", async () => {
    const flags = ["--url", "https://w.example/v1", "--name", "work", "--project", at("project")];
    const missing = await run("install", "claude-code", ...flags);
    expect([missing.code, missing.stderr]).toEqual([
      2,
      expect.stringContaining(`there is no folder ${at("project")}`),
    ]);
    await mkdir(at("project"));
    for (const host of ["claude-code", "vscode", "codex"]) await change("install", host, ...flags);
    const entry = { type: "http", url: "https://w.example/mcp" };
    expect(JSON.parse(await read("project/.mcp.json"))).toEqual({ mcpServers: { work: entry } });
    expect(JSON.parse(await read("project/.vscode/mcp.json"))).toEqual({ servers: { work: entry } });
    expect(await read("project/.codex/config.toml")).toContain('[mcp_servers.work]\nurl = "https://w');
    expect((await run("install", "windsurf", "--project", home)).stderr).toContain(
      "no configuration for a project",
    );
    expect((await run("install", "cursor", "--name", "a b")).code).toBe(2);
    expect((await run("install", "emacs")).stderr).toContain("Allowed choices are claude-code,");
    expect((await run("install", "codex", "zed")).stderr).toContain("name one host at a time");
  });

  // [C-mcp-install]
  it("changes nothing the second time, and replaces an entry that differs", async () => {
    await change("install", "cursor");
    expect(await change("install", "cursor")).toMatchObject([
      { action: "none", written: false, backup: null },
    ]);
    expect(await backups()).toEqual([]);
    const moved = await change("install", "cursor", "--url", "https://w.example");
    expect(moved).toMatchObject([{ action: "replace", entry: { url: "https://w.example/mcp" } }]);
    expect(await readFile(moved[0].backup, "utf8")).toContain(URL);
  });

  // [C-mcp-install]
  it("says what the human does next", async () => {
    const { stdout, stderr } = await run("install", "codex");
    expect(stdout).toBe(`${at(".codex/config.toml")}\n`);
    expect(stderr).toContain("Restart Codex. Sign in: codex mcp login wireroom");
  });

  it("is a link for some hosts, as docs/mcp.md shows it", async () => {
    const page = await readFile(new globalThis.URL("../../docs/mcp.md", import.meta.url), "utf8");
    for (const { id, installLink } of HOSTS)
      if (id === "cursor" || id === "vscode") expect(page).toContain(`\n${installLink!("wireroom", URL)}\n`);
  });

  // [C-mcp-install]
  it("changes a file with many lines in time", async () => {
    const history = Array.from({ length: 400_000 }, (_, index) => index);
    await write(".claude.json", JSON.stringify({ history }, null, 1));
    const [{ action, diff }] = await change("install", "claude-code", "--print");
    expect([action, diff.length]).toEqual(["add", 8]);
  }, 20_000);

  // [C-mcp-install]
  it("finds the folders of other platforms and of variables", () => {
    const userFile = (id: string, platform: NodeJS.Platform, env: NodeJS.ProcessEnv) =>
      HOSTS.find((host) => host.id === id)!.userFile({ platform, env });
    const mac = { HOME: "/Users/ada" };
    const support = "/Users/ada/Library/Application Support";
    expect(userFile("claude-desktop", "darwin", mac)).toBe(`${support}/Claude/claude_desktop_config.json`);
    expect(userFile("vscode", "darwin", mac)).toBe(`${support}/Code/User/mcp.json`);
    expect(userFile("zed", "darwin", mac)).toBe("/Users/ada/.config/zed/settings.json");
    const windows = { USERPROFILE: "/ada", APPDATA: "/ada/Roaming" };
    expect(userFile("claude-desktop", "win32", windows)).toBe(
      "/ada/Roaming/Claude/claude_desktop_config.json",
    );
    expect(userFile("zed", "win32", windows)).toBe("/ada/Roaming/Zed/settings.json");
    expect(userFile("cursor", "win32", windows)).toBe("/ada/.cursor/mcp.json");
    expect(userFile("codex", "linux", { CODEX_HOME: "/c" })).toBe("/c/config.toml");
    expect(userFile("claude-code", "linux", { CLAUDE_CONFIG_DIR: "/c" })).toBe("/c/.claude.json");
    expect(userFile("gemini", "linux", { GEMINI_CLI_HOME: "/g" })).toBe("/g/.gemini/settings.json");
    expect(userFile("copilot", "linux", { COPILOT_HOME: "/c" })).toBe("/c/mcp-config.json");
    expect(userFile("kimi", "linux", { KIMI_CODE_HOME: "/k" })).toBe("/k/mcp.json");
    expect(userFile("opencode", "darwin", mac)).toBe("/Users/ada/.config/opencode/opencode.json");
    expect(userFile("zed", "linux", { XDG_CONFIG_HOME: "/x" })).toBe("/x/zed/settings.json");
  });
});

const COMMENTED = `// mine
{
\t"editor": { "rulers": [80,  100] }, /* odd   spaces */
\t"mcpServers": {
\t\t// the docs
\t\t"docs": { "url": "https://docs.example/mcp" } // stays
\t},
\t"last": null,
}
`;

const TOML = `# mine
model = "m"  # odd   spaces
notes = """
[mcp_servers.wireroom]
"""

[mcp_servers.docs] # the docs
url = 'https://docs.example/mcp'

[[rules]]
allow = [ 1,
  2 ]
`;

describe("--skill", () => {
  const CLAUDE = ".claude/skills/wireroom/SKILL.md";
  const AGENTS = ".agents/skills/wireroom/SKILL.md";

  // [C-skill]
  it("adds the skill to the host's skills folder, and removes it", async () => {
    const [entry, skill] = await change("install", "claude-code", "--skill");
    expect([entry.file, skill.file]).toEqual([at(".claude.json"), at(CLAUDE)]);
    expect(skill).toMatchObject({ action: "add", written: true, backup: null, next: null });
    expect(await read(CLAUDE)).toMatch(/^---\nname: wireroom\ndescription: .+\n---\n/);
    expect((await change("install", "claude-code", "--skill"))[1]).toMatchObject({ action: "none" });

    await write(CLAUDE, "my own notes");
    const [, replaced] = await change("install", "claude-code", "--skill");
    expect([replaced.action, await readFile(replaced.backup, "utf8")]).toEqual(["replace", "my own notes"]);
    expect((await change("uninstall", "claude-code", "--skill"))[1]).toMatchObject({ action: "remove" });
    expect(existsSync(dirname(at(CLAUDE)))).toBe(false);
    expect((await change("uninstall", "claude-code", "--skill"))[1]).toMatchObject({ action: "none" });
  });

  // [C-skill]
  it("adds it once to a folder that hosts share, and leaves out a host without one", async () => {
    for (const folder of [".cursor", ".codex", ".codeium/windsurf"])
      await mkdir(at(folder), { recursive: true });
    const changes = await change("install", "--skill", "--yes");
    expect(changes.map(({ file }: { file: string }) => file)).toEqual([
      at(CURSOR),
      at(".codex/config.toml"),
      at(".codeium/windsurf/mcp_config.json"),
      at(AGENTS),
    ]);
    const { code, stderr } = await run("install", "zed", "--skill");
    expect([code, stderr.includes("Zed has no folder for skills")]).toEqual([2, true]);
    expect(existsSync(at(".config/zed/settings.json"))).toBe(false);
  });

  // [C-skill]
  it("stays in a shared folder while another host that reads it has the entry", async () => {
    for (const host of ["copilot", "opencode", "zed"]) await change("install", host);
    await change("install", "copilot", "--skill");
    const { code, stdout, stderr } = await run("uninstall", "copilot", "--skill", "--json");
    expect([code, stderr]).toEqual([0, `The skill stays for OpenCode: ${at(AGENTS)}\n`]);
    expect(JSON.parse(stdout).changes).toHaveLength(1);
    expect(existsSync(at(AGENTS))).toBe(true);
    expect((await change("uninstall", "opencode", "--skill"))[1]).toMatchObject({ action: "remove" });
    expect(existsSync(at(AGENTS))).toBe(false);
  });

  // [C-skill]
  it("is removed with the entries of all hosts that share its folder", async () => {
    for (const host of ["copilot", "opencode"]) await change("install", host, "--skill");
    await change("uninstall", "--skill", "--yes");
    expect(existsSync(at(AGENTS))).toBe(false);

    for (const name of ["Code", "Code - Insiders"]) await mkdir(at(`.config/${name}`), { recursive: true });
    await mkdir(at("project"));
    const inProject = ["vscode", "--skill", "--project", at("project")];
    await change("install", ...inProject);
    expect((await change("uninstall", ...inProject))[1]).toMatchObject({ action: "remove" });
  });

  // [C-skill]
  it("writes through no link of a project to another place", async () => {
    await mkdir(at("project"));
    await symlink(at("elsewhere"), at("project/.claude"));
    const { code, stderr } = await run("install", "claude-code", "--skill", "--project", at("project"));
    expect([code, stderr.includes("outside the project")]).toEqual([1, true]);
    expect([existsSync(at("elsewhere")), existsSync(at("project/.mcp.json"))]).toEqual([false, false]);
  });
});

describe("the rest of a configuration", () => {
  // [C-mcp-install-keeps] [C-mcp-uninstall]
  it.each([
    ["cursor", CURSOR, COMMENTED],
    ["cursor", CURSOR, `\ufeff${COMMENTED.replaceAll("\n", "\r\n")}`],
    ["cursor", CURSOR, '{"mcpServers": {"docs": {}}, "last": 1}'],
    ["cursor", CURSOR, '{"mcpServers": {\n    "docs": {}\n}}'],
    [
      "cursor",
      CURSOR,
      '{\n  "mcpServers": {\n    "docs": {} /* a\n b */ ,\n    // end\n  }, "last": [1,\n2]\n}',
    ],
    ["cursor", CURSOR, '{\n  "mcpServers": {\n    "a": {}\n    , "docs": {}\n  }\n}'],
    ["cursor", CURSOR, '{\n  "mcpServers": {\n    "docs": {}\n    , // end\n  }\n}'],
    ["cursor", CURSOR, '{\n    "a": 1,\n    "mcpServers": {}\n}'],
    ["codex", ".codex/config.toml", TOML],
    ["codex", ".codex/config.toml", TOML.replaceAll("\n", "\r\n")],
  ])("stays, with its comments, also after uninstall, %s %#", async (host, file, text) => {
    const isToml = file.endsWith("toml");
    const comments = text.match(/\/\/ .*|\/\*.*|# .*/g) ?? [];
    const without = (content: string) => {
      const servers = isToml ? "mcp_servers" : "mcpServers";
      const { [servers]: all, ...rest } = (isToml ? toml.parse : parseJson)(content.replace("\ufeff", ""));
      const { wireroom: _, ...others } = all ?? {};
      return { ...rest, [servers]: others };
    };
    await write(file, text);
    await chmod(at(file), 0o640);
    const [{ diff, ...planned }] = await change("install", host, "--print");
    expect([planned.action, await read(file)]).toEqual(["add", text]);
    const [{ backup }] = await change("install", host);
    expect(await readFile(backup, "utf8")).toBe(text);
    expect(((await stat(at(file))).mode & 0o777).toString(8)).toBe("640");
    expect(((await stat(backup)).mode & 0o777).toString(8)).toBe("600");

    const installed = await read(file);
    expect(without(installed)).toEqual(without(text));
    for (const comment of comments) expect(installed).toContain(comment);
    expect(diff.join("\n")).toMatch(new RegExp(`^\\+.*${URL}`, "m"));
    if (text.includes("\r\n")) expect(installed).not.toMatch(/[^\r]\n/);
    expect(installed.startsWith("\ufeff")).toBe(text.startsWith("\ufeff"));

    expect(await change("uninstall", host)).toMatchObject([{ action: "remove", entry: null, written: true }]);
    const left = await read(file);
    expect(left).not.toContain(URL);
    expect(without(left)).toEqual(without(text));
    for (const comment of comments) expect(left).toContain(comment);
    if (isToml) expect(left).toBe(text);
  });

  // [C-mcp-install-keeps]
  it("keeps the position of an entry that is replaced in JSON", async () => {
    await write(CURSOR, '{\n\t"mcpServers": {\n\t\t"wireroom": { "url": "" }, // old\n\t\t"z": {}\n\t}\n}\n');
    await change("install", "cursor");
    expect(await read(CURSOR)).toBe(
      `{\n\t"mcpServers": {\n\t\t"wireroom": {\n\t\t\t"url": "${URL}"\n\t\t}, // old\n\t\t"z": {}\n\t}\n}\n`,
    );
    await change("uninstall", "cursor");
    expect(await read(CURSOR)).toBe('{\n\t"mcpServers": {\n\t\t"z": {}\n\t}\n}\n');
  });

  // [C-mcp-install-keeps]
  it("includes tables that follow the entry in TOML", async () => {
    const file = ".codex/config.toml";
    const own =
      '[mcp_servers.wireroom] # old\nurl = "https://old.example" # old\n\n[mcp_servers.wireroom.tools.search]\napproval_mode = "auto"\n';
    await write(file, `a = 1\n\n# about it\n${own}\n[z]\nb = 2\n`);
    await change("install", "codex");
    expect(await read(file)).toBe(
      `a = 1\n\n# about it\n[mcp_servers.wireroom] # old\nurl = "${URL}" # old\n\n[z]\nb = 2\n`,
    );
    await change("uninstall", "codex");
    expect(await read(file)).toBe("a = 1\n\n[z]\nb = 2\n");
  });

  // [C-mcp-install-keeps]
  it("writes where a symbolic link leads, even if there is no file yet", async () => {
    await mkdir(at("dotfiles"), { recursive: true });
    await mkdir(dirname(at(CURSOR)), { recursive: true });
    await symlink(at("dotfiles/later.json"), at(CURSOR));
    await change("install", "cursor");
    expect(await readlink(at(CURSOR))).toBe(at("dotfiles/later.json"));
    expect(await readFile(at("dotfiles/later.json"), "utf8")).toContain("wireroom");
  });

  it("shows no key of an entry that it replaces", async () => {
    const key = `wr_${"a".repeat(43)}`;
    const headers = { Authorization: `Bearer ${key}` };
    await mkdir(dirname(at(CURSOR)), { recursive: true });
    await writeFile(
      at(CURSOR),
      JSON.stringify({ mcpServers: { wireroom: { url: "http://old", headers } } }, null, 2),
    );
    const { stdout } = await run("install", "cursor", "--print");
    expect(stdout).toContain("Bearer …");
    expect(stdout).not.toContain(key);
  });

  // [C-mcp-install-keeps]
  it("keeps a symbolic link, and writes what it points to", async () => {
    await write("dotfiles/mcp.json", "{}");
    await mkdir(at(".cursor"));
    await symlink(at("dotfiles/mcp.json"), at(CURSOR));
    await change("install", "cursor");
    expect(await readlink(at(CURSOR))).toBe(at("dotfiles/mcp.json"));
    expect(await read("dotfiles/mcp.json")).toContain(URL);
  });

  // [C-mcp-install-keeps]
  it("writes through no link of a project to another place, and names it", async () => {
    const own = '{"mcpServers":{}}';
    await write("own.json", own);
    await mkdir(at("elsewhere"));
    await mkdir(at("project"));
    await symlink(at("own.json"), at("project/.mcp.json"));
    await symlink("../elsewhere", at("project/.cursor"));
    await mkdir(at("project/.gemini"));
    await symlink("../../not-yet.json", at("project/.gemini/settings.json"));
    for (const [host, target] of [
      ["claude-code", "own.json"],
      ["cursor", "elsewhere/mcp.json"],
      ["gemini", "not-yet.json"],
    ] as const)
      for (const args of [["install"], ["install", "--print"], ["uninstall"]]) {
        const { code, stdout, stderr } = await run(...args, host, "--project", at("project"));
        expect([host, args, code, stdout]).toEqual([host, args, 1, ""]);
        expect(stderr).toContain(
          `a symbolic link leads to ${at(target)}, which is outside the project ${at("project")}`,
        );
      }
    expect(await read("own.json")).toBe(own);
    expect([await readdir(at("elsewhere")), existsSync(at("not-yet.json"))]).toEqual([[], false]);
  });

  // [C-mcp-install-keeps]
  it("follows a link within a project, whose folder may be a link itself", async () => {
    await mkdir(at("project"));
    await symlink(at("project"), at("link"));
    await symlink("shared.json", at("project/.mcp.json"));
    await change("install", "claude-code", "--project", at("link"));
    expect(await read("project/shared.json")).toContain(URL);
  });

  // [C-mcp-install-keeps]
  it("writes its draft through no link that is there already", async () => {
    await write("own.txt", "own");
    await mkdir(at("project"));
    await symlink(at("own.txt"), at(`project/.mcp.json.${process.pid}.new`));
    await change("install", "claude-code", "--project", at("project"));
    expect(await read("own.txt")).toBe("own");
    expect((await lstat(at("project/.mcp.json"))).isFile()).toBe(true);
  });

  // [C-mcp-install-keeps]
  it("keeps what another application writes at the same time", async () => {
    await write(CURSOR, "old");
    let calls = 0;
    await changeConfig(
      { file: at(CURSOR), project: undefined },
      {
        edit(text) {
          if (++calls === 1) writeFileSync(at(CURSOR), "new");
          return `${text}+entry`;
        },
        backupFolder: at("backups"),
        backupPrefix: "cursor",
        newMode: 0o600,
      },
    );
    expect([calls, await read(CURSOR)]).toEqual([2, "new+entry"]);
    expect(await readdir(dirname(at(CURSOR)))).toEqual(["mcp.json"]);
  });
});

describe("a configuration that cannot be edited safely", () => {
  // [C-mcp-install-broken]
  it.each([
    ["cursor", CURSOR, '{\n  "mcpServers": {\n    "a" {}\n  }\n}', "line 3: ColonExpected"],
    ["cursor", CURSOR, "[]", "does not contain a JSON object"],
    ["cursor", CURSOR, '{"mcpServers": []}', '"mcpServers" is not an object'],
    ["cursor", CURSOR, '{"mcpServers": {}, "mcpServers": {}}', "a form that this command cannot edit"],
    ["cursor", CURSOR, Buffer.from([0x7b, 0xff, 0x7d]), "not valid"],
    ["codex", ".codex/config.toml", "a = 1\nb =\n", "not valid TOML (line 2:"],
    ["codex", ".codex/config.toml", "mcp_servers = { docs = { url = 'u' } }\n", "cannot edit"],
  ])("is refused and stays as it is, %s %#", async (host, file, text, reason) => {
    await write(file, text);
    for (const command of ["install", "uninstall"]) {
      const { code, stderr } = await run(command, host);
      if (command === "uninstall" && code === 0) continue;
      expect([command, code]).toEqual([command, 1]);
      expect(stderr).toContain(at(file));
      expect(stderr).toContain(reason);
    }
    expect(await readFile(at(file))).toEqual(Buffer.from(text as string));
    expect(await backups()).toEqual([]);
  });

  // [C-mcp-install-broken]
  it("keeps all other files as they are too", async () => {
    await write(".claude.json", "{}");
    await write(".gemini/settings.json", "{");
    expect((await run("install", "--yes")).code).toBe(1);
    expect(await read(".claude.json")).toBe("{}");
  });
});

describe("without the name of a host", () => {
  // [C-mcp-install-finds]
  it("finds the hosts of the machine, and asks first", async () => {
    await mkdir(at(".codex"));
    await mkdir(at(".cursor"));
    const asked = await run("install");
    expect([asked.code, existsSync(at(CURSOR))]).toEqual([10, false]);
    expect(asked.stderr).toContain(`Cursor: add wireroom in ${at(CURSOR)}`);

    const printed = await run("install", "--print");
    expect(printed.stdout).toContain(`Codex: add wireroom in ${at(".codex/config.toml")}`);
    expect(printed.stdout).toContain("+[mcp_servers.wireroom]");
    expect([printed.code, existsSync(at(CURSOR))]).toEqual([0, false]);

    const changes = await change("install", "--yes");
    expect(changes.map(({ host }: { host: string }) => host)).toEqual(["cursor", "codex"]);
    expect(await change("uninstall", "--yes")).toMatchObject([{ action: "remove" }, { action: "remove" }]);
    expect(await change("uninstall")).toMatchObject([{ action: "none" }, { action: "none" }]);
  });

  // [C-mcp-install-finds]
  it("shows what it would replace", async () => {
    await write(CURSOR, '{"mcpServers": {"wireroom": {\n"url": "https://other.example/mcp"}}}');
    const { code, stderr } = await run("install");
    expect(code).toBe(10);
    expect(stderr).toContain(`Cursor: replace wireroom in ${at(CURSOR)}\n`);
    expect(stderr).toMatch(/^-.*other\.example.*\n\+.*127\.0\.0\.1:4747/m);
  });

  // [C-mcp-install-finds]
  it("names the hosts that it knows if there is none", async () => {
    const { code, stderr } = await run("install");
    expect(code).toBe(5);
    expect(stderr).toContain("claude-code, claude-desktop,");
  });
});

describe("the bridge", () => {
  // [C-mcp-install-bridge]
  it("reads the saved key, which is not written into the configuration", async () => {
    await saveKey();
    const [{ file, entry }] = await change("install", "claude-desktop");
    const text = await readFile(file, "utf8");
    expect(text).not.toContain(KEY);
    expect(JSON.parse(text).mcpServers.wireroom).toEqual(entry);
    expect(entry).toMatchObject({ command: process.execPath, env: { WIREROOM_CONFIG_DIR: at("wireroom") } });
    expect(entry.args.slice(1)).toEqual(["mcp", "--profile", "default", "--as", "alice"]);

    // The tests run the source files, so the path of the program is that of the compiled one.
    const child = spawn(entry.command, [COMMAND, ...entry.args.slice(1), "--url", "http://127.0.0.1:1"], {
      env: { ...entry.env, HOME: home },
    });
    child.stdin.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    let log = "";
    for await (const chunk of child.stderr) log += chunk;
    expect(log).toContain("are for http://127.0.0.1:4747/v1 and cannot be used at http://127.0.0.1:1");
  });

  // [C-mcp-install-bridge]
  it("is available for every host, with another profile or handle", async () => {
    // A daemon that answers would refuse the invented key, so nothing may listen at this address.
    const url = `http://127.0.0.1:${await freePort()}`;
    await write("wireroom/profiles/work.json", JSON.stringify({ url: `${url}/v1`, keys: { bob: KEY } }));
    const flags = ["--bridge", "--profile", "work", "--as", "@bob", "--url", url];
    const [{ entry }] = await change("install", "codex", ...flags);
    expect(entry.args.slice(2)).toEqual(["--profile", "work", "--as", "bob", "--url", url]);
    expect(await read(".codex/config.toml")).toContain("args = [");
    await change("install", "vscode", ...flags, "--project", home);
    expect(JSON.parse(await read(".vscode/mcp.json")).servers.wireroom).toEqual({
      type: "stdio",
      command: "wireroom",
      args: ["mcp", "--profile", "work", "--as", "@bob", "--url", url],
    });
    const [opencode] = await change("install", "opencode", ...flags);
    expect(opencode.entry).toEqual({
      type: "local",
      command: [entry.command, ...entry.args],
      environment: { WIREROOM_CONFIG_DIR: at("wireroom") },
    });
  });

  // [C-mcp-install-bridge]
  it("needs a saved key or a sign-in, and the choice of a handle needs the bridge", async () => {
    const missing = await run("install", "claude-desktop");
    expect([missing.code, missing.stderr.includes("wireroom login")]).toEqual([3, true]);
    const choice = await run("install", "cursor", "--as", "alice");
    expect([choice.code, choice.stderr.includes("Add --bridge")]).toEqual([2, true]);
  });
});
