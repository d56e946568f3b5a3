/**
 * Backups under load, their restoration, and copies of the database. The ledger is compared with the result.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { COMMAND, startDaemon } from "../../test/harness/daemon.js";
import { databaseProblems } from "../check/database.js";
import { observeFile } from "../check/from-file.js";
import { observeOverHttp } from "../check/over-http.js";
import { type Moment, verify } from "../check/verify.js";
import { Http } from "../load/http.js";
import { now } from "../load/ledger.js";
import { Load, pause } from "../load/load.js";
import { daemonFlags, type World } from "../load/world.js";
import type { Scenario } from "../scenario.js";
import { compare, withService } from "./service.js";

const BACKUPS = 3;

export const copies: Scenario = {
  name: "copies",
  title: "backups under load, restored and copied",
  weight: 1,
  run: (life) =>
    withService(life, {}, async (daemon, world) => {
      const load = new Load(world, { maxText: life.random.chance(0.5) ? 6_000 : 300 });
      const stop = new AbortController();
      const running = load.run(stop.signal);
      const backups: { file: string; moment: Moment }[] = [];
      for (let n = 0; n < Math.ceil(BACKUPS * life.scale); n++) {
        await pause(life.random.below(1_500));
        const file = join(life.folder, `backup-${n}.db`);
        const from = now();
        await wireroom("backup", file, "--data-dir", daemon.dataDir);
        backups.push({ file, moment: { from, to: now() } });
        life.count("backups");
      }
      stop.abort();
      await running;
      for (const { file, moment } of backups) {
        life.at(file);
        const restored = `${file}-restored`;
        await wireroom("restore", file, "--data-dir", restored);
        const copied = `${file}-copied.db`;
        await wireroom("store", "copy", "--from", `sqlite:${file}`, "--to", `sqlite:${copied}`);
        const violations = [
          ...verify(world, await observeFile(world, restored), moment),
          ...(await databaseProblems(restored)),
          ...(await databaseProblems(restored, `sqlite:${copied}`)),
          ...(await servedFrom(world, restored, moment)),
        ];
        if (violations.length > 0) return violations;
        life.count("restored");
      }
      return compare(life, daemon, world);
    }),
};

async function servedFrom(world: World, dataDir: string, moment: Moment): Promise<string[]> {
  const daemon = await startDaemon({ args: daemonFlags(undefined), dataDir });
  const http = new Http(() => daemon.base);
  try {
    const copy = { ...world, http, ledger: world.ledger.forCopy() };
    return verify(world, await observeOverHttp(copy, { isRestored: true }), moment);
  } finally {
    await http.close();
    await daemon.kill();
  }
}

async function wireroom(...args: string[]): Promise<void> {
  await promisify(execFile)(process.execPath, [COMMAND, ...args], { timeout: 120_000 });
}
