/** 5,000 agents that wait in a long-poll at once. */

import * as world from "../data/world.js";
import type { Crowd } from "../load/crowd.js";
import { finding } from "../measure/compare.js";
import type { Lab } from "../measure/lab.js";
import type { Report } from "../measure/report.js";
import { startDaemon } from "../servers/daemon.js";
import type { Row } from "./row.js";

const AGENTS = 5_000;
const RATE = 200;
const KIB = 1_024;
/** A round opens thousands of connections: fewer of them tell enough. */
const ROUNDS = 3;

async function run(lab: Lab): Promise<Report[]> {
  const count = lab.settings.wires === undefined ? AGENTS : world.AGENTS - 1;
  const database = await lab.database(0, Math.max(count + 1, world.AGENTS));
  const agents = Array.from({ length: count }, (_, n) => ({
    key: world.keyOf(n + 1),
    slug: world.slugOf(n + 1),
  }));
  const crowds: Crowd[] = [];
  for (let round = 0; round < Math.min(ROUNDS, lab.settings.rounds); round++) {
    // A new daemon each time: memory that one has once taken it keeps for the next.
    const { pid, url, stop } = await startDaemon(database);
    try {
      const load = {
        pid,
        url,
        agents,
        sender: world.keyOf(0),
        rate: RATE,
        seconds: lab.settings.seconds * 4,
      };
      crowds.push(await lab.generator.run({ task: "crowd", ...load }));
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
        finding("memory per agent", "KiB", memory, { atMost: 30 }),
        finding("from sending to answer, p50", "ms", values("p50")),
        finding("from sending to answer, p99", "ms", values("p99"), { atMost: 50 }),
      ],
      figures: [],
      note: "timed from the sender's request, so the commit and its fsync are in it",
    },
  ];
}

export const crowdRows: Row[] = [{ name: "crowd", run }];
