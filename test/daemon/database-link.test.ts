/** A database file that is a symbolic link, as on a machine whose databases are on another disk. */
import { link, lstat, mkdir, readdir, rm, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sendWire } from "../harness/api-helpers.js";
import { runProcess } from "../harness/command.js";
import { NO_LIMITS_FEW_LOGS, startDaemon } from "../harness/daemon.js";
import { runInProcess } from "../harness/in-process.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";

/** Makes a data folder whose database is a link to a file in another folder, which does not exist yet. */
async function linkedFolder() {
  const { path } = new TemporaryFolder("wireroom-link-");
  const [dataDir, disk] = [join(path, "data"), join(path, "disk")];
  for (const folder of [dataDir, disk]) await mkdir(folder);
  const [link, file] = [join(dataDir, "wireroom.db"), join(disk, "real.db")];
  await symlink(join("..", "disk", "real.db"), link);
  return { path, dataDir, disk, link, file };
}

const start = (dataDir: string, isHosted = true) =>
  startDaemon({ args: NO_LIMITS_FEW_LOGS, dataDir, isHosted });

describe("a database file with two names", () => {
  // [D12-one-daemon]
  it("is refused under either, because each would have its own lock and log", async () => {
    const { path } = new TemporaryFolder("wireroom-link-");
    const [one, other] = [join(path, "one"), join(path, "other")];
    const daemon = await start(one);
    try {
      await daemon.createAgent("alice");
      await mkdir(other);
      await link(join(one, "wireroom.db"), join(other, "wireroom.db"));
      const refused = await runProcess(["daemon", "--port", "0", "--data-dir", other], { timeoutMs: 60_000 });
      expect(refused).toMatchObject({ code: 1, stdout: "" });
      expect(refused.stderr).toMatch(
        /^wireroom: the database .*wireroom\.db has 2 names \(hard links\).*find .*\n$/,
      );
      const operator = await runInProcess(["operator", "grant", "@alice", "--data-dir", other]);
      expect(operator).toMatchObject({ code: 1, stderr: expect.stringContaining("2 names (hard links)") });
    } finally {
      await daemon.stop();
    }
    await expect(start(one)).rejects.toThrow("2 names (hard links)");
    await rm(join(other, "wireroom.db"));
    await (await start(one)).stop();
  });
});

describe("a database file that is a symbolic link", () => {
  // [D12-one-daemon] [D12-durable]
  it("is locked, and has its checkpoints: the other files are beside the real one", async () => {
    const { path, dataDir, disk, file } = await linkedFolder();
    const daemon = await start(dataDir);
    try {
      const alice = await daemon.createAgent("alice");
      const other = ["--database-url", `sqlite:${file}`, "--data-dir", join(path, "other")];
      const refused = await runProcess(["daemon", "--port", "0", ...other], { timeoutMs: 60_000 });
      expect(refused).toMatchObject({ code: 1, stdout: "" });
      expect(refused.stderr).toContain(`another daemon is running on ${file}`);
      const payload = "x".repeat(120_000);
      for (let n = 0; n < 40; n++) await sendWire(alice, "alice", { payload });
      // A checkpoint moves the content of the log into the file.
      await expect.poll(async () => (await stat(file)).size, { timeout: 10_000 }).toBeGreaterThan(4_000_000);
      expect(await readdir(disk)).toEqual(expect.arrayContaining(["real.db-lock", "real.db-id"]));
    } finally {
      await daemon.stop();
    }
    expect(await readdir(dataDir)).not.toContain("wireroom.db-lock");
  });

  // [C-restore] [C-backup]
  it("stays a link when a backup is restored, and keeps no log of the old file", async () => {
    const { path, dataDir, disk, link, file } = await linkedFolder();
    const env = { WIREROOM_DATA_DIR: dataDir };
    const daemon = await start(dataDir, false);
    const alice = await daemon.createAgent("alice");
    await sendWire(alice, "alice", { text: "kept" });
    const backup = join(path, "backup.db");
    expect(await runInProcess(["backup", backup], { env })).toMatchObject({ code: 0 });
    expect((await runInProcess(["backup", link, "--force"], { env })).stderr).toContain(
      "is the database itself",
    );
    await sendWire(alice, "alice", { text: "lost" });
    await daemon.kill();
    const restored = await runInProcess(["restore", backup, "--replace", "--json"], { env });
    expect(JSON.parse(restored.stdout)).toMatchObject({ database: file });
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect(await readdir(disk)).not.toContain("real.db-wal");
    expect(await runInProcess(["store", "check"], { env })).toMatchObject({ code: 0 });
    expect(await runInProcess(["store", "compact"], { env })).toMatchObject({ code: 0 });
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
  });
});
