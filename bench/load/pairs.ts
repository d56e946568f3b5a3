/** Load of conversations: each pair sends a text, and waits for the acknowledgement and for the recipient. */

import { Random } from "../data/random.js";
import { textOf } from "../data/text.js";
import { percentile } from "../measure/statistics.js";
import { askPeers } from "../peers/ask.js";
import { peers } from "../peers/index.js";

export interface PairLoad {
  task: "pairs";
  peer: string;
  url: string;
  /** Number that makes the addresses of this run unique. */
  run: number;
  pairs: number;
  seconds: number;
}

export interface Exchanges {
  /** Received texts per second. */
  throughput: number;
  /** Milliseconds from sending a text to its arrival. */
  p50: number;
  p99: number;
}

const WARM_UP = 500;

export async function runPairs(load: PairLoad): Promise<Exchanges> {
  const peer = [...peers, ...askPeers].find(({ name }) => name === load.peer)!;
  const pairs = await Promise.all(
    Array.from({ length: load.pairs }, (_, n) => peer.connect(load.url, load.run, n)),
  );
  const text = textOf(new Random(load.run), 200);
  let latencies: number[] = [];
  let stopped = false;
  const talks = pairs.map(async (pair) => {
    while (!stopped) {
      const started = performance.now();
      await pair.exchange(text);
      latencies.push(performance.now() - started);
    }
    pair.close();
  });
  await pause(WARM_UP);
  latencies = [];
  const started = performance.now();
  await pause(load.seconds * 1_000);
  const seconds = (performance.now() - started) / 1_000;
  const sorted = Float64Array.from(latencies).sort();
  stopped = true;
  await Promise.all(talks);
  return { throughput: sorted.length / seconds, p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
