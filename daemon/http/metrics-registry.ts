/** Registers the metrics of the daemon, and prom-client's metrics of the process. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { type Overload, registerOverload } from "./overload-metrics.js";

export interface Gauges extends Overload {
  /** Number of requests that are held at the moment. */
  longPolls(): number;
  /** Bytes of responses that wait for their clients at the moment. */
  waitingBytes(): number;
  /** Number of reads so far whose checkpoint could not be stored. */
  unmovedCheckpoints(): number;
}

export interface Registered {
  registry: Registry;
  /** Records the duration of a request. */
  observe(operation: string, status: number, seconds: number): void;
}

export function createRegistry({
  longPolls,
  waitingBytes,
  unmovedCheckpoints,
  ...overload
}: Gauges): Registered {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: "wireroom_long_polls",
    help: "Number of requests that are held until something is new.",
    registers,
    collect() {
      this.set(longPolls());
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
  new Counter({
    name: "wireroom_unmoved_checkpoints_total",
    help: "Number of inbox reads that were answered although their checkpoint could not be stored.",
    registers,
    collect() {
      this.reset();
      this.inc(unmovedCheckpoints());
    },
  });
  registerOverload(registry, overload);
  const durations = new Histogram({
    name: "wireroom_request_duration_seconds",
    help: "Time from the first byte of a request to the last byte of its response, by operation and status.",
    labelNames: ["operation", "status"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 60],
    registers,
  });
  // A lookup by labels in prom-client is slower than recording a value.
  const series = new Map<string, { observe(seconds: number): void }>();
  return {
    registry,
    observe(operation, status, seconds) {
      const key = `${operation} ${status}`;
      let found = series.get(key);
      if (!found) {
        found = durations.labels({ operation, status });
        series.set(key, found);
      }
      found.observe(seconds);
    },
  };
}
