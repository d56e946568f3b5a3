/**
 * Posts for a long time (`--minutes`), with arrivals by the clock, at half of the peak or at `--rate`. After
 * a warm-up, neither memory nor the p99 may grow. With `--retain`, as many old wires expire meanwhile as new
 * ones arrive, so that the file does not grow either.
 */
import { join } from "node:path";
import { DAY, now, SECOND } from "../../src/kernel/clock.js";
import { generate } from "../data/seed.js";
import type { Slice } from "../load/open.js";
import type { PlannedRequest } from "../load/requests.js";
import type { BenchEnvironment } from "../measure/environment.js";
import { brief, type Metric, type Report, type Target } from "../measure/report.js";
import { median, slope } from "../measure/statistics.js";
import { type Point, watch } from "../measure/watch.js";
import { startDaemon } from "../servers/daemon.js";
import type { Server } from "../servers/process.js";
import { addressOf, dmsExceptTo, OPEN_CONNECTIONS, peakOf, summarizeOpen } from "./open-loop.js";
import { quotes } from "./requests.js";
import type { Row } from "./row.js";

const DEFAULT_MINUTES = 10;
const SHARE = 0.5;
const SLICE_MS = 10_000;
/**
 * Memory growth in MiB per minute that is tolerated, because garbage collection makes the measurement vary.
 */
const NOISE = 1;
/**
 * Ratio of the p99 at the end to that at the beginning that is tolerated, because of other load on the
 * machine.
 */
const P99_NOISE = 1.5;
/** Wires are deleted within the hour after they were hidden. */
const LONGEST_LAG_SECONDS = 3_600;
/**
 * Minimum number of wires that a slow machine generates per second, and the time in which it starts the
 * daemon.
 */
const SLOW_SEEDING = 16_000;
const START_MS = 20 * SECOND;
/** Number of parts of the run in the table. */
const PARTS = 11;

async function run(bench: BenchEnvironment): Promise<Report[]> {
  const { minutes = DEFAULT_MINUTES, retain } = bench.settings;
  const requests = mixed();
  const rate = bench.settings.rate ?? (await halfOfPeak(bench, requests));
  const server =
    retain === undefined
      ? await bench.daemon(10_000)
      : await daemonWithExpiringWires(bench, { days: retain, wires: rate * 60 * minutes, rate });
  const stopWatch = watch(server, (point) => bench.settings.say(lineOf(point)));
  const { phases, slices } = await bench.generator.run({
    task: "open",
    server: addressOf(server),
    requests,
    phases: [{ rate, seconds: minutes * 60 }],
    connections: OPEN_CONNECTIONS,
    sliceMs: SLICE_MS,
  });
  const points = await stopWatch();
  const [load] = phases;
  return [
    {
      title: `${minutes} minutes at ${rate} posts a second by the clock${
        retain === undefined ? "" : `, --retain ${retain}`
      }`,
      findings: [
        ...findingsOf(
          points.filter((point) => point.minutes >= minutes / 5),
          rate,
        ),
        rangeOf(
          "p99 of 10 s",
          "ms",
          slices.map(({ p99 }) => p99),
        ),
        single("p99, last fifth to second", "×", growthOfP99(slices), { atMost: P99_NOISE }),
        single("refused or failed", "", load!.refused + load!.failed, { atMost: 0 }),
      ],
      figures: [summarizeOpen("Wireroom", [load!])],
      table: tableOf(minutes, points, slices),
    },
  ];
}

/** Returns posts that go alternately to handles and to spaces. */
function mixed(): PlannedRequest[] {
  const toSpaces = quotes();
  return dmsExceptTo().flatMap((dm, n) => [dm, toSpaces[n % toSpaces.length]!]);
}

async function halfOfPeak(bench: BenchEnvironment, requests: PlannedRequest[]): Promise<number> {
  const server = await bench.daemon(10_000);
  const peak = await peakOf(bench, server, requests);
  await server.stop();
  return Math.round(peak * SHARE);
}

/**
 * Starts a daemon whose wires begin to expire when it is ready, and then expire as fast as new ones arrive.
 */
