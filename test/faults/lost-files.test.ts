import { existsSync } from "node:fs";
import { chmod, copyFile, cp, mkdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expectOk, sendWire } from "../harness/api-helpers.js";
import { runProcess } from "../harness/command.js";
import { NO_LIMITS_FEW_LOGS, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { withDatabase } from "../harness/database.js";
import { sendHeldWire, setEgressPolicy } from "../harness/egress.js";
import { runInProcess } from "../harness/in-process.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";

/** Starts a daemon. @param isHosted false for a daemon that is killed, or that must create its folder */
const start = (dataDir: string, isHosted = true) =>
  startDaemon({ args: NO_LIMITS_FEW_LOGS, dataDir, isHosted });
const inFolder = (dataDir: string) => ({ database: join(dataDir, "wireroom.db") });

/**
 * Waits until the marker beside the database counts the newest row of the table. The daemon writes it every
 * second.
 */
async function isMarked(dataDir: string, table: "wires" | "approvals"): Promise<void> {
  const [row] = await withDatabase(dataDir, (db) =>
    db.all<{ newest: number }>(`SELECT max(pk) AS newest FROM ${table}`),
  );
  const marked = async () =>
    JSON.parse(await readFile(`${inFolder(dataDir).database}-id`, "utf8")).newest[table];
  await expect.poll(marked, { timeout: 20_000 }).toBe(row!.newest);
}

/** Starts a daemon on a folder on which it must not start. Returns why it does not. */
async function refusal(dataDir: string): Promise<string> {
  const started = await start(dataDir).catch(({ message }: Error) => message);
  if (typeof started === "string") return started;
  await started.stop();
  throw new Error("the daemon has started");
}

/** Runs `wireroom daemon` on a folder on which it must not start. Returns its one line. */
async function refusalOfProcess(dataDir: string): Promise<string> {
  const args = ["daemon", "--port", "0", "--data-dir", dataDir];
  const { code, stdout, stderr } = await runProcess(args, { timeoutMs: 60_000 });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/^wireroom: .*\n$/);
  return stderr;
}

/** Folders with the database of a daemon that was stopped or killed. Most tests get a copy. */
const templates = new Map<Ending, Promise<string>>();

/** How the daemon ended: "late kill" is right after the last of 10 acknowledged wires, which may be unmarked. */
type Ending = "stop" | "kill" | "late kill";

async function filled(end: Ending): Promise<{ dataDir: string; database: string }> {
  const template = templates.get(end) ?? (end === "late kill" ? killedAfterWires() : fill(end));
  templates.set(end, template);
  const dataDir = new TemporaryFolder("wireroom-lost-").path;
  await cp(await template, dataDir, { recursive: true });
  return { dataDir, ...inFolder(dataDir) };
}

/** Starts a daemon, sends wires and ends the daemon. Returns its folder. */
async function fill(end: "stop" | "kill"): Promise<string> {
  const dataDir = new TemporaryFolder("wireroom-lost-").path;
  const daemon = await start(dataDir, end === "stop");
  const alice = await daemon.createAgent("alice");
  for (let n = 0; n < 20; n++) await sendWire(alice, "alice");
  if (end === "kill") await isMarked(dataDir, "wires");
  await daemon[end]();
  return dataDir;
}

async function killedAfterWires(): Promise<string> {
  const { dataDir } = await filled("stop");
  const daemon = await start(dataDir, false);
  const bob = await daemon.createAgent("bob");
  await sendWire(bob, "bob");
  await isMarked(dataDir, "wires");
  for (let n = 0; n < 10; n++) await sendWire(bob, "bob");
  await daemon.kill();
  return dataDir;
}

async function startsEmpty(dataDir: string, isHosted = true): Promise<void> {
  const daemon = await start(dataDir, isHosted);
  await daemon.createAgent("alice");
  await daemon.stop();
}

