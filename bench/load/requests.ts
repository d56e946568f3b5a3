/** Load of independent requests: as fast as a number of connections allows, or at a given rate. */
import { Pool } from "undici";
import { percentile } from "../measure/statistics.js";
import { type Cpu, cpuOfAll, cpuOfFamily } from "../servers/usage.js";

export interface PlannedRequest {
  method: "GET" | "POST";
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface RequestLoad {
  task: "requests";
  /** Servers, between which requests are spread evenly, and their processes. */
  servers: { url: string; pid: number }[];
  /** Process of the database's server, where there is one. */
  database?: number | undefined;
  /** Sent in turn, over and over. */
  requests: PlannedRequest[];
  connections: number;
  seconds: number;
  /** Requests a second; as many as possible where it is left out. */
  rate?: number;
}

export interface Sample {
  requests: number;
  /** Answers other than 2xx, and broken connections. */
  failures: number;
  /** Requests a second. */
  throughput: number;
  /** Microseconds of the server's CPU a request; undefined where the system does not tell. */
  cpu: number | undefined;
  /** Of these, those of its main thread; the rest is SQLite's and validation's, and the collector's. */
  main: number | undefined;
  /** Microseconds of the database server's CPU a request. */
  database: number | undefined;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Share of one processor that the load itself took: near 1, it is the limit. */
  generator: number;
}

/** Time before measuring starts, in which connections are made and code gets warm. */
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

  /** Gives what stops it and waits for the last answer. */
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

  /** Measures from now on; gives what ends it. */
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

  /** Gives what says how many microseconds each of so many requests took since. */
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

  /** Requests are due at even times, whether or not earlier ones were answered; they are timed from when they were due. */
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
