/** Options of `work`, and the decision after a handler fails. */
import type { WireroomError } from "../error-union.js";
import { requireAtLeast } from "../settings.js";

/** The handler's second argument. */
export interface WorkContext {
  /** Number of the attempt at this item, starting at 1, and again at 1 after a restart of the process. */
  attempt: number;
  /** Aborts when `work` begins to end. `work` still waits until all running handlers have returned. */
  signal: AbortSignal;
}

/**
 * Handles an item. When the function returns, the item is finished and will be acknowledged. If the function
 * throws, `onError` decides what happens next. If the function returns `"leave"`, the item stays
 * unacknowledged, and the next `work` or `listen` receives the item again.
 */
export type WorkHandler<Item> = (item: Item, context: WorkContext) => unknown;

/** A failed attempt at an item. */
export interface FailedWork<Item> extends WorkContext {
  item: Item;
}

/**
 * The next step after a failed attempt:
 *
 * - `"retry"`: try again after 1 second, then after 2, 4 and so on, up to 60 seconds;
 * - `{ retryIn }`: try again after this number of milliseconds;
 * - `"skip"`: count the item as finished;
 * - `"stop"`: end `work`, which rejects with the handler's error. The item stays unacknowledged.
 */
export type WorkDecision = "retry" | { retryIn: number } | "skip" | "stop";

/** Options of `inbox.work`. */
export interface WorkOptions<Item> {
  /** Maximum number of threads to handle in parallel. Default: 1. */
  concurrency?: number | undefined;
  /**
   * Decides what to do after a failed attempt. If it returns nothing, the default applies: 5 attempts, then
   * `"stop"`. If it throws, `work` rejects with that error.
   */
  onError?: ((error: unknown, failed: FailedWork<Item>) => Decided | Promise<Decided>) | undefined;
  /** Aborting the signal ends `work`: it starts no further items, waits for running handlers and resolves. */
  signal?: AbortSignal | undefined;
  /** True to resolve when no item is left. Default: `false`, so that `work` waits for new items. */
  once?: boolean | undefined;
  /**
   * Maximum number of unacknowledged items, 1 to 100. While the oldest item is unfinished, `work` handles at
   * most this many items. Default: 100.
   */
  window?: number | undefined;
  /** Called when items that handlers left (`"leave"`) fill the window, so that no more items can be read. */
  onFull?: (() => void) | undefined;
  /** Milliseconds between checks for new items while some items are unfinished. Default: 1,000. */
  pollInterval?: number | undefined;
  /** Maximum duration of one long poll in seconds, 1 to 60. Default: 30. */
  wait?: number | undefined;
  /** Timeout of each long poll in milliseconds, in addition to `wait`. Default: the client's timeout. */
  timeout?: number | undefined;
  /** Called before each retry of a request, for example when the service is unreachable. */
  onRetry?: ((error: WireroomError, delay: number) => void) | undefined;
  /** Called after each successful read. A call after `onRetry` means that the service responds again. */
  onRead?: (() => void) | undefined;
}
// biome-ignore lint/suspicious/noConfusingVoidType: a function that only logs returns nothing
type Decided = WorkDecision | undefined | void;

export function numbersOf(options: WorkOptions<never>) {
  const number = (name: "concurrency" | "window" | "pollInterval" | "wait", otherwise: number) =>
    requireAtLeast(1, name, options[name] ?? otherwise);
  return {
    concurrency: number("concurrency", 1),
    window: Math.min(number("window", 100), 100),
    pollInterval: number("pollInterval", 1_000),
    wait: number("wait", 30),
  };
}

const DEFAULT_ATTEMPTS = 5;
const FIRST_BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 60_000;

/** Applies if `onError` makes no decision. */
export function defaultDecision(attempt: number): WorkDecision {
  return attempt < DEFAULT_ATTEMPTS ? "retry" : "stop";
}

/** Returns undefined if there is no further attempt. */
export function retryDelayOf(decision: WorkDecision, attempt: number): number | undefined {
  if (typeof decision === "object") return requireAtLeast(0, "retryIn", decision.retryIn);
  if (decision !== "retry") return undefined;
  return Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempt - 1));
}
