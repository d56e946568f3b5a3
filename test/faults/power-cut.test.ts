/**
 * A power cut at the moments at which a write-ahead log is most vulnerable. The fault campaign cuts at random
 * ones.
 */
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
