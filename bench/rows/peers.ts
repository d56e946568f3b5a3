/**
 * Compares the rate of delivered messages with other services that store messages durably, and with a Koa
 * server that stores nothing but needs the same two requests per message.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Exchanges } from "../load/pairs.js";
import { medianMetric } from "../measure/compare.js";
import type { BenchEnvironment } from "../measure/environment.js";
import type { Report, SampleSummary } from "../measure/report.js";
import { median } from "../measure/statistics.js";
import { askPeers } from "../peers/ask.js";
import { peers } from "../peers/index.js";
import type { Peer, PeerServer } from "../peers/peer.js";
import type { Row } from "./row.js";

const PAIRS = 64;

interface PeerComparison {
  title: string;
  /** Wireroom, then the others. */
  peers: readonly Peer[];
  /** Minimum ratio of the throughput to a peer's throughput, by the peer's name. */
  throughput: ReadonlyMap<string, number>;
  /** Maximum ratio of p99 to a peer's p99, by the peer's name. */
  p99?: ReadonlyMap<string, number>;
}

const SEND: PeerComparison = {
  title: `Send, acknowledge, receive: ${PAIRS} pairs, against others`,
  peers,
  throughput: new Map([
    ["PostgreSQL", 1.5],
    ["NATS JetStream", 1.5],
    ["Prosody", 3],
    ["Redis", 0.35],
  ]),
};
const ASK: PeerComparison = {
  title: `Ask, and receive the answer: ${PAIRS} pairs, against others`,
  peers: askPeers,
  throughput: new Map([["PostgreSQL, LISTEN and NOTIFY", 1.5]]),
  p99: new Map([["NATS, request and reply", 3]]),
};
/** Seconds of load on each service before a measurement, in which code is compiled. */
const WARM_UP = 4;

interface Started {
  peer: Peer;
  server: PeerServer;
  rounds: Exchanges[];
}

async function run(bench: BenchEnvironment, comparison: PeerComparison): Promise<Report[]> {
  const started: Started[] = [];
  const missing: string[] = [];
  for (const peer of comparison.peers) {
    const folder = await mkdtemp(join(tmpdir(), "wireroom-bench-peer-"));
    bench.atEnd(() => rm(folder, { recursive: true, force: true }));
    const server = await peer.start(folder);
    if (typeof server === "string") missing.push(`${peer.name}: skipped, ${server}`);
    else {
      bench.atEnd(() => server.stop());
      started.push({ peer, server, rounds: [] });
    }
  }
  const { rounds, seconds } = bench.settings;
  const talk = ({ peer, server }: Started, run: number, length: number) =>
    bench.generator.run({
      task: "pairs",
      peer: peer.name,
      url: server.url,
      run,
      pairs: PAIRS,
      seconds: length,
    });
  for (const one of started) await talk(one, rounds, Math.min(WARM_UP, 4 * seconds));
  for (let round = 0; round < rounds; round++) {
    for (const one of round % 2 === 0 ? started : started.toReversed()) {
      one.rounds.push(await talk(one, round, seconds));
    }
  }
  const [ours, ...others] = started as [Started, ...Started[]];
  return [
    {
      title: comparison.title,
      findings: others.flatMap((other) => findings(ours, other, comparison)),
      figures: started.map(figures),
      ...(missing.length > 0 && { note: `${missing.join("; ")} (bench/peers/README.md)` }),
    },
  ];
}

function findings(ours: Started, { peer, rounds }: Started, { throughput, p99 }: PeerComparison) {
  const ratios = (measure: "throughput" | "p99") =>
    rounds.map((theirs, round) => ours.rounds[round]![measure] / theirs[measure]);
  const atLeast = throughput.get(peer.name);
  const atMost = p99?.get(peer.name);
  return [
    medianMetric(
      `against ${peer.name}`,
      "×",
      ratios("throughput"),
      atLeast === undefined ? undefined : { atLeast },
    ),
    ...(atMost === undefined
      ? []
      : [medianMetric(`p99 against ${peer.name}`, "×", ratios("p99"), { atMost })]),
  ];
}

function figures({ peer, rounds }: Started): SampleSummary {
  const middle = (measure: keyof Exchanges) => median(rounds.map((round) => round[measure]));
  return {
    name: `${peer.name} (${peer.durability})`,
    throughput: middle("throughput"),
    p50: middle("p50"),
    p99: middle("p99"),
  };
}

export const peerRows: Row[] = [
  { name: "peers", run: (bench) => run(bench, SEND) },
  { name: "ask", run: (bench) => run(bench, ASK) },
];
