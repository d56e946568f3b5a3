/**
 * Writes and syncs that fail with EIO. After a failed sync, the system may have dropped the data although
 * readers still get it. A daemon must therefore not go on as if the data were synced. The scenario then
 * rebuilds the files as a power cut would leave them.
 */
import { join } from "node:path";
import { startDaemon, type TestDaemon } from "../../test/harness/daemon.js";
import { countDeleted, createWorld } from "../load/create-world.js";
import { Http } from "../load/http.js";
import { Load, pause } from "../load/load.js";
import { daemonFlags } from "../load/world.js";
import type { Life, Scenario } from "../scenario.js";
import { FaultControl, shimEnv, shimUnavailable } from "../shim/build.js";
import { Disk } from "../shim/disk.js";
import { readLog } from "../shim/log.js";
import { cutRepeatedly } from "./power-cut.js";
import { dataFolder } from "./service.js";

const ROUNDS = 3;
const CUTS_PER_LIFE = 30;

export const ioErrors: Scenario = {
  name: "io-errors",
  title: "EIO on writes and on syncs, then a power cut",
  weight: 2,
  unavailable: shimUnavailable,
  async run(life) {
    const dataDir = dataFolder(life);
    const log = join(life.folder, "log");
    const control = new FaultControl(join(life.folder, "control"));
    let daemon: TestDaemon | undefined;
    const http = new Http(() => daemon!.base, 10_000);
    try {
      const world = await createWorld(life, { dataDir, http });
      const disk = Disk.of(dataDir);
      const env = shimEnv({ folder: dataDir, log, control });
      daemon = await startDaemon({ args: daemonFlags(undefined), dataDir, env });
      const load = new Load(world, { maxText: 6_000, unavailableIsUnknown: true, checkpointsMayStay: true });
      for (let round = 1; round <= Math.ceil(ROUNDS * life.scale); round++) {
        life.at(`round ${round}`);
        const running = load.runFor(5_000);
        await world.ledger.waitForAcknowledged(life.random.below(400), 3_000);
        control.set(randomFaults(life));
        await pause(50 + life.random.below(1_500));
        control.set({});
        await running;
        const ended = daemon.process.exitCode !== null;
        life.count(ended ? "exits" : "survived");
        if (ended && daemon.process.exitCode === 0) return ["the daemon ended with exit code 0"];
        if (!ended && life.random.chance(0.5)) await daemon.kill();
        await daemon.restart();
      }
      for (const [name, count] of Object.entries(world.ledger.counts)) life.count(name, count);
      if (world.ledger.violations.length > 0) return world.ledger.violations;
      await daemon.kill();
      await countDeleted(life, world, dataDir);
      return cutRepeatedly(life, world, readLog(log), { disk, cuts: CUTS_PER_LIFE });
    } finally {
      await http.close();
      await daemon?.kill();
    }
  },
};

function randomFaults({ random }: Life) {
  const files = (["database", "wal", "both"] as const)[random.below(3)]!;
  return random.chance(0.4)
    ? { write: "EIO" as const, bytesLeft: random.below(100_000), files }
    : { sync: "EIO" as const, files };
}
