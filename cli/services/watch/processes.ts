/** Finds processes that an earlier watch has started, or that hold its lock. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { monotonicMs, sleep } from "../../clock.js";
import { isAlive } from "../../profiles/lock.js";
import type { StartedCommand } from "./journal.js";

/** Systems state whole seconds, or compute the time from that since the start of the machine. */
const TOLERANCE_MS = 5_000;
/** A clock tick of `/proc`. It has this length on every platform that Node runs on (man 5 proc, USER_HZ). */
const TICK_MS = 10;
/** Short, because nothing else runs meanwhile, and because the next watch could be killed while it waits. */
const KILL_AFTER_MS = 1_000;
const POLL_MS = 50;

/** Returns when a process started, or undefined if it does not run or is not known. */
function processStart(pid: number): Promise<number | undefined> {
  return process.platform === "linux" ? startByProc(pid) : startByPs(pid);
}

/** Images of containers often have no `ps`, and that of BusyBox does not know when a process started. */
async function startByProc(pid: number): Promise<number | undefined> {
  try {
    const [stat, system] = await Promise.all([
      readFile(`/proc/${pid}/stat`, "latin1"),
      readFile("/proc/stat", "latin1"),
    ]);
    // The second field is a name in parentheses, which can contain anything. Field 22 is the start in ticks.
    const ticks = Number(stat.slice(stat.lastIndexOf(")")).split(" ")[20]);
    const time = Number(/^btime (\d+)$/m.exec(system)?.[1]) * 1_000 + ticks * TICK_MS;
    return Number.isNaN(time) ? undefined : time;
  } catch {
    return undefined;
  }
}

function startByPs(pid: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const options = { env: { ...process.env, LC_ALL: "C" } };
    execFile("ps", ["-o", "lstart=", "-p", String(pid)], options, (error, stdout) => {
      const time = error ? Number.NaN : Date.parse(stdout.trim());
      resolve(Number.isNaN(time) ? undefined : time);
    });
  });
}

/**
 * Returns whether another process runs since before a time, or since an unknown one. This process is never
 * meant: in a container that was restarted, it can have the id of its predecessor.
 */
export async function isOlderThan(pid: number, timeMs: number): Promise<boolean> {
  if (pid === process.pid) return false;
  const start = await processStart(pid);
  return start === undefined || start <= timeMs + TOLERANCE_MS;
}

/** Ends what a killed watch has left behind: the items run again, and must not run twice at the same time. */
export async function endLeftCommands(commands: readonly StartedCommand[]): Promise<void> {
  await Promise.all(commands.map(endLeftCommand));
}

async function endLeftCommand({ pid, startedAt }: StartedCommand): Promise<void> {
  const start = isAlive(pid) ? await processStart(pid) : undefined;
  // Another process may have the id of the command by now.
  if (start === undefined || Math.abs(start - startedAt) > TOLERANCE_MS) return;
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    signalGroup(pid, signal);
    const deadline = monotonicMs() + KILL_AFTER_MS;
    while (isAlive(pid) && monotonicMs() < deadline) await sleep(POLL_MS);
  }
}

/** Signals a command and everything that it has started. Windows has no process groups. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended.
  }
}
