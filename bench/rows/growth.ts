/**
 * `npm run bench:growth`: measures the same reads and writes in databases of 10 k to 10 M wires. Each read
 * returns the same amount of data in all of them, so that only the size of the database differs.
 */
import * as dataset from "../data/dataset.js";
import { Random } from "../data/random.js";
import { textOf } from "../data/text.js";
import { wireIdOf } from "../data/wires.js";
import type { PlannedRequest, Sample } from "../load/requests.js";
import { medianMetric, sample, summarize, type Variant, warmUp } from "../measure/compare.js";
import type { BenchEnvironment } from "../measure/environment.js";
import type { Report } from "../measure/report.js";
import type { Server } from "../servers/process.js";
import { memoryOf } from "../servers/usage.js";
import { pollers, readers } from "./read.js";
import { get, laterPage, post } from "./requests.js";
import type { Row } from "./row.js";

const SIZES = [10_000, 100_000, 1_000_000, 10_000_000];
/** Number of connections. It is small, so that the latency does not include waiting for other requests. */
const CONNECTIONS = 4;
/** Number of wires per page, so that the fixed space has a hundred pages. */
const PAGE = 10;
const AT_MOST = 1.1;
const MIB = 1_024 * 1_024;

const fixed = `/spaces/${dataset.spaceSlugOf(dataset.FIXED_SPACE)}`;
const big = `/spaces/${dataset.spaceSlugOf(dataset.BIG_SPACE)}`;
const agent = dataset.READERS;

interface Place {
  server: Server;
  /** Number of wires of the database. */
  wires: number;
}

interface Operation {
  title: string;
  /** Highest allowed ratio of a figure to the figure of the smallest database. */
  atMost: number;
  plan(place: Place): PlannedRequest[] | Promise<PlannedRequest[]>;
}

const OPERATIONS: Operation[] = [
  read("inbox, 50 wires", () => readers.map((reader) => get(reader, "/inbox"))),
  read("inbox, nothing new", ({ server }) =>
    Promise.all(pollers.map((poller) => laterPage(server, get(poller, "/inbox"), 1))),
  ),
  // The first pages of feeds come from a cache, and the second ones do not.
  read("newest feed, page 2", ({ server }) => page(server, `${fixed}/wires?limit=50`, 2)),
  read("newest feed, page 100", ({ server }) => page(server, `${fixed}/wires?limit=${PAGE}`, 100)),
  read("oldest feed, page 2", ({ server }) => page(server, `${fixed}/wires?order=oldest&limit=50`, 2)),
  read("top feed, page 2", ({ server }) => page(server, `${fixed}/wires?order=top&limit=50`, 2)),
  read("top feed, page 100", ({ server }) => page(server, `${fixed}/wires?order=top&limit=${PAGE}`, 100)),
  read("newest feed of the big space, page 2", ({ server }) => page(server, `${big}/wires?limit=50`, 2)),
  read("top feed of the big space, page 2", ({ server }) =>
    page(server, `${big}/wires?order=top&limit=50`, 2),
  ),
  read("thread of 200, first page", ({ wires }) => [get(agent, `/threads/${wireIdOf(1, wires)}`)]),
  read("sent, 50 wires", () => readers.map((reader) => get(reader, "/sent"))),
  read("GET wire", ({ wires }) => spread(wires).map((pk) => get(agent, `/wires/${wireIdOf(pk, wires)}`))),
  read("search, a rare word", () => [get(agent, `${fixed}/search?q=${dataset.RARE_WORD}`)]),
  read(
    "search, a word that is everywhere",
    () => [get(agent, `${fixed}/search?q=${dataset.COMMON_WORD}`)],
    1.5,
  ),
  read(
    "search of the big space, a word that is everywhere",
    () => [get(agent, `${big}/search?q=${dataset.COMMON_WORD}`)],
    1.5,
  ),
  read(
    "search of the big space, two words that are everywhere",
    () => [get(agent, `${big}/search?q=${dataset.COMMON_WORD}%20${dataset.SECOND_WORD}`)],
    1.5,
  ),
  read("switchboard", () => [get(agent, `/search?type=handles&q=${dataset.LISTED_WORD}`)]),
  read("POST a direct message", () => posts((random) => `@${dataset.slugOf(recipient(random))}`)),
  read("POST to the big space", () => posts(() => `#${dataset.spaceSlugOf(dataset.BIG_SPACE)}`)),
];

