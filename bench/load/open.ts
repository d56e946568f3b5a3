/**
 * Open-loop load: requests are sent by the clock, whether or not earlier ones were answered, and latency
 * counts from the planned time of a request. A slow server therefore cannot slow down its own load, which
 * would hide its worst latencies ("coordinated omission"; Tene, "How NOT to Measure Latency", 2013).
 */
import { createHistogram, type RecordableHistogram } from "node:perf_hooks";
import { Random } from "../data/random.js";
import { cpuOf } from "../servers/usage.js";
import { BROKEN, bytesOf, Connection } from "./connection.js";
import type { PlannedRequest } from "./requests.js";

export interface Phase {
  /**
   * Arrivals per second. Without it, each connection sends its next request after a response (closed loop).
   */
  rate?: number;
  seconds: number;
}

export interface OpenLoad {
  task: "open";
  server: { url: string; pid: number };
  /** The requests, which are sent in turn and repeated. */
  requests: PlannedRequest[];
  phases: Phase[];
  /**
   * Maximum number of connections. Above it, requests wait in the load process, and that wait counts as
   * latency.
   */
  connections: number;
  /** Whether each request opens a connection, as health checks of orchestrators do. */
  opensConnections?: boolean;
  /** Length of the parts of the load for which latencies are also returned separately. */
  sliceMs?: number;
}

/**
 * Latencies are in milliseconds, from the planned time of a request to the end of its response, of responses
 * 2xx only.
 */
export interface Latencies {
  answered: number;
  p50: number;
  p99: number;
  p999: number;
  max: number;
}

export interface OpenSample extends Latencies {
  planned: number;
  /** Responses 2xx per second that arrived during the phase, whenever their requests were planned. */
  goodput: number;
  /** Responses 503. */
  refused: number;
  /** p99 of the refusals in milliseconds. */
  refusedP99: number;
  /** Other responses, broken connections, and requests without a response at the end of the load. */
  failed: number;
  /** p99 of the milliseconds by which the load process sent requests too late while a connection was free. */
  late: number;
  /** CPU time of the server per response 2xx in microseconds; undefined if the system does not report it. */
  cpu: number | undefined;
  /** CPU use of the load process as a fraction of one processor. */
  generator: number;
}

export interface Slice extends Latencies {
  /** Seconds from the start of the load to the start of the slice. */
  at: number;
  refused: number;
}

export interface OpenResult {
  phases: OpenSample[];
  slices: Slice[];
}

/** Maximum wait for the last responses. */
const DRAIN_TIMEOUT_MS = 20_000;
/** A minute in microseconds. Longer latencies count as a minute. */
const LONGEST_US = 60_000_000;

export async function runOpen(load: OpenLoad): Promise<OpenResult> {
  const run = new OpenRun(load);
  try {
    for (const phase of load.phases) await run.runPhase(phase);
    await run.drain();
    return run.result();
  } finally {
    run.close();
  }
}

/** Counts and latencies of the requests that were planned within a phase or a slice. */
class Tally {
  readonly latencies = newHistogram();
  readonly refusals = newHistogram();
  readonly lateness = newHistogram();
  planned = 0;
  answered = 0;
  refused = 0;
  /** Responses 2xx that arrived during the phase. */
  arrived = 0;
  seconds = 0;
  cpu: number | undefined;
  generator = 0;

  end(status: number, latencyMs: number): void {
    if (status === 503) {
      this.refused++;
      record(this.refusals, latencyMs);
    } else if (isSuccess(status)) {
      this.answered++;
      record(this.latencies, latencyMs);
    }
  }

  summary(): Latencies {
    const { answered, latencies } = this;
    return {
      answered,
      p50: at(latencies, 50),
      p99: at(latencies, 99),
      p999: at(latencies, 99.9),
      max: latencies.count === 0 ? Number.NaN : latencies.max / 1_000,
    };
  }

  sample(): OpenSample {
    const { planned, answered, refused, arrived, seconds, cpu, generator } = this;
    return {
      ...this.summary(),
      planned,
      goodput: arrived / seconds,
      refused,
      refusedP99: at(this.refusals, 99),
      failed: planned - answered - refused,
      late: at(this.lateness, 99),
      cpu: cpu === undefined ? undefined : (cpu * 1_000) / arrived,
      generator,
    };
  }
}

interface Planned {
  dueMs: number;
  tally: Tally;
}

class OpenRun {
  private readonly url: URL;
  private readonly requests: Buffer[];
  private readonly random = new Random(7);
  private readonly startedMs = performance.now();
  private readonly tallies: Tally[] = [];
  private readonly slices = new Map<number, Tally>();
  private readonly open = new Set<Connection>();
  private readonly free: Connection[] = [];
  /**
   * Due requests for which no connection is free, in the order of their times, and the index of the first.
   */
  private waiting: Planned[] = [];
  private waitingFrom = 0;
  /** The phase that is running. */
  private current: Tally | undefined;
  private next = 0;
  private underWay = 0;
  private isClosedLoop = false;
  private onResponse: () => void = () => undefined;

  constructor(private readonly load: OpenLoad) {
    this.url = new URL(load.server.url);
    this.requests = load.requests.map((request) => bytesOf(request, this.url));
  }

