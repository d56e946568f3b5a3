/** Reports the results of a row, as a table on the screen and as JSON in a file. */
import { mkdir, writeFile } from "node:fs/promises";
import { arch, cpus, platform, release, totalmem } from "node:os";
import { join } from "node:path";
import { isoTime, now } from "../../src/kernel/clock.js";
import { PATHS } from "../paths.js";

export interface Target {
  atLeast?: number;
  atMost?: number;
}

export interface Metric {
  what: string;
  /** Median of the rounds; `min` and `max` are the extremes. */
  value: number;
  low: number;
  high: number;
  /** Unit of the values; `×` for a ratio to the baseline. */
  unit: string;
  target?: Target;
}

/** The medians of one side of a comparison. */
export interface SampleSummary {
  name: string;
  /** Requests per second. */
  throughput?: number;
  /** CPU time of the server per request in microseconds. */
  cpu?: number | undefined;
  /** CPU time of the server's main thread per request in microseconds. */
  main?: number | undefined;
  /** CPU time of the database server per request in microseconds; NaN if there is none. */
  database?: number;
  /** Latencies in milliseconds. */
  p50?: number;
  p99?: number;
  p999?: number;
  /** p99 of the milliseconds by which the load process was late; it is part of the latencies. */
  late?: number;
  /** CPU use of the load process as a fraction of one processor. */
  generator?: number;
}

export interface Report {
  title: string;
  findings: Metric[];
  figures: SampleSummary[];
  /** Lines of a table. */
  table?: string[];
  /** The reason for missing results, or a remark about them. */
  note?: string;
}

export function meetsTarget({ value, target = {} }: Metric): boolean {
  return (
    value >= (target.atLeast ?? Number.NEGATIVE_INFINITY) &&
    value <= (target.atMost ?? Number.POSITIVE_INFINITY)
  );
}

/** Returns the lines of the printed report. */
export function formatReport({ title, findings, figures, table = [], note }: Report): string[] {
  return [
    "",
    title,
    ...findings.map((finding) => `  ${metricLine(finding)}`),
    ...figures.map((side) => `      ${summaryLine(side)}`),
    ...table.map((line) => `  ${line}`),
    ...(note ? [`  ${note}`] : []),
  ];
}

function metricLine(finding: Metric): string {
  const { what, value, low, high, unit, target } = finding;
  const figure = `${brief(value)}${unit === "×" ? "×" : ` ${unit}`} (${brief(low)} to ${brief(high)})`;
  if (!target) return `${what.padEnd(28)} ${figure}`;
  const bound = target.atLeast === undefined ? `≤ ${target.atMost}` : `≥ ${target.atLeast}`;
  return `${what.padEnd(28)} ${figure.padEnd(30)} ${bound.padEnd(8)} ${meetsTarget(finding) ? "reached" : "NOT REACHED"}`;
}

function summaryLine(figures: SampleSummary): string {
  const { name, throughput, cpu, main, database = Number.NaN, p50, p99, p999, late, generator } = figures;
  const parts = [
    throughput === undefined ? "" : `${brief(throughput)}/s`,
    cpu === undefined ? "" : `${brief(cpu)} CPU-µs${main === undefined ? "" : ` (main ${brief(main)})`}`,
    Number.isNaN(database) ? "" : `database ${brief(database)} CPU-µs`,
    p50 === undefined ? "" : `p50 ${brief(p50)} ms`,
    p99 === undefined ? "" : `p99 ${brief(p99)} ms`,
    p999 === undefined ? "" : `p99.9 ${brief(p999)} ms`,
    late === undefined ? "" : `late ${brief(late)} ms`,
    generator === undefined ? "" : `load ${Math.round(generator * 100)} %`,
  ];
  return `${name.padEnd(24)} ${parts.filter((part) => part !== "").join("  ")}`;
}

export function brief(value: number): string {
  if (!Number.isFinite(value)) return "?";
  return Math.abs(value) >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}

/** Writes the reports and a description of the machine to a file. Returns its path. */
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