describe("a database that is gone", () => {
  const losses: [string, "stop" | "kill", (database: string) => Promise<void>, RegExp][] = [
    [
      "was cut to 0 bytes",
      "kill",
      (file) => truncate(file, 0),
      /is empty, but had data .*wireroom\.db-wal, .*wireroom\.db-id/,
    ],
    ["was cut to 0 bytes after a clean stop", "stop", (file) => truncate(file, 0), /is empty, but had data/],
    ["was deleted", "kill", (file) => rm(file), /is missing, but had data .*wireroom\.db-wal/],
    [
      "was deleted after a clean stop",
      "stop",
      (file) => rm(file),
      /is missing, but had data .*wireroom\.db-id/,
    ],
  ];
  for (const [title, stop, lose, message] of losses) {
    // [D12-lost-database]
    it(`${title}: no daemon starts, and doctor says so`, async () => {
      const { dataDir, database } = await filled(stop);
      await lose(database);
      const line = await (title === "was deleted" ? refusalOfProcess : refusal)(dataDir);
      expect(line).toMatch(message);
      expect(line).toMatch(
        /restore a backup with wireroom restore FILE, or remove \S+ .*to start with an empty database/,
      );
      const doctor = await runInProcess(["doctor", "--data-dir", dataDir, "--json"]);
      expect(doctor.code).toBe(1);
      const { checks } = JSON.parse(doctor.stdout);
      expect(checks.find(({ name }: { name: string }) => name === "database")).toMatchObject({
        status: "fail",
      });
      for (const end of ["-wal", "-shm", "-id", "-lock"]) await rm(`${database}${end}`, { force: true });
      await startsEmpty(dataDir);
    });
  }

  // [D12-lost-database]
  it("was in the write-ahead log alone, which was deleted", async () => {
    const { dataDir, database } = await filled("kill");
    await rm(`${database}-wal`);
    expect(await refusal(dataDir)).toMatch(/is empty, but had data .*wireroom\.db-id.*wireroom restore FILE/);
  });

  // [D12-lost-database]
  it("was deleted by an older version, which left only its lock", async () => {
    const { dataDir, database } = await filled("stop");
    await rm(database);
    await rm(`${database}-id`);
    expect(await refusal(dataDir)).toContain(`(${database}-lock)`);
  });

  // [D12-lost-database] [C-restore]
  it("a restore and the removal of the whole folder still work", async () => {
    const { dataDir, database } = await filled("kill");
    const backup = join(new TemporaryFolder("wireroom-lost-").path, "backup.db");
    const settings = { env: { WIREROOM_DATA_DIR: dataDir } };
    expect(await runInProcess(["backup", backup], settings)).toMatchObject({ code: 0 });
    await rm(database);
    expect(await runInProcess(["restore", backup], settings)).toMatchObject({ code: 0 });
    expect(await runInProcess(["store", "check"], settings)).toMatchObject({ code: 0 });
    const daemon = await start(dataDir);
    await daemon.stop();
    await withDatabase(dataDir, async (db) =>
      expect(await db.all("SELECT count(*) AS n FROM wires")).toEqual([{ n: 20 }]),
    );
    await rm(dataDir, { recursive: true });
    await startsEmpty(dataDir, false);
  });

  it("a failed restore into an empty folder leaves nothing that prevents a start", async () => {
    const dataDir = new TemporaryFolder("wireroom-lost-").path;
    const args = ["restore", join(dataDir, "none.db"), "--data-dir", dataDir];
    expect(await runInProcess(args)).toMatchObject({ code: 1 });
    await startsEmpty(dataDir, false);
  });
});

