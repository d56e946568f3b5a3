/** Load of independent requests: as fast as the connections allow, or at a constant rate. */
import { Pool } from "undici";
import { percentile } from "../measure/statistics.js";
import { type Cpu, cpuOfAll, cpuOfFamily } from "../servers/usage.js";

export interface PlannedRequest {
  method: "GET" | "POST" | "PUT";
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface RequestLoad {
  task: "requests";
  /** The servers with their process ids. The requests are distributed evenly over them. */
  servers: { url: string; pid: number }[];
  /** Process id of the database server, if there is one. */
  database?: number | undefined;
  /** The requests, which are sent in turn and repeated. */
  requests: PlannedRequest[];
  connections: number;
  seconds: number;
  /** Requests per second. Default: as many as possible. */
  rate?: number;
}

export interface Sample {
  requests: number;
  /** Number of responses other than 2xx, and of broken connections. */
  failures: number;
  /** Requests per second. */
  throughput: number;
  /** CPU time of the server per request in microseconds; undefined if the system does not report it. */
  cpu: number | undefined;
  /** CPU time of the main thread per request; the rest is SQLite, validation and garbage collection. */
  main: number | undefined;
  /** CPU time of the database server per request in microseconds. */
  database: number | undefined;
  /** Latencies in milliseconds. */
  p50: number;
  p99: number;
  /**
   * CPU use of the load process as a fraction of one processor. Near 1, the load process is the bottleneck.
   */
  generator: number;
}

/** Milliseconds before a measurement, in which connections are opened and code is compiled. */
const WARM_UP = 300;

export async function runRequests(load: RequestLoad): Promise<Sample> {
  const pools = load.servers.map(
    ({ url }) => new Pool(url, { connections: load.connections, pipelining: 1 }),
  );
  const run = new Run(pools, load);
  try {
    const ended = run.start();
    await pause(Math.min(WARM_UP, load.seconds * 1_000));
    const finish = run.measure();
    await pause(load.seconds * 1_000);
    const sample = finish();
    await ended();
    return sample;
  } finally {
    for (const pool of pools) await pool.destroy();
  }
}

class Run {
  private next = 0;
  private failures = 0;
  private latencies: number[] = [];
  private stopped = false;
  private underWay = 0;
  private idle: (() => void) | undefined;

  constructor(
    private readonly pools: readonly Pool[],
    private readonly load: RequestLoad,
  ) {}

  /** Starts the load. Returns a function that stops it and waits for the last response. */
  start(): () => Promise<void> {
    const { connections, rate } = this.load;
    const timer = rate === undefined ? undefined : this.atRate(rate);
    if (!timer) for (let n = 0; n < connections; n++) this.send(performance.now());
    return async () => {
      this.stopped = true;
      clearInterval(timer);
      if (this.underWay > 0)
        await new Promise<void>((resolve) => {
          this.idle = resolve;
        });
    };
  }

  /** Starts a measurement. Returns a function that ends it. */
  measure(): () => Sample {
    this.latencies = [];
    this.failures = 0;
    const started = performance.now();
    const own = process.cpuUsage();
    const used = this.watchCpu();
    return () => {
      const milliseconds = performance.now() - started;
      const { user, system } = process.cpuUsage(own);
      const sorted = Float64Array.from(this.latencies).sort();
      return {
        requests: sorted.length,
        failures: this.failures,
        throughput: sorted.length / (milliseconds / 1_000),
        ...used(sorted.length),
        p50: percentile(sorted, 0.5),
        p99: percentile(sorted, 0.99),
        generator: (user + system) / 1_000 / milliseconds,
      };
    };
  }

  /** Starts to measure CPU time. Returns a function that returns the CPU time per request. */
  private watchCpu(): (requests: number) => Pick<Sample, "cpu" | "main" | "database"> {
    const { servers, database } = this.load;
    const look = () => ({
      servers: cpuOfAll(servers.map(({ pid }) => pid)),
      database: database === undefined ? undefined : cpuOfFamily(database),
    });
    const before = look();
    return (requests) => {
      const after = look();
      const each = (from: number | undefined, to: number | undefined) =>
        from === undefined || to === undefined ? undefined : ((to - from) * 1_000) / requests;
      const used = (part: keyof Cpu) => each(before.servers?.[part], after.servers?.[part]);
      return { cpu: used("all"), main: used("main"), database: each(before.database, after.database) };
    };
  }

  /**
   * Sends requests at a constant rate, even if earlier ones have no response yet. Latencies are measured from
   * the planned time of a request.
   */
  private atRate(rate: number): NodeJS.Timeout {
    const started = performance.now();
    let sent = 0;
    return setInterval(() => {
      const due = Math.floor(((performance.now() - started) / 1_000) * rate);
      for (; sent < due; sent++) this.send(started + (sent / rate) * 1_000);
    }, 2);
  }

  private send(due: number): void {
    const { requests, rate } = this.load;
    const pool = this.pools[this.next % this.pools.length]!;
    const request = requests[this.next++ % requests.length]!;
    this.underWay++;
    const done = (isFailure: boolean) => {
      const at = performance.now();
      this.latencies.push(at - due);
      if (isFailure) this.failures++;
      this.underWay--;
      if (this.stopped) {
        if (this.underWay === 0) this.idle?.();
      } else if (rate === undefined) this.send(at);
    };
    let status = 0;
    pool.dispatch(
      { method: request.method, path: request.path, headers: request.headers, body: request.body ?? null },
      {
        onRequestStart() {},
        onResponseStart(_controller, code) {
          status = code;
        },
        onResponseData() {},
        onResponseEnd: () => done(status >= 300),
        onResponseError: () => done(true),
      },
    );
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
