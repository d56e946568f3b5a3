/**
 * Measures how long each kind of load stops the event loop of the daemon, and how long writes wait for the
 * writer. All loads are far below the peak, so that any long wait is a stall and not a queue. The benchmark
 * process is idle meanwhile, so its own delays show the delays of the machine.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { request } from "undici";
import * as dataset from "../data/dataset.js";
import { Random } from "../data/random.js";
import { textOf } from "../data/text.js";
import type { PlannedRequest } from "../load/requests.js";
import { medianMetric } from "../measure/compare.js";
import type { BenchEnvironment } from "../measure/environment.js";
import type { Metric, Report } from "../measure/report.js";
import type { Server } from "../servers/process.js";
import { hostileSchema } from "./hostile.js";
import { addressOf, dmsExceptTo, OPEN_CONNECTIONS, peakOf } from "./open-loop.js";
import { answer, call, get, post, quotes } from "./requests.js";
import type { Row } from "./row.js";

/** A longer stop of the event loop or of the writer is a stall. */
const STALL_MS = 50;
const SECONDS = 3;
/** Near the limit of a request body, 256 KiB. */
const BIG_PAYLOAD = { filler: "x".repeat(240_000) };
const BIG_READER = 900;
const BIG_WIRES = 20;
/** The account of agent 0 already has the maximum number of spaces. */
const OWNER = 10;
const SUBJECT = `@${dataset.slugOf(OWNER)}/endless-stalls`;

interface Load {
  name: string;
  requests: PlannedRequest[];
  /** Arrivals per second. Without it, 64 requests are always under way. */
  rate?: number;
}

async function loadsOn(server: Server, peak: number): Promise<Load[]> {
  for (let n = 0; n < BIG_WIRES; n++)
    await answer(server, post(1, "/wires", { to: `@${dataset.slugOf(BIG_READER)}`, payload: BIG_PAYLOAD }));
  await answer(server, post(OWNER, "/schemas", { subject: SUBJECT, json_schema: hostileSchema() }));
  const root_rule = { allow_text: true, accepted_schemas: [SUBJECT] };
  await answer(server, post(OWNER, "/spaces", { slug: "stalls", visibility: "public", root_rule }));
  const dms = dmsExceptTo(new Set([dataset.slugOf(BIG_READER)]));
  const readers = Array.from({ length: dataset.READERS }, (_, agent) => agent);
  const big = dataset.spaceSlugOf(dataset.BIG_SPACE);
  const random = new Random(11);
  return [
    { name: "idle", requests: [{ method: "GET", path: "/healthz", headers: {} }], rate: 10 },
    { name: "DMs", requests: dms, rate: peak / 10 },
    { name: "DMs and checkpoints of the log", requests: dms, rate: peak / 3 },
    { name: "posts to a space", requests: quotes(), rate: peak / 10 },
    {
      name: "long texts, full-text index",
      requests: Array.from({ length: 500 }, () =>
        post(random.below(dataset.AGENTS), "/wires", { to: `#${big}`, text: textOf(random, 8_000) }),
      ),
      rate: 100,
    },
    {
      name: "payloads of 240 kB",
      requests: [post(2, "/wires", { to: `@${dataset.slugOf(3)}`, payload: BIG_PAYLOAD })],
      rate: 20,
    },
    { name: "schemas of 30 kB", requests: Array.from({ length: 60 }, (_, n) => registration(n)), rate: 10 },
    {
      name: "a hostile schema",
      requests: [post(4, "/wires", { to: "#stalls", payload: { a: 1 } })],
      rate: 10,
    },
    { name: "GET /inbox, 50 wires", requests: readers.map((agent) => get(agent, "/inbox")), rate: 500 },
    { name: "MCP read_inbox", requests: readers.map((agent) => call(agent, "read_inbox", {})), rate: 200 },
    { name: "64 pages of 4 MiB at once", requests: [get(BIG_READER, "/inbox?limit=100")] },
    { name: "feeds of a big space", requests: [get(5, `/spaces/${big}/wires?limit=100`)], rate: 100 },
    {
      name: "search of a big space",
      requests: readers.map((agent) =>
        get(agent, `/spaces/${big}/search?q=${encodeURIComponent(dataset.COMMON_WORD)}`),
      ),
      rate: 20,
    },
    {
      name: "refused requests, log lines",
      requests: [{ method: "GET", path: "/v1/inbox", headers: {} }],
      rate: peak / 3,
    },
  ];
}

