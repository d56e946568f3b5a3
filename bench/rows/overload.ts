/** Offers three times the peak, while other clients hold long polls and ask for /healthz. */
import { Agent, request } from "undici";
import { READERS, slugOf } from "../data/dataset.js";
import { Generator } from "../load/generator.js";
import type { OpenSample } from "../load/open.js";
import type { PlannedRequest } from "../load/requests.js";
import { medianMetric } from "../measure/compare.js";
import type { BenchEnvironment } from "../measure/environment.js";
import type { Report } from "../measure/report.js";
import type { Server } from "../servers/process.js";
import { addressOf, dmsExceptTo, OPEN_CONNECTIONS, peakOf, summarizeOpen } from "./open-loop.js";
import { answer, get, laterPage, post } from "./requests.js";
import type { Row } from "./row.js";

const FACTOR = 3;
const SECONDS = 5;
/** Agents that hold a long poll during the load. They get no wires meanwhile. */
const POLLERS = Array.from({ length: 50 }, (_, n) => READERS + n);
const POLL_SECONDS = 50;
/** Number of requests for /healthz per second. */
const HEALTH_RATE = 20;

/** Number of rounds, which are longer than those of other rows. */
const ROUNDS = 3;

async function run(bench: BenchEnvironment): Promise<Report[]> {
  const requests = dmsExceptTo(new Set(POLLERS.map(slugOf)));
  const server = await bench.daemon(10_000);
  const healthGenerator = new Generator();
  bench.atEnd(() => healthGenerator.close());
  const rounds: { peak: number; load: OpenSample; health: OpenSample; polls: number }[] = [];
  for (let round = 0; round < Math.min(ROUNDS, bench.settings.rounds); round++) {
    const peak = await peakOf(bench, server, requests);
    const polls = await holdLongPolls(server);
    const common = { task: "open" as const, server: addressOf(server) };
    const healthz = { method: "GET" as const, path: "/healthz", headers: {} };
    const health = healthGenerator.run({
      ...common,
      requests: [healthz],
      phases: [
        { rate: HEALTH_RATE, seconds: 1 },
        { rate: HEALTH_RATE, seconds: SECONDS },
      ],
      connections: 5 * HEALTH_RATE,
      opensConnections: true,
    });
    await new Promise((resolve) => setTimeout(resolve, 500));
    const load = await bench.generator.run({
      ...common,
      requests,
      phases: [
        { rate: FACTOR * peak, seconds: 1 },
        { rate: FACTOR * peak, seconds: SECONDS },
      ],
      connections: OPEN_CONNECTIONS,
    });
    rounds.push({ peak, load: load.phases[1]!, health: (await health).phases[1]!, polls: await polls.end() });
  }
  const over = (pick: (one: (typeof rounds)[number]) => number) => rounds.map(pick);
  return [
    {
      title: `${FACTOR} times the peak, DMs by the clock on ${OPEN_CONNECTIONS} connections`,
      findings: [
        medianMetric(
          "served, of the peak",
          "×",
          over(({ load, peak }) => load.goodput / peak),
          { atLeast: 0.9 },
        ),
        medianMetric(
          "refused with 503",
          "%",
          over(({ load }) => (100 * load.refused) / load.planned),
        ),
        medianMetric(
          "refused within, p99",
          "ms",
          over(({ load }) => load.refusedP99),
        ),
        medianMetric(
          "failed otherwise",
          "",
          over(({ load }) => load.failed),
          { atMost: 0 },
        ),
        medianMetric(
          "GET /healthz on new connections, p99",
          "ms",
          over(({ health }) => health.p99),
          { atMost: 1_000 },
        ),
        medianMetric(
          "GET /healthz, failed",
          "",
          over(({ health }) => health.failed + health.refused),
          { atMost: 0 },
        ),
        medianMetric(
          "long polls lost",
          "",
          over(({ polls }) => polls),
          { atMost: 0 },
        ),
      ],
      figures: [
        summarizeOpen(
          "Wireroom",
          rounds.map(({ load }) => load),
        ),
      ],
      note: `the peak is ${Math.round(rounds[0]!.peak)} a second (closed loop, 64 connections)`,
    },
  ];
}

/**
 * Starts the long polls. `end` sends a wire to each of their agents, and returns the number of agents that
 * did not get it.
 */
async function holdLongPolls(server: Server): Promise<{ end(): Promise<number> }> {
  const dispatcher = new Agent({ connections: POLLERS.length, headersTimeout: 0, bodyTimeout: 0 });
  const ends = await Promise.all(POLLERS.map((agent) => laterPage(server, get(agent, "/inbox"), 1)));
  const poll = async ({ path, headers }: PlannedRequest): Promise<boolean> => {
    const { statusCode, body } = await request(`${server.url}${path}&wait=${POLL_SECONDS}`, {
      dispatcher,
      headers,
    });
    const { wires } = (await body.json()) as { wires?: unknown[] };
    return statusCode === 200 && wires?.length === 1;
  };
  const polls = ends.map((end) => poll(end).catch(() => false));
  return {
    async end() {
      for (const agent of POLLERS)
        await answer(server, post(0, "/wires", { to: `@${slugOf(agent)}`, text: "the load has ended" }));
      const woken = await Promise.all(polls);
      await dispatcher.close();
      return woken.filter((isWoken) => !isWoken).length;
    },
  };
}

export const overloadRows: Row[] = [{ name: "overload", run }];
