/** Finds the daemon that uses a data folder on this machine, waits for its start, and stops it. */
import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE, monotonicMs, SECOND } from "../../src/kernel/clock.js";
import { isFolderLocked } from "../../src/store/engine/sqlite/lock.js";
import { type DaemonState, readDaemonState } from "./folder.js";

/**
 * A `starting` daemon has locked the folder but does not serve requests yet. A stopping daemon is still
 * `running`.
 */
export type DaemonStatus =
  | { status: "running"; state: DaemonState }
  | { status: "starting" }
  | { status: "absent" };

/**
 * Returns the status of a data folder's daemon. Checks the folder lock instead of the process id, because
 * another program may have that id by now. The state file is valid only while the folder is locked.
 */
export async function findDaemon(dataDir: string): Promise<DaemonStatus> {
  if (!(await isFolderLocked(dataDir))) return { status: "absent" };
  const state = await readDaemonState(dataDir);
  return state ? { status: "running", state } : { status: "starting" };
}

const POLL_INTERVAL_MS = 50;

/** Waits until a starting daemon serves requests or has exited. */
export async function waitUntilStarted(dataDir: string, timeoutMs = MINUTE): Promise<DaemonStatus> {
  const deadline = monotonicMs() + timeoutMs;
  for (;;) {
    const found = await findDaemon(dataDir);
    if (found.status !== "starting" || monotonicMs() > deadline) return found;
    await sleep(POLL_INTERVAL_MS);
  }
}

/**
 * Longer than a normal stop, in which requests have 10 s to finish before the store closes
 * (docs/specification/running.md#stop).
 */
const STOP_TIMEOUT_MS = 20 * SECOND;

/** Returns false if the daemon still runs after 20 s. */
export async function stopDaemon(dataDir: string, { pid }: DaemonState): Promise<boolean> {
  try {
    process.kill(pid, "SIGTERM");
  } catch (error) {
    // ESRCH: the process has ended already.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
  const deadline = monotonicMs() + STOP_TIMEOUT_MS;
  while (await isFolderLocked(dataDir)) {
    if (monotonicMs() > deadline) return false;
    await sleep(POLL_INTERVAL_MS);
  }
  return true;
}

const READY_TIMEOUT_MS = 3 * SECOND;

/**
 * Throws after `timeoutMs`. Uses its own timer, because the timer of `AbortSignal.timeout` would not keep the
 * process alive while the connection is retried.
 */
export async function httpGet(url: string, timeoutMs: number) {
  const controller = new AbortController();
  const expire = () => controller.abort(new Error(`no response within ${timeoutMs} ms`));
  const timer = setTimeout(expire, timeoutMs);
  try {
    const response = await fetch(url, { signal: controller.signal, redirect: "manual" });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } finally {
    clearTimeout(timer);
  }
}

/** Returns whether the daemon can use its database, or undefined without a response. */
export async function isReady(listen: string): Promise<boolean | undefined> {
  try {
    const { status } = await httpGet(`${listen}/readyz`, READY_TIMEOUT_MS);
    return status === 200;
  } catch {
    return undefined;
  }
}
