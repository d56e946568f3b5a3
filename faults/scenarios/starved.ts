/** Too few open files, and too little memory. The daemon may refuse and may crash, but loses nothing. */
import { execFileSync } from "node:child_process";
import { connect, type Socket } from "node:net";
import type { TestDaemon } from "../../test/harness/daemon.js";
import { Load, pause } from "../load/load.js";
import type { World } from "../load/world.js";
import type { Life, Scenario } from "../scenario.js";
import { compare, withService } from "./service.js";

const OPEN_FILES = 256;
const IDLE_CONNECTIONS = 500;
const LAUNCHER = ["prlimit", `--nofile=${OPEN_FILES}:${OPEN_FILES}`];
const HEAPS_MB = [32, 40, 48, 56];

export const openFiles: Scenario = {
  name: "open-files",
  title: `at most ${OPEN_FILES} open files, and more connections`,
  weight: 0.5,
  unavailable: () => (hasPrlimit() ? undefined : "it needs prlimit"),
  run: (life) =>
    withService(life, { timeoutMs: 5_000, launcher: LAUNCHER }, async (daemon, world) => {
      const load = new Load(world, { survivesLoss: true });
      const running = load.runFor(4_000);
      const idle = Array.from({ length: IDLE_CONNECTIONS }, () => openSocket(daemon));
      life.count("connections", idle.length);
      await pause(1_000);
      const before = world.ledger.counts.acknowledged;
      await running;
      for (const socket of idle) socket.destroy();
      if (world.ledger.counts.acknowledged === before) return ["no wire was sent beside idle connections"];
      return compare(life, daemon, world);
    }),
};

export const memory: Scenario = {
  name: "memory",
  title: "a heap of 32 to 56 MB, and requests that need more",
  weight: 0.5,
  run(life) {
    // The daemon reads this object at each start, so the scenario can change it.
    const env = { NODE_OPTIONS: "" };
    return withService(life, { timeoutMs: 10_000, env }, async (daemon, world) => {
      const heapMb = HEAPS_MB[life.random.below(HEAPS_MB.length)];
      life.at(`a heap of ${heapMb} MB`);
      env.NODE_OPTIONS = `--max-old-space-size=${heapMb}`;
      // With the smallest heap, the daemon may crash while it starts.
      const starts = await daemon.restart().then(
        () => true,
        () => false,
      );
      if (starts) await exhaust(life, daemon, world);
      if (daemon.process.exitCode !== null || daemon.process.signalCode !== null) life.count("crashes");
      await daemon.kill();
      env.NODE_OPTIONS = "";
      await daemon.restart();
      return compare(life, daemon, world);
    });
  },
};

/** Sends large wires, and reads large pages with many requests at once. */
async function exhaust(life: Life, daemon: TestDaemon, world: World): Promise<void> {
  const load = new Load(world, { survivesLoss: true, maxText: 8_000, lanes: 8 });
  const controller = new AbortController();
  const ending = controller.signal;
  setTimeout(() => controller.abort(), 6_000 * life.scale);
  daemon.process.once("exit", () => controller.abort());
  const readers = Array.from({ length: 96 }, async (_, n) => {
    const agent = world.agents[n % world.agents.length]!;
    while (!ending.aborted) {
      const path = `/inbox?limit=100&cursor=${encodeURIComponent(agent.start)}`;
      if (!(await world.http.send(agent.key, "GET", path))) await pause(50);
    }
  });
  await Promise.all([load.run(ending), ...readers]);
}

/** Opens a connection that sends nothing. */
export function openSocket(daemon: TestDaemon): Socket {
  const { hostname, port } = new URL(daemon.origin);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  return socket;
}

function hasPrlimit(): boolean {
  try {
    execFileSync("prlimit", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
