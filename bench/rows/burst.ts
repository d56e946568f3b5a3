/** Measures how long latencies stay high after a burst of ten times the usual load. */
import type { OpenSample, Slice } from "../load/open.js";
import { medianMetric } from "../measure/compare.js";
import type { BenchEnvironment } from "../measure/environment.js";
import type { Report } from "../measure/report.js";
import { addressOf, dmsExceptTo, OPEN_CONNECTIONS, peakOf, summarizeOpen } from "./open-loop.js";
import type { Row } from "./row.js";

/** Usual load as a share of the peak, so that the burst is twice the peak. */
const BASE_SHARE = 0.2;
const FACTOR = 10;
const [WARM_UP, BEFORE, BURST, AFTER] = [1, 4, 5, 10];
const SLICE_MS = 250;
/**
 * The latency is back to normal once, for a second, the p99 of every slice is at most this multiple of the
 * p99 before the burst, or at most `BACK_MS`.
 */
const BACK_FACTOR = 2;
/** Allows for the variation of small p99s, because a slice has only a few hundred requests. */
const BACK_MS = 10;
const SLICES_OF_A_SECOND = 1_000 / SLICE_MS;

/** Returns the seconds from the end of the burst until the latency is back; NaN if it does not come back. */
function secondsUntilBack(slices: readonly Slice[], endOfBurst: number, usualP99: number): number {
  const after = slices.filter(({ at }) => at >= endOfBurst);
  const bound = Math.max(usualP99 * BACK_FACTOR, BACK_MS);
  const isBack = ({ p99, refused }: Slice) => refused === 0 && p99 <= bound;
  const back = after.find((_slice, n) => {
    const second = after.slice(n, n + SLICES_OF_A_SECOND);
    return second.length === SLICES_OF_A_SECOND && second.every(isBack);
  });
  return back ? back.at - endOfBurst : Number.NaN;
}

/** Number of rounds, which are longer than those of other rows. */
const ROUNDS = 3;

async function run(bench: BenchEnvironment): Promise<Report[]> {
  const requests = dmsExceptTo();
  const server = await bench.daemon(10_000);
  const peak = await peakOf(bench, server, requests);
  const base = BASE_SHARE * peak;
  const taken: { before: OpenSample; burst: OpenSample; after: OpenSample; failed: number; back: number }[] =
    [];
  for (let round = 0; round < Math.min(ROUNDS, bench.settings.rounds); round++) {
    const result = await bench.generator.run({
      task: "open",
      server: addressOf(server),
      requests,
      phases: [
        { rate: base, seconds: WARM_UP },
        { rate: base, seconds: BEFORE },
        { rate: base * FACTOR, seconds: BURST },
        { rate: base, seconds: AFTER },
      ],
      connections: OPEN_CONNECTIONS,
      sliceMs: SLICE_MS,
    });
    const [, before, burst, after] = result.phases;
    const failed = burst!.failed + after!.failed;
    const back = secondsUntilBack(result.slices, WARM_UP + BEFORE + BURST, before!.p99);
    taken.push({ before: before!, burst: burst!, after: after!, failed, back });
  }
  return [
    {
      title: `A burst of ${Math.round(base * FACTOR)} DMs a second for ${BURST} s, ${FACTOR} times the usual load`,
      findings: [
        medianMetric(
          "p99 is back after",
          "s",
          taken.map(({ back }) => back),
          { atMost: 1 },
        ),
        medianMetric(
          "served in the burst, of the peak",
          "×",
          taken.map(({ burst }) => burst.goodput / peak),
        ),
        medianMetric(
          "refused in the burst",
          "%",
          taken.map(({ burst }) => (100 * burst.refused) / burst.planned),
        ),
        medianMetric(
          "failed otherwise",
          "",
          taken.map(({ failed }) => failed),
          { atMost: 0 },
        ),
      ],
      figures: (["before", "burst", "after"] as const).map((phase) =>
        summarizeOpen(
          phase,
          taken.map((one) => one[phase]),
        ),
      ),
      note: `the peak is ${Math.round(peak)} a second (closed loop, 64 connections)`,
    },
  ];
}

export const burstRows: Row[] = [{ name: "burst", run }];
