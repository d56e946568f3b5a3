/**
 * Upgrades from the schema of each earlier migration. The daemon is killed while it upgrades, and clients
 * send meanwhile. The upgrade is also recorded, and the disk is rebuilt as kills and power cuts during the
 * upgrade leave it.
 */
import { cpSync, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SqliteEngine } from "../../src/store/engine/sqlite/index.js";
import { startDaemon, type TestDaemon } from "../../test/harness/daemon.js";
import { databaseProblems } from "../check/database.js";
import { observeFile } from "../check/from-file.js";
import { verify } from "../check/verify.js";
import { Load, pause } from "../load/load.js";
import { OLDER_SCHEMAS, takeBackTo } from "../load/older-schema.js";
import { daemonFlags, type World } from "../load/world.js";
import type { Life, Scenario } from "../scenario.js";
import { shimEnv, shimUnavailable } from "../shim/build.js";
import { CUT_MODES, Disk } from "../shim/disk.js";
import { readLog } from "../shim/log.js";
import { compare, withService } from "./service.js";

const FILLED_MS = 3_000;
const CUTS_PER_UPGRADE = 15;
const KILLS_PER_UPGRADE = 3;
/** Disks are rebuilt in memory where possible. */
const SCRATCH = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

export const upgrades: Scenario = {
  name: "upgrades",
  title: "upgrades from the schema of each earlier migration, killed at random instants, under load",
  weight: 1,
  unavailable: shimUnavailable,
  run: (life) =>
    // The older schemas have neither notices nor claims.
    withService(life, { hasNotices: false }, async (daemon, world) => {
      const load = new Load(world, { survivesLoss: true, maxText: 3_000 });
      await load.runFor(FILLED_MS * life.scale);
      const order = OLDER_SCHEMAS.map((id) => ({ id, at: life.random.next() }));
      for (const { id } of order.sort((a, b) => a.at - b.at)) {
        life.at(`an upgrade from migration ${id}`);
        await daemon.kill();
        await takeBackTo(id, daemon.dataDir);
        const violations = [
          ...(await cutUpgrade(life, world, daemon.dataDir)),
          ...(await killUpgrade(life, daemon, world, load)),
        ];
        if (violations.length > 0) return violations.map((found) => `from migration ${id}: ${found}`);
        life.count("upgrades");
      }
      return [];
    }),
};

/** Kills the daemon while it upgrades, starts it again, and compares. Clients send all the time. */
async function killUpgrade(life: Life, daemon: TestDaemon, world: World, load: Load): Promise<string[]> {
  const stop = new AbortController();
  const running = load.run(stop.signal);
  for (let n = 0; n < KILLS_PER_UPGRADE; n++) {
    const starting = daemon.restart().catch(() => undefined);
    await Promise.race([starting, upgradeBegins(daemon.dataDir)]);
    await pause(life.random.below(60));
    await daemon.kill();
    await starting;
    life.count("kills");
  }
  await daemon.restart();
  await world.ledger.waitForAcknowledged(100, 5_000);
  stop.abort();
  await running;
  return compare(life, daemon, world);
}

/** Resolves once a starting daemon has written to its write-ahead log, or after a time. */
async function upgradeBegins(dataDir: string): Promise<void> {
  const sizeBytes = () => statSync(join(dataDir, "wireroom.db-wal"), { throwIfNoEntry: false })?.size ?? 0;
  const before = sizeBytes();
  for (const end = performance.now() + 3_000; performance.now() < end && sizeBytes() === before; )
    await pause(1);
}

/** Records an upgrade, and upgrades the disk that is left by cuts at random moments of the record. */
async function cutUpgrade(life: Life, world: World, dataDir: string): Promise<string[]> {
  const folder = mkdtempSync(join(SCRATCH, "wireroom-upgrade-"));
  const [recorded, target] = [join(folder, "recorded"), join(folder, "target")];
  const log = join(folder, "log");
  try {
    cpSync(dataDir, recorded, { recursive: true });
    const disk = Disk.of(recorded);
    const env = shimEnv({ folder: recorded, log });
    await (await startDaemon({ args: daemonFlags(undefined), dataDir: recorded, env })).kill();
    const records = readLog(log);
    const cuts = Math.ceil(CUTS_PER_UPGRADE * life.scale);
    const places = Array.from({ length: cuts }, () => life.random.below(records.length));
    let applied = 0;
    for (const place of places.sort((a, b) => a - b)) {
      while (applied < place) disk.apply(records[applied++]!);
      const mode = CUT_MODES[life.random.below(CUT_MODES.length)]!;
      rmSync(target, { recursive: true, force: true });
      disk.writeAfterCut(target, mode, life.random);
      life.count("cuts");
      const violations = await problemsOf(world, target);
      if (violations.length > 0) {
        cpSync(target, join(life.folder, "cut"), { recursive: true });
        return violations.map(
          (found) => `cut before record ${place} of ${records.length}, ${mode}: ${found}`,
        );
      }
    }
    return [];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function problemsOf(world: World, dataDir: string): Promise<string[]> {
  try {
    const engine = await SqliteEngine.open(join(dataDir, "wireroom.db"));
    await engine.close();
    return [...verify(world, await observeFile(world, dataDir)), ...(await databaseProblems(dataDir))];
  } catch (error) {
    return [`the database cannot be upgraded: ${(error as Error).message}`];
  }
}
