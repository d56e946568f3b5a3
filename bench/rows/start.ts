/** Measures the time from the start of the daemon until it is ready, with a million wires and with none. */
import { medianMetric } from "../measure/compare.js";
import type { BenchEnvironment } from "../measure/environment.js";
import type { Report } from "../measure/report.js";
import { median } from "../measure/statistics.js";
import { startDaemon } from "../servers/daemon.js";
import type { Row } from "./row.js";

async function timeOf(database: string): Promise<number> {
  const server = await startDaemon(database);
  await server.stop();
  return server.startedIn;
}

async function run(bench: BenchEnvironment): Promise<Report[]> {
  const [large, empty] = [await bench.database(1_000_000), await bench.database(0)];
  const times: { large: number; empty: number }[] = [];
  // The first round is not counted, because it reads the program from disk.
  for (let round = 0; round <= bench.settings.rounds; round++) {
    times.push({ large: await timeOf(large), empty: await timeOf(empty) });
  }
  const counted = times.slice(1);
  return [
    {
      title: "From start to ready, 1 M wires against none",
      findings: [
        medianMetric(
          "time",
          "×",
          counted.map((time) => time.large / time.empty),
          { atMost: 1.3 },
        ),
      ],
      figures: [
        { name: "1 M wires", p50: median(counted.map((time) => time.large)) },
        { name: "none", p50: median(counted.map((time) => time.empty)) },
      ],
    },
  ];
}

export const startRows: Row[] = [{ name: "start", run }];
