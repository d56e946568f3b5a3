/**
 * Reads the CPU time and memory of a process, including all its threads, from /proc. It works only on Linux.
 */
import { readdirSync, readFileSync } from "node:fs";

/** Milliseconds per tick of `utime` and `stime`. USER_HZ is 100 on every Linux that Node supports. */
const TICK_MS = 10;

export interface Cpu {
  /** CPU time of all threads so far in milliseconds. */
  all: number;
  /** CPU time of the main thread so far in milliseconds. */
  main: number;
}

/** Returns the CPU time of a process; undefined if the system does not report it. */
export function cpuOf(pid: number): Cpu | undefined {
  try {
    return { all: timeIn(`/proc/${pid}/stat`), main: timeIn(`/proc/${pid}/task/${pid}/stat`) };
  } catch {
    return undefined;
  }
}

/** Returns the total CPU time of several processes. */
export function cpuOfAll(pids: readonly number[]): Cpu | undefined {
  const sum: Cpu = { all: 0, main: 0 };
  for (const cpu of pids.map(cpuOf)) {
    if (!cpu) return undefined;
    sum.all += cpu.all;
    sum.main += cpu.main;
  }
  return sum;
}

/** Returns the CPU time in milliseconds of a process and its children, including those that have exited. */
export function cpuOfFamily(pid: number): number | undefined {
  try {
    const children = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && parentOf(name) === pid);
    const own = statOf(`/proc/${pid}/stat`);
    return children.reduce((sum, child) => sum + cpuOf(Number(child))!.all, ticks(own, 11, 12, 13, 14));
  } catch {
    return undefined;
  }
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(statOf(`/proc/${pid}/stat`)[1]);
  } catch {
    return undefined;
  }
}

function timeIn(file: string): number {
  return ticks(statOf(file), 11, 12);
}

/**
 * Returns the fields of a `stat` file from the third one on. The second is the program's name, which may
 * contain spaces.
 */
function statOf(file: string): string[] {
  const stat = readFileSync(file, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function ticks(stat: readonly string[], ...fields: number[]): number {
  return fields.reduce((sum, field) => sum + Number(stat[field]), 0) * TICK_MS;
}

/** Returns the current memory of a process in bytes; undefined if the system does not report it. */
export function memoryOf(pid: number): number | undefined {
  try {
    // Excludes memory-mapped pages of the database, because they belong to the page cache, which the system
    // can free.
    const kilobytes = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1_024;
  } catch {
    return undefined;
  }
}