  async runPhase({ rate, seconds }: Phase): Promise<void> {
    const tally = new Tally();
    this.tallies.push(tally);
    this.current = tally;
    const cpuBefore = cpuOf(this.load.server.pid)?.all;
    const ownBefore = process.cpuUsage();
    const startMs = performance.now();
    const endMs = startMs + seconds * 1_000;
    if (rate === undefined) await this.closedLoop(tally, endMs);
    else await this.byTheClock(tally, rate, startMs, endMs);
    tally.seconds = (performance.now() - startMs) / 1_000;
    const { user, system } = process.cpuUsage(ownBefore);
    tally.generator = (user + system) / 1_000_000 / tally.seconds;
    this.current = undefined;
    const cpuAfter = cpuOf(this.load.server.pid)?.all;
    if (cpuBefore !== undefined && cpuAfter !== undefined) tally.cpu = cpuAfter - cpuBefore;
  }

  /** Waits for the responses to all requests, but at most `DRAIN_TIMEOUT_MS`. */
  async drain(): Promise<void> {
    const deadlineMs = performance.now() + DRAIN_TIMEOUT_MS;
    while (this.underWay > 0 && performance.now() < deadlineMs) await pause(10);
  }

  result(): OpenResult {
    const { sliceMs = 0 } = this.load;
    const slices = [...this.slices].map(([number, tally]) => {
      const { refused } = tally;
      return { at: (number * sliceMs) / 1_000, refused, ...tally.summary() };
    });
    return {
      phases: this.tallies.map((tally) => tally.sample()),
      slices: slices.sort((a, b) => a.at - b.at),
    };
  }

  close(): void {
    for (const connection of this.open) connection.destroy();
  }

  private async closedLoop(tally: Tally, endMs: number): Promise<void> {
    this.isClosedLoop = true;
    const startNext = () => {
      if (this.isClosedLoop) this.plan({ dueMs: performance.now(), tally });
    };
    this.onResponse = startNext;
    for (let n = this.underWay; n < this.load.connections; n++) startNext();
    await pause(endMs - performance.now());
    this.isClosedLoop = false;
    this.onResponse = () => undefined;
  }

  private async byTheClock(tally: Tally, rate: number, startMs: number, endMs: number): Promise<void> {
    const gapMs = 1_000 / rate;
    // Random, as the arrivals of many independent clients are.
    const nextGap = () => -Math.log(1 - this.random.next()) * gapMs;
    let dueMs = startMs + nextGap();
    const sendDue = () => {
      for (const nowMs = performance.now(); dueMs <= nowMs && dueMs < endMs; dueMs += nextGap())
        this.plan({ dueMs, tally });
    };
    // A timer fires once a millisecond at most. Requests that are due are also sent whenever a response
    // arrives.
    this.onResponse = sendDue;
    while (dueMs < endMs) {
      await pause(1);
      sendDue();
    }
    this.onResponse = () => undefined;
  }

  private plan(planned: Planned): void {
    planned.tally.planned++;
    this.underWay++;
    const connection = this.free.pop() ?? this.newConnection();
    if (!connection) return void this.waiting.push(planned);
    record(planned.tally.lateness, performance.now() - planned.dueMs);
    this.send(connection, planned);
  }

  private send(connection: Connection, { dueMs, tally }: Planned): void {
    const request = this.requests[this.next++ % this.requests.length]!;
    connection.send(request, (status) => {
      this.underWay--;
      const latencyMs = performance.now() - dueMs;
      tally.end(status, latencyMs);
      if (this.current && isSuccess(status)) this.current.arrived++;
      this.sliceOf(dueMs)?.end(status, latencyMs);
      if (this.load.opensConnections) connection.destroy();
      else if (status !== BROKEN) this.reuse(connection);
      this.onResponse();
    });
  }

  private reuse(connection: Connection): void {
    const waiting = this.nextWaiting();
    if (waiting) this.send(connection, waiting);
    else this.free.push(connection);
  }

  private newConnection(): Connection | undefined {
    if (this.open.size >= this.load.connections) return undefined;
    const connection = new Connection(this.url, (closed) => {
      this.open.delete(closed);
      const index = this.free.indexOf(closed);
      if (index >= 0) this.free.splice(index, 1);
      // Replace the closed connection if requests wait for one.
      const waiting = this.nextWaiting();
      if (waiting) this.send(this.newConnection()!, waiting);
    });
    this.open.add(connection);
    return connection;
  }

  /** Removes and returns the request that has been due for the longest time. */
  private nextWaiting(): Planned | undefined {
    const planned = this.waiting[this.waitingFrom];
    if (planned) this.waitingFrom++;
    if (this.waitingFrom > 10_000 || this.waitingFrom === this.waiting.length) {
      this.waiting = this.waiting.slice(this.waitingFrom);
      this.waitingFrom = 0;
    }
    return planned;
  }

  private sliceOf(dueMs: number): Tally | undefined {
    const { sliceMs } = this.load;
    if (sliceMs === undefined) return undefined;
    const number = Math.floor((dueMs - this.startedMs) / sliceMs);
    let slice = this.slices.get(number);
    if (!slice) {
      slice = new Tally();
      this.slices.set(number, slice);
    }
    return slice;
  }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Three significant digits, as HdrHistogram is commonly configured. Values are microseconds. */
function newHistogram(): RecordableHistogram {
  return createHistogram({ lowest: 1, highest: LONGEST_US, figures: 3 });
}

function record(histogram: RecordableHistogram, milliseconds: number): void {
  histogram.record(Math.min(Math.max(Math.round(milliseconds * 1_000), 1), LONGEST_US));
}

function at(histogram: RecordableHistogram, percent: number): number {
  return histogram.count === 0 ? Number.NaN : histogram.percentile(percent) / 1_000;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