/** Returns a registration of a schema near the limit of 32 KiB. */
function registration(n: number): PlannedRequest {
  const properties = Object.fromEntries(
    Array.from({ length: 400 }, (_, field) => [
      `field_${n}_${field}`,
      { type: "string", maxLength: 100, pattern: "^[a-z]+$" },
    ]),
  );
  const subject = `@${dataset.slugOf(OWNER)}/stalls-${n}`;
  return post(OWNER, "/schemas", { subject, json_schema: { type: "object", properties } });
}

interface Stall {
  /** Longest delay of the event loop of the daemon, and of the idle process, in milliseconds. */
  loop: number;
  machine: number;
  /** Number of writes that waited for longer than a stall. */
  waits: number;
  status: string;
}

async function measure(bench: BenchEnvironment, server: Server, { requests, rate }: Load): Promise<Stall> {
  const before = await metricsOf(server);
  const idle = monitorEventLoopDelay({ resolution: 10 });
  idle.enable();
  const { phases } = await bench.generator.run({
    task: "open",
    server: addressOf(server),
    requests,
    phases: [rate === undefined ? { seconds: SECONDS } : { rate, seconds: SECONDS }],
    connections: rate === undefined ? 64 : OPEN_CONNECTIONS,
  });
  idle.disable();
  const after = await metricsOf(server);
  const { answered, refused, failed } = phases[0]!;
  return {
    // prom-client begins a new measurement with each collection.
    loop: after.loop,
    machine: idle.max / 1e6,
    waits: after.waits - before.waits,
    status: `${answered} × 2xx, ${refused} × 503, ${failed} others`,
  };
}

async function metricsOf(server: Server): Promise<{ loop: number; waits: number }> {
  // The daemon keeps the metrics of the last 100 ms.
  await new Promise((resolve) => setTimeout(resolve, 110));
  const { body } = await request(`${server.url}/metrics`);
  const lines = (await body.text()).split("\n");
  const value = (start: string) =>
    Number(
      lines
        .find((line) => line.startsWith(start))
        ?.split(" ")
        .at(-1),
    );
  const wait = "wireroom_store_wait_seconds";
  const within = lines.find(
    (line) => line.startsWith(`${wait}_bucket`) && line.includes('"write"') && line.includes('le="0.05"'),
  );
  return {
    loop: value("nodejs_eventloop_lag_max_seconds") * 1_000,
    waits: value(`${wait}_count{kind="write"}`) - Number(within?.split(" ").at(-1)),
  };
}

async function run(bench: BenchEnvironment): Promise<Report[]> {
  const server = await bench.daemon(10_000);
  const peak = await peakOf(bench, server, dmsExceptTo());
  const findings: Metric[] = [];
  const statuses: string[] = [];
  for (const load of await loadsOn(server, peak)) {
    const stalls: Stall[] = [];
    for (let round = 0; round < Math.min(ROUNDS, bench.settings.rounds); round++)
      stalls.push(await measure(bench, server, load));
    findings.push(
      medianMetric(
        `${load.name}: event loop`,
        "ms",
        stalls.map(({ loop, machine }) => Math.max(0, loop - machine)),
        { atMost: STALL_MS },
      ),
      medianMetric(
        `${load.name}: writes that waited`,
        "",
        stalls.map(({ waits }) => waits),
        { atMost: 0 },
      ),
    );
    const machine = Math.max(...stalls.map((stall) => stall.machine));
    statuses.push(
      `${load.name}: ${stalls.at(-1)!.status}; delay of the machine up to ${Math.round(machine)} ms`,
    );
  }
  return [
    {
      title: `Longest stop of the event loop beyond that of an idle process, and writes that waited for more than ${STALL_MS} ms`,
      findings,
      figures: [],
      note: statuses.join("\n  "),
    },
  ];
}

const ROUNDS = 3;

export const stallRows: Row[] = [{ name: "stalls", run, onlyByName: true }];
