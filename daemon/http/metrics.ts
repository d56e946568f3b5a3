/** Metrics for `GET /metrics`, in the text format of Prometheus. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { monotonicMs } from "../../src/kernel/clock.js";

/** Minimum time between two collections, because anyone may request the metrics. With 5,000 connections one takes 11 ms. */
const COLLECT_INTERVAL_MS = 100;

export class Metrics {
  private readonly registry = new Registry();
  private collected: Promise<string> | undefined;
  private collectedAtMs = 0;
  private readonly requests: Histogram;
  /** Cache of time series by operation and status, because a lookup by labels in prom-client is slower than recording a value. */
  private readonly series = new Map<string, { observe(seconds: number): void }>();

  /**
   * @param longPolls returns the number of long-polls that are waiting at the moment
   * @param waitingBytes returns the bytes of responses that wait for their clients at the moment
   * @param unmovedCheckpoints returns the number of reads so far whose checkpoint could not be stored
   */
  constructor(longPolls: () => number, waitingBytes: () => number, unmovedCheckpoints: () => number) {
    const registers = [this.registry];
    collectDefaultMetrics({ register: this.registry });
    this.requests = new Histogram({
      name: "wireroom_request_duration_seconds",
      help: "Time from the first byte of a request to the last byte of its response, by operation and status.",
      labelNames: ["operation", "status"],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 60],
      registers,
    });
    new Gauge({
      name: "wireroom_long_polls",
      help: "Number of inbox reads that are waiting for new items.",
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
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** Returns the metrics of the last 100 ms. */
  text(): Promise<string> {
    const atMs = monotonicMs();
    if (!this.collected || atMs - this.collectedAtMs >= COLLECT_INTERVAL_MS) {
      this.collected = this.registry.metrics();
      this.collectedAtMs = atMs;
    }
    return this.collected;
  }

  observe(operation: string, status: number, seconds: number): void {
    const key = `${operation} ${status}`;
    let series = this.series.get(key);
    if (!series) {
      series = this.requests.labels({ operation, status });
      this.series.set(key, series);
    }
    series.observe(seconds);
  }
}
