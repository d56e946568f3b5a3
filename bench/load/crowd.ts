/** Load of thousands of agents that wait in long-polls, while wires are sent to some of them. */
import { type Dispatcher, Pool, request } from "undici";
import { percentile } from "../measure/statistics.js";
import { memoryOf } from "../servers/usage.js";

export interface CrowdLoad {
  task: "crowd";
  url: string;
  pid: number;
  /** API keys and slugs of the waiting agents. */
  agents: { key: string; slug: string }[];
  /** API key of the agent that sends the wires. */
  sender: string;
  /** Wires per second, and the duration. */
  rate: number;
  seconds: number;
}

export interface Crowd {
  /** Memory of the server per waiting agent in bytes. */
  memory: number | undefined;
  /** Milliseconds from sending a wire to the response to its recipient, including the commit. */
  p50: number;
  p99: number;
  answers: number;
}

const WAIT = 60;
/** Maximum wait for the last responses. */
const DRAIN_TIMEOUT_MS = 10_000;

export async function runCrowd(load: CrowdLoad): Promise<Crowd> {
  const waiting = new Pool(load.url, { connections: load.agents.length, headersTimeout: 0, bodyTimeout: 0 });
  const sending = new Pool(load.url, { connections: 16 });
  const latencies: number[] = [];
  const sentAt = new Map<string, number>();
  let stopped = false;
  let failed: Error | undefined;

  const poll = async ({ key, slug }: CrowdLoad["agents"][number]) => {
    for (let cursor = ""; !stopped; ) {
      const path = `/v1/inbox?wait=${WAIT}${cursor && `&cursor=${cursor}`}`;
      const answer = await get(waiting, path, key);
      const at = performance.now();
      cursor = answer.next_cursor;
      if (answer.wires.length === 0) continue;
      latencies.push(at - sentAt.get(slug)!);
      sentAt.delete(slug);
    }
  };

  try {
    // The first request initialises everything that the daemon initialises only once.
    await get(sending, "/v1/inbox", load.agents[0]!.key);
    const before = memoryOf(load.pid);
    const polls = load.agents.map((agent) =>
      poll(agent).catch((error: Error) => {
        if (!stopped) failed = error;
      }),
    );
    await waitForLongPolls(load, () => failed);
    const after = memoryOf(load.pid);
    await write(load, sending, sentAt);
    stopped = true;
    await waiting.destroy();
    await Promise.all(polls);
    if (failed) throw failed;
    const sorted = Float64Array.from(latencies).sort();
    return {
      memory: before && after && (after - before) / load.agents.length,
      p50: percentile(sorted, 0.5),
      p99: percentile(sorted, 0.99),
      answers: sorted.length,
    };
  } finally {
    await sending.destroy();
  }
}

/** Waits until the daemon reports that all long-polls are pending. */
async function waitForLongPolls({ url, agents }: CrowdLoad, failure: () => Error | undefined): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const error = failure();
    if (error) throw error;
    const { body } = await request(`${url}/metrics`);
    const polls = Number(/^wireroom_long_polls (\d+)/m.exec(await body.text())?.[1]);
    if (polls >= agents.length) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`not all of ${agents.length} agents are held in a long-poll`);
}

/** Sends wires to the agents in turn, at a constant rate. Each agent gets its next wire after it received the last one. */
async function write(load: CrowdLoad, pool: Pool, sentAt: Map<string, number>): Promise<void> {
  const started = performance.now();
  const total = load.rate * load.seconds;
  const headers = { authorization: `Bearer ${load.sender}`, "content-type": "application/json" };
  const posts: Promise<void>[] = [];
  for (let sent = 0; sent < total; ) {
    const due = Math.min(Math.floor(((performance.now() - started) / 1_000) * load.rate), total);
    for (; sent < due; sent++) {
      const { slug } = load.agents[(sent * 7_919) % load.agents.length]!;
      if (sentAt.has(slug)) continue;
      sentAt.set(slug, performance.now());
      const body = JSON.stringify({ to: `@${slug}`, text: "something new" });
      const post = pool.request({ method: "POST", path: "/v1/wires", headers, body });
      posts.push(post.then((answer) => answer.body.dump()));
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await Promise.all(posts);
  for (let wait = 0; wait < DRAIN_TIMEOUT_MS && sentAt.size > 0; wait += 50) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function get(pool: Dispatcher, path: string, key: string) {
  const { statusCode, body } = await pool.request({
    method: "GET",
    path,
    headers: { authorization: `Bearer ${key}` },
  });
  if (statusCode !== 200) throw new Error(`GET ${path}: ${statusCode} ${await body.text()}`);
  return (await body.json()) as { wires: unknown[]; next_cursor: string };
}