function read(title: string, plan: Operation["plan"], atMost = AT_MOST): Operation {
  return { title, atMost, plan };
}

async function page(server: Server, path: string, number: number): Promise<PlannedRequest[]> {
  return [await laterPage(server, get(agent, path), number - 1)];
}

/** Returns the primary keys of wires of the fixed space, evenly distributed over time. */
function spread(wires: number): number[] {
  const every = Math.floor(wires / dataset.FIXED_WIRES);
  return Array.from({ length: 500 }, (_, n) => 1 + n * 2 * every);
}

const recipient = (random: Random) =>
  dataset.READERS + pollers.length + random.below(dataset.GROWING.agents - dataset.READERS - pollers.length);

function posts(to: (random: Random) => string): PlannedRequest[] {
  const random = new Random(44);
  return Array.from({ length: 2_000 }, () =>
    post(recipient(random), "/wires", { to: to(random), text: textOf(random, 200) }),
  );
}

async function run(bench: BenchEnvironment): Promise<Report[]> {
  const { wires: most = SIZES.at(-1)! } = bench.settings;
  const places: Place[] = [];
  for (const wires of SIZES.filter((size) => size <= most))
    places.push({ wires, server: await bench.growingDaemon(wires) });
  const reports: Report[] = [];
  for (const operation of OPERATIONS) {
    const report = await measure(bench, operation, places);
    bench.settings.say(`measured: ${operation.title}`);
    reports.push(report);
  }
  return [...reports, memoryReport(places)];
}

/** Measures an operation in each database in turn, in another order in each round. */
async function measure(bench: BenchEnvironment, operation: Operation, places: Place[]): Promise<Report> {
  const variants: Variant[] = [];
  for (const place of places)
    variants.push({
      name: sizeName(place.wires),
      server: place.server,
      requests: await operation.plan(place),
    });
  for (const variant of variants) await warmUp(bench, variant, CONNECTIONS);
  const samples = new Map<Variant, Sample[]>(variants.map((variant) => [variant, []]));
  for (let round = 0; round < bench.settings.rounds; round++) {
    const order = round % 2 === 0 ? variants : [...variants].reverse();
    for (const variant of order) samples.get(variant)!.push(await sample(bench, variant, CONNECTIONS));
  }
  const smallest = samples.get(variants[0]!)!;
  const findings = variants.slice(1).flatMap((variant) =>
    (["p50", "cpu"] as const).map((measured) => {
      const ratios = samples.get(variant)!.map((one, n) => one[measured]! / smallest[n]![measured]!);
      return medianMetric(`${variant.name}: ${measured}`, "×", ratios, { atMost: operation.atMost });
    }),
  );
  const figures = variants.map((variant) => summarize(variant.name, samples.get(variant)!));
  return { title: `${operation.title}, against ${sizeName(SIZES[0]!)} wires`, findings, figures };
}

function memoryReport(places: readonly Place[]): Report {
  const mib = places.map(({ server }) => (memoryOf(server.pid) ?? Number.NaN) / MIB);
  const findings = places
    .slice(1)
    .map(({ wires }, n) =>
      medianMetric(`${sizeName(wires)}: memory`, "×", [mib[n + 1]! / mib[0]!], { atMost: AT_MOST }),
    );
  const note = places.map(({ wires }, n) => `${sizeName(wires)}: ${Math.round(mib[n]!)} MiB`).join(", ");
  return { title: "Memory of the daemon after these operations", findings, figures: [], note };
}

function sizeName(wires: number): string {
  return wires >= 1_000_000 ? `${wires / 1_000_000} M` : `${wires / 1_000} k`;
}

export const growthRows: Row[] = [{ name: "growth", run, onlyByName: true }];
