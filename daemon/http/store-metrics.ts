/** Registers the metrics of the store and of payload validation. */
import { Counter, Gauge, type Metric, type Registry } from "prom-client";
import { monotonicMs, SECOND } from "../../src/kernel/clock.js";
import type { Service } from "../../src/service/pipeline/context.js";

type Statistics = Service["store"]["statistics"];
type Distribution = Statistics["transactionSeconds"];
type CacheCounts = Statistics["caches"]["credentials"];
type Labels = Record<string, string>;
/** Values by label. A sample whose value is undefined is not exported. */
type Samples = readonly (readonly [labels: Labels, value: number | undefined])[];

/** Returns functions that register metrics. Each collection reads the metrics' current values. */
export function sampledMetrics(registry: Registry) {
  const metric = (
    Kind: typeof Counter | typeof Gauge,
    name: string,
    help: string,
    labelNames: string[],
    samples: () => Samples,
  ) =>
    new Kind({
      name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        this.reset();
        // `reset` would add a sample with the value 0 to a metric without labels, so remove that sample.
        this.remove({});
        for (const [labels, value] of samples()) if (value !== undefined) this.inc(labels, value);
      },
    });
  return { counter: metric.bind(undefined, Counter), gauge: metric.bind(undefined, Gauge) };
}

export function registerStoreMetrics(
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
    [],
    () => [[{}, Number(engine.isWriteFailing)]],
  );
  gauge("wireroom_database_bytes", "Size of the database without the log of SQLite.", [], () => [
    [{}, statistics.databaseBytes],
  ]);
  gauge("wireroom_wal_bytes", "Size of the write-ahead log of SQLite.", [], () => [
    [{}, statistics.walBytes],
  ]);
  const ofPools = (value: "usedConnections" | "maxConnections" | "waitingCalls") => () =>
    Object.entries(statistics.pools ?? {}).map(([pool, state]) => [{ pool }, state[value]] as const);
  gauge(
    "wireroom_database_connections_used",
    "Number of connections to PostgreSQL that run a statement or a transaction.",
    ["pool"],
    ofPools("usedConnections"),
  );
  gauge(
    "wireroom_database_connections_max",
    "Largest number of connections to PostgreSQL.",
    ["pool"],
    ofPools("maxConnections"),
  );
  gauge(
    "wireroom_database_connection_waiters",
    "Number of calls that wait for a connection to PostgreSQL.",
    ["pool"],
    ofPools("waitingCalls"),
  );
  gauge(
    "wireroom_listener_lag_seconds",
    "Time since the connection that receives the events of other daemons last worked.",
    [],
    () => {
      const { listenerSeenAtMs } = statistics;
      return [[{}, listenerSeenAtMs && (monotonicMs() - listenerSeenAtMs) / SECOND]];
    },
  );
  const lookups = (value: keyof CacheCounts) => () => {
    const caches = { ...statistics.caches, compiled_schemas: validators.statistics.compiledSchemas };
    return Object.entries(caches).map(([cache, counts]) => [{ cache }, counts[value]] as const);
  };
  counter(
    "wireroom_cache_hits_total",
    "Number of lookups that a cache answered.",
    ["cache"],
    lookups("hits"),
  );
  counter(
    "wireroom_cache_misses_total",
    "Number of lookups that a cache did not answer.",
    ["cache"],
    lookups("misses"),
  );
  gauge("wireroom_held_requests", "Number of requests that are held until something is new.", ["kind"], () =>
    Object.entries(notifier.heldByKind()).map(([kind, held]) => [{ kind }, held]),
  );
  counter(
    "wireroom_unmoved_checkpoints_total",
    "Number of inbox reads that were answered although their checkpoint could not be stored.",
    [],
    () => [[{}, statistics.unmovedCheckpoints]],
  );
  gauge(
    "wireroom_retention_lag_seconds",
    "Time since the oldest wire that must be deleted became old enough; 0 if there is none.",
    [],
    () => [[{}, statistics.retention.lagSeconds]],
  );
  counter(
    "wireroom_retention_deleted_total",
    "Number of wires that were deleted because of their age.",
    [],
    () => [[{}, statistics.retention.deletedWires]],
  );
  gauge(
    "wireroom_validation_jobs",
    "Number of payloads and schemas that wait for a worker thread or are in one.",
    [],
    () => [[{}, validators.statistics.unfinishedJobs]],
  );
  counter(
    "wireroom_validation_stopped_total",
    "Number of payloads and schemas whose check was stopped at its deadline.",
    [],
    () => [[{}, validators.statistics.stoppedJobs]],
  );
}

/** A prom-client histogram that reads its values from a `Distribution`. */
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
