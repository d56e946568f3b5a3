/** Registers the metrics of the daemon and its process (docs/observability.md). */
import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";
import { CONTRACT_VERSION } from "../../src/contract/index.js";
import type { Service } from "../../src/service/pipeline/context.js";
import type { Resource } from "./admission.js";
import type { EventLoopDelay } from "./event-loop-delay.js";
import { registerStoreMetrics, sampledMetrics } from "./store-metrics.js";

export interface Sources {
  /** Total number of refused requests per overloaded resource. */
  refused: Readonly<Record<Resource, number>>;
  eventLoop: EventLoopDelay;
  service: Pick<Service, "store" | "validators">;
  /** Returns the bytes of responses that clients have not read yet. */
  waitingBytes(): number;
}

/** A request that has ended. */
export interface Observation {
  operation: string;
  status: number;
  seconds: number;
  /** Part of `seconds` for which the request was held because there was nothing new. */
  heldSeconds: number;
}

export interface Registered {
  registry: Registry;
  observe(observation: Observation): void;
}

/** Upper bounds in seconds, from the shortest Koa request to the longest time that a client waits. */
const DURATION_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15, 60];
const DELAY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];
/** A request is held for at most 50 seconds. */
const HOLD_BUCKETS = [0.1, 1, 5, 15, 30, 45, 60];

/** Time series of one operation and status, kept here because prom-client's lookup by labels is slow. */
interface Series {
  requests: { inc(): void };
  durations: { observe(seconds: number): void };
}

export function createRegistry({ service, waitingBytes, refused, eventLoop }: Sources): Registered {
  const registry = new Registry();
  const registers = [registry];
  const { counter, gauge } = sampledMetrics(registry);
  collectDefaultMetrics({ register: registry });
  registerStoreMetrics(registry, service);
  gauge("wireroom_build_info", "Always 1. The label is the version of the contract.", ["version"], () => [
    [{ version: CONTRACT_VERSION }, 1],
  ]);
  gauge(
    "wireroom_long_polls",
    "Number of requests that are held until something is new, of all kinds.",
    [],
    () => [[{}, service.store.notifier.size]],
  );
  gauge(
    "wireroom_waiting_response_bytes",
    "Bytes of responses of 16 KiB or more that wait for their clients to read them.",
    [],
    () => [[{}, waitingBytes()]],
  );
  counter(
    "wireroom_refused_requests_total",
    "Number of requests that were refused with 503 because too many waited, by what they would have waited for.",
    ["reason"],
    () => Object.entries(refused).map(([reason, count]) => [{ reason }, count] as const),
  );
  const delays = new Histogram({
    name: "wireroom_event_loop_delay_seconds",
    help: "Time by which a timer of the event loop was late, measured 50 times a second.",
    buckets: DELAY_BUCKETS,
    registers,
  });
  eventLoop.onDelay = (delayMs) => delays.observe(delayMs / 1_000);
  const requests = new Counter({
    name: "wireroom_requests_total",
    help: "Number of requests that have ended, by operation and status.",
    labelNames: ["operation", "status"],
    registers,
  });
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
      // The held times of concurrent calls in an MCP batch may add up to more than the request's time.
      found.durations.observe(Math.max(seconds - heldSeconds, 0));
      if (heldSeconds > 0) holds.observe({ operation }, heldSeconds);
    },
  };
}
