/** Defines the metrics of the daemon, its store and its process (docs/observability.md). */
import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from "prom-client";
import { CONTRACT_VERSION } from "../../src/contract/index.js";
import { monotonicMs, SECOND } from "../../src/kernel/clock.js";
import type { Service } from "../../src/service/pipeline/context.js";
import type { EventLoopDelay, Resource } from "./admission.js";

export interface Sources {
  refused: Readonly<Record<Resource, number>>;
  eventLoop: EventLoopDelay;
  service: Pick<Service, "store" | "validators">;
  waitingBytes(): number;
}

export type Registered = ReturnType<typeof createRegistry>;

type Statistics = Service["store"]["statistics"];
type Distribution = Statistics["transactionSeconds"];
type CacheCounts = Statistics["caches"]["credentials"];
type Labels = Record<string, string>;
/** Samples with an undefined value are not exported. */
type Samples = readonly (readonly [labels: Labels, value: number | undefined])[];

/** Bucket limits in seconds, from the fastest request to the longest time that a client waits. */
const DURATION_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15, 60];
const DELAY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];
/** Bucket limits in seconds. A long poll lasts at most 50 seconds. */
const HOLD_BUCKETS = [0.1, 1, 5, 15, 30, 45, 60];

export function createRegistry({ service, waitingBytes, refused, eventLoop }: Sources) {
  const registry = new Registry();
  const registers = [registry];
  const { counter, gauge } = sampledMetrics(registry);
  collectDefaultMetrics({ register: registry });
  registerStoreMetrics(registry, service);
  gauge(
    "wireroom_build_info",
    "Always 1. The label is the version of the contract.",
    () => [[{ version: CONTRACT_VERSION }, 1]],
    "version",
  );
  gauge(
    "wireroom_long_polls",
    "Number of requests that are held until something is new, of all kinds.",
    () => service.store.notifier.size,
  );
  gauge(
    "wireroom_waiting_response_bytes",
    "Bytes of responses of 16 KiB or more that wait for their clients to read them.",
    () => waitingBytes(),
  );
  counter(
    "wireroom_refused_requests_total",
    "Number of requests that were refused with 503 because too many waited, by what they would have waited for.",
    () => Object.entries(refused).map(([reason, count]) => [{ reason }, count] as const),
    "reason",
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
  return { registry, requests, durations, holds };
}

/** Creates the metrics whose values are read at each collection. */
function sampledMetrics(registry: Registry) {
  const metric = (
    Kind: typeof Counter | typeof Gauge,
    name: string,
    help: string,
    sample: () => number | undefined | Samples,
    ...labelNames: string[]
  ) =>
    new Kind({
      name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        this.reset();
        // `reset` adds a sample with the value 0 to a metric without labels, so remove that sample.
        this.remove({});
        const sampled = sample();
        const samples: Samples = typeof sampled === "object" ? sampled : [[{}, sampled]];
        for (const [labels, value] of samples) if (value !== undefined) this.inc(labels, value);
      },
    });
  return { counter: metric.bind(undefined, Counter), gauge: metric.bind(undefined, Gauge) };
}