describe("commits that are gone", () => {
  const checked = async (dataDir: string) => runInProcess(["store", "check", "--data-dir", dataDir]);
  const restarted = async (dataDir: string): Promise<TestDaemon> => {
    // A hosted daemon writes its log to a file of its folder.
    await rm(join(dataDir, "daemon.log"), { force: true });
    const daemon = await start(dataDir);
    await daemon.stop();
    // Lines of the log are written after 50 ms.
    await new Promise((resolve) => setTimeout(resolve, 200));
    return daemon;
  };

  // [D12-lost-commits]
  it("with a removed write-ahead log: a start says how many rows are missing, and store check finds it", async () => {
    const { dataDir, database } = await filled("stop");
    const daemon = await start(dataDir, false);
    const owner = await daemon.humanClient("alice");
    const handles = await expectOk(owner.get("/handles"));
    const { key } = await expectOk(owner.post("/keys", { handle_id: handles.handles[0].id }), 201);
    for (let n = 0; n < 17; n++) await sendWire(daemon.client(key), "alice");
    await isMarked(dataDir, "wires");
    await daemon.kill();
    await rm(`${database}-wal`);
    await rm(`${database}-shm`, { force: true });
    expect((await checked(dataDir)).stdout).toMatch(/^lost-commits: 17 wires/m);
    const after = await restarted(dataDir);
    await expect
      .poll(() => after.log())
      .toMatch(/"level":50.*"missing":\{"wires":17.*lacks rows that were acknowledged: 17 wires/);
    expect(await checked(dataDir)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^lost-commits: 17 wires/m),
    });
    // Later starts say nothing, because the loss is known.
    expect((await restarted(dataDir)).log()).not.toContain("lacks rows");
  });

  it("are none after the account with the newest approval was deleted", async () => {
    const { dataDir } = await filled("stop");
    const daemon = await start(dataDir, false);
    const leaver = await daemon.createAgent("leaver");
    await setEgressPolicy(leaver, { mode: "approval" });
    await sendHeldWire(leaver, "alice");
    await isMarked(dataDir, "approvals");
    const email = "leaver@example.com";
    await expectOk(leaver.owner.request("DELETE", "/accounts/me", { email }));
    await daemon.kill();
    expect((await restarted(dataDir)).log()).not.toContain("lacks rows");
    expect(await checked(dataDir)).toMatchObject({ code: 0 });
  });

  // [D12-lost-commits]
  it("with a shortened write-ahead log", async () => {
    const { dataDir, database } = await filled("kill");
    const { size } = await stat(`${database}-wal`);
    await truncate(`${database}-wal`, Math.floor(size * 0.8));
    const after = await restarted(dataDir);
    await expect.poll(() => after.log()).toMatch(/lacks rows that were acknowledged: \d+ wires/);
  });

  const commitsCheck = async (dataDir: string) => {
    const { stdout } = await runInProcess(["doctor", "--data-dir", dataDir, "--json"]);
    return JSON.parse(stdout).checks.find(({ name }: { name: string }) => name === "commits");
  };

  const PAGES = /[1-9]\d* of \d+ pages of its write-ahead log/;
  const ends: [string, (wal: string) => Promise<void>][] = [
    ["cut", async (wal) => truncate(wal, (await stat(wal)).size - 4_120)],
    ["emptied", (wal) => truncate(wal, 0)],
    ["deleted", (wal) => rm(wal)],
  ];
  // [D12-lost-commits]
  for (const [title, damage] of ends)
    it(`after the last mark, with a write-ahead log that was ${title}: start and doctor say so`, async () => {
      const { dataDir, database } = await filled("late kill");
      await damage(`${database}-wal`);
      expect(await commitsCheck(dataDir)).toMatchObject({
        status: "warn",
        message: expect.stringMatching(PAGES),
      });
      expect((await checked(dataDir)).stdout).toMatch(new RegExp(`^lost-commits: .*${PAGES.source}`, "m"));
      const after = await restarted(dataDir);
      await expect
        .poll(() => after.log())
        .toMatch(new RegExp(`"level":50.*lacks rows that were acknowledged: .*${PAGES.source}`));
      expect((await restarted(dataDir)).log()).not.toContain("lacks rows");
      expect(await commitsCheck(dataDir)).toMatchObject({ status: "warn" });
      await rm(`${database}-id`);
      expect(await commitsCheck(dataDir)).toBeUndefined();
    });

  // [D12-durable] [D12-lost-commits]
  it("are none after 3 kills under load", async () => {
    const dataDir = new TemporaryFolder("wireroom-lost-").path;
    const daemon = await startDaemon({ args: NO_LIMITS_FEW_LOGS, dataDir, isHosted: false });
    const alice = await daemon.createAgent("alice");
    for (let round = 0; round < 3; round++) {
      const lanes = [0, 1, 2, 3].map(async () => {
        while (
          (await alice.post("/wires", { to: "alice", text: "x".repeat(500) }).catch(() => null)) !== null
        );
      });
      await new Promise((resolve) => setTimeout(resolve, 20 + round * 240));
      await daemon.kill();
      await Promise.all(lanes);
      if (round % 2 === 0) expect(await commitsCheck(dataDir)).toBeUndefined();
      await daemon.restart();
      expect(daemon.log()).not.toContain("lacks rows");
    }
    await daemon.stop();
    expect(await checked(dataDir)).toMatchObject({ code: 0 });
  }, 180_000);

  // [D12-lost-commits]
  it("are none if a command has merged the log of a killed daemon", async () => {
    const { dataDir, database } = await filled("late kill");
    const granted = await runInProcess(["operator", "grant", "@bob", "--data-dir", dataDir]);
    expect(granted).toMatchObject({ code: 0 });
    await rm(`${database}-shm`, { force: true });
    expect(existsSync(`${database}-wal`)).toBe(false);
    expect((await restarted(dataDir)).log()).not.toContain("lacks rows");
    expect(await checked(dataDir)).toMatchObject({ code: 0 });
  });

  // [D12-lost-commits]
  it("are none after a power failure, which can leave an older index or none", async () => {
    const { dataDir, database } = await filled("stop");
    const daemon = await start(dataDir, false);
    const bob = await daemon.createAgent("bob");
    await sendWire(bob, "bob");
    const older = await readFile(`${database}-shm`);
    for (let n = 0; n < 10; n++) await sendWire(bob, "bob");
    await daemon.kill();
    const index = await readFile(`${database}-shm`);
    // The log was started anew since then, which adds 1 to the first half of its salt, in both copies of the
    // header.
    const ofEarlierLog = Buffer.from(index);
    for (const at of [32, 80]) ofEarlierLog.writeInt32BE((index.readInt32BE(at) - 1) | 0, at);
    for (const found of [older, ofEarlierLog, Buffer.alloc(older.length), Buffer.alloc(0)]) {
      const copy = new TemporaryFolder("wireroom-lost-").path;
      await cp(dataDir, copy, { recursive: true });
      await writeFile(`${inFolder(copy).database}-shm`, found);
      expect(await commitsCheck(copy)).toBeUndefined();
      expect((await restarted(copy)).log()).not.toContain("lacks rows");
    }
  });

  it("without the shared-memory file loses nothing", async () => {
    const { dataDir, database } = await filled("kill");
    await rm(`${database}-shm`);
    expect((await restarted(dataDir)).log()).not.toContain("lacks rows");
    expect(await checked(dataDir)).toMatchObject({ code: 0 });
  });

  // [D12-lost-commits]
  it("a file of another service in its place is refused", async () => {
    const one = await filled("stop");
    const other = inFolder(await fill("stop"));
    await copyFile(other.database, one.database);
    expect(await refusal(one.dataDir)).toMatch(
      /is another database than the one that \S+wireroom\.db-id names/,
    );
    await rm(`${one.database}-id`);
    await restarted(one.dataDir);
  });
});

