/** Two servers under the same load, in turns: A B, B A, A B … Each round gives a ratio, and the median of those counts. */
import type { PlannedRequest, RequestLoad, Sample } from "../load/requests.js";
import type { Server } from "../servers/process.js";
import type { Lab } from "./lab.js";
import type { Figures, Finding, Report, Target } from "./report.js";
import { median } from "./statistics.js";

export interface Contender {
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
  subject: Contender;
  baseline: Contender;
  connections?: number;
  targets: Partial<Record<Measure, Target>>;
}

export async function compare(lab: Lab, comparison: Comparison): Promise<Report> {
  const { title, subject, baseline, connections = 64, targets } = comparison;
  for (const side of [subject, baseline]) await warmUp(lab, side, connections);
  const samples: [Sample, Sample][] = [];
  for (let round = 0; round < lab.settings.rounds; round++) {
    const sides = round % 2 === 0 ? [subject, baseline] : [baseline, subject];
    const taken = new Map<Contender, Sample>();
    for (const side of sides) taken.set(side, await sample(lab, side, connections));
    samples.push([taken.get(subject)!, taken.get(baseline)!]);
  }
  const findings = (Object.keys(MEASURES) as Measure[]).map((measure) =>
    ratio(measure, samples, targets[measure]),
  );
  const figures = [subject, baseline].map(({ name }, side) =>
    figuresOf(
      name,
      samples.map((pair) => pair[side]!),
    ),
  );
  return { title, findings, figures };
}

/** What the load process is told of a server. */
export function loadOf(server: Server): Pick<RequestLoad, "servers" | "database"> {
  const { database, beside = [] } = server;
  return { servers: [server, ...beside].map(({ url, pid }) => ({ url, pid })), database };
}

/** Seconds of load that are not counted: code is compiled and caches are filled meanwhile. */
const WARM_UP = 2;

export async function warmUp(lab: Lab, { server, requests }: Contender, connections: number): Promise<void> {
  const seconds = Math.min(WARM_UP, 2 * lab.settings.seconds);
  const load = { ...loadOf(server), requests, connections, seconds };
  await lab.generator.run({ task: "requests", ...load });
}

/** One measurement. Throws where the server did not answer everything with 2xx: it would have measured something else. */
export async function sample(
  lab: Lab,
  { name, server, requests }: Contender,
  connections: number,
): Promise<Sample> {
  const { seconds } = lab.settings;
  const load = { ...loadOf(server), requests, connections, seconds };
  const taken = await lab.generator.run({ task: "requests", ...load });
  if (taken.failures > 0) throw new Error(`${name}: ${taken.failures} of ${taken.requests} requests failed`);
  return taken;
}

function ratio(measure: Measure, samples: readonly [Sample, Sample][], target: Target | undefined): Finding {
  const ratios = samples.map(([a, b]) => (a[measure] ?? Number.NaN) / (b[measure] ?? Number.NaN));
  return finding(MEASURES[measure], "×", ratios, target);
}

/** A finding of several rounds. */
export function finding(what: string, unit: string, values: readonly number[], target?: Target): Finding {
  const [value, low, high] = [median(values), Math.min(...values), Math.max(...values)];
  return { what, value, low, high, unit, ...(target && { target }) };
}

export function figuresOf(name: string, samples: readonly Sample[]): Figures {
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
