/** Is there a daemon on a data folder of this machine, and which? */
import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE, monotonicMs, SECOND } from "../../src/kernel/clock.js";
import { isFolderLocked } from "../../src/service/host/maintenance.js";
import { ask } from "./ask.js";
import { type DaemonState, readState } from "./folder.js";

/** `starting`: it holds the folder, but does not serve yet; `stopping` cannot be told from `running`. */
export type Found = { is: "running"; state: DaemonState } | { is: "starting" } | { is: "absent" };

/**
 * Looks at who holds the folder, not at a process number that may long belong to another program: the file in it counts
 * only while the folder is held, and the daemon that takes it deletes what an earlier one has left.
 */
export async function findDaemon(dataDir: string): Promise<Found> {
  if (!(await isFolderLocked(dataDir))) return { is: "absent" };
  const state = await readState(dataDir);
  return state ? { is: "running", state } : { is: "starting" };
}

/** Time between two looks at a daemon that starts or stops. */
const PAUSE = 50;

/** Waits until a daemon that starts has made up its mind; gives `starting` where it takes more than a minute. */
export async function settled(dataDir: string, patience = MINUTE): Promise<Found> {
  const deadline = monotonicMs() + patience;
  for (;;) {
    const found = await findDaemon(dataDir);
    if (found.is !== "starting" || monotonicMs() > deadline) return found;
    await sleep(PAUSE);
  }
}

/** Longer than the 10 s that requests under way are given (decisions, section 12), and the store to close. */
const STOPS_WITHIN = 20 * SECOND;

/** Sends SIGTERM and waits for the end. False where the daemon still runs after 20 s. */
export async function stopDaemon(dataDir: string, { pid }: DaemonState): Promise<boolean> {
  try {
    process.kill(pid, "SIGTERM");
  } catch (error) {
    // It ended by itself in the meantime.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
  const deadline = monotonicMs() + STOPS_WITHIN;
  while (await isFolderLocked(dataDir)) {
    if (monotonicMs() > deadline) return false;
    await sleep(PAUSE);
  }
  return true;
}

/** Time that a daemon on this machine is given to answer. */
const ANSWERS_WITHIN = 3 * SECOND;

/** Whether `/readyz` answers that the store does. `undefined`: no answer at all. */
export async function isReady(listen: string): Promise<boolean | undefined> {
  try {
    const { status } = await ask(`${listen}/readyz`, ANSWERS_WITHIN);
    return status === 200;
  } catch {
    return undefined;
  }
}