describe("a damaged database", () => {
  // [D12-damaged-database]
  it("is refused with its name and with what to do, and stays as it was", async () => {
    const { dataDir, database } = await filled("stop");
    const content = await readFile(database);
    // The first pages are those of the schema. All others are unreadable.
    content.fill(0xff, 8 * 4_096);
    await writeFile(database, content);
    const line = await refusal(dataDir);
    expect(line).toContain(`the database ${database} is damaged (SQLITE_CORRUPT`);
    expect(line).toContain("wireroom restore");
    expect((await readFile(database)).equals(content)).toBe(true);
  });
});

describe("a lock file that cannot be written", () => {
  // [D12-one-daemon]
  it("is refused, because SQLite would not lock it, and a second daemon could start", async () => {
    const dataDir = new TemporaryFolder("wireroom-lost-").path;
    await startsEmpty(dataDir);
    const lock = join(dataDir, "wireroom.db-lock");
    await chmod(lock, 0o444);
    const args = ["daemon", "--port", "0", "--data-dir", dataDir];
    const { code, stdout, stderr } = await runProcess(args, { unprivileged: true });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(new RegExp(`^wireroom: .*${lock}.*\n$`));
  });
});

describe("a file of another program", () => {
  // [D12-foreign-file]
  it("is refused and stays as it was", async () => {
    const dataDir = new TemporaryFolder("wireroom-lost-").path;
    await mkdir(dataDir, { recursive: true });
    await withDatabase(dataDir, (db) => db.run("CREATE TABLE notes (text TEXT)"));
    const { database } = inFolder(dataDir);
    const before = await readFile(database);
    expect(await refusal(dataDir)).toContain(`${database} is not a Wireroom database`);
    expect((await readFile(database)).equals(before)).toBe(true);
  });

  for (const name of ["daemon-lock", "wireroom.db-lock", "wireroom.db"]) {
    // [D12-foreign-file]
    it(`garbage in ${name} is refused with its name`, async () => {
      const dataDir = new TemporaryFolder("wireroom-lost-").path;
      if (name !== "wireroom.db") await startsEmpty(dataDir);
      await writeFile(join(dataDir, name), "garbage".repeat(2_000));
      // Only a process of its own locks the folder.
      const line = await (name === "daemon-lock" ? refusalOfProcess : refusal)(dataDir);
      expect(line).toContain(join(dataDir, name));
      if (name !== "wireroom.db") expect(line).toContain("if no daemon is running, remove it");
    });
  }
});