async function daemonWithExpiringWires(
  bench: BenchEnvironment,
  { days, wires, rate }: { days: number; wires: number; rate: number },
): Promise<Server> {
  const file = join(await bench.folder(), "expiring.db");
  const firstExpiresAt = Math.round(now() + (wires / SLOW_SEEDING) * SECOND + START_MS);
  const times = { fromMs: firstExpiresAt - days * DAY, stepMs: SECOND / rate };
  await generate(file, { wires, times }, bench.settings.say);
  const server = await startDaemon(file, { args: ["--retain", String(days)], movesDatabase: true });
  bench.atEnd(() => server.stop());
  await new Promise((resolve) => setTimeout(resolve, firstExpiresAt - now()));
  return server;
}

/** @param settled the samples after the warm-up */
function findingsOf(settled: readonly Point[], rate: number): Metric[] {
  const [first, last] = [settled[0]!, settled.at(-1)!];
  const posts = rate * 60 * (last.minutes - first.minutes);
  const memory = settled.map((point) => point.memory);
  return [
    single("memory, growth a minute", "MiB", slope(settled.map((point) => [point.minutes, point.memory])), {
      atMost: NOISE,
    }),
    { ...rangeOf("memory at the end", "MiB", memory), value: last.memory },
    single("file, growth a post", "bytes", ((last.file - first.file) * 1_024 ** 2) / posts),
    {
      ...rangeOf(
        "file at the end",
        "MiB",
        settled.map(({ file }) => file),
      ),
      value: last.file,
    },
    single("deleted wires per post", "", (last.deleted - first.deleted) / posts),
    single("lag of retention, highest", "s", Math.max(...settled.map(({ lag }) => lag)), {
      atMost: LONGEST_LAG_SECONDS,
    }),
  ];
}

/** Returns the ratio of the p99 in the last fifth to that in the second fifth. The first fifth warms up. */
function growthOfP99(slices: readonly Slice[]): number {
  const fifth = Math.max(1, Math.floor(slices.length / 5));
  const p99 = (part: readonly Slice[]) => median(part.map((slice) => slice.p99));
  return p99(slices.slice(-fifth)) / p99(slices.slice(fifth, 2 * fifth));
}

/** Returns a line for each part of the run. Latencies are medians of its slices. */
function tableOf(minutes: number, points: readonly Point[], slices: readonly Slice[]): string[] {
  const lines = Array.from({ length: PARTS }, (_, n) => {
    const [from, to] = [(n * minutes) / PARTS, ((n + 1) * minutes) / PARTS];
    const within = points.filter((point) => point.minutes >= from && point.minutes < to);
    const latencies = slices.filter(({ at }) => at / 60 >= from && at / 60 < to);
    const middle = (key: keyof Slice) => median(latencies.map((slice) => slice[key]));
    const last = within.at(-1);
    return [
      to,
      last?.memory,
      last?.file,
      last?.deleted,
      Math.max(...within.map(({ lag }) => lag)),
      middle("p50"),
      middle("p99"),
      Math.max(...latencies.map(({ max }) => max)),
    ].map((value) => brief(value ?? Number.NaN));
  });
  const heads = ["minutes", "memory", "file", "deleted", "lag", "p50", "p99", "max"];
  return [heads, ...lines].map((cells) => cells.map((cell) => cell.padStart(9)).join(""));
}

/** Returns a sample as one line, so that a run that ends early has shown some results. */
function lineOf({ minutes, memory, file, deleted, lag }: Point): string {
  return `${brief(minutes)} min: memory ${brief(memory)} MiB, file ${brief(file)} MiB, ${deleted} deleted, lag ${brief(lag)} s`;
}

function single(what: string, unit: string, value: number, target?: Target): Metric {
  return { what, value, low: value, high: value, unit, ...(target && { target }) };
}

function rangeOf(what: string, unit: string, values: readonly number[]): Metric {
  return { what, value: median(values), low: Math.min(...values), high: Math.max(...values), unit };
}

export const soakRows: Row[] = [{ name: "soak", run, onlyByName: true }];
