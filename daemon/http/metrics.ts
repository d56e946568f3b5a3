/** Metrics for `GET /metrics`, in the text format of Prometheus. */
import type { Registry } from "prom-client";
import { monotonicMs } from "../../src/kernel/clock.js";
import type { Gauges } from "./metrics-registry.js";

/** Minimum time between two collections, because anyone may request the metrics. With 5,000 connections one takes 11 ms. */
const COLLECT_INTERVAL_MS = 100;

const DURATION = "wireroom_request_duration_seconds";
const DURATION_HELP =
  "Time from the first byte of a request to the last byte of its response, by operation and status.";
/** Upper limits of the buckets of the histogram, in seconds. */
const LIMITS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 60];

/** Durations of the requests of one operation with one status. */
interface Series {
  /** Number of requests in each bucket, without those of the buckets before it. */
  buckets: number[];
  count: number;
  sumSeconds: number;
}

export class Metrics {
  readonly contentType = "text/plain; version=0.0.4; charset=utf-8";
  /** Durations by the labels of their time series. */
  private readonly durations = new Map<string, Series>();
  private registry: Promise<Registry> | undefined;
  private collected: Promise<string> | undefined;
  private collectedAtMs = 0;

  constructor(private readonly gauges: Gauges) {}

  /** Returns the metrics of the last 100 ms. */
  text(): Promise<string> {
    const atMs = monotonicMs();
    if (!this.collected || atMs - this.collectedAtMs >= COLLECT_INTERVAL_MS) {
      this.collected = this.collect();
      this.collectedAtMs = atMs;
    }
    return this.collected;
  }

  observe(operation: string, status: number, seconds: number): void {
    const labels = `operation="${operation}",status="${status}"`;
    let series = this.durations.get(labels);
    if (!series) {
      series = { buckets: LIMITS.map(() => 0), count: 0, sumSeconds: 0 };
      this.durations.set(labels, series);
    }
    const bucket = LIMITS.findIndex((limit) => seconds <= limit);
    if (bucket !== -1) series.buckets[bucket]!++;
    series.count++;
    series.sumSeconds += seconds;
  }

  private async collect(): Promise<string> {
    // Loaded by the first request for metrics, because the 90 modules of prom-client would take a tenth of the startup time. Its
    // metrics of the event loop and of garbage collection begin at this time.
    this.registry ??= import("./metrics-registry.js").then(({ createRegistry }) =>
      createRegistry(this.gauges),
    );
    const others = await (await this.registry).metrics();
    return `${others}\n${this.durationsText()}`;
  }

  private durationsText(): string {
    const lines = [`# HELP ${DURATION} ${DURATION_HELP}`, `# TYPE ${DURATION} histogram`];
    for (const [labels, { buckets, count, sumSeconds }] of this.durations) {
      // A bucket of Prometheus includes the buckets before it.
      let total = 0;
      for (const [index, limit] of LIMITS.entries()) {
        total += buckets[index]!;
        lines.push(`${DURATION}_bucket{le="${limit}",${labels}} ${total}`);
      }
      lines.push(`${DURATION}_bucket{le="+Inf",${labels}} ${count}`);
      lines.push(`${DURATION}_sum{${labels}} ${sumSeconds}`, `${DURATION}_count{${labels}} ${count}`);
    }
    return `${lines.join("\n")}\n`;
  }
}
