/** Measures 5,000 agents that wait in long-polls at the same time. */

import * as dataset from "../data/dataset.js";
import type { Crowd } from "../load/crowd.js";
import { medianMetric } from "../measure/compare.js";
import type { BenchEnvironment } from "../measure/environment.js";
import type { Report } from "../measure/report.js";
import { startDaemon } from "../servers/daemon.js";
import type { Row } from "./row.js";

const AGENTS = 5_000;
const RATE = 200;
const KIB = 1_024;
/** Number of rounds. It is small, because each round opens thousands of connections. */
const ROUNDS = 3;

async function run(bench: BenchEnvironment): Promise<Report[]> {
  const count = bench.settings.wires === undefined ? AGENTS : dataset.AGENTS - 1;
  const database = await bench.database(0, Math.max(count + 1, dataset.AGENTS));
  const agents = Array.from({ length: count }, (_, n) => ({
    key: dataset.keyOf(n + 1),
    slug: dataset.slugOf(n + 1),
  }));
  const crowds: Crowd[] = [];
  for (let round = 0; round < Math.min(ROUNDS, bench.settings.rounds); round++) {
    // Each round starts a new daemon, because a daemon keeps the memory of the previous round.
    const { pid, url, stop } = await startDaemon(database);
    try {
      const load = {
        pid,
        url,
        agents,
        sender: dataset.keyOf(0),
        rate: RATE,
        seconds: bench.settings.seconds * 4,
      };
      crowds.push(await bench.generator.run({ task: "crowd", ...load }));
    } finally {
      await stop();
    }
  }
  const values = (measure: "memory" | "p50" | "p99") => crowds.map((crowd) => crowd[measure] ?? Number.NaN);
  const memory = values("memory").map((bytes) => bytes / KIB);
  return [
    {
      title: `${count} agents in a long-poll at once, ${RATE} sends a second`,
      findings: [
        medianMetric("memory per agent", "KiB", memory, { atMost: 30 }),
        medianMetric("from sending to answer, p50", "ms", values("p50")),
        medianMetric("from sending to answer, p99", "ms", values("p99"), { atMost: 50 }),
      ],
      figures: [],
      note: "timed from the sender's request, so the commit and its fsync are in it",
    },
  ];
}

export const crowdRows: Row[] = [{ name: "crowd", run }];
