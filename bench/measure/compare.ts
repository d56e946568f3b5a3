/**
 * Compares two servers under the same load, which they get alternately: A B, B A, A B. Each round yields a
 * ratio. The result is the median of the ratios.
 */
import type { PlannedRequest, RequestLoad, Sample } from "../load/requests.js";
import type { Server } from "../servers/process.js";
import type { BenchEnvironment } from "./environment.js";
import type { Metric, Report, SampleSummary, Target } from "./report.js";
import { median } from "./statistics.js";

export interface Variant {
  name: string;
  server: Server;
  requests: PlannedRequest[];
}

export type Measure = "throughput" | "cpu" | "p50" | "p99";

const MEASURES: Record<Measure, string> = {
  throughput: "throughput",
  cpu: "server CPU a request",
  p50: "p50",
  p99: "p99",
};

export interface Comparison {
  title: string;
  subject: Variant;
  baseline: Variant;
  connections?: number;
  targets: Partial<Record<Measure, Target>>;
}

export async function compare(bench: BenchEnvironment, comparison: Comparison): Promise<Report> {
  const { title, subject, baseline, connections = 64, targets } = comparison;
  for (const side of [subject, baseline]) await warmUp(bench, side, connections);
  const samples: [Sample, Sample][] = [];
  for (let round = 0; round < bench.settings.rounds; round++) {
    const sides = round % 2 === 0 ? [subject, baseline] : [baseline, subject];
    const taken = new Map<Variant, Sample>();
    for (const side of sides) taken.set(side, await sample(bench, side, connections));
    samples.push([taken.get(subject)!, taken.get(baseline)!]);
  }
  const findings = (Object.keys(MEASURES) as Measure[]).map((measure) =>
    ratio(measure, samples, targets[measure]),
  );
  const figures = [subject, baseline].map(({ name }, side) =>
    summarize(
      name,
      samples.map((pair) => pair[side]!),
    ),
  );
  return { title, findings, figures };
}

/** Returns the properties of a server that the load process needs. */
export function loadOf(server: Server): Pick<RequestLoad, "servers" | "database"> {
  const { database, beside = [] } = server;
  return { servers: [server, ...beside].map(({ url, pid }) => ({ url, pid })), database };
}

/** Seconds of load before a measurement, in which code is compiled and caches are filled. */
const WARM_UP = 2;

export async function warmUp(
  bench: BenchEnvironment,
  { server, requests }: Variant,
  connections: number,
): Promise<void> {
  const seconds = Math.min(WARM_UP, 2 * bench.settings.seconds);
  const load = { ...loadOf(server), requests, connections, seconds };
  await bench.generator.run({ task: "requests", ...load });
}

/** Runs one measurement. Throws if any response was not 2xx, because the figures would be meaningless. */
export async function sample(
  bench: BenchEnvironment,
  { name, server, requests }: Variant,
  connections: number,
): Promise<Sample> {
  const { seconds } = bench.settings;
  const load = { ...loadOf(server), requests, connections, seconds };
  const taken = await bench.generator.run({ task: "requests", ...load });
  if (taken.failures > 0) throw new Error(`${name}: ${taken.failures} of ${taken.requests} requests failed`);
  return taken;
}

function ratio(measure: Measure, samples: readonly [Sample, Sample][], target: Target | undefined): Metric {
  const ratios = samples.map(([a, b]) => (a[measure] ?? Number.NaN) / (b[measure] ?? Number.NaN));
  return medianMetric(MEASURES[measure], "×", ratios, target);
}

/** Returns the metric of several rounds: the median, the minimum and the maximum. */
export function medianMetric(what: string, unit: string, values: readonly number[], target?: Target): Metric {
  const [value, low, high] = [median(values), Math.min(...values), Math.max(...values)];
  return { what, value, low, high, unit, ...(target && { target }) };
}

export function summarize(name: string, samples: readonly Sample[]): SampleSummary {
  const middle = (measure: Measure | "main" | "database" | "generator") =>
    median(samples.map((one) => one[measure] ?? Number.NaN));
  return {
    name,
    throughput: middle("throughput"),
    cpu: middle("cpu"),
    main: middle("main"),
    database: middle("database"),
    p50: middle("p50"),
    p99: middle("p99"),
    generator: middle("generator"),
  };
}
