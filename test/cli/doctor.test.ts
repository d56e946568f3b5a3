import { chmod, mkdir, open, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CliSandbox } from "../harness/cli-sandbox.js";
import type { RunOptions } from "../harness/command.js";
import { COMMAND } from "../harness/daemon.js";
import { withDatabase } from "../harness/database.js";
import { startOidcIssuer } from "../harness/oidc-issuer.js";
import { Terminal } from "../harness/terminal.js";

interface Check {
  name: string;
  status: string;
  message: string;
  mend?: string;
}

let machine: CliSandbox;
beforeEach(async () => {
  machine = await CliSandbox.create();
});
afterEach(() => machine.cleanUp());

/** Runs the doctor. Returns its checks by name, and expects a matching exit code. */
async function runDoctor(args: string[] = [], options?: RunOptions): Promise<Record<string, Check>> {
  const { code, stdout, stderr } = await machine.run(["doctor", "--json", ...args], options);
  const { healthy, checks } = JSON.parse(stdout) as { healthy: boolean; checks: Check[] };
  const fails = checks.filter(({ status }) => status === "fail");
  expect(healthy).toBe(fails.length === 0);
  expect(code).toBe(healthy ? 0 : 1);
  if (!healthy) expect(JSON.parse(stderr)).toMatchObject({ code: "UNHEALTHY" });
  for (const { status, mend } of checks) expect(mend === undefined).toBe(status === "ok");
  return Object.fromEntries(checks.map((check) => [check.name, check]));
}

