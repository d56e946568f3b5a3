/** Runs ten minutes at 70 % of the maximum load. After a warm-up, memory must not grow. */

import { loadOf, sample } from "../measure/compare.js";
import type { BenchEnvironment } from "../measure/environment.js";
import type { Report } from "../measure/report.js";
import { slope } from "../measure/statistics.js";
import { memoryOf } from "../servers/usage.js";
import { dms, post } from "./requests.js";
import type { Row } from "./row.js";

const MINUTE = 60;
const MINUTES = 10;
const SETTLED = 2;
const SHARE = 0.7;
const MIB = 1_024 * 1_024;
const EVERY = 2_000;
/** Memory growth in MiB per minute that is tolerated, because garbage collection makes the measurement vary. */
const NOISE = 1;

async function run(bench: BenchEnvironment): Promise<Report[]> {
  const server = await bench.daemon(10_000);
  const requests = dms().map(({ from, body }) => post(from, "/wires", body));
  const { throughput } = await sample(bench, { name: "Wireroom", server, requests }, 64);
  const rate = Math.round(throughput * SHARE);
  const points: [minutes: number, mib: number][] = [];
  const started = performance.now();
  const watch = setInterval(() => {
    const minutes = (performance.now() - started) / 1_000 / MINUTE;
    points.push([minutes, (memoryOf(server.pid) ?? Number.NaN) / MIB]);
  }, EVERY);
  const load = { ...loadOf(server), requests, connections: 64, rate };
  const taken = await bench.generator.run({ task: "requests", ...load, seconds: MINUTES * MINUTE });
  clearInterval(watch);
  const settled = points.filter(([minutes]) => minutes >= SETTLED);
  const memory = settled.map(([, mib]) => mib);
  const growth = slope(settled);
  return [
    {
      title: `${MINUTES} minutes at ${rate} posts a second, 70 % of the highest load`,
      findings: [
        {
          what: "memory, growth a minute",
          value: growth,
          low: growth,
          high: growth,
          unit: "MiB",
          target: { atMost: NOISE },
        },
        {
          what: "memory",
          value: memory.at(-1)!,
          low: Math.min(...memory),
          high: Math.max(...memory),
          unit: "MiB",
        },
      ],
      figures: [
        { name: "Wireroom", throughput: taken.throughput, cpu: taken.cpu, p50: taken.p50, p99: taken.p99 },
      ],
    },
  ];
}

export const soakRows: Row[] = [{ name: "soak", run, onlyByName: true }];
