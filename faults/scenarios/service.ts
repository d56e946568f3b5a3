/** A daemon with agents, as most scenarios need it. */
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type DaemonOptions, startDaemon, type TestDaemon } from "../../test/harness/daemon.js";
import { dropDatabaseOf } from "../../test/harness/database.js";
import { databaseProblems } from "../check/database.js";
import { observeOverHttp } from "../check/over-http.js";
import { verify } from "../check/verify.js";
import { countDeleted, createWorld } from "../load/create-world.js";
import { Http } from "../load/http.js";
import { daemonFlags, type World } from "../load/world.js";
import type { Life } from "../scenario.js";

export interface ServiceOptions extends Omit<DaemonOptions, "dataDir"> {
  perMinute?: number | undefined;
  agents?: number;
  /** See `World`. */
  hasNotices?: boolean;
  /** Timeout of the load's requests. */
  timeoutMs?: number;
  clockJumps?: boolean;
}

/** Returns the path of the data folder of a life, without symbolic links. */
export function dataFolder(life: Life): string {
  const folder = join(realpathSync(life.folder), "data");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/**
 * Starts a daemon with agents and old wires, runs `work`, and adds the ledger's numbers to the life's
 * numbers.
 */
export async function withService(
  life: Life,
  { perMinute, agents = 8, hasNotices, timeoutMs, clockJumps = false, ...options }: ServiceOptions,
  work: (daemon: TestDaemon, world: World) => Promise<string[]>,
): Promise<string[]> {
  const dataDir = dataFolder(life);
  let daemon: TestDaemon | undefined;
  const http = new Http(() => daemon!.base, timeoutMs);
  try {
    const world = await createWorld(life, { dataDir, perMinute, agents, hasNotices, clockJumps, http });
    const args = [...daemonFlags(perMinute), ...(options.args ?? [])];
    daemon = await startDaemon({ ...options, args, dataDir });
    const violations = await work(daemon, world);
    if (violations.length > 0) writeFileSync(join(life.folder, "daemon.log"), daemon.log());
    for (const [name, count] of Object.entries(world.ledger.counts)) life.count(name, count);
    await countDeleted(life, world, dataDir);
    return violations;
  } finally {
    await http.close();
    await daemon?.kill();
    await dropDatabaseOf(dataDir);
  }
}

/**
 * Compares what a running daemon stores with the ledger, and checks its database.
 * @param expected matches the fatal log lines that the faults explain
 */
export async function compare(
  life: Life,
  daemon: TestDaemon,
  world: World,
  expected?: RegExp,
): Promise<string[]> {
  life.count("comparisons");
  return [
    ...verify(world, await observeOverHttp(world)),
    ...(await databaseProblems(daemon.dataDir)),
    ...unexpectedErrors(daemon, expected),
  ];
}

/** Returns the lines of the log about failures that no fault explains. */
function unexpectedErrors(daemon: TestDaemon, expected?: RegExp): string[] {
  return daemon
    .log()
    .split("\n")
    .filter((line) => line.startsWith('{"level":60') || /unhandled/i.test(line))
    .filter((line) => !expected?.test(line))
    .slice(0, 3)
    .map((line) => `log: ${line.slice(0, 500)}`);
}
