/** Clients that never read, and clients that come and go. The others are served, and memory stays bounded. */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import type { TestDaemon } from "../../test/harness/daemon.js";
import { Load, pause } from "../load/load.js";
import type { World } from "../load/world.js";
import type { Life, Scenario } from "../scenario.js";
import { compare, withService } from "./service.js";
import { openSocket } from "./starved.js";

const SILENT_CLIENTS = 500;
/** Number of pages that each silent client requests but never reads. */
const PAGES = 8;
const MOST_MEMORY_MB = 1_024;
const VISITORS_PER_SECOND = 5_000;
const VISITED_SECONDS = 8;
/** Number of visitor processes. */
const GENERATORS = 4;
const VISITOR = fileURLToPath(new URL("../load/visitor.js", import.meta.url));

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
      const seconds = VISITED_SECONDS * life.scale;
      const crowd = Array.from({ length: GENERATORS }, () => startVisitors(daemon, life));
      await load.runFor(seconds * 1_000);
      let visits = 0;
      for (const generator of crowd) visits += await generator.end();
      life.count("visits", visits);
      life.count("visited-seconds", seconds);
      // Allow for the connections of the load, which stay open.
      const most = descriptors + 200;
      for (let waits = 0; waits < 30 && openFilesOf(daemon) > most; waits++) await pause(500);
      const left = openFilesOf(daemon) - descriptors;
      if (left > 200) return [`${left} descriptors are left after ${visits} connections`];
      if (world.ledger.counts.acknowledged === 0) return ["the others were not served meanwhile"];
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

/**
 * Starts a process that connects and disconnects. `end` stops it, and returns the number of its connections.
 */
function startVisitors(daemon: TestDaemon, { random }: Life): { end(): Promise<number> } {
  const { port } = new URL(daemon.origin);
  const args = [VISITOR, port, random.below(2 ** 31), VISITORS_PER_SECOND / GENERATORS].map(String);
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  return {
    async end() {
      child.kill("SIGTERM");
      let printed = "";
      for await (const chunk of child.stdout) printed += chunk;
      return Number(printed);
    },
  };
}

/** Resident memory of the daemon. */
function memoryMb(daemon: TestDaemon): number {
  const status = readFileSync(`/proc/${daemon.process.pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1_024);
}

function openFilesOf(daemon: TestDaemon): number {
  return readdirSync(`/proc/${daemon.process.pid}/fd`).length;
}
