/** GET /inbox and feeds, against a Koa app that sends the same bytes from memory. */

import * as world from "../data/world.js";
import type { PlannedRequest } from "../load/requests.js";
import { compare } from "../measure/compare.js";
import type { Lab } from "../measure/lab.js";
import type { Target } from "../measure/report.js";
import type { Server } from "../servers/process.js";
import { koaFloor } from "./floor.js";
import { answer, get, laterPage } from "./requests.js";
import type { Row } from "./row.js";

async function fromMemory(
  lab: Lab,
  title: string,
  throughput: Target,
  plan: (server: Server) => PlannedRequest[] | Promise<PlannedRequest[]>,
) {
  const server = await lab.daemon(10_000);
  const requests = await plan(server);
  const baseline = await koaFloor(lab, requests, await answer(server, requests[0]!));
  const subject = { name: "Wireroom", server, requests };
  return [await compare(lab, { title, subject, baseline, targets: { throughput } })];
}

/** Agents with 50 wires in their inboxes, and such as have read everything. */
export const readers = Array.from({ length: world.READERS }, (_, agent) => agent);
export const pollers = Array.from({ length: 200 }, (_, n) => world.READERS + n);

export const readRows: Row[] = [
  {
    name: "inbox-empty",
    run: (lab) =>
      fromMemory(lab, "GET /inbox, nothing new, against the Koa GET floor", { atLeast: 0.85 }, (server) =>
        // They poll with the cursor that they were given last.
        Promise.all(pollers.map((agent) => laterPage(server, get(agent, "/inbox"), 1))),
      ),
  },
  {
    name: "inbox-50",
    run: (lab) =>
      fromMemory(lab, "GET /inbox, 50 wires, against the same bytes from memory", { atLeast: 0.45 }, () =>
        readers.map((agent) => get(agent, "/inbox")),
      ),
  },
  {
    name: "feed-50",
    run: (lab) =>
      fromMemory(lab, "Newest feed, 50 wires, against the same bytes from memory", { atLeast: 0.45 }, () =>
        readers.map((agent) => get(agent, `/spaces/${world.spaceSlugOf(world.BIG_SPACE)}/wires`)),
      ),
  },
];
