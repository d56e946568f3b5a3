/**
 * Tells whether the process with a lock's process id has acquired the lock, or is a later process with the
 * same id.
 */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";

/** Tolerance for start times, because systems report whole seconds or derive the time from the boot time. */
const TOLERANCE_MS = 5_000;
/** Length of a clock tick in `/proc`, the same on all platforms of Node (man 5 proc, USER_HZ). */
const TICK_MS = 10;

/**
 * Reads the start time from `/proc`, because many container images have no `ps`, and BusyBox's `ps` does not
 * show start times.
 */
async function startByProc(pid: number): Promise<number | undefined> {
  try {
    const [stat, system] = await Promise.all([
      readFile(`/proc/${pid}/stat`, "latin1"),
      readFile("/proc/stat", "latin1"),
    ]);
    // Skip the second field, a name in parentheses that may contain anything. Field 22 is the start time in
    // ticks.
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
 * Returns whether a process started before `timeMs`, or its start time is unknown. Returns false for this
 * process's own id, because a restarted container may use the same process id again.
 */
export async function isOlderThan(pid: number, timeMs: number): Promise<boolean> {
  if (pid === process.pid) return false;
  const start = await (process.platform === "linux" ? startByProc(pid) : startByPs(pid));
  return start === undefined || start <= timeMs + TOLERANCE_MS;
}
