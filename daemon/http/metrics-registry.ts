/**
 * Registers the metrics of the daemon, and prom-client's metrics of the process. docs/observability.md
 * explains each.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { CONTRACT_VERSION } from "../../src/contract/index.js";
import type { Service } from "../../src/service/pipeline/context.js";
import { type Overload, registerOverload } from "./overload-metrics.js";
import { registerStoreMetrics } from "./store-metrics.js";

export interface Sources extends Overload {
  service: Pick<Service, "store" | "validators">;
  /** Bytes of responses that wait for their clients at the moment. */
  waitingBytes(): number;
}

/** A request that has ended. */
export interface Observation {
  operation: string;
  status: number;
  seconds: number;
  /** The part of `seconds` for which the request was held until something was new. */
  heldSeconds: number;
}

export interface Registered {
  registry: Registry;
  observe(observation: Observation): void;
}

/** From what a floor of Koa takes to the longest time for which a client waits. */
const DURATION_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15, 60];
/** A request is held for at most 50 seconds. */
const HOLD_BUCKETS = [0.1, 1, 5, 15, 30, 45, 60];

/**
 * The time series of one operation and status. A lookup by labels in prom-client is slower than recording a
 * value.
 */
interface Series {
  requests: { inc(): void };
  durations: { observe(seconds: number): void };
}

export function createRegistry({ service, waitingBytes, ...overload }: Sources): Registered {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  registerStoreMetrics(registry, service);
  new Gauge({
    name: "wireroom_build_info",
    help: "Always 1. The label is the version of the contract.",
    labelNames: ["version"],
    registers,
  }).set({ version: CONTRACT_VERSION }, 1);
  new Gauge({
    name: "wireroom_long_polls",
    help: "Number of requests that are held until something is new, of all kinds.",
    registers,
    collect() {
      this.set(service.store.notifier.size);
    },
  });
  new Gauge({
    name: "wireroom_waiting_response_bytes",
    help: "Bytes of responses of 16 KiB or more that wait for their clients to read them.",
    registers,
    collect() {
      this.set(waitingBytes());
    },
  });
  const requests = new Counter({
    name: "wireroom_requests_total",
    help: "Number of requests that have ended, by operation and status.",
    labelNames: ["operation", "status"],
    registers,
  });
  registerOverload(registry, overload);
  const durations = new Histogram({
    name: "wireroom_request_duration_seconds",
    help: "Time from the first byte of a request to its response, without the time for which the request was held.",
    labelNames: ["operation", "status_class"],
    buckets: DURATION_BUCKETS,
    registers,
  });
  const holds = new Histogram({
    name: "wireroom_hold_duration_seconds",
    help: "Time for which a request was held until something was new.",
    labelNames: ["operation"],
    buckets: HOLD_BUCKETS,
    registers,
  });
  const series = new Map<string, Series>();
  return {
    registry,
    observe({ operation, status, seconds, heldSeconds }) {
      const key = `${operation} ${status}`;
      let found = series.get(key);
      if (!found) {
        found = {
          requests: requests.labels({ operation, status }),
          durations: durations.labels({ operation, status_class: `${Math.floor(status / 100)}xx` }),
        };
        series.set(key, found);
      }
      found.requests.inc();
      // The calls of an MCP batch may be held at the same time.
      found.durations.observe(Math.max(seconds - heldSeconds, 0));
      if (heldSeconds > 0) holds.observe({ operation }, heldSeconds);
    },
  };
}
