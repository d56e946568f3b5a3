/**
 * Compares POST /wires with the Koa baseline, with one transaction per request, and with plain SQLite
 * inserts.
 */
import { execFile } from "node:child_process";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Comparison, compare, medianMetric, sample, summarize, warmUp } from "../measure/compare.js";
import type { BenchEnvironment } from "../measure/environment.js";
import { median } from "../measure/statistics.js";
import { PATHS } from "../paths.js";
import { koaBaseline } from "./koa-baseline.js";
import { dms, post, quotes } from "./requests.js";
import type { Row } from "./row.js";

export const dmPosts = () => dms().map(({ from, body }) => post(from, "/wires", body));

async function againstFloor(
  bench: BenchEnvironment,
  requests: ReturnType<typeof quotes>,
  rest: Pick<Comparison, "title" | "targets">,
) {
  const server = await bench.daemon(10_000);
  const baseline = await koaBaseline(bench, requests);
  return [await compare(bench, { ...rest, subject: { name: "Wireroom", server, requests }, baseline })];
}

async function againstOneTransaction(
  bench: BenchEnvironment,
  rest: Pick<Comparison, "title" | "connections" | "targets">,
) {
  const requests = dmPosts();
  const server = await bench.daemon(10_000);
  const alone = await bench.daemon(10_000, { program: join(PATHS.build, "baselines/one-transaction.js") });
  return [
    await compare(bench, {
      ...rest,
      subject: { name: "Wireroom", server, requests },
      baseline: { name: "one transaction each", server: alone, requests },
    }),
  ];
}

export const postRows: Row[] = [
  {
    name: "post-dm",
    run: (bench) =>
      againstFloor(bench, dmPosts(), {
        title: "POST /wires, a DM, against the Koa floor",
        targets: { throughput: { atLeast: 0.75 }, cpu: { atMost: 2.3 }, p99: { atMost: 1.5 } },
      }),
  },
  {
    name: "post-space",
    run: (bench) =>
      againstFloor(bench, quotes(), {
        title: "POST /wires, to a space under a schema, against the Koa floor",
        targets: { throughput: { atLeast: 0.65 }, cpu: { atMost: 2.8 }, p99: { atMost: 1.5 } },
      }),
  },
  {
    name: "post-alone",
    run: (bench) =>
      againstOneTransaction(bench, {
        title: "POST /wires with 1 connection, against one transaction a request",
        connections: 1,
        targets: { p50: { atMost: 1.2 } },
      }),
  },
  {
    name: "post-group",
    run: (bench) =>
      againstOneTransaction(bench, {
        title: "POST /wires, against one transaction a request",
        targets: { throughput: { atLeast: 6 } },
      }),
  },
  { name: "post-raw", run: againstSqlite },
];

/** Informative: shows the possible gain if HTTP and the posting rules had no cost. */
async function againstSqlite(bench: BenchEnvironment) {
  const { rounds, seconds } = bench.settings;
  const subject = { name: "Wireroom", server: await bench.daemon(10_000), requests: dmPosts() };
  const folder = await bench.folder();
  const run = promisify(execFile);
  const taken = [];
  await warmUp(bench, subject, 64);
  for (let round = 0; round < rounds; round++) {
    const ours = await sample(bench, subject, 64);
    const file = join(folder, `raw-${round}.db`);
    await copyFile(await bench.database(10_000), file);
    const program = join(PATHS.build, "baselines/raw-sqlite.js");
    const { stdout } = await run(process.execPath, [program, file, String(seconds)]);
    taken.push({ ours, raw: JSON.parse(stdout) as { throughput: number; cpu: number } });
  }
  return [
    {
      title: "POST /wires, against the same inserts by SQLite alone (64 in flight, group commit)",
      findings: [
        medianMetric(
          "throughput",
          "×",
          taken.map(({ ours, raw }) => ours.throughput / raw.throughput),
        ),
        medianMetric(
          "server CPU a request",
          "×",
          taken.map(({ ours, raw }) => (ours.cpu ?? Number.NaN) / raw.cpu),
        ),
      ],
      figures: [
        summarize(
          subject.name,
          taken.map(({ ours }) => ours),
        ),
        {
          name: "SQLite alone",
          throughput: median(taken.map(({ raw }) => raw.throughput)),
          cpu: median(taken.map(({ raw }) => raw.cpu)),
        },
      ],
    },
  ];
}
