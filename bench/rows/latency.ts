/** Compares latencies under open-loop load with those of the Koa baseline under the same load. */
import type { OpenSample } from "../load/open.js";
import { medianMetric } from "../measure/compare.js";
import type { BenchEnvironment } from "../measure/environment.js";
import type { Metric, Report } from "../measure/report.js";
import { koaBaseline } from "./koa-baseline.js";
import { addressOf, dmsExceptTo, OPEN_CONNECTIONS, peakOf, summarizeOpen } from "./open-loop.js";
import type { Row } from "./row.js";

/** Arrivals as shares of the peak of the daemon. */
const SHARES = [0.25, 0.5, 0.75, 0.9];
/** The target applies to the p99 at this share. */
const TARGET_SHARE = 0.5;
const TARGET = { atMost: 2 };
/** Seconds of load before each measurement, in which connections are opened. */
const WARM_UP = 1;
const LENGTH = 2;

async function run(bench: BenchEnvironment): Promise<Report[]> {
  const requests = dmsExceptTo();
  const server = await bench.daemon(10_000);
  const { server: floor } = await koaBaseline(bench, requests);
  const peak = await peakOf(bench, server, requests);
  const floorPeak = await peakOf(bench, floor, requests);
  const measure = async (which: typeof server, rate: number): Promise<OpenSample> => {
    const { phases } = await bench.generator.run({
      task: "open",
      server: addressOf(which),
      requests,
      phases: [
        { rate, seconds: WARM_UP },
        { rate, seconds: LENGTH * bench.settings.seconds },
      ],
      connections: OPEN_CONNECTIONS,
    });
    return phases[1]!;
  };
  const reports: Report[] = [];
  for (const share of SHARES) {
    const ours: OpenSample[] = [];
    const theirs: OpenSample[] = [];
    for (let round = 0; round < bench.settings.rounds; round++) {
      const sides: [typeof server, OpenSample[]][] = [
        [server, ours],
        [floor, theirs],
      ];
      if (round % 2 === 1) sides.reverse();
      for (const [side, samples] of sides) samples.push(await measure(side, share * peak));
    }
    const failed = [...ours, ...theirs].reduce((sum, sample) => sum + sample.failed, 0);
    if (failed > 0) throw new Error(`${failed} requests failed at ${share * 100} % of the peak`);
    const ratio = (key: "p50" | "p99" | "p999", name: string): Metric =>
      medianMetric(
        `${name} at ${share * 100} % of the peak`,
        "×",
        ours.map((sample, round) => sample[key] / theirs[round]![key]),
        key === "p99" && share === TARGET_SHARE ? TARGET : undefined,
      );
    const refused = ours.map((sample) => (100 * sample.refused) / sample.planned);
    reports.push({
      title: `DMs by the clock, ${Math.round(share * peak)} a second, against the Koa floor under the same arrivals`,
      findings: [
        ratio("p50", "p50"),
        ratio("p99", "p99"),
        ratio("p999", "p99.9"),
        medianMetric("refused with 503", "%", refused),
      ],
      figures: [summarizeOpen("Wireroom", ours), summarizeOpen("Koa, echo", theirs)],
    });
  }
  reports[0]!.note = `the peaks are ${Math.round(peak)} and ${Math.round(floorPeak)} a second (closed loop, 64 connections)`;
  return reports;
}

export const latencyRows: Row[] = [{ name: "latency", run }];
