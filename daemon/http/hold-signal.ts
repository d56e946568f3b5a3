/** Abort signals of requests that may be held, such as long polls. */
import type { Context as KoaContext } from "koa";
import { HOLD_FIELDS } from "../../src/contract/fields.js";
import type { Context, Service } from "../../src/service/pipeline/context.js";
import { stateOf } from "./request-state.js";

type HoldSignal = Context["signal"];
type HoldListener = Parameters<HoldSignal["addEventListener"]>[1];

/**
 * Returns a signal that aborts when the daemon stops, or when the client of a held request disconnects. The
 * calls of an MCP batch share one signal.
 * @param input shows whether the request can be held; otherwise the daemon's own signal is enough, and
 * cheaper
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
    // Every response emits `close`. The client has disconnected only if the response is unfinished.
    if (!res.writableFinished) signal.abort();
  });
  return signal;
}

/** Abort signal of one held request. Smaller than an `AbortSignal`, because there may be thousands. */
class RequestSignal implements HoldSignal {
  aborted = false;
  /** Replaced, never mutated, because a listener removes itself while `abort` iterates over the array. */
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
 * Returns the set of signals that abort with the daemon's signal. They share one listener on that signal,
 * because removing one of thousands of listeners would take linear time.
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
