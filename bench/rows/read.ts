/** Compares GET /inbox and feeds with a Koa server that sends the same bytes from memory. */

import * as dataset from "../data/dataset.js";
import type { PlannedRequest } from "../load/requests.js";
import { compare } from "../measure/compare.js";
import type { BenchEnvironment } from "../measure/environment.js";
import type { Target } from "../measure/report.js";
import type { Server } from "../servers/process.js";
import { koaBaseline } from "./koa-baseline.js";
import { answer, get, laterPage } from "./requests.js";
import type { Row } from "./row.js";

async function fromMemory(
  bench: BenchEnvironment,
  title: string,
  throughput: Target,
  plan: (server: Server) => PlannedRequest[] | Promise<PlannedRequest[]>,
) {
  const server = await bench.daemon(10_000);
  const requests = await plan(server);
  const baseline = await koaBaseline(bench, requests, await answer(server, requests[0]!));
  const subject = { name: "Wireroom", server, requests };
  return [await compare(bench, { title, subject, baseline, targets: { throughput } })];
}

/** `readers` have 50 unread wires each, `pollers` have none. */
export const readers = Array.from({ length: dataset.READERS }, (_, agent) => agent);
export const pollers = Array.from({ length: 200 }, (_, n) => dataset.READERS + n);

export const readRows: Row[] = [
  {
    name: "inbox-empty",
    run: (bench) =>
      fromMemory(bench, "GET /inbox, nothing new, against the Koa GET floor", { atLeast: 1 }, (server) =>
        // The agents poll with the last cursor that they received.
        Promise.all(pollers.map((agent) => laterPage(server, get(agent, "/inbox"), 1))),
      ),
  },
  {
    name: "inbox-50",
    run: (bench) =>
      fromMemory(bench, "GET /inbox, 50 wires, against the same bytes from memory", { atLeast: 0.75 }, () =>
        readers.map((agent) => get(agent, "/inbox")),
      ),
  },
  {
    name: "feed-50",
    run: (bench) =>
      fromMemory(bench, "Newest feed, 50 wires, against the same bytes from memory", { atLeast: 0.45 }, () =>
        readers.map((agent) => get(agent, `/spaces/${dataset.spaceSlugOf(dataset.BIG_SPACE)}/wires`)),
      ),
  },
];
