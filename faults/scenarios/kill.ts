/** SIGKILL at random instants, and a start on the same files. */
import type { TestDaemon } from "../../test/harness/daemon.js";
import { Load, pause } from "../load/load.js";
import type { World } from "../load/world.js";
import type { Life, Scenario } from "../scenario.js";
import { compare, withService } from "./service.js";

const KILLS_PER_LIFE = 25;
/** Maximum number of acknowledged wires before a kill. */
const MOST_WIRES = 120;
const LONGEST_LOAD_MS = 3_000;
/** Number of kills between two comparisons with the ledger. */
const COMPARED_EVERY = 5;

export const kill: Scenario = {
  name: "kill",
  title: "kill -9 at random instants",
  weight: 16,
  async run(life) {
    const perMinute = [undefined, 300, 1_000][life.random.below(3)];
    return withService(life, { perMinute }, (daemon, world) => killRepeatedly(life, daemon, world));
  },
};

async function killRepeatedly(life: Life, daemon: TestDaemon, world: World): Promise<string[]> {
  const load = new Load(world, { maxText: life.random.chance(0.2) ? 8_000 : 600 });
  const kills = Math.max(1, Math.round(KILLS_PER_LIFE * life.scale));
  for (let round = 1; round <= kills; round++) {
    life.at(`kill ${round}`);
    const running = load.run(new AbortController().signal);
    await world.ledger.waitForAcknowledged(life.random.below(MOST_WIRES), LONGEST_LOAD_MS);
    await pause(life.random.below(40));
    await daemon.kill();
    await running;
    life.count("kills");
    // Some daemons are killed again while they start.
    if (life.random.chance(0.25)) {
      const starting = daemon.restart().catch(() => undefined);
      await pause(life.random.below(1_500));
      await daemon.kill();
      await starting;
      life.count("kills");
    }
    await daemon.restart();
    if (round % COMPARED_EVERY !== 0 && round !== kills) continue;
    const violations = await compare(life, daemon, world);
    if (violations.length > 0) return violations;
  }
  return [];
}
