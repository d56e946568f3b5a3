/** What a process has used, all of its threads included; from /proc, so on Linux alone. */
import { readFileSync } from "node:fs";

/** Ticks of `utime` and `stime` a second: USER_HZ, 100 on every Linux that Node runs on. */
const TICK_MS = 10;

export interface Cpu {
  /** Milliseconds of CPU so far, of all threads. */
  all: number;
  /** Of these, those of the main thread. */
  main: number;
}

/** Undefined where the system does not tell. */
export function cpuOf(pid: number): Cpu | undefined {
  try {
    return { all: timeIn(`/proc/${pid}/stat`), main: timeIn(`/proc/${pid}/task/${pid}/stat`) };
  } catch {
    return undefined;
  }
}

function timeIn(file: string): number {
  const stat = readFileSync(file, "utf8");
  // The second field is the program's name in parentheses, which may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Bytes of memory that it holds at present; undefined where the system does not tell. */
export function memoryOf(pid: number): number | undefined {
  try {
    // Without the pages of the database that are mapped: they are the system's cache, and go when they are needed elsewhere.
    const kilobytes = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1_024;
  } catch {
    return undefined;
  }
}
