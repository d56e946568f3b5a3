/** Metrics for `GET /metrics`, in the text format of Prometheus. */
import { monotonicMs } from "../../src/kernel/clock.js";
import { lazy } from "../../src/kernel/lazy.js";
import type { Observation, Registered, Sources } from "./metrics-registry.js";

/** Minimum time between two collections. It limits the work, because anyone may request the metrics. */
const COLLECT_INTERVAL_MS = 100;

export class Metrics {
  readonly contentType = "text/plain; version=0.0.4; charset=utf-8";
  private registered: Registered | undefined;
  /** Requests that ended before prom-client was loaded. */
  private pending: Observation[] = [];
  private collected: Promise<string> | undefined;
  private collectedAtMs = 0;

  constructor(private readonly sources: Sources) {}

  /** Returns the metrics, which may be up to 100 ms old. */
  text(): Promise<string> {
    const atMs = monotonicMs();
    if (!this.collected || atMs - this.collectedAtMs >= COLLECT_INTERVAL_MS) {
      this.collected = this.register().then(({ registry }) => registry.metrics());
      this.collectedAtMs = atMs;
    }
    return this.collected;
  }

  observe(observation: Observation): void {
    if (this.registered) {
      this.registered.observe(observation);
    } else {
      this.pending.push(observation);
      // If prom-client cannot be loaded, the next request tries again.
      this.register().catch(() => undefined);
    }
  }

  /** Loads prom-client during the first request, because loading it earlier would delay the start. */
  private readonly register = lazy(async () => {
    const { createRegistry } = await import("./metrics-registry.js");
    const registered = createRegistry(this.sources);
    for (const observation of this.pending) registered.observe(observation);
    this.pending = [];
    this.registered = registered;
    return registered;
  });
}