describe("wireroom doctor", () => {
  // [C-doctor]
  it("reports an empty machine as healthy, and creates nothing", async () => {
    const checks = await runDoctor();
    expect(checks.daemon).toMatchObject({ status: "warn", mend: "wireroom up" });
    await expect(stat(machine.dataDir)).rejects.toThrow();
  });

  // [C-doctor]
  it("starts a stopped daemon at the address that commands call", async () => {
    const { daemon } = await runDoctor([], { env: { WIREROOM_URL: "http://127.0.0.1:2/v1" } });
    expect(daemon).toMatchObject({ status: "warn", mend: "wireroom up --port 2" });
  });

  // [C-doctor-undisturbed]
  it("checks a running daemon with the settings of that daemon", async () => {
    const issuer = await startOidcIssuer();
    await issuer.addKey("ES256");
    const { pid } = await machine.runJson([
      "up",
      "--oidc-issuer",
      issuer.url,
      "--oidc-audience",
      issuer.audience,
    ]);
    const checks = await runDoctor();
    for (const name of [
      "node",
      "data folder",
      "database",
      "schema",
      "daemon",
      "identity",
      "clock",
      "profiles",
    ])
      expect(checks[name], name).toMatchObject({ status: "ok" });
    expect(checks.identity!.message).toContain(issuer.url);
    await issuer.close();
    expect((await runDoctor()).identity).toMatchObject({ status: "fail" });
    expect(await machine.runJson(["status"])).toMatchObject({ pid, ready: true });

    const other = await runDoctor(["--database-url", "postgres://wr:secret@127.0.0.1:1/wr"]);
    expect(other.settings).toMatchObject({ status: "warn", mend: expect.stringContaining("wireroom down") });
    expect(other.settings!.message).toMatch(
      /^the daemon runs with other settings: --database-url is sqlite:\S+, not postgres:\/\/wr@127.0.0.1:1\/wr$/,
    );

    const named = ["--data-dir", machine.dataDir, "--retain", "3"];
    expect((await runDoctor(["--profile", "work", ...named])).settings!.mend).toContain(
      `wireroom --profile work down --data-dir ${machine.dataDir}`,
    );

    const plain = await machine.run(["doctor"]);
    expect(plain.stdout).toMatch(/^ok\tnode\tNode /m);
    expect(plain.stdout).toMatch(/^fail\tidentity\t[^\t]+\t[^\t]+$/m);
    expect(plain.stderr).toContain("identity");
  });

  // [C-doctor]
  it("says that the next start migrates the database, and the log of that start says that it did", async () => {
    await machine.runJson(["up"]);
    await machine.runJson(["down"]);
    await withDatabase(machine.dataDir, async (db) => {
      for (const sql of ["DELETE FROM migrations WHERE id >= 39", "ALTER TABLE audit DROP COLUMN detail"])
        await db.run(sql);
    });
    expect((await runDoctor()).schema!.message).toMatch(
      /^version 38; the next start .* wireroom backup FILE$/,
    );
    await machine.runJson(["up"]);
    await expect
      .poll(() => readFile(join(machine.dataDir, "daemon.log"), "utf8"))
      .toMatch(/migrated from schema 38 to \d+ in \d+\.\d s; .* only a backup from before leads back/);
  });

  // [C-doctor]
  it("finds a data folder, a database and a log file that this user cannot create, like the daemon", async () => {
    const closed = join(machine.folder, "closed");
    await mkdir(closed, { mode: 0o500 });
    const env = { WIREROOM_DATA_DIR: join(closed, "data"), WIREROOM_LOG_FILE: join(closed, "daemon.log") };
    const checks = await runDoctor([], { env, unprivileged: true });
    for (const name of ["data folder", "database", "log"])
      expect(checks[name]).toMatchObject({ status: "fail", message: expect.stringContaining(closed) });
    const up = await machine.spawn(["up"], { env, unprivileged: true });
    expect([up.code, up.stderr]).toEqual([1, expect.stringContaining(closed)]);
    expect(up.stderr.trim().split("\n")[0]).toMatch(/^error .*\(FAILED\)$/);
  });

  // [C-doctor]
  it("finds corrupt pages, and a schema of a newer version", async () => {
    await machine.runJson(["up"]);
    await machine.runJson(["down"]);
    await withDatabase(machine.dataDir, async (db) => {
      await db.run("CREATE TABLE ballast (pk INTEGER PRIMARY KEY, filling BLOB)");
      for (let n = 0; n < 50; n++) await db.run("INSERT INTO ballast (filling) VALUES (randomblob(4000))");
      await db.run("INSERT INTO migrations (id, name, applied_at) VALUES (9999, 'from-the-future', 0)");
    });
    const newer = await runDoctor();
    expect(newer.database).toMatchObject({ status: "ok" });
    expect(newer.schema).toMatchObject({ status: "fail", mend: expect.stringContaining("update Wireroom") });

    const file = join(machine.dataDir, "wireroom.db");
    const handle = await open(file, "r+");
    await handle.write(Buffer.alloc(4 * 4096, 0xa5), 0, 4 * 4096, (await stat(file)).size - 20 * 4096);
    await handle.close();
    const damaged = await runDoctor(["--data-dir", machine.dataDir]);
    expect(damaged.database).toMatchObject({
      status: "fail",
      mend: expect.stringContaining(`wireroom restore FILE --data-dir ${machine.dataDir} --replace`),
    });

    await writeFile(file, "this is no database at all ".repeat(500));
    expect((await runDoctor()).database).toMatchObject({ status: "fail" });
  });

  // [C-doctor]
  it("finds permissions of the folder and of profiles that are too wide or too narrow", async () => {
    await mkdir(machine.dataDir, { mode: 0o755 });
    await chmod(machine.dataDir, 0o755);
    await mkdir(join(machine.configDir, "profiles"), { recursive: true });
    const profile = join(machine.configDir, "profiles", "default.json");
    await writeFile(profile, "{}");
    await chmod(profile, 0o644);
    const wide = await runDoctor();
    expect(wide["data folder"]).toMatchObject({ status: "warn", mend: expect.stringContaining("chmod 700") });
    expect(wide.profiles).toMatchObject({ status: "fail", mend: expect.stringContaining("chmod 600") });

    await chmod(profile, 0o600);
    const copy = join(machine.configDir, "profiles", "default (copy).json");
    await writeFile(copy, "{}");
    await chmod(copy, 0o644);
    expect((await runDoctor()).profiles).toMatchObject({
      status: "fail",
      message: expect.stringContaining(copy),
    });
    await chmod(copy, 0o600);
    expect((await runDoctor()).profiles).toMatchObject({
      status: "warn",
      message: expect.stringContaining(copy),
    });
    await rm(copy);

    await chmod(machine.dataDir, 0o555);
    const narrow = await runDoctor([], { unprivileged: true });
    expect(narrow["data folder"]).toMatchObject({
      status: "fail",
      message: expect.stringContaining("cannot be written"),
    });
    await chmod(machine.dataDir, 0o700);
  });

  // [C-doctor]
  it("names the process that uses the port, and a server that does not respond", async () => {
    const server: Server = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const port = String((server.address() as { port: number }).port);
    const taken = await runDoctor(["--port", port, "--smtp-url", "smtp://127.0.0.1:9"]);
    expect(taken.port).toMatchObject({ status: "fail", mend: expect.stringContaining("--port") });
    expect(taken.port!.message).toContain(`${port} on 127.0.0.1 is in use`);
    expect(taken.mail).toMatchObject({ status: "fail", mend: expect.stringContaining("--smtp-url") });
    await new Promise((resolve) => server.close(resolve));
    expect((await runDoctor(["--port", port])).port).toMatchObject({ status: "ok" });
  });
});

