/** Measures jobs that 64 workers claim and finish, against a plain queue in PostgreSQL and graphile-worker. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import * as dataset from "../data/dataset.js";
import type { Jobs } from "../load/jobs.js";
import { medianMetric } from "../measure/compare.js";
import type { BenchEnvironment } from "../measure/environment.js";
import type { Report } from "../measure/report.js";
import { median } from "../measure/statistics.js";
import { PATHS } from "../paths.js";
import type { Server } from "../servers/process.js";
import { answer, authorizationHeaders, post } from "./requests.js";
import type { Row } from "./row.js";

const WORKERS = 64;
const OWNER = 0;
const SPACE = dataset.spaceSlugOf(dataset.SPACES - 1);
const WIRES = 1_000;
/** Jobs that are posted for each second of a measurement. */
const JOBS_PER_SECOND = 3_000;
const POSTED_AT_ONCE = 64;

/** Makes a space a queue, whose posters are the workers. */
async function openQueue(server: Server): Promise<void> {
  const members = Array.from({ length: WORKERS }, (_, n) => ({
    handle: dataset.slugOf(n + 1),
    role: "poster",
  }));
  const change = { root_rule: { allow_text: true, claimable: true }, members };
  await answer(server, { ...post(OWNER, `/spaces/${SPACE}`, change), method: "PUT" });
}

async function postJobs(server: Server, count: number): Promise<void> {
  const job = post(OWNER, "/wires", { to: `#${SPACE}`, text: "x".repeat(200) });
  let left = count;
  const producer = async () => {
    while (left-- > 0) await answer(server, job);
  };
  await Promise.all(Array.from({ length: POSTED_AT_ONCE }, producer));
}

async function run(bench: BenchEnvironment): Promise<Report[]> {
  const { rounds, seconds } = bench.settings;
  const onWireroom = (name: string, server: Server) => ({
    name,
    taken: [] as Jobs[],
    async measure() {
      await postJobs(server, JOBS_PER_SECOND * seconds);
      const { pid, url, database } = server;
      const workers = Array.from({ length: WORKERS }, (_, n) => authorizationHeaders(n + 1).authorization!);
      this.taken.push(
        await bench.generator.run({ task: "jobs", url, pid, database, space: SPACE, workers, seconds }),
      );
    },
  });
  const onSqlite = await bench.daemon(WIRES);
  const onPostgres = await bench.daemonsOn(await bench.postgresDatabase(WIRES));
  for (const server of [onSqlite, onPostgres]) await openQueue(server);
  const { url } = await bench.postgresDatabase(WIRES);
  const queueOf = (name: string, program: string) => ({
    name,
    taken: [] as Jobs[],
    async measure() {
      const args = [join(PATHS.build, `baselines/${program}.js`), url, String(seconds)];
      const { stdout } = await promisify(execFile)(process.execPath, args);
      this.taken.push({ throughput: Number(stdout), cpu: undefined, database: undefined });
    },
  });
  const queues = [
    queueOf("PostgreSQL with SKIP LOCKED, without HTTP", "postgres-queue"),
    queueOf("graphile-worker, without HTTP", "graphile-worker"),
  ];
  const ours = [onWireroom("Wireroom on SQLite", onSqlite), onWireroom("Wireroom on PostgreSQL", onPostgres)];
  const sides = [...ours, ...queues];
  // The first round warms up.
  for (let round = 0; round <= rounds; round++)
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      await side.measure();
      if (round === 0) side.taken.pop();
    }
  const middle = (taken: readonly Jobs[], measure: keyof Jobs) =>
    median(taken.map((one) => one[measure] ?? Number.NaN));
  return [
    {
      title: `Jobs claimed and finished by ${WORKERS} workers`,
      findings: ours.flatMap(({ name, taken }) =>
        queues.map((queue) =>
          medianMetric(
            `${name}, throughput against ${queue.name}`,
            "×",
            taken.map(({ throughput }, round) => throughput / queue.taken[round]!.throughput),
          ),
        ),
      ),
      figures: sides.map(({ name, taken }) => ({
        name,
        throughput: middle(taken, "throughput"),
        cpu: middle(taken, "cpu"),
        database: middle(taken, "database"),
      })),
    },
  ];
}

export const jobRows: Row[] = [{ name: "postgres-jobs", onlyByName: true, run }];
