/** Clients that never read, and clients that come and go. The others are served, and memory stays bounded. */
import { readdirSync, readFileSync } from "node:fs";
import type { Socket } from "node:net";
import type { TestDaemon } from "../../test/harness/daemon.js";
import { Load, pause } from "../load/load.js";
import type { World } from "../load/world.js";
import type { Scenario } from "../scenario.js";
import { compare, withService } from "./service.js";
import { openSocket } from "./starved.js";

const SILENT_CLIENTS = 500;
/** Each of them asks for so many pages that it does not read. */
const PAGES = 8;
const MOST_MEMORY_MB = 1_024;
const VISITORS_PER_SECOND = 5_000;

const onProc = () => (process.platform === "linux" ? undefined : "it reads /proc");

export const silentClients: Scenario = {
  name: "never-read",
  title: `${SILENT_CLIENTS} clients that ask and never read`,
  weight: 0.5,
  unavailable: onProc,
  run: (life) =>
    withService(life, { timeoutMs: 20_000 }, async (daemon, world) => {
      const load = new Load(world, { survivesLoss: true, maxText: 8_000 });
      await load.runFor(3_000 * life.scale);
      const count = Math.round(SILENT_CLIENTS * life.scale);
      const sockets = Array.from({ length: count }, (_, n) => neverReading(daemon, world, n));
      const running = load.runFor(6_000);
      const before = world.ledger.counts.acknowledged;
      let most = 0;
      for (let n = 0; n < 12; n++) {
        await pause(500);
        most = Math.max(most, memoryMb(daemon));
      }
      await running;
      for (const socket of sockets) socket.destroy();
      life.count("clients", count);
      if (most > MOST_MEMORY_MB) return [`${count} clients that never read take ${most} MB`];
      if (world.ledger.counts.acknowledged === before) return ["the others were not served meanwhile"];
      return compare(life, daemon, world);
    }),
};

export const visitors: Scenario = {
  name: "visitors",
  title: `up to ${VISITORS_PER_SECOND} connections a second that come and go`,
  weight: 0.5,
  unavailable: onProc,
  run: (life) =>
    withService(life, { timeoutMs: 20_000 }, async (daemon, world) => {
      const load = new Load(world, { survivesLoss: true, pauseMs: 20 });
      const descriptors = openFilesOf(daemon);
      const running = load.runFor(5_000 * life.scale);
      const end = performance.now() + 4_000 * life.scale;
      let visits = 0;
      while (performance.now() < end) {
        const batch = Array.from({ length: VISITORS_PER_SECOND / 50 }, () =>
          visit(daemon, life.random.below(4)),
        );
        visits += batch.length;
        await Promise.all([...batch, pause(20)]);
      }
      await running;
      life.count("visits", visits);
      await pause(500);
      // The load keeps its own connections.
      const left = openFilesOf(daemon) - descriptors;
      if (left > 200) return [`${left} descriptors are left after ${visits} connections`];
      return compare(life, daemon, world);
    }),
};

function neverReading(daemon: TestDaemon, { agents }: World, n: number): Socket {
  const { key, start } = agents[n % agents.length]!;
  const socket = openSocket(daemon);
  socket.pause();
  const path = `/v1/inbox?limit=100&cursor=${encodeURIComponent(start)}`;
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`.repeat(PAGES),
  );
  return socket;
}

/** Connects, asks for something, for half of something or for nothing, and leaves. */
async function visit(daemon: TestDaemon, kind: number): Promise<void> {
  const socket = openSocket(daemon);
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.once("connect", () => {
    if (kind === 0) socket.destroy();
    else if (kind === 1) socket.end("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    else if (kind === 2) {
      socket.write("POST /v1/wires HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{", () =>
        socket.destroy(),
      );
    } else socket.resetAndDestroy();
  });
  socket.resume();
  await closed;
}

/** Resident memory of the daemon. */
function memoryMb(daemon: TestDaemon): number {
  const status = readFileSync(`/proc/${daemon.process.pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1_024);
}

function openFilesOf(daemon: TestDaemon): number {
  return readdirSync(`/proc/${daemon.process.pid}/fd`).length;
}
