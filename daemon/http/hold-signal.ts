/** Abort signals of requests that may be held, such as long polls. */
import type { Context as KoaContext } from "koa";
import { HOLD_FIELDS } from "../../src/contract/fields.js";
import type { Context, Service } from "../../src/service/pipeline/context.js";
import { stateOf } from "./request-state.js";

type HoldSignal = Context["signal"];
type HoldListener = Parameters<HoldSignal["addEventListener"]>[1];

/**
 * Returns a signal that aborts when the daemon stops, or when the client of a held request disconnects. The
 * calls of an MCP batch share it.
 * @param input requests that cannot be held share the daemon's signal, which is cheaper
 */
export function createAbortSignal(ctx: KoaContext, input: object, { stopping }: Service): HoldSignal {
  if (stopping.aborted || !HOLD_FIELDS.some((field) => field in input)) return stopping;
  const state = stateOf(ctx);
  state.holdSignal ??= createHoldSignal(ctx, stopping);
  return state.holdSignal;
}

function createHoldSignal({ res }: KoaContext, stopping: AbortSignal): HoldSignal {
  const signal = new RequestSignal();
  // The client may have disconnected during authentication.
  if (res.destroyed) signal.abort();
  const held = signalsAbortedBy(stopping);
  held.add(signal);
  res.once("close", () => {
    held.delete(signal);
    // `close` is emitted for every response. The client has disconnected only if the response is unfinished.
    if (!res.writableFinished) signal.abort();
  });
  return signal;
}

/** The signal of one request. It is smaller than an `AbortSignal`, and thousands of requests may be held. */
class RequestSignal implements HoldSignal {
  aborted = false;
  /** Never changed in place: a listener removes itself while `abort` calls them all. */
  private listeners: readonly HoldListener[] = [];

  abort(): void {
    this.aborted = true;
    for (const listener of this.listeners) listener.handleEvent();
  }

  addEventListener(_type: "abort", listener: HoldListener): void {
    this.listeners = [...this.listeners, listener];
  }

  removeEventListener(_type: "abort", listener: HoldListener): void {
    this.listeners = this.listeners.filter((other) => other !== listener);
  }
}

const signalsByDaemon = new WeakMap<AbortSignal, Set<RequestSignal>>();

/**
 * Returns the set of signals that abort with the daemon's signal. They share one listener on it, because with
 * thousands of listeners each removal would take linear time.
 */
function signalsAbortedBy(stopping: AbortSignal): Set<RequestSignal> {
  const known = signalsByDaemon.get(stopping);
  if (known) return known;
  const signals = new Set<RequestSignal>();
  stopping.addEventListener("abort", () => {
    for (const signal of signals) signal.abort();
  });
  signalsByDaemon.set(stopping, signals);
  return signals;
}
