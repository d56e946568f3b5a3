/** POST /wires: against the floor, against one transaction a request, and against SQLite alone. */
import { execFile } from "node:child_process";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Comparison, compare, figuresOf, finding, sample, warmUp } from "../measure/compare.js";
import type { Lab } from "../measure/lab.js";
import { median } from "../measure/statistics.js";
import { PATHS } from "../paths.js";
import { koaFloor } from "./floor.js";
import { dms, post, quotes } from "./requests.js";
import type { Row } from "./row.js";

export const dmPosts = () => dms().map(({ from, body }) => post(from, "/wires", body));

async function againstFloor(
  lab: Lab,
  requests: ReturnType<typeof quotes>,
  rest: Pick<Comparison, "title" | "targets">,
) {
  const server = await lab.daemon(10_000);
  const baseline = await koaFloor(lab, requests);
  return [await compare(lab, { ...rest, subject: { name: "Wireroom", server, requests }, baseline })];
}

async function againstOneTransaction(lab: Lab, rest: Pick<Comparison, "title" | "connections" | "targets">) {
  const requests = dmPosts();
  const server = await lab.daemon(10_000);
  const alone = await lab.daemon(10_000, { program: join(PATHS.build, "baselines/one-transaction.js") });
  return [
    await compare(lab, {
      ...rest,
      subject: { name: "Wireroom", server, requests },
      baseline: { name: "one transaction each", server: alone, requests },
    }),
  ];
}

export const postRows: Row[] = [
  {
    name: "post-dm",
    run: (lab) =>
      againstFloor(lab, dmPosts(), {
        title: "POST /wires, a DM, against the Koa floor",
        targets: { throughput: { atLeast: 0.5 }, cpu: { atMost: 2.3 }, p99: { atMost: 1.5 } },
      }),
  },
  {
    name: "post-space",
    run: (lab) =>
      againstFloor(lab, quotes(), {
        title: "POST /wires, to a space under a schema, against the Koa floor",
        targets: { throughput: { atLeast: 0.4 }, cpu: { atMost: 2.8 }, p99: { atMost: 1.5 } },
      }),
  },
  {
    name: "post-alone",
    run: (lab) =>
      againstOneTransaction(lab, {
        title: "POST /wires with 1 connection, against one transaction a request",
        connections: 1,
        targets: { p50: { atMost: 1.2 } },
      }),
  },
  {
    name: "post-group",
    run: (lab) =>
      againstOneTransaction(lab, {
        title: "POST /wires, against one transaction a request",
        targets: { throughput: { atLeast: 6 } },
      }),
  },
  { name: "post-raw", run: againstSqlite },
];

/** Informative: what is left to gain if HTTP and the rules cost nothing. */
async function againstSqlite(lab: Lab) {
  const { rounds, seconds } = lab.settings;
  const subject = { name: "Wireroom", server: await lab.daemon(10_000), requests: dmPosts() };
  const folder = await lab.folder();
  const run = promisify(execFile);
  const taken = [];
  await warmUp(lab, subject, 64);
  for (let round = 0; round < rounds; round++) {
    const ours = await sample(lab, subject, 64);
    const file = join(folder, `raw-${round}.db`);
    await copyFile(await lab.database(10_000), file);
    const program = join(PATHS.build, "baselines/raw-sqlite.js");
    const { stdout } = await run(process.execPath, [program, file, String(seconds)]);
    taken.push({ ours, raw: JSON.parse(stdout) as { throughput: number; cpu: number } });
  }
  return [
    {
      title: "POST /wires, against the same inserts by SQLite alone (64 in flight, group commit)",
      findings: [
        finding(
          "throughput",
          "×",
          taken.map(({ ours, raw }) => ours.throughput / raw.throughput),
        ),
        finding(
          "server CPU a request",
          "×",
          taken.map(({ ours, raw }) => (ours.cpu ?? Number.NaN) / raw.cpu),
        ),
      ],
      figures: [
        figuresOf(
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
