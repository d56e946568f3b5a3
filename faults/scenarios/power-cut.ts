/**
 * A power cut. A shim records what the daemon writes and syncs. From this log, the disk is rebuilt as it
 * would be after a cut at a random moment, and compared with what was acknowledged until then.
 */
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDaemon, type TestDaemon } from "../../test/harness/daemon.js";
import { databaseProblems } from "../check/database.js";
import { observeFile } from "../check/from-file.js";
import { observeOverHttp } from "../check/over-http.js";
import { verify } from "../check/verify.js";
import { countDeleted, createWorld } from "../load/create-world.js";
import { Http } from "../load/http.js";
import { Load } from "../load/load.js";
import { daemonFlags, type World } from "../load/world.js";
import type { Life, Scenario } from "../scenario.js";
import { shimEnv, shimUnavailable } from "../shim/build.js";
import { CUT_MODES, type CutMode, Disk } from "../shim/disk.js";
import { type FileRecord, readLog } from "../shim/log.js";
import { dataFolder } from "./service.js";

const CUTS_PER_LIFE = 100;
const PHASES = 3;
/** Maximum number of acknowledged wires in a phase. */
const MOST_WIRES = 700;
const LONGEST_PHASE_MS = 15_000;
/** Disks are rebuilt in memory where possible. */
const SCRATCH = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
/** A daemon opens one rebuilt disk out of this many. The others are read directly, which is faster. */
const DAEMON_EVERY = 25;

export const powerCut = createPowerCut({ ignoresSyncs: false });

/** @param ignoresSyncs whether the power of a disk that ignores syncs is cut as well, which must lose wires */
export function createPowerCut({ ignoresSyncs }: { ignoresSyncs: boolean }): Scenario {
  return {
    name: "power-cut",
    title: "power cuts: unsynced writes are lost, reordered and torn",
    weight: 4,
    unavailable: shimUnavailable,
    async run(life) {
      const dataDir = dataFolder(life);
      const log = join(life.folder, "log");
      const { world, disk, sameDisk } = await recordLoad(life, dataDir, log);
      for (const [name, count] of Object.entries(world.ledger.counts)) life.count(name, count);
      if (world.ledger.violations.length > 0) return world.ledger.violations;
      const records = readLog(log);
      life.count("checkpointed-pages", databaseWrites(records));
      life.count("syncs", records.filter(({ kind }) => kind === "sync-end").length);
      const violations = await cutRepeatedly(life, world, records, { disk, cuts: CUTS_PER_LIFE });
      if (violations.length > 0 || !ignoresSyncs) return violations;
      for (const record of records) if (!record.kind.startsWith("sync")) sameDisk.apply(record);
      const cut = { mode: "lost", at: records.at(-1)!.timeMs, byDaemon: false } as const;
      const losses = await problemsOfCut(life, world, sameDisk, cut);
      if (losses.some((each) => each.endsWith("was acknowledged, but is missing"))) return [];
      return ["the wires that a disk lost, which ignores syncs, were not noticed", ...losses];
    },
  };
}

/**
 * Runs a load on a recorded daemon that is killed, stopped and started again meanwhile. Returns the disk as
 * it was before the load, twice.
 */
async function recordLoad(
  life: Life,
  dataDir: string,
  log: string,
): Promise<{ world: World; disk: Disk; sameDisk: Disk }> {
  const perMinute = life.random.chance(0.3) ? 300 : undefined;
  let daemon: TestDaemon | undefined;
  const http = new Http(() => daemon!.base);
  try {
    const world = await createWorld(life, { dataDir, perMinute, http });
    const [disk, sameDisk] = [Disk.of(dataDir), Disk.of(dataDir)];
    const env = shimEnv({ folder: dataDir, log });
    daemon = await startDaemon({ args: daemonFlags(perMinute), dataDir, env });
    const load = new Load(world, { maxText: life.random.chance(0.5) ? 8_000 : 500 });
    for (let phase = 1; phase <= PHASES; phase++) {
      life.at(`phase ${phase} of the recording`);
      const running = load.run(new AbortController().signal);
      const wires = life.random.below(MOST_WIRES) * life.scale;
      await world.ledger.waitForAcknowledged(wires, LONGEST_PHASE_MS);
      if (life.random.chance(0.5)) await daemon.kill();
      else {
        const stopping = daemon.restart();
        await running;
        await stopping;
        continue;
      }
      await running;
      if (phase < PHASES) await daemon.restart();
    }
    await daemon.kill();
    await countDeleted(life, world, dataDir);
    return { world, disk, sameDisk };
  } finally {
    await http.close();
    await daemon?.kill();
  }
}

