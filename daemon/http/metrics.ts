/** Metrics for `GET /metrics`, in the text format of Prometheus (docs/observability.md). */
import { monotonicMs } from "../../src/kernel/clock.js";
import { lazy } from "../../src/kernel/lazy.js";
import type { Registered, Sources } from "./metric-definitions.js";

/** Minimum time between two collections. It limits the load, because anyone may request the metrics. */
const COLLECT_INTERVAL_MS = 100;

/** A request that has ended. */
interface Observation {
  operation: string;
  status: number;
  seconds: number;
  /** Time in a long poll, which is part of `seconds`. */
  heldSeconds: number;
}

/** The series are cached, because prom-client's lookup by labels is slow. */
interface Series {
  requests: { inc(): void };
  durations: { observe(seconds: number): void };
}

export class Metrics {
  readonly contentType = "text/plain; version=0.0.4; charset=utf-8";
  private registered: Registered | undefined;
  private readonly series = new Map<string, Series>();
  /** Requests that ended before prom-client was loaded. */
  private pending: Observation[] = [];
  private collected: Promise<string> | undefined;
  private collectedAtMs = 0;

  constructor(private readonly sources: Sources) {}

  /** The text may be up to 100 ms old. */
  text(): Promise<string> {
    const atMs = monotonicMs();
    if (!this.collected || atMs - this.collectedAtMs >= COLLECT_INTERVAL_MS) {
      this.collected = this.register().then(({ registry }) => registry.metrics());
      this.collectedAtMs = atMs;
    }
    return this.collected;
  }

  observe(observation: Observation): void {
    if (observation.status >= 500) this.sources.service.store.statistics.failedRequests++;
    if (!this.registered) {
      this.pending.push(observation);
      // If prom-client cannot be loaded, the next request tries again.
      this.register().catch(() => undefined);
      return;
    }
    const { operation, status, seconds, heldSeconds } = observation;
    const { requests, durations, holds } = this.registered;
    const key = `${operation} ${status}`;
    let series = this.series.get(key);
    if (!series) {
      series = {
        requests: requests.labels({ operation, status }),
        durations: durations.labels({ operation, status_class: `${Math.floor(status / 100)}xx` }),
      };
      this.series.set(key, series);
    }
    series.requests.inc();
    // In an MCP batch, several calls wait at the same time, so their waits together can exceed the request's
    // duration.
    series.durations.observe(Math.max(seconds - heldSeconds, 0));
    if (heldSeconds > 0) holds.observe({ operation }, heldSeconds);
  }

  /** Loads prom-client during the first request, because loading it at startup would delay the start. */
  private readonly register = lazy(async () => {
    const { createRegistry } = await import("./metric-definitions.js");
    this.registered = createRegistry(this.sources);
    for (const observation of this.pending.splice(0)) this.observe(observation);
    return this.registered;
  });
}
