/** A daemon that is stopped for up to half a minute, and a network that loses requests or responses. */
import type { TestDaemon } from "../../test/harness/daemon.js";
import { type Fault, startFaultProxy } from "../../test/harness/fault-proxy.js";
import { Http } from "../load/http.js";
import { Load, pause } from "../load/load.js";
import type { Scenario } from "../scenario.js";
import { compare, withService } from "./service.js";

const LONGEST_STOP_MS = 30_000;
/** The network faults. Some requests also pass without a fault. */
const FAULTS: readonly Fault[] = [
  "cut-before",
  "cut-after",
  "cut-within",
  "half-open",
  "half-open-after",
  "502",
];

/** Ends the requests whose clients have given up. A daemon that receives SIGTERM finishes them first. */
function finishRequests(daemon: TestDaemon): Promise<void> {
  return daemon.restart();
}

export const stopped: Scenario = {
  name: "stopped",
  title: "SIGSTOP for up to 30 s, then SIGCONT",
  weight: 0.7,
  run: (life) =>
    withService(life, { timeoutMs: 8_000 }, async (daemon, world) => {
      const load = new Load(world, { survivesLoss: true });
      const stopMs = Math.round((0.1 + 0.9 * life.random.next()) * LONGEST_STOP_MS * life.scale);
      life.at(`a stop of ${stopMs} ms`);
      const running = load.runFor(stopMs + 3_000);
      await pause(life.random.below(1_500));
      daemon.process.kill("SIGSTOP");
      await pause(stopMs);
      daemon.process.kill("SIGCONT");
      life.count("stopped-seconds", Math.round(stopMs / 1_000));
      await running;
      await finishRequests(daemon);
      return compare(life, daemon, world);
    }),
};

/** Acknowledged wires in a life. */
const WIRES = 1_000;
const LONGEST_MS = 60_000;

export const halfOpen: Scenario = {
  name: "half-open",
  title: "connections that are cut, or that lose one direction",
  weight: 1,
  run: (life) =>
    withService(life, {}, async (daemon, world) => {
      const proxy = await startFaultProxy(() => daemon.origin);
      const http = new Http(() => proxy.base, 1_500);
      proxy.setDefaultFault(() =>
        life.random.chance(0.85) ? "pass" : FAULTS[life.random.below(FAULTS.length)]!,
      );
      try {
        const stop = new AbortController();
        const running = new Load({ ...world, http }, { survivesLoss: true }).run(stop.signal);
        await world.ledger.waitForAcknowledged(WIRES * life.scale, LONGEST_MS);
        stop.abort();
        await running;
        for (const { fault } of proxy.requests) if (fault !== "pass") life.count(fault);
      } finally {
        await http.close();
        await proxy.close();
      }
      await finishRequests(daemon);
      return compare(life, daemon, world);
    }),
};
