/**
 * Load of thousands of requests that are held at the same time, while something new is sent to some of them.
 */
import { type Dispatcher, Pool, request } from "undici";
import { percentile } from "../measure/statistics.js";
import { cpuOf, memoryOf } from "../servers/usage.js";
import type { PlannedRequest } from "./requests.js";

export interface CrowdLoad {
  task: "crowd";
  url: string;
  pid: number;
  /** The inboxes and lists that clients wait for. */
  places: Place[];
  /** Total number of posts per second, and the duration. */
  rate: number;
  seconds: number;
}

/** An inbox, thread, feed, approval queue or work queue that clients wait for. */
export interface Place {
  /** The request that is held, without a cursor. Its path has a query. */
  wait: PlannedRequest;
  /** The cursor of the first request. Without a cursor, the request is held only while the place is empty. */
  cursor?: string;
  /** Number of clients that send `wait`. */
  clients: number;
  /** The request whose effect the clients receive. */
  post: PlannedRequest;
  /** Number of clients that receive the effect. Default: all. */
  receivers?: number;
}

export interface Crowd {
  /** Memory of the server per held request in bytes. */
  memory: number | undefined;
  /** CPU time of the server while all requests are held, as a fraction of one processor. */
  idleCpu: number | undefined;
  /** Milliseconds from sending a post to a response to a client that waits for it, including the commit. */
  p50: number;
  p99: number;
  answers: number;
}

/** A post whose effect has not reached all clients of its place. */
interface Pending {
  sentAt: number;
  left: number;
}

interface Page {
  wires?: unknown[];
  approvals?: unknown[];
  claims?: unknown[];
  next_cursor?: string;
}

/** Time for all held requests to read once. The daemon counts a request as held before its first read. */
const WARM_UP_MS = 2_000;
/** Duration for which nothing is sent while all requests are held. */
const IDLE_MS = 10_000;
/** Maximum wait for the last responses. */
const DRAIN_TIMEOUT_MS = 10_000;

export async function runCrowd(load: CrowdLoad): Promise<Crowd> {
  const connections = clientsOf(load);
  const waiting = new Pool(load.url, { connections, headersTimeout: 0, bodyTimeout: 0 });
  const sending = new Pool(load.url, { connections: 16 });
  const latencies: number[] = [];
  const pending = new Map<Place, Pending>();
  let stopped = false;
  let failed: Error | undefined;

  const poll = async (place: Place) => {
    for (let { cursor } = place; !stopped; ) {
      const path = cursor === undefined ? place.wait.path : `${place.wait.path}&cursor=${cursor}`;
      const page = await send(waiting, { ...place.wait, path });
      const at = performance.now();
      cursor = page.next_cursor;
      const post = pending.get(place);
      if (!post || (page.wires ?? page.approvals ?? page.claims)!.length === 0) continue;
      latencies.push(at - post.sentAt);
      if (--post.left === 0) pending.delete(place);
    }
  };

  try {
    // The first request initialises everything that the daemon initialises only once.
    await request(`${load.url}/metrics`).then(({ body }) => body.dump());
    const before = memoryOf(load.pid);
    const polls = load.places.flatMap((place) =>
      Array.from({ length: place.clients }, () =>
        poll(place).catch((error: Error) => {
          if (!stopped) failed = error;
        }),
      ),
    );
    await waitForHeldRequests(load.url, connections, () => failed);
    await new Promise((resolve) => setTimeout(resolve, WARM_UP_MS));
    const after = memoryOf(load.pid);
    const used = cpuOf(load.pid)?.all;
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    const idle = used === undefined ? undefined : (cpuOf(load.pid)!.all - used) / IDLE_MS;
    await write(load, sending, pending);
    stopped = true;
    await waiting.destroy();
    await Promise.all(polls);
    if (failed) throw failed;
    const sorted = Float64Array.from(latencies).sort();
    return {
      memory: before && after && (after - before) / connections,
      idleCpu: idle,
      p50: percentile(sorted, 0.5),
      p99: percentile(sorted, 0.99),
      answers: sorted.length,
    };
  } finally {
    await sending.destroy();
  }
}

function clientsOf({ places }: CrowdLoad): number {
  return places.reduce((sum, { clients }) => sum + clients, 0);
}

/** Waits until the daemon reports that all requests are held. */
async function waitForHeldRequests(
  url: string,
  count: number,
  failure: () => Error | undefined,
): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const error = failure();
    if (error) throw error;
    const { body } = await request(`${url}/metrics`);
    const held = Number(/^wireroom_long_polls (\d+)/m.exec(await body.text())?.[1]);
    if (held >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`not all of ${count} requests are held`);
}

/**
 * Posts to the places in turn, at a constant rate. Skips a place until all its clients have received the last
 * post.
 */
async function write(load: CrowdLoad, pool: Pool, pending: Map<Place, Pending>): Promise<void> {
  const started = performance.now();
  const total = load.rate * load.seconds;
  const posts: Promise<unknown>[] = [];
  for (let sent = 0; sent < total; ) {
    const due = Math.min(Math.floor(((performance.now() - started) / 1_000) * load.rate), total);
    for (; sent < due; sent++) {
      const place = load.places[(sent * 7_919) % load.places.length]!;
      if (pending.has(place)) continue;
      pending.set(place, { sentAt: performance.now(), left: place.receivers ?? place.clients });
      posts.push(send(pool, place.post));
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await Promise.all(posts);
  for (let wait = 0; wait < DRAIN_TIMEOUT_MS && pending.size > 0; wait += 50) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  if (pending.size > 0) throw new Error(`${pending.size} posts have not reached all clients`);
}

async function send(pool: Dispatcher, { body, ...planned }: PlannedRequest): Promise<Page> {
  const answer = await pool.request({ ...planned, body: body ?? null });
  const text = await answer.body.text();
  if (answer.statusCode >= 300)
    throw new Error(`${planned.method} ${planned.path}: ${answer.statusCode} ${text}`);
  return JSON.parse(text) as Page;
}
