/** A disk that is full and has space again, under load. A refused write must leave nothing behind. */
import { join } from "node:path";
import { Load, pause } from "../load/load.js";
import type { Scenario } from "../scenario.js";
import { FaultControl, shimEnv, shimUnavailable } from "../shim/build.js";
import { compare, dataFolder, withService } from "./service.js";

const ROUNDS = 6;

export const diskFull: Scenario = {
  name: "disk-full",
  title: "a full disk, and space again",
  weight: 1,
  unavailable: shimUnavailable,
  async run(life) {
    const control = new FaultControl(join(life.folder, "control"));
    const env = shimEnv({ folder: dataFolder(life), control });
    return withService(life, { env }, async (daemon, world) => {
      const load = new Load(world, { survivesLoss: true, checkpointsMayStay: true });
      for (let round = 1; round <= Math.ceil(ROUNDS * life.scale); round++) {
        life.at(`round ${round}`);
        const running = load.runFor(2_500);
        await pause(life.random.below(700));
        const files = (["database", "wal", "both"] as const)[life.random.below(3)]!;
        control.set({ write: "ENOSPC", bytesLeft: life.random.below(200_000), files });
        await pause(200 + life.random.below(1_000));
        control.set({});
        life.count("full-disks");
        await running;
        const before = world.ledger.counts.acknowledged;
        await load.runFor(500);
        if (world.ledger.counts.acknowledged === before)
          return [`no wire was sent after the disk had space again: ${daemon.log().slice(-500)}`];
        if (life.random.chance(0.5)) {
          await daemon.kill();
          await daemon.restart();
        }
        const violations = await compare(life, daemon, world);
        if (violations.length > 0) return violations;
      }
      return [];
    });
  },
};
