import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { TemporaryFolder } from "./temporary-folder.js";

/**
 * Returns environment variables for a process whose wall clock is wrong. Its monotonic clock stays correct.
 *
 * @param milliseconds offset of the clock; negative if the clock is behind
 */
export function skewedClockEnv(milliseconds: number): Record<string, string> {
  const script = `
    const real = Date.now;
    Date.now = () => real() + ${milliseconds};
    const construct = (target, given, made) => Reflect.construct(target, given.length ? given : [target.now()], made);
    globalThis.Date = new Proxy(Date, { construct });`;
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(script)}` };
}

/**
 * Returns environment variables for a process whose wall clock can be moved while it runs. Its monotonic
 * clock stays correct.
 *
 * @param file contains the offset in milliseconds; the process reads it every 10 ms
 */
export function adjustableClockEnv(file: string): Record<string, string> {
  const script = `
    import { readFileSync } from "node:fs";
    const real = Date.now;
    let offset = 0;
    const read = () => { offset = Number(readFileSync(${JSON.stringify(file)}, "utf8")) };
    read();
    setInterval(read, 10).unref();
    Date.now = () => real() + offset;
    const construct = (target, given, made) => Reflect.construct(target, given.length ? given : [target.now()], made);
    globalThis.Date = new Proxy(Date, { construct });`;
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(script)}` };
}

/**
 * Returns environment variables that speed up a process's monotonic clock and timers, also those of Node's
 * HTTP servers, so that tests need not wait long. Its wall clock stays correct.
 */
export function fastClockEnv(factor: number): Record<string, string> {
  const script = `
    const real = process.hrtime.bigint;
    const start = real();
    process.hrtime.bigint = () => start + (real() - start) * ${factor}n;
    for (const name of ["setTimeout", "setInterval"]) {
      const start = globalThis[name];
      globalThis[name] = (callback, ms, ...args) => start(callback, ms / ${factor}, ...args);
    }
    import http from "node:http";
    import { syncBuiltinESMExports } from "node:module";
    const { createServer } = http;
    http.createServer = (options, ...rest) => {
      const limits = Object.entries(options).filter(([name]) => /Timeout$|Interval$/.test(name));
      const faster = limits.map(([name, ms]) => [name, Math.round(ms / ${factor})]);
      return createServer({ ...options, ...Object.fromEntries(faster) }, ...rest);
    };
    syncBuiltinESMExports();`;
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(script)}` };
}

/** A wall clock that a test can set while a process runs. */
export class SettableClock {
  private readonly file = join(new TemporaryFolder("wireroom-clock-").path, "offset");

  constructor() {
    this.set(0);
  }

  /** The environment of a process that uses this clock. */
  get env(): Record<string, string> {
    return adjustableClockEnv(this.file);
  }

  /** Sets the clock to the real time plus an offset. */
  set(offsetMs: number): void {
    writeFileSync(this.file, String(offsetMs));
  }
}
