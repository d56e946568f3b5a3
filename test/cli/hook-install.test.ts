/** `wireroom hook install` and `uninstall` with the configuration files of hosts, in an empty home folder. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parse as parseJson } from "jsonc-parser";
import { beforeEach, describe, expect, it } from "vitest";
import { COMMAND } from "../harness/daemon.js";
import { runInProcess } from "../harness/in-process.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";

const FILES = {
  "claude-code": ".claude/settings.json",
  codex: ".codex/hooks.json",
  gemini: ".gemini/settings.json",
  copilot: ".copilot/settings.json",
};
const PROJECT_FILES = { ...FILES, copilot: ".github/copilot/settings.json" };
const EVENTS = {
  "claude-code": ["SessionStart", "UserPromptSubmit", "Stop"],
  codex: ["SessionStart", "UserPromptSubmit", "Stop"],
  gemini: ["SessionStart", "BeforeAgent", "AfterAgent"],
  copilot: ["SessionStart", "UserPromptSubmit", "Stop"],
};
type HostId = keyof typeof FILES;
const HOSTS = Object.keys(FILES) as HostId[];

let home: string;
const at = (path: string) => join(home, path);
const read = (path: string) => readFile(at(path), "utf8");

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(at(path)), { recursive: true });
  await writeFile(at(path), text);
}

function run(...args: string[]) {
  const unset = [
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "GEMINI_CLI_HOME",
    "COPILOT_HOME",
    "KIMI_CODE_HOME",
    "XDG_CONFIG_HOME",
    "WIREROOM_API_KEY",
    "WIREROOM_URL",
  ];
  const env = {
    ...Object.fromEntries(unset.map((name) => [name, undefined])),
    HOME: home,
    WIREROOM_CONFIG_DIR: at("wire room"),
  };
  return runInProcess(["hook", ...args], { env });
}

async function change(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, "--json");
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout).changes;
}

beforeEach(async () => {
  home = new TemporaryFolder("wireroom-hooks-").path;
  const profile = { handle: "alice", keys: { alice: `wr_${"k".repeat(43)}` } };
  await write("wire room/profiles/default.json", JSON.stringify(profile));
});

describe("wireroom hook install", () => {
  // [C-hook-install]
  it("adds a command that the shell runs, for the profile and the handle, without a key", async () => {
    for (const host of HOSTS) {
      expect(await change("install", host)).toMatchObject([{ host, file: at(FILES[host]), action: "add" }]);
      const text = await read(FILES[host]);
      expect(text).not.toContain("wr_");
      const { hooks } = JSON.parse(text);
      expect(Object.keys(hooks)).toEqual(EVENTS[host]);
      for (const event of EVENTS[host]) {
        const [{ type, command, timeout }] = hooks[event][0].hooks;
        expect([type, timeout]).toEqual(["command", host === "gemini" ? 5_000 : 5]);
        expect(command).toMatch(/ hook --profile default --as alice$/);
      }
      // No daemon answers, so the command prints nothing.
      const [{ command }] = hooks.SessionStart[0].hooks;
      const built = command.replace(/\S+\/cli\/main\.js/, COMMAND);
      expect(execFileSync("/bin/sh", ["-c", built], { input: "{}" }).toString()).toBe("");
      expect(await change("install", host)).toMatchObject([{ action: "none", written: false }]);
    }
  });

  // [C-hook-install] [C-hook-origin]
  it("adds the hook that wakes, and its filters, and removes them", async () => {
    const { "claude-code": file } = FILES;
    await change(
      "install",
      "claude-code",
      "--wake",
      "--relation",
      "contact,same_account",
      "--sent-by",
      "human",
    );
    const { hooks } = JSON.parse(await read(file));
    expect(Object.keys(hooks)).toEqual([...EVENTS["claude-code"], "SessionEnd"]);
    const [{ hooks: atStop }] = hooks.Stop;
    expect(atStop).toMatchObject([{ timeout: 5 }, { asyncRewake: true, timeout: 604_800 }]);
    const filters = "--relation contact,same_account --sent-by human";
    expect(atStop[0].command).toMatch(
      new RegExp(`^\\S+='[^']+' /.* hook --profile default --as alice ${filters}$`),
    );
    expect(atStop[1].command).toMatch(new RegExp(`^\\S+='[^']+' exec /.* ${filters} --wake$`));
    expect(await change("install", "claude-code", "--wake")).toMatchObject([{ action: "replace" }]);
    await change("install", "claude-code");
    expect(await read(file)).not.toMatch(/--wake|SessionEnd|--relation/);
    await change("install", "claude-code", "--wake");
    await change("uninstall", "claude-code");
    expect(JSON.parse(await read(file))).toEqual({});
    expect((await run("install", "codex", "--wake")).stderr).toContain("no hook can wake Codex");
    for (const flags of [
      ["--relation", "friend"],
      ["--sent-by", "bot"],
    ])
      expect((await run("install", "codex", ...flags)).code).toBe(2);
  });

  // [C-hook-install]
  it("keeps other hooks and comments, and replaces its own", async () => {
    const other = { hooks: [{ type: "command", command: "./other.sh" }] };
    const text = `{
  // mine
  "hooks": {
    "Stop": [
      // the other one
      { "hooks": [{ "type": "command", "command": "./other.sh" }] }
    ]
  },
  "model": "opus"
}
`;
    await write(FILES["claude-code"], text);
    await change("install", "claude-code");
    const installed = await read(FILES["claude-code"]);
    expect(installed).toContain("// the other one\n      {");
    expect(parseJson(installed).hooks.Stop).toEqual([other, { hooks: [expect.anything()] }]);
    await write("wire room/profiles/default.json", JSON.stringify({ handle: "bob", keys: { bob: "wr_x" } }));
    expect(await change("install", "claude-code")).toMatchObject([{ action: "replace" }]);
    const replaced = parseJson(await read(FILES["claude-code"]));
    expect(replaced.hooks.Stop).toEqual([other, { hooks: [expect.anything()] }]);
    expect(JSON.stringify(replaced)).toMatch(/^(?!.*--as alice).*--as bob/);

    expect(await change("uninstall", "claude-code")).toMatchObject([{ action: "remove", entry: null }]);
    const left = await read(FILES["claude-code"]);
    expect(left).toContain("// mine\n");
    expect(parseJson(left)).toEqual(parseJson(text));
  });

  // [C-hook-install]
  it("writes through no link of a project to another place, and names it", async () => {
    await write("own.json", "{}");
    await mkdir(at("project/.claude"), { recursive: true });
    await symlink(at("own.json"), at("project/.claude/settings.json"));
    const { code, stdout, stderr } = await run("install", "claude-code", "--project", at("project"));
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(`leads to ${at("own.json")}, which is outside the project ${at("project")}`);
    expect(await read("own.json")).toBe("{}");
  });

  // [C-hook-install]
  it("writes the command by its name in the configuration of a project", async () => {
    await mkdir(at("project"));
    for (const host of HOSTS) {
      await change("install", host, "--project", at("project"), "--as", "carol");
      const { hooks } = JSON.parse(await read(join("project", PROJECT_FILES[host])));
      expect(hooks.SessionStart[0].hooks[0].command).toBe("wireroom hook --as carol");
    }
  });

  // [C-hook-install]
  it("refuses what it cannot change, and shows a change without writing it", async () => {
    await write(FILES.codex, '{"hooks": {"Stop": {}}}');
    const { code, stderr } = await run("install", "codex");
    expect([code, stderr.includes("hooks.Stop is not a list")]).toEqual([1, true]);
    const shown = await run("install", "gemini", "--print");
    expect(shown.stdout).toContain('+            "name": "wireroom"');
    expect(existsSync(at(FILES.gemini))).toBe(false);
    await change("install", "gemini");
    const added = (await read(FILES.gemini)).trimEnd().split("\n");
    expect(shown.stdout.trimEnd().split("\n").slice(1)).toEqual(added.map((line) => `+${line}`));
    const [{ diff }] = await change("uninstall", "gemini", "--print");
    expect(diff).toEqual(added.slice(1, -1).map((line) => `-${line}`));
    await write("wire room/profiles/default.json", "{}");
    expect((await run("install", "gemini")).code).toBe(3);
    expect((await run("install", "zed")).code).toBe(2);
  });
});

describe("the hook of Kimi Code CLI", () => {
  // [C-hook-install] [C-hook-uninstall]
  it("is two tables of its configuration, beside other hooks and comments, and is removed", async () => {
    const file = ".kimi-code/config.toml";
    const text = `# mine
default_model = "k2"

[[hooks]] # the other one
event = "Stop"
command = "./other.sh"

[providers.local]
type = "openai"
`;
    await write(file, text);
    expect(await change("install", "kimi")).toMatchObject([{ host: "kimi", action: "add", file: at(file) }]);
    const added = (await read(file)).slice(text.length);
    const table = (event: string) =>
      `\n\\[\\[hooks\\]\\]\nevent = "${event}"\ncommand = .* hook --profile default --as alice"\ntimeout = 5\n`;
    expect(added).toMatch(new RegExp(`^${table("UserPromptSubmit")}${table("Stop")}$`));
    expect(await read(file)).toContain(text);
    expect(await change("install", "kimi")).toMatchObject([{ action: "none" }]);
    expect(await change("install", "kimi", "--sent-by", "human")).toMatchObject([{ action: "replace" }]);
    expect((await read(file)).match(/ --sent-by human/g)).toHaveLength(2);
    expect(await change("uninstall", "--yes")).toMatchObject([{ host: "kimi", action: "remove" }]);
    expect(await read(file)).toBe(text);
    await write(file, `hooks = []\n${text.slice(0, text.indexOf("[[hooks]]"))}`);
    expect(await change("install", "kimi")).toMatchObject([{ action: "add" }]);
    expect(await read(file)).toMatch(
      new RegExp(`^# mine\n[^[]+${table("UserPromptSubmit")}${table("Stop")}$`),
    );
    const inline = 'hooks = [{ event = "Stop", command = "./other.sh" }]\n';
    await write(file, inline);
    expect((await run("install", "kimi")).stderr).toContain(
      "config.toml: it has a form that this command cannot edit",
    );
    expect(await read(file)).toBe(inline);
    await write(file, "hooks = 5\n");
    expect((await run("install", "kimi")).stderr).toContain("its property hooks is not a list");
    expect((await run("install", "kimi", "--project", home)).stderr).toContain(
      "no configuration for a project",
    );
    expect((await run("install", "kimi", "--wake")).stderr).toMatch(
      /no hook can wake Kimi Code CLI .*Without --wake/s,
    );
  });
});

describe("the plugin for OpenCode", () => {
  // [C-hook-install] [C-hook-uninstall]
  it("is written with the command of the profile, only with --wake, and removed", async () => {
    const file = ".config/opencode/plugins/wireroom.js";
    await mkdir(at(".config/opencode"), { recursive: true });
    for (const host of [["opencode"], []])
      expect((await run("install", ...host)).stderr).toContain("also wakes idle sessions; add --wake");
    const flags = ["--wake", "--sent-by", "human"];
    expect(await change("install", "opencode", ...flags)).toMatchObject([{ action: "add", file: at(file) }]);
    expect(await read(file)).toMatch(
      /^const COMMAND = .*"hook","--profile","default","--as","alice","--sent-by","human","--wake"\];$/m,
    );
    expect(await read(file)).toContain(`const VARIABLES = {"WIREROOM_CONFIG_DIR":"${at("wire room")}"};`);
    expect(await change("install", ...flags, "--yes")).toMatchObject([{ host: "opencode", action: "none" }]);
    await change("install", "opencode", "--wake", "--project", home);
    expect(await read(".opencode/plugins/wireroom.js")).toContain('= ["wireroom","hook","--wake"];');
    expect(await change("uninstall", "--yes")).toMatchObject([{ host: "opencode", action: "remove" }]);
    expect(existsSync(at(file))).toBe(false);
  });
});

describe("wireroom hook uninstall", () => {
  // [C-hook-install] [C-hook-uninstall]
  it("leaves commands that only contain its words, and groups of the user", async () => {
    const commands = [
      "./backup.sh && echo wireroom hook done",
      "wireroom hook | tee -a log; ./my-own.sh",
      "wireroom hook --as a\n./my-own.sh",
      "wireroom hook --as $(./my-own.sh)",
      "/bin/echo /x/cli/main.js hook",
      "wireroom hook --other",
    ];
    const foreign = [
      ...commands.map((command) => ({ matcher: "", hooks: [{ type: "command", command }] })),
      { hooks: [null] },
      null,
      5,
    ];
    const own = { type: "command", command: "wireroom hook --as 'it'\\''s'" };
    const other = { type: "command", command: "ls" };
    const groups = [{ matcher: "startup", hooks: [own] }, { hooks: [other, own] }];
    const text = JSON.stringify({ hooks: { Stop: [...foreign, ...groups] } });
    await write(FILES.codex, text);
    expect(await change("install", "codex")).toMatchObject([{ action: "replace" }]);
    const installed = JSON.parse(await read(FILES.codex)).hooks.Stop;
    expect(installed).toEqual([
      ...foreign,
      { matcher: "startup", hooks: [{ ...own, timeout: 5, command: expect.stringContaining("--as alice") }] },
      { hooks: [other] },
    ]);
    expect(await change("install", "codex")).toMatchObject([{ action: "none" }]);
    for (const before of [text, await read(FILES.codex)]) {
      await write(FILES.codex, before);
      await change("uninstall", "codex");
      const left = { Stop: [...foreign, { matcher: "startup", hooks: [] }, { hooks: [other] }] };
      expect(JSON.parse(await read(FILES.codex)).hooks.Stop).toHaveLength(left.Stop.length);
      expect(JSON.parse(await read(FILES.codex)).hooks).toEqual({ Stop: expect.arrayContaining(left.Stop) });
    }
  });

  // [C-hook-uninstall]
  it("leaves the text as it was before install", async () => {
    const text = '// mine\n{\n  "model": "opus"\n}\n';
    await write(FILES.codex, text);
    await change("install", "codex");
    await change("uninstall", "codex");
    expect(await read(FILES.codex)).toBe(text);
  });

  // [C-hook-uninstall]
  it("removes only its own hooks, also those of an earlier program", async () => {
    expect(await change("uninstall", "codex")).toMatchObject([{ action: "none" }]);
    const mixed = {
      hooks: [
        { type: "command", command: "wireroom hook" },
        { type: "command", command: "ls" },
      ],
    };
    const own = {
      hooks: [{ type: "command", command: "'/old/node' '/old dir/dist/cli/main.js' hook --as a" }],
    };
    const similar = { hooks: [{ type: "command", command: "wireroom hooks" }] };
    const hooks = { Stop: [own, mixed, similar], SessionStart: [own], PreToolUse: [mixed] };
    await write(FILES.codex, JSON.stringify({ hooks }));
    await change("uninstall", "codex");
    const { hooks: left } = JSON.parse(await read(FILES.codex));
    const rest = { hooks: [{ type: "command", command: "ls" }] };
    expect(left).toEqual({ Stop: expect.arrayContaining([rest, similar]), PreToolUse: [mixed] });
    expect(left.Stop).toHaveLength(2);
  });
});
