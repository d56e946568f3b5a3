/** `wireroom init` on empty machines: in a terminal, in a pipe, as other users, and where it cannot succeed. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, chown, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CliSandbox } from "../harness/cli-sandbox.js";
import { COMMAND } from "../harness/daemon.js";
import { freePort } from "../harness/free-port.js";
import { confirmationCodes } from "../harness/human.js";
import { KEYS, Terminal } from "../harness/terminal.js";

let machine: CliSandbox;
let env: Record<string, string | undefined>;
beforeEach(async () => {
  machine = await CliSandbox.create();
  const home = join(machine.folder, "home");
  await mkdir(home);
  // No variables that name hosts' folders elsewhere.
  env = { ...machine.env, HOME: home, CLAUDE_CONFIG_DIR: undefined, CODEX_HOME: undefined };
  for (const name of ["GEMINI_CLI_HOME", "XDG_CONFIG_HOME", "WIREROOM_URL", "WIREROOM_API_KEY"])
    env[name] = undefined;
});
afterEach(() => machine.cleanUp());

const run = (...args: string[]) => machine.run(args, { env });
const open = (...args: string[]) => Terminal.wireroom(args, { env, columns: 120 });
const profile = () => machine.readProfile();

describe("wireroom init", () => {
  // [C-init] [C-init-again] [C-init-hosts]
  it("asks for a handle and about each host; after Ctrl-C it does what is left, and then says that nothing is", async () => {
    await mkdir(join(env.HOME!, ".claude"));
    await mkdir(join(env.HOME!, ".codex"));
    const interrupted = open("init");
    await interrupted.waitFor("Name of your first handle");
    interrupted.press(KEYS.interrupt);
    expect(await interrupted.exitCode).toBe(130);
    expect(interrupted.history).toContain("What is done stays; wireroom init does the rest.");
    expect((await profile()).handle).toBeUndefined();

    const terminal = open("init");
    await terminal.waitFor("Name of your first handle");
    terminal.press("alice", KEYS.enter);
    await terminal.waitFor("Set up Claude Code?");
    terminal.press(KEYS.enter);
    await terminal.waitFor("Set up Codex?");
    terminal.press("quit", KEYS.enter);
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.history).not.toContain("started the daemon");
    for (const words of [
      ...["created @alice", "added wireroom hook", "/console", "wireroom handle create bob"],
      ...["export WIREROOM_API_KEY=$(wireroom key issue @alice)", "export WIREROOM_URL=http"],
      ...["tells the model at each turn what is new", "added the skill"],
    ])
      expect(terminal.history).toContain(words);
    const hook = await readFile(join(env.HOME!, ".claude/settings.json"), "utf8");
    expect(hook).toContain("hook --profile default --as alice");
    expect(existsSync(join(env.HOME!, ".codex/config.toml"))).toBe(false);

    const refused = await run("init");
    expect(refused).toMatchObject({ code: 0, stderr: expect.stringContaining("wireroom init --host codex") });
    expect(refused.stderr).not.toContain("Everything");
    const again = await run("init", "--no-hosts");
    expect(again).toMatchObject({ code: 0, stderr: "Everything is set up already.\n" });
    const second = await run("init", "carol", "--no-hosts");
    expect(second.stderr).toContain(
      "@alice stays the active handle. To switch: wireroom handle use @carol\n",
    );
    const before = await profile();
    const file = join(machine.configDir, "profiles/default.json");
    await writeFile(file, JSON.stringify({ url: before.url, dataDir: before.dataDir }));
    const asHuman = { ...env, WIREROOM_ID_TOKEN: before.signIn.idToken };
    const withoutHandle = await machine.run(["init", "--no-hosts"], { env: asHuman });
    expect(withoutHandle.code).toBe(0);
    expect(withoutHandle.stderr).not.toContain("stays the active handle");
    await writeFile(file, JSON.stringify(before));
    expect((await run("handle", "create", "bob")).code).toBe(0);
    expect((await run("send", "@bob", "hello")).code).toBe(0);
    expect((await run("inbox", "--as", "@bob")).stdout).toContain("hello");
  });

  // [C-init] [C-init-hosts]
  it("asks nothing in a pipe, and changes only the hosts that a flag names", async () => {
    await mkdir(join(env.HOME!, ".claude"));
    const { code, stdout, stderr } = await run("init", "alice");
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("handle\t@alice\n") });
    expect(stderr).toContain(
      "Claude Code is on this machine. To set it up: wireroom init --host claude-code",
    );
    expect(existsSync(join(env.HOME!, ".claude.json"))).toBe(false);
    const named = await run("init", "--host", "claude-code", "--json");
    expect(JSON.parse(named.stdout)).toMatchObject({
      handle: "alice",
      started: false,
      hosts: [
        {
          host: "claude-code",
          files: [".claude.json", ".claude/settings.json", ".claude/skills/wireroom/SKILL.md"].map((file) =>
            join(env.HOME!, file),
          ),
        },
      ],
    });
    // `mcp install` configures it in the same way.
    const file = join(env.HOME!, ".claude.json");
    const before = await readFile(file, "utf8");
    expect(JSON.parse(before).mcpServers.wireroom.args).toContain("mcp");
    expect((await run("mcp", "install", "claude-code", "--as", "@alice", "--yes")).code).toBe(0);
    expect(await readFile(file, "utf8")).toBe(before);
    const project = await run("mcp", "install", "claude-code", "--project", env.HOME!);
    expect(project.stderr).toContain("wireroom password set, or add --bridge");
    const elsewhere = ["--url", "https://wireroom.example.com"];
    const shown = await run("mcp", "install", "claude-code", "--print", ...elsewhere);
    expect(shown.stdout).toContain("https://wireroom.example.com/mcp");
    const shared = await run("mcp", "install", "claude-code", "--project", env.HOME!, ...elsewhere);
    expect(shared).toMatchObject({ code: 0, stderr: expect.not.stringContaining("password") });
    await mkdir(join(env.HOME!, ".gemini"));
    const all = JSON.parse((await run("init", "--yes", "--json")).stdout);
    expect(all.hosts).toEqual([
      { host: "claude-code", files: [] },
      {
        host: "gemini",
        files: [".gemini/settings.json", ".agents/skills/wireroom/SKILL.md"].map((file) =>
          join(env.HOME!, file),
        ),
      },
    ]);
  });

  // [C-init-user]
  it("suggests another handle if it is taken, and keeps the account of the system user", async () => {
    const first = JSON.parse((await run("init", "alice", "--json")).stdout);
    expect(first.email).toMatch(/^[a-z0-9-]+@localhost$/);
    await run("handle", "retire", "alice", "--yes");
    const taken = await run("init", "alice");
    expect(taken).toMatchObject({ code: 2, stderr: expect.stringContaining("wireroom init alice-2") });
    await run("logout");
    const other = JSON.parse((await run("init", "alice-2", "--json")).stdout);
    expect(other).toMatchObject({ email: first.email, signed_in: true, handle: "alice-2" });
  });

  // [C-init-fails]
  it("says what to type if the port is in use, at another machine, and without a local sign-in", async () => {
    const port = await freePort();
    const server = createServer().listen(port, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const busy = await machine.run(["init"], { env: { ...env, WIREROOM_PORT: String(port) } });
    server.close();
    expect(busy).toMatchObject({ code: 1, stderr: expect.stringContaining("wireroom up --port 8080") });

    const remote = await run("init", "--url", "https://wires.example.com");
    expect(remote).toMatchObject({ code: 2, stderr: expect.stringContaining("signup") });

    await run("up", "--no-local-sign-in", "--port", "0");
    const off = await run("init");
    expect(off).toMatchObject({ code: 3, stderr: expect.stringContaining("wireroom signup") });
    await run("down");
    await run("up", "--local-sign-in", "--port", "0");
    expect((await run("init")).code).toBe(0);
  });

  // [C-init-fails]
  it("says what to do while the public URL of the daemon does not respond, and so does the doctor", async () => {
    const publicUrl = `https://127.0.0.1:${await freePort()}`;
    const port = String(await freePort());
    await run("up", "--port", port, "--public-url", publicUrl);
    const advice = expect.stringContaining(`${publicUrl} is the public URL of the daemon`);
    expect(await run("init", "opal", "--no-hosts")).toMatchObject({ code: 8, stderr: advice });
    const other = await run("init", "opal", "--no-hosts", "--url", `http://127.0.0.1:${port}/v1`);
    expect(other).toMatchObject({ code: 2, stderr: advice });
    const { stdout } = await run("doctor", "--json");
    const { checks } = JSON.parse(stdout) as { checks: { name: string; status: string; mend?: string }[] };
    expect(checks.find(({ name }) => name === "public URL")).toMatchObject({
      status: "warn",
      mend: expect.stringContaining(`http://127.0.0.1:${port}`),
    });
  });

  // [C-init-again]
  it("signs in again after the data was removed, and says what to type if the account is another one", async () => {
    await run("init", "alice");
    const before = (await profile()).signIn;
    await run("down");
    await rm(machine.dataDir, { recursive: true });
    env.WIREROOM_PORT = new URL(before.issuer).port;
    const again = await run("init", "alice", "--json");
    expect(JSON.parse(again.stdout)).toMatchObject({ email: before.email, signed_in: true, created: true });

    const file = join(machine.configDir, "profiles/default.json");
    const ended = { ...before, email: "ada@example.com" };
    await writeFile(file, JSON.stringify({ ...(await profile()), signIn: ended }));
    const other = await run("init");
    expect(other).toMatchObject({ code: 10, stdout: "" });
    expect(other.stderr).toContain("Sign in again, as ada@example.com: wireroom login\n");
    expect((await run("logout")).code).toBe(0);
    expect((await run("whoami")).stderr).toContain("Sign in again, as ada@example.com: wireroom login\n");
    expect((await run("init")).code).toBe(10);

    const refused = open("init");
    await refused.waitFor("The sign-in of ada@example.com has ended. Sign in to another account");
    refused.press(KEYS.enter);
    expect(await refused.exitCode).toBe(10);
    expect((await profile()).signIn).toBeUndefined();
    const agreed = open("init", "--no-hosts");
    await agreed.waitFor("Sign in to another account");
    agreed.press("y", KEYS.enter);
    expect(await agreed.exitCode).toBe(0);
    expect((await profile()).signIn.email).toBe(before.email);
    expect((await run("logout")).code).toBe(0);
    expect((await run("whoami")).stderr).toContain("Sign in: wireroom init");
  });

  // [C-init-fails]
  it("starts no daemon for an address where none runs", async () => {
    const { code, stderr } = await run("init", "alice", "--url", `http://127.0.0.1:${await freePort()}`);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining("Start it: wireroom up --port"),
    });
    expect(existsSync(machine.dataDir)).toBe(false);
  });

  // [C-init-again]
  it("keeps account, handles and keys when the daemon runs at another port", async () => {
    await run("init", "alice");
    expect((await run("key", "issue", "@alice", "--save")).code).toBe(0);
    await run("down");
    env.WIREROOM_PORT = String(await freePort());
    expect((await run("up")).code).toBe(0);
    expect((await run("send", "@alice", "hello")).code).toBe(0);
    const again = JSON.parse((await run("init", "--json")).stdout);
    expect(again).toMatchObject({ handle: "alice", signed_in: false, created: false });

    env.WIREROOM_PASSWORD = "correct horse battery";
    const set = ["password", "set", "--email", "ada@example.com"];
    expect((await run(...set)).code).toBe(0);
    const codes = async () => confirmationCodes((await run("logs")).stdout, "ada@example.com");
    await expect.poll(codes).toHaveLength(1);
    expect((await run(...set, "--code", (await codes())[0]!)).code).toBe(0);
    await run("down");
    env.WIREROOM_PORT = String(await freePort());
    expect((await run("up")).code).toBe(0);
    expect((await run("handle", "create", "bob")).code).toBe(0);
    expect(JSON.parse((await run("whoami", "--json")).stdout).account.email).toBe("ada@example.com");
  });

  // [C-init-fails]
  it.each([
    ["empty", ""],
    ["relative", "home"],
  ])("says what to set if HOME is %s, and writes nothing into the current folder", async (_name, HOME) => {
    const nowhere = { ...env, HOME, WIREROOM_DATA_DIR: undefined, WIREROOM_CONFIG_DIR: undefined };
    const { code, stdout, stderr } = await machine.spawn(["init"], { env: nowhere, cwd: machine.folder });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^wireroom: this user has no home folder; set HOME .*\n$/);
    expect(await readdir(machine.folder)).toEqual(["home"]);
  });

  describe.runIf(process.getuid?.() === 0)("as another user", () => {
    const UID = 12_345;
    /** Without the variables of the sandbox, whose folders belong to root. */
    const runAsUser = (command: string, variables: Record<string, string>) => {
      const ids = [`--reuid=${UID}`, `--regid=${UID}`, "--clear-groups"];
      const { status, stdout, stderr } = spawnSync("setpriv", [...ids, process.execPath, COMMAND, command], {
        env: { PATH: process.env.PATH, WIREROOM_PORT: "0", ...variables },
        encoding: "utf8",
        timeout: 60_000,
      });
      return { code: status, stdout, stderr };
    };
    beforeEach(async () => {
      await chmod(machine.folder, 0o755);
      await chown(env.HOME!, UID, UID);
    });

    // [C-init] [C-init-user]
    it("works with an empty home", () => {
      const home = { HOME: env.HOME! };
      try {
        expect(runAsUser("init", home)).toMatchObject({
          code: 0,
          stdout: expect.stringContaining(`user-${UID}@localhost`),
        });
      } finally {
        runAsUser("down", home);
      }
    });

    // [C-init-fails]
    it.each([
      ["/", { HOME: "/" }, "Set HOME"],
      ["missing", {}, "set HOME"],
    ])("says what to set if the home folder is %s", (_name, home, hint) => {
      expect(runAsUser("init", home)).toMatchObject({ code: 1, stderr: expect.stringContaining(hint) });
    });

    // [C-init-fails]
    it("cannot use the secret of a daemon that another user runs", async () => {
      await run("up");
      await chmod(machine.dataDir, 0o755);
      for (const file of ["daemon-lock", "daemon.json"]) await chmod(join(machine.dataDir, file), 0o644);
      const { code, stderr } = runAsUser("init", { HOME: env.HOME!, WIREROOM_DATA_DIR: machine.dataDir });
      expect({ code, stderr }).toMatchObject({
        code: 3,
        stderr: expect.stringContaining("as the user who runs the daemon"),
      });
    });
  });
});
