/**
 * Compares a daemon on PostgreSQL with one on SQLite, with plain inserts, and with several daemons on one
 * database.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { PlannedRequest, Sample } from "../load/requests.js";
import { compare, type Measure, medianMetric, sample, summarize, warmUp } from "../measure/compare.js";
import type { BenchEnvironment } from "../measure/environment.js";
import type { Report } from "../measure/report.js";
import { median } from "../measure/statistics.js";
import { PATHS } from "../paths.js";
import type { Server } from "../servers/process.js";
import { dmPosts } from "./post.js";
import { readers } from "./read.js";
import { get } from "./requests.js";
import type { Row } from "./row.js";

const WIRES = 10_000;

/** Informative: compares PostgreSQL with SQLite. */
async function againstSqlite(
  bench: BenchEnvironment,
  title: string,
  requests: PlannedRequest[],
): Promise<Report[]> {
  const server = await bench.daemonsOn(await bench.postgresDatabase(WIRES));
  const subject = { name: "on PostgreSQL", server, requests };
  const baseline = { name: "on SQLite", server: await bench.daemon(WIRES), requests };
  return [await compare(bench, { title, subject, baseline, targets: {} })];
}

interface Raw {
  throughput: number;
  cpu: number;
  database?: number;
}

async function againstDriver(bench: BenchEnvironment): Promise<Report[]> {
  const { rounds, seconds } = bench.settings;
  const server = await bench.daemonsOn(await bench.postgresDatabase(WIRES));
  const subject = { name: "Wireroom", server, requests: dmPosts() };
  const { url, pid } = await bench.postgresDatabase(WIRES);
  const args = [join(PATHS.build, "baselines/raw-postgres.js"), url, String(seconds)];
  if (pid !== undefined) args.push(String(pid));
  const ours: Sample[] = [];
  const raw: Raw[] = [];
  await warmUp(bench, subject, 64);
  const measure = [
    async () => void ours.push(await sample(bench, subject, 64)),
    async () => {
      const { stdout } = await promisify(execFile)(process.execPath, args);
      raw.push(JSON.parse(stdout) as Raw);
    },
  ];
  for (let round = 0; round < rounds; round++) {
    for (const side of round % 2 === 0 ? measure : measure.toReversed()) await side();
  }
  const ratios = (of: (one: Sample, other: Raw) => number) => ours.map((one, round) => of(one, raw[round]!));
  const middle = (measure: keyof Raw) => median(raw.map((one) => one[measure] ?? Number.NaN));
  return [
    {
      title: "POST /wires on PostgreSQL, against the driver alone (64 in flight, one INSERT each)",
      findings: [
        medianMetric(
          "throughput",
          "×",
          ratios((one, other) => one.throughput / other.throughput),
          { atLeast: 0.6 },
        ),
        medianMetric(
          "database CPU a request",
          "×",
          ratios((one, other) => (one.database ?? Number.NaN) / (other.database ?? Number.NaN)),
        ),
      ],
      figures: [
        summarize(subject.name, ours),
        {
          name: "the driver alone",
          throughput: middle("throughput"),
          cpu: middle("cpu"),
          database: middle("database"),
        },
      ],
    },
  ];
}

const CROWDS = [1, 2, 4];
/** Number of warm-ups of two seconds each. */
const WARM_UPS = 3;

/**
 * Measures the cost of a request with several daemons, with the same load for each daemon and with one shared
 * load.
 */
async function severalDaemons(bench: BenchEnvironment): Promise<Report[]> {
  const all = await bench.daemonsOn(await bench.postgresDatabase(WIRES), Math.max(...CROWDS));
  // Each daemon is warmed up separately; with a shared load, four daemons would need four times as long.
  for (const server of [{ ...all, beside: [] }, ...all.beside!])
    for (let times = 0; times < WARM_UPS; times++)
      await warmUp(bench, { name: "one of them", server, requests: dmPosts() }, 64);
  return [
    await crowdsOf(bench, all, "64 connections to each", (daemons) => 64 * daemons),
    await crowdsOf(bench, all, "64 connections in all", () => 64),
  ];
}

async function crowdsOf(
  bench: BenchEnvironment,
  all: Server,
  load: string,
  connections: (daemons: number) => number,
): Promise<Report> {
  const requests = dmPosts();
  const [first, ...others] = [all, ...all.beside!];
  const sides = CROWDS.map((count) => ({
    name: count === 1 ? "1 daemon" : `${count} daemons`,
    server: { ...first!, beside: others.slice(0, count - 1) },
    requests,
    connections: connections(count),
    taken: [] as Sample[],
  }));
  for (const side of sides) await warmUp(bench, side, side.connections);
  for (let round = 0; round < bench.settings.rounds; round++) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed())
      side.taken.push(await sample(bench, side, side.connections));
  }
  const ratios = (one: readonly Sample[], measure: Measure) =>
    one.map(
      (found, round) => (found[measure] ?? Number.NaN) / (sides[0]!.taken[round]![measure] ?? Number.NaN),
    );
  return {
    title: `POST /wires by several daemons on one PostgreSQL, against one (${load})`,
    findings: sides
      .slice(1)
      .flatMap(({ name, taken }) => [
        medianMetric(`${name}, CPU a request`, "×", ratios(taken, "cpu")),
        medianMetric(`${name}, throughput`, "×", ratios(taken, "throughput")),
      ]),
    figures: sides.map(({ name, taken }) => summarize(name, taken)),
  };
}

const inboxPages = () => readers.map((agent) => get(agent, "/inbox"));

export const postgresRows: Row[] = [
  {
    name: "postgres-post",
    onlyByName: true,
    run: (bench) => againstSqlite(bench, "POST /wires, a DM, on PostgreSQL against SQLite", dmPosts()),
  },
  {
    name: "postgres-inbox",
    onlyByName: true,
    run: (bench) => againstSqlite(bench, "GET /inbox, 50 wires, on PostgreSQL against SQLite", inboxPages()),
  },
  { name: "postgres-raw", onlyByName: true, run: againstDriver },
  { name: "postgres-daemons", onlyByName: true, run: severalDaemons },
];
