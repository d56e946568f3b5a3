/**
 * Measures 5,000 held requests at a time, of each kind: for inboxes, threads, feeds, approvals, and wires to
 * claim.
 */

import { startOidcIssuer } from "../../test/harness/oidc-issuer.js";
import * as dataset from "../data/dataset.js";
import type { Crowd, Place } from "../load/crowd.js";
import type { PlannedRequest } from "../load/requests.js";
import { medianMetric } from "../measure/compare.js";
import type { BenchEnvironment } from "../measure/environment.js";
import type { Report } from "../measure/report.js";
import { startDaemon } from "../servers/daemon.js";
import type { Server } from "../servers/process.js";
import { answer, get, post } from "./requests.js";
import type { Row } from "./row.js";

const CLIENTS = 5_000;
/** Answers to held requests per second. */
const RATE = 200;
/** The clients of threads, feeds and approvals share this number of places. */
const PLACES = dataset.SPACES;
const KIB = 1_024;
/** Number of rounds. It is small, because each round opens thousands of connections. */
const ROUNDS = 3;
/** Seconds for which a request may be held: longer than a measurement. */
const WAIT = 60;
const SENDER = 0;
const TEXT = "something new";

interface Kind {
  name: string;
  args?: readonly string[];
  /** Returns the places that the clients wait for. Each place has the same number of clients. */
  places(server: Server, clients: number): Promise<Place[]>;
}

async function inboxes(_server: Server, clients: number): Promise<Place[]> {
  return Array.from({ length: clients }, (_, n) => ({
    wait: get(n + 1, `/inbox?wait=${WAIT}`),
    clients: 1,
    post: post(SENDER, "/wires", { to: `@${dataset.slugOf(n + 1)}`, text: TEXT }),
  }));
}

function feeds(_server: Server, clients: number): Promise<Place[]> {
  return shared(clients, async (n) => ({
    wait: get(n + 1, `/spaces/${dataset.spaceSlugOf(n)}/wires?order=oldest&wait=${WAIT}`),
    post: post(SENDER, "/wires", { to: `#${dataset.spaceSlugOf(n)}`, text: TEXT }),
  }));
}

function threads(server: Server, clients: number): Promise<Place[]> {
  return shared(clients, async (n) => {
    const wire = { to: `@${dataset.slugOf(n + 1)}`, text: TEXT };
    const { id } = JSON.parse(await answer(server, post(SENDER, "/wires", wire))) as { id: string };
    const page = await answer(server, get(n + 1, `/threads/${id}?wait=0`));
    const { next_cursor: cursor } = JSON.parse(page) as { next_cursor: string };
    return {
      wait: get(n + 1, `/threads/${id}?wait=${WAIT}`),
      cursor,
      post: post(SENDER, "/wires", { ...wire, reply_to: id }),
    };
  });
}

/** All workers wait for the wires of one space, and each wire goes to one of them. */
async function claims(server: Server, clients: number): Promise<Place[]> {
  const slug = dataset.spaceSlugOf(PLACES - 1);
  const root_rule = { allow_text: true, claimable: true };
  await answer(server, { ...post(SENDER, `/spaces/${slug}`, { root_rule }), method: "PUT" });
  const wait = post(SENDER, `/spaces/${slug}/claims`, { wait: WAIT, seconds: 86_400 });
  return [{ wait, clients, receivers: 1, post: post(SENDER, "/wires", { to: `#${slug}`, text: TEXT }) }];
}

/** Each human waits for the approvals of one handle. */
async function approvals(bench: BenchEnvironment): Promise<Kind> {
  const issuer = await startOidcIssuer();
  bench.atEnd(() => issuer.close());
  await issuer.addKey("ES256");
  const places = async (server: Server, clients: number) =>
    shared(clients, async (n) => {
      const claims = { sub: `waiter-${n}`, email: `waiter-${n}@example.com` };
      const human = withToken(await issuer.token({ claims }));
      const slug = `waiter-${n}`;
      const { id } = JSON.parse(await answer(server, human("POST", "/handles", { slug }))) as { id: string };
      const issued = await answer(server, human("POST", "/keys", { handle_id: id }));
      const { key } = JSON.parse(issued) as { key: string };
      await answer(server, human("PUT", `/handles/${slug}/egress`, { mode: "approval" }));
      const held = { to: `@${dataset.slugOf(SENDER)}`, text: TEXT };
      return { wait: human("GET", `/approvals?wait=${WAIT}`), post: withToken(key)("POST", "/wires", held) };
    });
  return {
    name: "approvals",
    args: ["--oidc-issuer", issuer.url, "--oidc-audience", issuer.audience],
    places,
  };
}

function withToken(token: string) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return (method: "GET" | "POST" | "PUT", path: string, body?: object): PlannedRequest => ({
    method,
    path: `/v1${path}`,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
}

/** Distributes the clients over {@link PLACES} places. */
async function shared(
  clients: number,
  placeOf: (n: number) => Promise<Omit<Place, "clients">>,
): Promise<Place[]> {
  const places: Place[] = [];
  for (let n = 0; n < PLACES; n++) places.push({ ...(await placeOf(n)), clients: clients / PLACES });
  return places;
}

async function run(bench: BenchEnvironment): Promise<Report[]> {
  const clients = bench.settings.wires === undefined ? CLIENTS : CLIENTS / 5;
  const kinds: Kind[] = [
    { name: "an inbox", places: inboxes },
    { name: "a thread", places: threads },
    { name: "a feed", places: feeds },
    { name: "a wire to claim", args: ["--limit", "claims_per_handle=none"], places: claims },
    await approvals(bench),
  ];
  const crowds = kinds.map((): Crowd[] => []);
  for (let round = 0; round < Math.min(ROUNDS, bench.settings.rounds); round++)
    for (const [n, kind] of kinds.entries()) crowds[n]!.push(await measure(bench, kind, clients));
  return kinds.map(({ name }, n) => reportOf(`${clients} requests held for ${name}`, crowds[n]!));
}

/** Starts a new daemon, because a daemon keeps the memory of an earlier load. */
async function measure(
  bench: BenchEnvironment,
  { args, places: placesOf }: Kind,
  clients: number,
): Promise<Crowd> {
  const server = await startDaemon(await bench.database(0, CLIENTS + 1), { ...(args && { args }) });
  try {
    const places = await placesOf(server, clients);
    const { pid, url } = server;
    const answers = places.reduce((sum, place) => sum + (place.receivers ?? place.clients), 0);
    const rate = (RATE * places.length) / answers;
    const load = { pid, url, places, rate, seconds: bench.settings.seconds * 4 };
    return await bench.generator.run({ task: "crowd", ...load });
  } finally {
    await server.stop();
  }
}

function reportOf(title: string, crowds: readonly Crowd[]): Report {
  const values = (measure: "memory" | "idleCpu" | "p50" | "p99") =>
    crowds.map((crowd) => crowd[measure] ?? Number.NaN);
  const memory = values("memory").map((bytes) => bytes / KIB);
  return {
    title: `${title}, ${RATE} answers a second`,
    findings: [
      medianMetric("memory of each", "KiB", memory, { atMost: 22 }),
      medianMetric(
        "CPU while all wait",
        "%",
        values("idleCpu").map((share) => share * 100),
      ),
      medianMetric("from sending to answer, p50", "ms", values("p50")),
      medianMetric("from sending to answer, p99", "ms", values("p99"), { atMost: 50 }),
    ],
    figures: [],
    note: "timed from the sender's request, so the commit and its fsync are in it",
  };
}

export const crowdRows: Row[] = [{ name: "crowd", run }];
