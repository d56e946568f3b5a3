/** The metrics that are collected when they are requested: gauges of the daemon, and prom-client's metrics of the process. */
import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";

export interface Gauges {
  /** Number of long-polls that are waiting at the moment. */
  longPolls(): number;
  /** Bytes of responses that wait for their clients at the moment. */
  waitingBytes(): number;
  /** Number of reads so far whose checkpoint could not be stored. */
  unmovedCheckpoints(): number;
}

export function createRegistry({ longPolls, waitingBytes, unmovedCheckpoints }: Gauges): Registry {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
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
  return registry;
}
