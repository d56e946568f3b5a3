/**
 * Registers the metrics of the delay of the event loop and of the requests that were refused because of
 * overload.
 */
import { Counter, Histogram, type Registry } from "prom-client";
import type { Resource } from "./admission.js";
import type { EventLoopDelay } from "./event-loop-delay.js";

export interface Overload {
  /** Number of refused requests so far by what they would have waited for. */
  refused: Readonly<Record<Resource, number>>;
  eventLoop: EventLoopDelay;
}

export function registerOverload(registry: Registry, { refused, eventLoop }: Overload): void {
  const registers = [registry];
  const delays = new Histogram({
    name: "wireroom_event_loop_delay_seconds",
    help: "Time by which a timer of the event loop was late, measured 50 times a second.",
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
    registers,
  });
  eventLoop.onDelay = (delayMs) => delays.observe(delayMs / 1_000);
  new Counter({
    name: "wireroom_refused_requests_total",
    help: "Number of requests that were refused with 503 because too many waited, by what they would have waited for.",
    labelNames: ["reason"],
    registers,
    collect() {
      this.reset();
      for (const [reason, count] of Object.entries(refused)) this.inc({ reason }, count);
    },
  });
}
