/**
 * SIGKILL while old wires are deleted. Each step of the deletion takes effect as a whole or not at all, and
 * the next daemon continues.
 */
import { withDatabase } from "../../test/harness/database.js";
import { databaseProblems } from "../check/database.js";
import { Load, pause } from "../load/load.js";
import type { Scenario } from "../scenario.js";
import { withService } from "./service.js";

const KILLS_PER_LIFE = 12;
/** Longer than the retention of a day and the minute by which wires are deleted later. */
const AGE_MS = 26 * 3_600_000;
const LONGEST_DELETION_MS = 20_000;
/** Maximum number of newest wires that a round does not make older. */
const MOST_LEFT = 50;

export const retention: Scenario = {
  name: "retention",
  title: "kill -9 while old wires are deleted",
  weight: 1,
  async run(life) {
    return withService(life, { args: ["--retain", "1"] }, async (daemon, world) => {
      const kills = Math.max(1, Math.round(KILLS_PER_LIFE * life.scale));
      const load = new Load(world);
      /** Counts the wires up to a primary key. */
      const countUpTo = (pk: number) =>
        withDatabase(daemon.dataDir, async (database) => {
          const sql = `SELECT count(*) AS n FROM wires WHERE pk <= ${pk}`;
          return Number((await database.all<{ n: number }>(sql))[0]!.n);
        });
      for (let round = 1; round <= kills; round++) {
        life.at(`kill ${round}`);
        await load.runFor(1_000);
        await daemon.kill();
        const last = await withDatabase(daemon.dataDir, async (database) => {
          const newest = `SELECT pk FROM wires ORDER BY pk DESC LIMIT 1 OFFSET ${life.random.below(MOST_LEFT)}`;
          const [row] = await database.all<{ pk: number }>(newest);
          const oldest = Number(row?.pk ?? 0);
          const sql = `SELECT coalesce(max(created_at), 0) AS at FROM wires WHERE pk <= ${oldest}`;
          const { at } = (await database.all<{ at: number }>(sql))[0]!;
          for (const change of [
            `wires SET created_at = created_at - ${AGE_MS}`,
            // A held wire was sent when it was approved.
            `approvals SET created_at = created_at - ${AGE_MS}, decided_at = decided_at - ${AGE_MS}`,
          ])
            await database.run(`UPDATE ${change} WHERE created_at <= ${at}`);
          return oldest;
        });
        const before = await countUpTo(last);
        await daemon.restart();
        await pause(life.random.below(800));
        await daemon.kill();
        life.count("kills");
        const left = await countUpTo(last);
        life.count("deleted wires", before - left);
        if (left > 0 && left < before) life.count("deletions cut off");
        const problems = await databaseProblems(daemon.dataDir);
        if (problems.length > 0) return problems;
        await daemon.restart();
        const deadline = performance.now() + LONGEST_DELETION_MS;
        while ((await countUpTo(last)) > 0) {
          if (performance.now() > deadline) return [`old wires are left after round ${round}`];
          await pause(50);
        }
      }
      return databaseProblems(daemon.dataDir);
    });
  },
};
