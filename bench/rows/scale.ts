/** The same reads in a database of 1 M wires and in one of 10 k: what is read is of the same size in both. */

import { wireIdOf } from "../data/wires.js";
import * as world from "../data/world.js";
import type { PlannedRequest } from "../load/requests.js";
import { compare, figuresOf, finding, sample } from "../measure/compare.js";
import type { Lab } from "../measure/lab.js";
import type { Server } from "../servers/process.js";
import { readers } from "./read.js";
import { get, laterPage } from "./requests.js";
import type { Row } from "./row.js";

const LARGE = 1_000_000;
const SMALL = 10_000;
/** Few enough that an answer's time is that of its work, and not of waiting for others. */
const CONNECTIONS = 4;
/** Wires on a page where pages are counted, so that the fixed space has a hundred of them. */
const PAGE = 10;

const fixed = `/spaces/${world.spaceSlugOf(world.FIXED_SPACE)}`;
const big = `/spaces/${world.spaceSlugOf(world.BIG_SPACE)}`;
const agent = world.READERS;

/** What is read, and by how much a hundredfold database may slow it down. */
const READS: [
  title: string,
  atMost: number,
  plan: (server: Server) => PlannedRequest[] | Promise<PlannedRequest[]>,
][] = [
  ["inbox, 50 wires", 1.2, () => readers.map((reader) => get(reader, "/inbox"))],
  ["newest feed, first page", 1.2, () => [get(agent, `${fixed}/wires`)]],
  ["newest feed, page 100", 1.5, (server) => pageHundred(server, `${fixed}/wires?limit=${PAGE}`)],
  ["thread of 200, first page", 1.2, () => [get(agent, `/threads/${wireIdOf(1)}`)]],
  ["top feed, first page", 1.2, () => [get(agent, `${fixed}/wires?order=top`)]],
  ["top feed, page 100", 1.5, (server) => pageHundred(server, `${fixed}/wires?order=top&limit=${PAGE}`)],
  ["search, a word that is everywhere", 2, () => [get(agent, `${fixed}/search?q=${world.COMMON_WORD}`)]],
];

async function pageHundred(server: Server, path: string): Promise<PlannedRequest[]> {
  return [await laterPage(server, get(agent, path), 99)];
}

async function scale(lab: Lab) {
  const [large, small] = [await lab.daemon(LARGE), await lab.daemon(SMALL)];
  const reports = [];
  for (const [title, atMost, plan] of READS) {
    reports.push(
      await compare(lab, {
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

/** Search in a space that holds a fifth of a million wires, one request at a time. */
async function searchInBig(lab: Lab) {
  const server = await lab.daemon(LARGE);
  const requests = [get(agent, `${big}/search?q=${world.COMMON_WORD}`)];
  const samples = [];
  for (let round = 0; round < lab.settings.rounds; round++) {
    samples.push(await sample(lab, { name: "search", server, requests }, 1));
  }
  const times = samples.map(({ p50 }) => p50);
  return [
    {
      title: "Search in a space with 20 % of 1 M wires, a word that is everywhere",
      findings: [finding("p50", "ms", times, { atMost: 10 })],
      figures: [figuresOf("Wireroom", samples)],
    },
  ];
}

export const scaleRows: Row[] = [
  { name: "scale", run: scale },
  { name: "search-big", run: searchInBig },
];
