/**
 * A wall clock that jumps back and forth under load. Deadlines, limits and cursors must not depend on the
 * jumps.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { adjustableClockEnv } from "../../test/harness/clock-skew.js";
import { Load, pause } from "../load/load.js";
import type { Scenario } from "../scenario.js";
import { compare, withService } from "./service.js";

const HOUR_MS = 3_600_000;
const JUMPS_MS = [-HOUR_MS, 48 * HOUR_MS, -10_000, 61_000, 25 * HOUR_MS];
const ROUNDS = 4;

export const clock: Scenario = {
  name: "clock",
  title: "the clock jumps an hour back, two days ahead, and back to the right time",
  weight: 1,
  async run(life) {
    const file = join(life.folder, "clock");
    const jumpTo = (offsetMs: number) => writeFileSync(file, String(offsetMs));
    jumpTo(0);
    const options = {
      clockJumps: true,
      env: adjustableClockEnv(file),
      args: ["--limit", "wires_per_minute=40"],
    };
    return withService(life, options, async (daemon, world) => {
      const load = new Load(world, { replays: false });
      for (let round = 1; round <= Math.ceil(ROUNDS * life.scale); round++) {
        const offset = JUMPS_MS[life.random.below(JUMPS_MS.length)]!;
        life.at(`round ${round}, a jump by ${offset} ms`);
        const running = load.runFor(4_000);
        await pause(life.random.below(1_500));
        jumpTo(offset);
        await pause(500 + life.random.below(1_000));
        jumpTo(0);
        life.count("jumps", 2);
        await running;
        // No connection broke, so each request must have got a response in time.
        if (world.ledger.counts.unknown > 0)
          return [`${world.ledger.counts.unknown} requests got no response after a jump by ${offset} ms`];
        const violations = await compare(life, daemon, world);
        if (violations.length > 0) return violations;
      }
      return [];
    });
  },
};
