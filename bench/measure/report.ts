/** What a row found, as a table on the screen and as JSON in a file. */
import { mkdir, writeFile } from "node:fs/promises";
import { arch, cpus, platform, release, totalmem } from "node:os";
import { join } from "node:path";
import { isoTime, now } from "../../src/kernel/clock.js";
import { PATHS } from "../paths.js";

export interface Target {
  atLeast?: number;
  atMost?: number;
}

export interface Finding {
  what: string;
  /** Median of the rounds, the least and the greatest. */
  value: number;
  low: number;
  high: number;
  /** `×` for a ratio to the baseline. */
  unit: string;
  target?: Target;
}

/** Medians of one side of a comparison. */
export interface Figures {
  name: string;
  /** Requests a second. */
  throughput?: number;
  /** Microseconds of the server's CPU a request. */
  cpu?: number | undefined;
  /** Of these, those of its main thread. */
  main?: number | undefined;
  /** Microseconds of the database server's CPU a request; not a number where there is none. */
  database?: number;
  /** Milliseconds. */
  p50?: number;
  p99?: number;
  /** Share of a processor that the load took. */
  generator?: number;
}

export interface Report {
  title: string;
  findings: Finding[];
  figures: Figures[];
  /** Why there are no findings, or what to know of them. */
  note?: string;
}

export function isReached({ value, target = {} }: Finding): boolean {
  return (
    value >= (target.atLeast ?? Number.NEGATIVE_INFINITY) &&
    value <= (target.atMost ?? Number.POSITIVE_INFINITY)
  );
}

/** The lines of a report. */
export function lines({ title, findings, figures, note }: Report): string[] {
  return [
    "",
    title,
    ...findings.map((finding) => `  ${findingLine(finding)}`),
    ...figures.map((side) => `      ${figuresLine(side)}`),
    ...(note ? [`  ${note}`] : []),
  ];
}

function findingLine(finding: Finding): string {
  const { what, value, low, high, unit, target } = finding;
  const figure = `${brief(value)}${unit === "×" ? "×" : ` ${unit}`} (${brief(low)} to ${brief(high)})`;
  if (!target) return `${what.padEnd(28)} ${figure}`;
  const bound = target.atLeast === undefined ? `≤ ${target.atMost}` : `≥ ${target.atLeast}`;
  return `${what.padEnd(28)} ${figure.padEnd(30)} ${bound.padEnd(8)} ${isReached(finding) ? "reached" : "NOT REACHED"}`;
}

function figuresLine(figures: Figures): string {
  const { name, throughput, cpu, main, database = Number.NaN, p50, p99, generator } = figures;
  const parts = [
    throughput === undefined ? "" : `${brief(throughput)}/s`,
    cpu === undefined ? "" : `${brief(cpu)} CPU-µs${main === undefined ? "" : ` (main ${brief(main)})`}`,
    Number.isNaN(database) ? "" : `database ${brief(database)} CPU-µs`,
    p50 === undefined ? "" : `p50 ${brief(p50)} ms`,
    p99 === undefined ? "" : `p99 ${brief(p99)} ms`,
    generator === undefined ? "" : `load ${Math.round(generator * 100)} %`,
  ];
  return `${name.padEnd(24)} ${parts.filter((part) => part !== "").join("  ")}`;
}

function brief(value: number): string {
  if (!Number.isFinite(value)) return "?";
  return Math.abs(value) >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}

/** Writes the reports beside the machine that they were found on; gives the file. */
export async function writeReports(reports: Record<string, Report[]>): Promise<string> {
  await mkdir(PATHS.results, { recursive: true });
  const at = isoTime(now());
  const file = join(PATHS.results, `${at.replaceAll(":", "-")}.json`);
  const machine = {
    node: process.version,
    system: `${platform()} ${release()} ${arch()}`,
    processors: cpus().map(({ model }) => model),
    memory: totalmem(),
  };
  await writeFile(file, `${JSON.stringify({ at, machine, rows: reports }, null, 2)}\n`);
  return file;
}
