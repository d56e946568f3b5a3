/** What a process has used, all of its threads included; from /proc, so on Linux alone. */
import { readFileSync } from "node:fs";

/** Ticks of `utime` and `stime` a second: USER_HZ, 100 on every Linux that Node runs on. */
const TICK_MS = 10;

/** Milliseconds of CPU so far; undefined where the system does not tell. */
export function cpuOf(pid: number): number | undefined {
  try {
    // The second field is the program's name in parentheses, which may hold spaces.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return undefined;
  }
}

/** Bytes of memory that it holds at present; undefined where the system does not tell. */
export function memoryOf(pid: number): number | undefined {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1_024;
  } catch {
    return undefined;
  }
}
