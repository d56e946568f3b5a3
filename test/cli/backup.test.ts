import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import {
  copyFile,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CliSandbox } from "../harness/cli-sandbox.js";
import { type RunOptions, runProcess } from "../harness/command.js";
import {
  type AgentClient,
  COMMAND,
  NO_LIMITS_FEW_LOGS,
  startDaemon,
  type TestDaemon,
} from "../harness/daemon.js";
import { withDatabase } from "../harness/database.js";
import { runInProcess } from "../harness/in-process.js";

const PRLIMIT = "/usr/bin/prlimit";
const canLimitFiles = existsSync(PRLIMIT);

let folder: string;
let dataDir: string;
let daemon: TestDaemon;
let alice: AgentClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "wireroom-backup-"));
  dataDir = join(folder, "data");
  daemon = await startDaemon({ args: NO_LIMITS_FEW_LOGS, dataDir });
  alice = await daemon.createAgent("alice");
});
afterAll(async () => {
  await daemon.stop();
  await rm(folder, { recursive: true, force: true });
});

const run = (args: string[], { env }: RunOptions = {}) =>
  runInProcess(args, { env: { WIREROOM_DATA_DIR: dataDir, ...env } });

/** Returns the texts in alice's inbox, oldest first. */
async function inbox(): Promise<string[]> {
  const texts: string[] = [];
  for (let cursor = ""; ; ) {
    const { body } = await alice.get(`/inbox?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    if (body.wires.length === 0) return texts;
    texts.push(...body.wires.map((wire: { text_body: string }) => wire.text_body));
    cursor = body.next_cursor;
  }
}

/** Restores the backup in the data folder. Reading the inbox has moved its checkpoint. */
async function inFolderOf(backup: string): Promise<string> {
  const copy = await mkdtemp(join(folder, "look-"));
  await copyFile(backup, join(copy, "wireroom.db"));
  return copy;
}

describe("wireroom backup and restore", () => {
  // [C-backup] [C-restore]
  it("copy a consistent snapshot during writes, and restore it", async () => {
    const file = join(folder, "one.db");
    let acknowledged = 0;
    let stopped = false;
    const writers = [0, 1, 2, 3].map(async (lane) => {
      while (!stopped) {
        const { status } = await alice.post("/wires", { to: "alice", text: `${lane}.${acknowledged}` });
        if (status === 201) acknowledged++;
      }
    });
    await expect.poll(() => acknowledged, { timeout: 30_000 }).toBeGreaterThan(50);
    const before = acknowledged;
    const made = await runProcess(["backup", file, "--json"], {
      timeoutMs: 60_000,
      env: { WIREROOM_DATA_DIR: dataDir },
    });
    const after = acknowledged;
    stopped = true;
    await Promise.all(writers);
    expect(made).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(made.stdout)).toEqual({
      file,
      database: join(dataDir, "wireroom.db"),
      bytes: expect.any(Number),
    });
    expect((await stat(file)).mode & 0o077).toBe(0);
    expect((await readdir(folder)).filter((name) => name.includes("part"))).toEqual([]);

    const count = await withDatabase(await inFolderOf(file), (db) =>
      db.all<{ n: number }>("SELECT count(*) AS n FROM wires"),
    );
    expect(count[0]!.n).toBeGreaterThanOrEqual(before);
    expect(count[0]!.n).toBeLessThanOrEqual(after + writers.length);
    await alice.post("/wires", { to: "alice", text: "after the backup" });

    const refused = await run(["restore", file]);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr.split("wireroom down")).toHaveLength(2);

    // The backup must contain rows that were only in the write-ahead log of the killed daemon.
    await daemon.kill();
    const restored = await run(["restore", file, "--replace", "--json"]);
    expect(restored).toMatchObject({ code: 0, stderr: "" });
    const { kept, schema_version } = JSON.parse(restored.stdout);
    expect(schema_version).toBeGreaterThan(0);
    await daemon.restart();
    expect(await inbox()).toHaveLength(count[0]!.n);
    const search = "SELECT count(*) AS n FROM wires";
    const old = await withDatabase(await inFolderOf(kept), (db) => db.all<{ n: number }>(search));
    expect(old[0]!.n).toBe(acknowledged + 1);
    const sent = await alice.post("/wires", { to: "alice", text: "it goes on" });
    expect(sent.status).toBe(201);
  });

  // [C-backup]
  it("overwrite no file without permission, and never the database", async () => {
    const file = join(folder, "two.db");
    await writeFile(file, "precious");
    const refused = await run(["backup", file]);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain("--force");
    expect(await readFile(file, "utf8")).toBe("precious");
    expect((await run(["backup", "--force", file])).code).toBe(0);
    expect((await readFile(file)).subarray(0, 15).toString()).toBe("SQLite format 3");
    const itself = await run(["backup", "--force", join(dataDir, "wireroom.db")]);
    expect(itself.code).toBe(1);
    for (const [file, message] of [
      [join(folder, "no/such.db"), `there is no folder ${join(folder, "no")}; create it`],
      [folder, `${folder} is a folder; name a file in it`],
    ] as const)
      expect(await run(["backup", file])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(message),
      });
  });

  // [C-backup] [C-restore]
  it.skipIf(!canLimitFiles)("name the file that a full disk has no room for, and leave none", async () => {
    const [source, target] = [join(folder, "source.db"), await mkdtemp(join(folder, "full-"))];
    expect((await run(["backup", source])).code).toBe(0);
    // Writes beyond the limit fail, as on a full disk.
    const limited = (args: string[]) => runProcess(args, { launcher: [PRLIMIT, "--fsize=65536"] });
    const backup = await limited(["backup", join(target, "copy.db"), "--data-dir", dataDir]);
    expect(backup).toMatchObject({ code: 1, stdout: "" });
    expect(backup.stderr).toMatch(
      new RegExp(`${target}/\\.copy\\.db\\.\\w+\\.part cannot be written: SQLITE_`),
    );
    expect(await readdir(target)).toEqual([]);
    const restore = await limited(["restore", source, "--data-dir", target]);
    expect(restore).toMatchObject({ code: 1, stdout: "" });
    expect(restore.stderr).toMatch(/wireroom\.db\.restoring cannot be written: SQLITE_/);
    expect((await readdir(target)).filter((name) => name.includes("restoring"))).toEqual([]);
  });

  // [C-backup]
  it("leave no unfinished file after a signal", async () => {
    const large = await startDaemon({ isHosted: true, dataDir: await mkdtemp(join(folder, "large-")) });
    await large.stop();
    await withDatabase(large.dataDir, (database) =>
      database.run(
        "CREATE TABLE filler AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100) SELECT zeroblob(1000000) FROM n",
      ),
    );
    const interrupt = async () => {
      const target = await mkdtemp(join(folder, "interrupted-"));
      const backup = spawn(process.execPath, [COMMAND, "backup", join(target, "copy.db")], {
        env: { ...process.env, WIREROOM_DATA_DIR: large.dataDir },
      });
      const exited = new Promise((resolve) => backup.once("exit", resolve));
      let begun: string[] = [];
      const seen = async () => {
        begun = await readdir(target);
        return begun;
      };
      await expect.poll(seen, { interval: 5, timeout: 30_000 }).not.toEqual([]);
      backup.kill("SIGTERM");
      const exitCode = await exited;
      return { begun, exitCode, left: await readdir(target) };
    };
    let result = await interrupt();
    // The copy may have ended before the signal.
    for (let tries = 1; tries < 5 && result.left.includes("copy.db"); tries++) result = await interrupt();
    expect(result).toEqual({
      begun: expect.arrayContaining([expect.stringMatching(/\.part$/)]),
      exitCode: 143,
      left: [],
    });
  });

  // [C-backup] [C-store-check]
  it("and store check use the database that a flag or variable names, not that of the running daemon", async () => {
    const copy = join(await mkdtemp(join(folder, "named-")), "copy.db");
    expect((await run(["backup", copy])).code).toBe(0);
    const url = `sqlite:${copy}`;
    const flag = { args: ["--database-url", url], env: {} };
    const variable = { args: [], env: { WIREROOM_DATABASE_URL: url } };
    for (const [index, { args, env }] of [flag, variable].entries()) {
      const backup = await run(["backup", `${copy}.${index}`, "--json", ...args], { env });
      expect(JSON.parse(backup.stdout).database).toBe(copy);
      const checked = await run(["store", "check", "--json", ...args], { env });
      expect(JSON.parse(checked.stdout).database).toBe(url);
    }
    const ofDaemon = JSON.parse((await run(["store", "check", "--json"])).stdout);
    expect(ofDaemon.database).toBe(`sqlite:${join(dataDir, "wireroom.db")}`);
    const missing = `sqlite:${join(folder, "missing.db")}`;
    expect((await run(["store", "check", "--database-url", missing])).code).toBe(1);
  });

  // [C-backup]
  it("find the database of a daemon that was started with a relative path, from any folder", async () => {
    const machine = await CliSandbox.create();
    try {
      const up = ["up", "--database-url", "sqlite:relative.db"];
      expect((await machine.spawn(up, { cwd: machine.folder })).code).toBe(0);
      const database = join(await realpath(machine.folder), "relative.db");
      expect((await machine.runJson(["status"])).database_url).toBe(`sqlite:${database}`);
      const file = join(machine.folder, "copy.db");
      expect(await machine.runJson(["backup", file])).toMatchObject({ file, database });
    } finally {
      await machine.cleanUp();
    }
  }, 60_000);

  // [C-backup]
  it("name the right tool for a PostgreSQL database", async () => {
    const server = "postgres://me:swordfish@db.example.com/wireroom";
    const other = join(folder, "other");
    const backup = await run(["backup", "x.db", "--data-dir", other, "--database-url", server]);
    expect(backup.code).toBe(1);
    expect(backup.stderr).toContain(
      "pg_dump --format=custom --file=x.db postgres://me@db.example.com/wireroom",
    );
    const restore = await run(["restore", "x.db", "--data-dir", other, "--database-url", server]);
    expect(restore.code).toBe(1);
    expect(restore.stderr).toContain("pg_restore --dbname=postgres://me@db.example.com/wireroom x.db");
    expect(backup.stderr + restore.stderr).not.toContain("swordfish");
  });
});

describe("wireroom restore", () => {
  /** Creates a data folder with a database, and a function that checks that the database is unchanged. */
  async function createTarget(): Promise<{ env: Record<string, string>; unchanged: () => Promise<void> }> {
    const home = await mkdtemp(join(folder, "target-"));
    expect((await run(["backup", join(home, "wireroom.db")])).code).toBe(0);
    const before = await readFile(join(home, "wireroom.db"));
    return {
      env: { WIREROOM_DATA_DIR: home },
      unchanged: async () => {
        expect((await readFile(join(home, "wireroom.db"))).equals(before)).toBe(true);
        expect((await readdir(home)).filter((name) => /before|restoring/.test(name))).toEqual([]);
      },
    };
  }

  // [C-restore-checks]
  it("rejects a file that is corrupt or of an unknown version, and changes nothing", async () => {
    const { env, unchanged } = await createTarget();
    const expectRestoreRefused = async (file: string, ...words: string[]) => {
      const refused = await run(["restore", file, "--replace"], { env });
      expect(refused).toMatchObject({ code: 1, stdout: "" });
      for (const word of words) expect(refused.stderr).toContain(word);
      await unchanged();
    };
    await expectRestoreRefused(join(folder, "missing.db"), "there is no database");
    await expectRestoreRefused(folder, `${folder} is a folder, not a database`);
    const missing = ["store", "check", "--database-url", `sqlite:${folder}/missing.db`];
    expect((await run(missing)).stderr).toContain(
      `there is no database ${folder}/missing.db; use the --data-dir`,
    );

    const text = join(folder, "text.db");
    await writeFile(text, "no database at all ".repeat(500));
    await expectRestoreRefused(text, "cannot be read");

    const sound = join(folder, "sound.db");
    expect((await run(["backup", sound])).code).toBe(0);
    const newer = await inFolderOf(sound);
    await withDatabase(newer, (db) =>
      db.run("INSERT INTO migrations (id, name, applied_at) VALUES (9999, 'from-the-future', 0)"),
    );
    await expectRestoreRefused(join(newer, "wireroom.db"), "newer version");

    const foreign = await mkdtemp(join(folder, "foreign-"));
    await withDatabase(foreign, (db) => db.run("CREATE TABLE recipes (name TEXT)"));
    await expectRestoreRefused(join(foreign, "wireroom.db"), "not a Wireroom database");

    const damaged = await inFolderOf(sound);
    await damage(damaged);
    await expectRestoreRefused(join(damaged, "wireroom.db"), "malformed");
  });

  // [C-restore]
  it("replaces a database only with --replace", async () => {
    const { env, unchanged } = await createTarget();
    const file = join(folder, "four.db");
    expect((await run(["backup", file])).code).toBe(0);
    const refused = await run(["restore", file], { env });
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain("--replace");
    await unchanged();
    const restored = await run(["restore", file, "--replace", "--json"], { env });
    const { database, kept } = JSON.parse(restored.stdout);
    expect(kept).toContain(`${database}.before-`);
    expect(await readdir(env.WIREROOM_DATA_DIR!)).toContain(basename(kept));
  });

  // [C-restore]
  it("creates the database on a machine without one", async () => {
    const file = join(folder, "three.db");
    expect((await run(["backup", file])).code).toBe(0);
    const home = join(folder, "empty");
    await mkdir(home);
    const restored = await run(["restore", file, "--json"], { env: { WIREROOM_DATA_DIR: home } });
    expect(JSON.parse(restored.stdout)).toMatchObject({ kept: null, database: join(home, "wireroom.db") });
  });
});

/**
 * Overwrites a page with rows of wires. A page of an index alone would not matter, as a restore writes the
 * indexes anew.
 */
async function damage(dataDir: string): Promise<void> {
  const [page] = await withDatabase(dataDir, (db) =>
    db.all<{ offset: number; size: number }>(
      "SELECT pgoffset AS offset, pgsize AS size FROM dbstat WHERE name = 'wires' AND pagetype = 'leaf' LIMIT 1",
    ),
  );
  const handle = await open(join(dataDir, "wireroom.db"), "r+");
  await handle.write(Buffer.alloc(page!.size, 0xa5), 0, page!.size, page!.offset);
  await handle.close();
}

describe("wireroom store compact", () => {
  // [C-store-compact]
  it("makes the file smaller, and refuses while a daemon runs or on PostgreSQL", async () => {
    const refused = await run(["store", "compact"]);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain("wireroom down");
    const file = join(folder, "compact.db");
    expect((await run(["backup", file])).code).toBe(0);
    const copy = await inFolderOf(file);
    const inCopy = { env: { WIREROOM_DATA_DIR: copy } };
    await withDatabase(copy, async (database) => {
      await database.run("CREATE TABLE filler AS SELECT zeroblob(1000000) AS bytes");
      await database.run("DROP TABLE filler");
    });
    const { stdout } = await run(["store", "compact", "--json"], inCopy);
    const { bytes_before, bytes_after } = JSON.parse(stdout) as Record<string, number>;
    expect(bytes_before! - bytes_after!).toBeGreaterThan(900_000);
    expect((await stat(join(copy, "wireroom.db"))).size).toBe(bytes_after);
    expect((await run(["store", "check"], inCopy)).code).toBe(0);
    const onPostgres = ["store", "compact", "--database-url", "postgres://localhost/wireroom"];
    expect((await run(onPostgres, inCopy)).stderr).toContain("VACUUM FULL");
  });

  // [C-store-compact]
  it("loses no change that another command has made meanwhile", async () => {
    const file = join(folder, "changed.db");
    expect((await run(["backup", file])).code).toBe(0);
    const copy = await inFolderOf(file);
    const inCopy = { env: { WIREROOM_DATA_DIR: copy } };
    await withDatabase(copy, (database) =>
      database.run("CREATE TABLE filler AS SELECT randomblob(20000000) AS bytes"),
    );
    let isOperator = false;
    for (let round = 0; round < 4; round++) {
      let isCompacting = true;
      const compacting = run(["store", "compact"], inCopy).finally(() => {
        isCompacting = false;
      });
      while (isCompacting) {
        const change = isOperator ? "revoke" : "grant";
        if ((await run(["operator", change, "@alice"], inCopy)).code === 0) isOperator = !isOperator;
      }
      expect((await compacting).stderr).not.toContain("damaged");
      const { stdout } = await run(["operator", "list", "--json"], inCopy);
      expect(JSON.parse(stdout).operators).toHaveLength(isOperator ? 1 : 0);
    }
  });
});
