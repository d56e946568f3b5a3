/**
 * Runs at half of the peak for a long time (`--minutes`), with arrivals by the clock. After a warm-up, neither memory nor the p99 may
 * grow. With `--retain`, the daemon deletes old wires meanwhile, so that the file stops growing too.
 */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Slice } from "../load/open.js";
import type { BenchEnvironment } from "../measure/environment.js";
import type { Metric, Report, Target } from "../measure/report.js";
import { median, slope } from "../measure/statistics.js";
import { memoryOf } from "../servers/usage.js";
import { addressOf, dmsExceptTo, OPEN_CONNECTIONS, peakOf, summarizeOpen } from "./open-loop.js";
import type { Row } from "./row.js";

const DEFAULT_MINUTES = 10;
const SHARE = 0.5;
const MINUTE = 60;
const MIB = 1_024 * 1_024;
const EVERY_MS = 2_000;
const SLICE_MS = 10_000;
/** Memory growth in MiB per minute that is tolerated, because garbage collection makes the measurement vary. */
const NOISE = 1;
/** Ratio of the p99 at the end to that at the beginning that is tolerated, because of other load on the machine. */
const P99_NOISE = 1.5;

interface Point {
  minutes: number;
  memory: number;
  file: number;
}

async function run(bench: BenchEnvironment): Promise<Report[]> {
  const { minutes = DEFAULT_MINUTES, retain } = bench.settings;
  const args = retain === undefined ? [] : ["--retain", String(retain)];
  const server = await bench.daemon(10_000, { args });
  const requests = dmsExceptTo();
  const peak = await peakOf(bench, server, requests);
  const rate = Math.round(peak * SHARE);
  const points: Point[] = [];
  const started = performance.now();
  const watch = setInterval(() => {
    points.push({
      minutes: (performance.now() - started) / 1_000 / MINUTE,
      memory: (memoryOf(server.pid) ?? Number.NaN) / MIB,
      file: sizeOf(server.folder!) / MIB,
    });
  }, EVERY_MS);
  const { phases, slices } = await bench.generator.run({
    task: "open",
    server: addressOf(server),
    requests,
    phases: [{ rate, seconds: minutes * MINUTE }],
    connections: OPEN_CONNECTIONS,
    sliceMs: SLICE_MS,
  });
  clearInterval(watch);
  const [load] = phases;
  const settled = points.filter((point) => point.minutes >= minutes / 5);
  const [first, last] = [settled[0]!, settled.at(-1)!];
  const posts = rate * MINUTE * (last.minutes - first.minutes);
  return [
    {
      title: `${minutes} minutes at ${rate} posts a second by the clock, half of the peak${
        retain === undefined ? "" : `, --retain ${retain}`
      }`,
      findings: [
        single(
          "memory, growth a minute",
          "MiB",
          slope(settled.map((point) => [point.minutes, point.memory])),
          {
            atMost: NOISE,
          },
        ),
        {
          ...single("memory at the end", "MiB", last.memory),
          ...rangeOf(settled.map(({ memory }) => memory)),
        },
        single("file, growth a post", "bytes", ((last.file - first.file) * MIB) / posts),
        { ...single("file at the end", "MiB", last.file), ...rangeOf(settled.map(({ file }) => file)) },
        single("p99, last fifth to first", "×", growthOfP99(slices), { atMost: P99_NOISE }),
        single("refused or failed", "", load!.refused + load!.failed, { atMost: 0 }),
      ],
      figures: [summarizeOpen("Wireroom", [load!])],
    },
  ];
}

/** Returns the ratio of the p99 in the last fifth to that in the second fifth. The first fifth warms up. */
function growthOfP99(slices: readonly Slice[]): number {
  const fifth = Math.max(1, Math.floor(slices.length / 5));
  const p99 = (part: readonly Slice[]) => median(part.map((slice) => slice.p99));
  return p99(slices.slice(-fifth)) / p99(slices.slice(fifth, 2 * fifth));
}

function single(what: string, unit: string, value: number, target?: Target): Metric {
  return { what, value, low: value, high: value, unit, ...(target && { target }) };
}

function rangeOf(values: readonly number[]): { low: number; high: number } {
  return { low: Math.min(...values), high: Math.max(...values) };
}

/** Returns the size of the database with its WAL. */
function sizeOf(folder: string): number {
  const files = readdirSync(folder).filter((name) => name.startsWith("wireroom.db"));
  return files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

export const soakRows: Row[] = [{ name: "soak", run, onlyByName: true }];