it("doctor shows no progress between the lines of a pipe", async () => {
  const line = `${JSON.stringify(process.execPath)} ${JSON.stringify(COMMAND)} doctor | cat`;
  const terminal = new Terminal("sh", ["-c", line], { env: machine.env });
  await terminal.exitCode;
  await terminal.waitFor("profiles");
  expect(terminal.written).not.toContain("checking");
});

describe("the environment of the command", () => {
  it("disables colours by NO_COLOR if it is set and not empty, of each stream that is a terminal", async () => {
    for (const [NO_COLOR, isColoured] of [
      ["", true],
      ["1", false],
    ] as const) {
      // Standard output is a pipe, and standard error the terminal.
      const line = `${JSON.stringify(process.execPath)} ${JSON.stringify(COMMAND)} status | cat`;
      const terminal = new Terminal("sh", ["-c", line], { env: { ...machine.env, NO_COLOR } });
      await terminal.exitCode;
      await terminal.waitFor("NOT_RUNNING");
      expect(terminal.written.includes("\x1b[31m")).toBe(isColoured);
    }
  });

  it("warns about an empty key, and a variable whose name is misspelt, also of a daemon", async () => {
    const others = { WIREROOM_SERVICE_HOST: "10.0.0.1", WIREROOM_TEST: "1", WIREROOM_TEXT: "set by watch" };
    const env = { WIREROOM_RETIAN: "90", WIREROOM_LIMIT: "x=1", WIREROOM_API_KEY: "", ...others };
    const warnings = [
      "warning: WIREROOM_API_KEY is empty and has no effect; set it to a key, or unset it",
      "warning: the variable WIREROOM_LIMIT has no effect; did you mean WIREROOM_LIMITS?",
      "warning: the variable WIREROOM_RETIAN has no effect; did you mean WIREROOM_RETAIN?",
    ];
    const linesOf = (text: string) =>
      text
        .split("\n")
        .filter((line) => line.includes("warning: "))
        .sort();
    expect(linesOf((await machine.run(["status"], { env })).stderr)).toEqual(warnings);
    const { stderr } = await machine.run(["daemon", "--port", "99999"], { env });
    expect(linesOf(stderr)).toEqual(warnings.map((warning) => `wireroom: ${warning}`));
  });

  it.skipIf(process.getuid?.() !== 0)("needs no home folder if variables name the folders", async () => {
    const launcher = ["setpriv", "--reuid=54321", "--regid=54321", "--clear-groups"];
    const nowhere = { HOME: undefined, WIREROOM_DATA_DIR: undefined, WIREROOM_CONFIG_DIR: undefined };
    const { code, stderr } = await machine.spawn(["status"], { env: nowhere, launcher });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^wireroom: this user has no home folder; .*\n$/),
    ]);
    const named = await machine.spawn(["status"], {
      env: { HOME: undefined, WIREROOM_DATA_DIR: "/nowhere/data", WIREROOM_CONFIG_DIR: "/nowhere/config" },
      launcher,
    });
    expect([named.code, named.stderr]).toEqual([8, expect.stringContaining("/nowhere/data (NOT_RUNNING)")]);
    const root = await machine.spawn(["handle", "use", "x"], {
      env: { ...nowhere, HOME: "/" },
      launcher,
    });
    expect([root.code, root.stderr]).toEqual([
      1,
      expect.stringMatching(/^error cannot write the profile \/.config/),
    ]);
  });
});
