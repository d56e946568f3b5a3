/**
 * A power cut at the moments at which a write-ahead log is most vulnerable. The fault campaign cuts at random
 * ones.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Random } from "../../bench/data/random.js";
import { FaultControl, shimEnv, shimUnavailable } from "../../faults/shim/build.js";
import { Disk } from "../../faults/shim/disk.js";
import { readLog } from "../../faults/shim/log.js";
import { sendWire } from "../harness/api-helpers.js";
import { NO_LIMITS_FEW_LOGS, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { withDatabase } from "../harness/database.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";

describe.skipIf(shimUnavailable() !== undefined)("a power cut after a failed sync", () => {
  let daemon: TestDaemon | undefined;
  afterAll(() => daemon?.stop());

  // [D12-disk-failure]
  it("loses nothing that was acknowledged after the next start", async () => {
    const folder = realpathSync(new TemporaryFolder("wireroom-power-cut-").path);
    const dataDir = join(folder, "data");
    mkdirSync(dataDir, { mode: 0o700 });
    const log = join(folder, "log");
    const control = new FaultControl(join(folder, "control"));
    daemon = await startDaemon({
      args: NO_LIMITS_FEW_LOGS,
      dataDir,
      env: shimEnv({ folder: dataDir, log, control }),
    });
    const alice = await daemon.createAgent("alice");
    control.set({ sync: "EIO", files: "wal" });
    // Its frames are in the system's memory, but will never be on the disk. The daemon ends.
    await alice.post("/wires", { to: "alice", text: "unsynced" }).catch(() => undefined);
    await expect.poll(() => daemon!.process.exitCode, { timeout: 20_000 }).toBe(1);
    control.set({});
    await daemon.restart();
    const acknowledged: string[] = [];
    for (const text of ["first", "second", "third"])
      acknowledged.push((await sendWire(alice, "alice", { text })).id);
    await daemon.kill();

    const disk = new Disk(dataDir);
    for (const record of readLog(log)) disk.apply(record);
    const rebuilt = join(folder, "rebuilt");
    disk.writeAfterCut(rebuilt, "lost", new Random(1));
    const stored = await withDatabase(rebuilt, (db) => db.all<{ id: string }>("SELECT id FROM wires"));
    expect(stored.map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged));
  });
});

describe.skipIf(shimUnavailable() !== undefined)("the record of the file operations", () => {
  // Node closes files by system calls that no library sees.
  it("does not contain what is written to a pipe with the descriptor of a closed file", () => {
    const folder = realpathSync(new TemporaryFolder("wireroom-shim-").path);
    const [data, log] = [join(folder, "data"), join(folder, "log")];
    mkdirSync(data);
    const program = `
      const { closeSync, openSync, writeSync } = require("node:fs");
      const { spawnSync } = require("node:child_process");
      // The process opens other descriptors for the pipe, too.
      const files = Array.from({ length: 50 }, (_, n) => openSync(${JSON.stringify(data)} + "/" + n, "w"));
      writeSync(files[0], "kept");
      for (const file of files) closeSync(file);
      process.exit(spawnSync("cat", { input: "not kept" }).status);`;
    execFileSync(process.execPath, ["-e", program], {
      env: { ...process.env, ...shimEnv({ folder: data, log }) },
    });
    const writes = readLog(log).flatMap((record) => (record.kind === "write" ? [String(record.data)] : []));
    expect(writes).toEqual(["kept"]);
  });
});
