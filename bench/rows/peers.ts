/** Sends, acknowledgements and receipts a second, against other services that store a message first. */
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
const AT_LEAST: Record<string, number> = { PostgreSQL: 1.5, "NATS JetStream": 1.5, Prosody: 3, Redis: 0.35 };

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
  for (let round = 0; round < rounds; round++) {
    for (const { peer, server, rounds: taken } of round % 2 === 0 ? started : started.toReversed()) {
      const load = { peer: peer.name, url: server.url, run: round, pairs: PAIRS, seconds };
      taken.push(await lab.generator.run({ task: "pairs", ...load }));
    }
  }
  const [ours, ...others] = started as [Started, ...Started[]];
  return [
    {
      title: `Send, acknowledge, receive: ${PAIRS} pairs, against others`,
      findings: others.map(({ peer, rounds: theirs }) => {
        const ratios = theirs.map(({ throughput }, round) => ours.rounds[round]!.throughput / throughput);
        return finding(`against ${peer.name}`, "×", ratios, { atLeast: AT_LEAST[peer.name]! });
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
