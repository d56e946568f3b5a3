/**
 * Sends, acknowledgements and receipts a second, against other services that store a message first, and against Koa that
 * stores nothing and takes the same two requests a message.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Exchanges } from "../load/pairs.js";
import { finding } from "../measure/compare.js";
import type { Lab } from "../measure/lab.js";
import type { Figures, Report } from "../measure/report.js";
import { median } from "../measure/statistics.js";
import { peers } from "../peers/index.js";
import type { Peer, PeerServer } from "../peers/peer.js";
import type { Row } from "./row.js";

const PAIRS = 64;
const AT_LEAST = new Map([
  ["PostgreSQL", 1.5],
  ["NATS JetStream", 1.5],
  ["Prosody", 3],
  ["Redis", 0.35],
]);
/** Seconds of load on each that are not counted: code is compiled meanwhile. */
const WARM_UP = 4;

interface Started {
  peer: Peer;
  server: PeerServer;
  rounds: Exchanges[];
}

async function run(lab: Lab): Promise<Report[]> {
  const started: Started[] = [];
  const missing: string[] = [];
  for (const peer of peers) {
    const folder = await mkdtemp(join(tmpdir(), "wireroom-bench-peer-"));
    lab.atEnd(() => rm(folder, { recursive: true, force: true }));
    const server = await peer.start(folder);
    if (typeof server === "string") missing.push(`${peer.name}: skipped, ${server}`);
    else {
      lab.atEnd(() => server.stop());
      started.push({ peer, server, rounds: [] });
    }
  }
  const { rounds, seconds } = lab.settings;
  const talk = ({ peer, server }: Started, run: number, length: number) =>
    lab.generator.run({
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
      title: `Send, acknowledge, receive: ${PAIRS} pairs, against others`,
      findings: others.map(({ peer, rounds: theirs }) => {
        const ratios = theirs.map(({ throughput }, round) => ours.rounds[round]!.throughput / throughput);
        const atLeast = AT_LEAST.get(peer.name);
        return finding(`against ${peer.name}`, "×", ratios, atLeast === undefined ? undefined : { atLeast });
      }),
      figures: started.map(figures),
      ...(missing.length > 0 && { note: `${missing.join("; ")} (bench/peers/README.md)` }),
    },
  ];
}

function figures({ peer, rounds }: Started): Figures {
  const middle = (measure: keyof Exchanges) => median(rounds.map((round) => round[measure]));
  return {
    name: `${peer.name} (${peer.durability})`,
    throughput: middle("throughput"),
    p50: middle("p50"),
    p99: middle("p99"),
  };
}

export const peerRows: Row[] = [{ name: "peers", run }];
