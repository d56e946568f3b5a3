/**
 * Compares reads in a database of a million wires and in one of 10,000. The responses have the same size in
 * both.
 */

import * as dataset from "../data/dataset.js";
import { wireIdOf } from "../data/wires.js";
import type { PlannedRequest } from "../load/requests.js";
import { compare, medianMetric, sample, summarize } from "../measure/compare.js";
import type { BenchEnvironment } from "../measure/environment.js";
import type { Server } from "../servers/process.js";
import { readers } from "./read.js";
import { get, laterPage } from "./requests.js";
import type { Row } from "./row.js";

const LARGE = 1_000_000;
const SMALL = 10_000;
/** Number of connections. It is small, so that the latency does not include waiting for other requests. */
const CONNECTIONS = 4;
/** Number of wires per page, so that the fixed space has a hundred pages. */
const PAGE = 10;

const fixed = `/spaces/${dataset.spaceSlugOf(dataset.FIXED_SPACE)}`;
const big = `/spaces/${dataset.spaceSlugOf(dataset.BIG_SPACE)}`;
const agent = dataset.READERS;

/** The reads, and the maximum slowdown in a database that is a hundred times larger. */
const READS: [
  title: string,
  atMost: number,
  plan: (server: Server) => PlannedRequest[] | Promise<PlannedRequest[]>,
][] = [
  ["inbox, 50 wires", 1.2, () => readers.map((reader) => get(reader, "/inbox"))],
  ["newest feed, first page", 1.2, () => [get(agent, `${fixed}/wires`)]],
  ["newest feed, page 100", 1.5, (server) => pageHundred(server, `${fixed}/wires?limit=${PAGE}`)],
  ["thread of 200, first page", 1.2, () => [get(agent, `/threads/${wireIdOf(1, LARGE)}`)]],
  ["top feed, first page", 1.2, () => [get(agent, `${fixed}/wires?order=top`)]],
  ["top feed, page 100", 1.5, (server) => pageHundred(server, `${fixed}/wires?order=top&limit=${PAGE}`)],
  ["search, a word that is everywhere", 2, () => [get(agent, `${fixed}/search?q=${dataset.COMMON_WORD}`)]],
];

async function pageHundred(server: Server, path: string): Promise<PlannedRequest[]> {
  return [await laterPage(server, get(agent, path), 99)];
}

async function scale(bench: BenchEnvironment) {
  const [large, small] = [await bench.daemon(LARGE), await bench.daemon(SMALL)];
  const reports = [];
  for (const [title, atMost, plan] of READS) {
    reports.push(
      await compare(bench, {
        title: `${title}: 1 M against 10 k wires`,
        subject: { name: "1 M", server: large, requests: await plan(large) },
        baseline: { name: "10 k", server: small, requests: await plan(small) },
        connections: CONNECTIONS,
        targets: { p50: { atMost } },
      }),
    );
  }
  return reports;
}

/** Measures searches in a space of 200,000 wires, one request at a time. */
async function searchInBig(bench: BenchEnvironment) {
  const server = await bench.daemon(LARGE);
  const requests = [get(agent, `${big}/search?q=${dataset.COMMON_WORD}`)];
  const samples = [];
  for (let round = 0; round < bench.settings.rounds; round++) {
    samples.push(await sample(bench, { name: "search", server, requests }, 1));
  }
  const times = samples.map(({ p50 }) => p50);
  return [
    {
      title: "Search in a space with 20 % of 1 M wires, a word that is everywhere",
      findings: [medianMetric("p50", "ms", times, { atMost: 10 })],
      figures: [summarize("Wireroom", samples)],
    },
  ];
}

export const scaleRows: Row[] = [
  { name: "scale", run: scale },
  { name: "search-big", run: searchInBig },
];
