/**
 * Functions that the rows with open-loop load share: for the highest load of a server, and for the summary of
 * a sample.
 */
import type { OpenSample, Phase } from "../load/open.js";
import type { PlannedRequest } from "../load/requests.js";
import type { BenchEnvironment } from "../measure/environment.js";
import type { SampleSummary } from "../measure/report.js";
import { median } from "../measure/statistics.js";
import type { Server } from "../servers/process.js";
import { dms, post } from "./requests.js";

/** Connections of an open-loop load: more than any load below the peak uses at a time. */
export const OPEN_CONNECTIONS = 2_000;
/** Connections of the closed loop that finds the peak, as in the other rows. */
const PEAK_CONNECTIONS = 64;
const PEAK_SECONDS = 2;

/** Returns posts of DMs, except to these agents. */
export function dmsExceptTo(slugs: ReadonlySet<string> = new Set()): PlannedRequest[] {
  return dms()
    .filter(({ body }) => !slugs.has(body.to.slice(1)))
    .map(({ from, body }) => post(from, "/wires", body));
}

/** Runs a closed loop, first as a warm-up, and returns the responses per second. */
export async function peakOf(
  bench: BenchEnvironment,
  server: Server,
  requests: PlannedRequest[],
): Promise<number> {
  const phases: Phase[] = [{ seconds: PEAK_SECONDS }, { seconds: PEAK_SECONDS }];
  const load = { task: "open" as const, server: addressOf(server), requests, phases };
  const result = await bench.generator.run({ ...load, connections: PEAK_CONNECTIONS });
  const { failed, goodput } = result.phases[1]!;
  if (failed > 0) throw new Error(`${failed} requests of the closed loop failed`);
  return goodput;
}

/** Returns the properties of a server that the load process needs. */
export function addressOf({ url, pid }: Server): { url: string; pid: number } {
  return { url, pid };
}

export function summarizeOpen(name: string, samples: readonly OpenSample[]): SampleSummary {
  const middle = (key: keyof OpenSample) => median(samples.map((one) => one[key] ?? Number.NaN));
  return {
    name,
    throughput: middle("goodput"),
    cpu: middle("cpu"),
    p50: middle("p50"),
    p99: middle("p99"),
    p999: middle("p999"),
    late: middle("late"),
    generator: middle("generator"),
  };
}
