/** What GET /metrics shows, in the Prometheus text format. */
import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

export class Metrics {
  readonly registry = new Registry();
  private readonly requests: Histogram;
  /** The series of each operation and status: finding them by their labels costs more than counting. */
  private readonly series = new Map<string, { observe(seconds: number): void }>();

  /** @param longPolls how many are held at present */
  constructor(longPolls: () => number) {
    const registers = [this.registry];
    collectDefaultMetrics({ register: this.registry });
    this.requests = new Histogram({
      name: "wireroom_request_duration_seconds",
      help: "Time from the first byte of a request to the last of its answer, by operation and status.",
      labelNames: ["operation", "status"],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 60],
      registers,
    });
    new Gauge({
      name: "wireroom_long_polls",
      help: "Reads of an inbox that are held until something is new.",
      registers,
      collect() {
        this.set(longPolls());
      },
    });
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
