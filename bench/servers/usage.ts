/** What a process has used, all of its threads included; from /proc, so on Linux alone. */
import { readdirSync, readFileSync } from "node:fs";

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

/** Of several processes together. */
export function cpuOfAll(pids: readonly number[]): Cpu | undefined {
  const sum: Cpu = { all: 0, main: 0 };
  for (const cpu of pids.map(cpuOf)) {
    if (!cpu) return undefined;
    sum.all += cpu.all;
    sum.main += cpu.main;
  }
  return sum;
}

/** Milliseconds of CPU that a process and its children have used so far, also those that have ended. */
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

/** The fields from the third one on. The second is the program's name in parentheses, which may hold spaces. */
function statOf(file: string): string[] {
  const stat = readFileSync(file, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function ticks(stat: readonly string[], ...fields: number[]): number {
  return fields.reduce((sum, field) => sum + Number(stat[field]), 0) * TICK_MS;
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