/**
 * Cuts the power at random moments of a log. Returns the problems of the first cut that has any.
 * @param disk the disk before the first record
 */
export async function cutRepeatedly(
  life: Life,
  world: World,
  records: readonly FileRecord[],
  { disk, cuts: most }: { disk: Disk; cuts: number },
): Promise<string[]> {
  const cuts = Math.max(1, Math.round(most * life.scale));
  const places = Array.from({ length: cuts }, () => life.random.below(records.length));
  let applied = 0;
  for (const [n, place] of places.sort((a, b) => a - b).entries()) {
    while (applied < place) disk.apply(records[applied++]!);
    const mode = CUT_MODES[life.random.below(CUT_MODES.length)]!;
    life.at(`cut before record ${place} of ${records.length}, unsynced writes: ${mode}`);
    // Responses that arrived before the next record rely on this state of the disk.
    const at = records[place]!.timeMs;
    const violations = await problemsOfCut(life, world, disk, { mode, at, byDaemon: n % DAEMON_EVERY === 0 });
    if (violations.length > 0) return violations;
  }
  return [];
}

interface Cut {
  mode: CutMode;
  /** Time of the cut, in milliseconds as in the log. */
  at: number;
  byDaemon: boolean;
}

async function problemsOfCut(
  life: Life,
  world: World,
  disk: Disk,
  { mode, at, byDaemon }: Cut,
): Promise<string[]> {
  life.count("cuts");
  life.count(`cuts-${mode}`);
  const scratch = mkdtempSync(join(SCRATCH, "wireroom-cut-"));
  const target = join(scratch, "data");
  disk.writeAfterCut(target, mode, life.random);
  const untouched = join(scratch, "untouched");
  cpSync(target, untouched, { recursive: true });
  const violations = await problemsAfterCut(world, target, at, byDaemon);
  if (violations.length > 0) cpSync(untouched, join(life.folder, "cut"), { recursive: true });
  rmSync(scratch, { recursive: true });
  return violations;
}

async function problemsAfterCut(
  world: World,
  dataDir: string,
  at: number,
  byDaemon: boolean,
): Promise<string[]> {
  try {
    const violations = byDaemon
      ? await openedByDaemon(world, dataDir, at)
      : verify(world, await observeFile(world, dataDir), { from: at, to: at });
    return [...violations, ...(await databaseProblems(dataDir))];
  } catch (error) {
    return [`the database cannot be read: ${(error as Error).message}`];
  }
}

async function openedByDaemon(world: World, dataDir: string, at: number): Promise<string[]> {
  const daemon = await startDaemon({ args: daemonFlags(world.perMinute), dataDir });
  const http = new Http(() => daemon.base);
  try {
    const observed = await observeOverHttp({ ...world, http, ledger: world.ledger.forCopy() });
    return verify(world, observed, { from: at, to: at });
  } finally {
    await http.close();
    await daemon.kill();
  }
}

/** Returns the number of writes to the database file, which all come from checkpoints. */
function databaseWrites(records: readonly FileRecord[]): number {
  const inodes = new Set(
    records.flatMap((each) =>
      each.kind === "open" && each.path.endsWith("/wireroom.db") ? [each.inode] : [],
    ),
  );
  return records.filter((each) => each.kind === "write" && inodes.has(each.inode)).length;
}