function registerStoreMetrics(
  registry: Registry,
  { store, validators }: Pick<Service, "store" | "validators">,
): void {
  const { statistics, engine, notifier } = store;
  const { counter, gauge } = sampledMetrics(registry);
  const histogram = (name: string, help: string, distributions: readonly [Labels, Distribution][]) =>
    registry.registerMetric(new DistributionMetric(name, help, distributions) as unknown as Metric);
  const { waitSeconds, batchSize, transactionSeconds } = statistics;
  const ofKinds = ({ read, write }: typeof waitSeconds): [Labels, Distribution][] => [
    [{ kind: "read" }, read],
    [{ kind: "write" }, write],
  ];

  histogram(
    "wireroom_store_wait_seconds",
    "Time that a call of the store waits before its statement or transaction begins.",
    ofKinds(waitSeconds),
  );
  histogram(
    "wireroom_store_batch_size",
    "Number of calls that share a statement or a transaction.",
    ofKinds(batchSize),
  );
  histogram(
    "wireroom_store_transaction_seconds",
    "Time from the start of a write transaction to the end of its durable commit.",
    [[{}, transactionSeconds]],
  );
  gauge(
    "wireroom_store_write_failing",
    "1 if the last write failed because the database cannot be written, otherwise 0.",
    () => Number(engine.isWriteFailing),
  );
  gauge(
    "wireroom_database_bytes",
    "Size of the database without the log of SQLite.",
    () => statistics.databaseBytes,
  );
  gauge("wireroom_wal_bytes", "Size of the write-ahead log of SQLite.", () => statistics.walBytes);
  const ofPools = (value: "usedConnections" | "maxConnections" | "waitingCalls") => () =>
    Object.entries(statistics.pools ?? {}).map(([pool, state]) => [{ pool }, state[value]] as const);
  gauge(
    "wireroom_database_connections_used",
    "Number of connections to PostgreSQL that run a statement or a transaction.",
    ofPools("usedConnections"),
    "pool",
  );
  gauge(
    "wireroom_database_connections_max",
    "Largest number of connections to PostgreSQL.",
    ofPools("maxConnections"),
    "pool",
  );
  gauge(
    "wireroom_database_connection_waiters",
    "Number of calls that wait for a connection to PostgreSQL.",
    ofPools("waitingCalls"),
    "pool",
  );
  gauge(
    "wireroom_listener_lag_seconds",
    "Time since the connection that receives the events of other daemons last worked.",
    () => {
      const { listenerSeenAtMs } = statistics;
      return listenerSeenAtMs && (monotonicMs() - listenerSeenAtMs) / SECOND;
    },
  );
  const lookups = (value: keyof CacheCounts) => () => {
    const caches = { ...statistics.caches, compiled_schemas: validators.statistics.compiledSchemas };
    return Object.entries(caches).map(([cache, counts]) => [{ cache }, counts[value]] as const);
  };
  counter("wireroom_cache_hits_total", "Number of lookups that a cache answered.", lookups("hits"), "cache");
  counter(
    "wireroom_cache_misses_total",
    "Number of lookups that a cache did not answer.",
    lookups("misses"),
    "cache",
  );
  gauge(
    "wireroom_held_requests",
    "Number of requests that are held until something is new.",
    () => Object.entries(notifier.heldByKind()).map(([kind, held]) => [{ kind }, held]),
    "kind",
  );
  counter(
    "wireroom_unmoved_checkpoints_total",
    "Number of inbox reads that were answered although their checkpoint could not be stored.",
    () => statistics.unmovedCheckpoints,
  );
  gauge(
    "wireroom_retention_lag_seconds",
    "Time since the oldest wire that must be deleted became old enough; 0 if there is none.",
    () => statistics.retention.lagSeconds,
  );
  counter(
    "wireroom_retention_deleted_total",
    "Number of wires that were deleted because of their age.",
    () => statistics.retention.deletedWires,
  );
  gauge(
    "wireroom_validation_jobs",
    "Number of payloads and schemas that wait for a worker thread or are in one.",
    () => validators.statistics.unfinishedJobs,
  );
  counter(
    "wireroom_validation_stopped_total",
    "Number of payloads and schemas whose check was stopped at its deadline.",
    () => validators.statistics.stoppedJobs,
  );
}

/** A prom-client histogram that takes its values from a `Distribution`. */
class DistributionMetric {
  readonly type = "histogram";
  readonly aggregator = "sum";

  constructor(
    readonly name: string,
    readonly help: string,
    private readonly distributions: readonly [Labels, Distribution][],
  ) {}

  reset(): void {}

  get(): object {
    const values = this.distributions.flatMap(([labels, { bounds, counts, sum }]) => {
      let count = 0;
      const buckets = counts.map((inBucket, n) => {
        count += inBucket;
        return {
          labels: { le: bounds[n] ?? "+Inf", ...labels },
          value: count,
          metricName: `${this.name}_bucket`,
        };
      });
      return [
        ...buckets,
        { labels, value: sum, metricName: `${this.name}_sum` },
        { labels, value: count, metricName: `${this.name}_count` },
      ];
    });
    return { ...this, values };
  }
}
