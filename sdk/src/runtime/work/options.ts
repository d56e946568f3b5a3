/** The options of `work`, and what happens if a handler fails. */
import type { WireroomError } from "../error-union.js";
import { requireAtLeast } from "../settings.js";

/** What a handler learns about its call, besides the item. */
export interface WorkContext {
  /** The number of this attempt at the item, from 1. It starts again at 1 after a restart of the process. */
  attempt: number;
  /** Aborts when `work` is to end. `work` waits for the handler in any case. */
  signal: AbortSignal;
}

/**
 * Handles an item. The item is finished, and will be acknowledged, when the function returns. If it throws,
 * `onError` decides. If it returns `"leave"`, the item stays unacknowledged, and is delivered again by the
 * next `work` or `listen`.
 */
export type WorkHandler<Item> = (item: Item, context: WorkContext) => unknown;

/** A failed attempt at an item. */
export interface FailedWork<Item> extends WorkContext {
  item: Item;
}

/**
 * What follows a failed attempt:
 *
 * - `"retry"`: another attempt, after 1 second, then 2, 4 and so on up to 60;
 * - `{ retryIn }`: another attempt after this number of milliseconds;
 * - `"skip"`: the item counts as finished;
 * - `"stop"`: `work` rejects with the handler's error. The item stays unacknowledged.
 */
export type WorkDecision = "retry" | { retryIn: number } | "skip" | "stop";

/** Options of `inbox.work`. */
export interface WorkOptions<Item> {
  /** Maximum number of threads whose items are handled at the same time. Default: 1. */
  concurrency?: number | undefined;
  /**
   * Decides what follows a failed attempt. Without a decision, the default applies: 5 attempts, then
   * `"stop"`. If the function throws, `work` rejects with that error.
   */
  onError?: ((error: unknown, failed: FailedWork<Item>) => Decided | Promise<Decided>) | undefined;
  /**
   * Aborting the signal ends the work: no further item starts, running handlers finish, and `work` resolves.
   */
  signal?: AbortSignal | undefined;
  /** Ends the work when no item is left. Default: `false`, which waits for new items. */
  once?: boolean | undefined;
  /**
   * Maximum number of items that are unacknowledged at a time, 1 to 100. If the oldest one is unfinished, at
   * most the items of this window are handled. Default: 100.
   */
  window?: number | undefined;
  /** Called once when handlers have left so many items that the window has no room for another one. */
  onFull?: (() => void) | undefined;
  /** Milliseconds between two reads for new items while other items are unfinished. Default: 1,000. */
  pollInterval?: number | undefined;
  /** Maximum duration of one long poll in seconds, 1 to 60. Default: 30. */
  wait?: number | undefined;
  /**
   * Timeout of a long poll in milliseconds, in addition to `wait`. The default is the timeout of the client.
   */
  timeout?: number | undefined;
  /** Called before each retry of a request, for example because the service is unreachable. */
  onRetry?: ((error: WireroomError, delay: number) => void) | undefined;
  /** Called after each successful read. After `onRetry`, it means that the service answers again. */
  onRead?: (() => void) | undefined;
}
// biome-ignore lint/suspicious/noConfusingVoidType: a function that only logs returns nothing
type Decided = WorkDecision | undefined | void;

/** The numbers among the options, with their defaults. Throws a `TypeError` for an invalid one. */
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

/** Decides what follows if `onError` does not: 5 attempts in all, then the end. */
export function defaultDecision(attempt: number): WorkDecision {
  return attempt < DEFAULT_ATTEMPTS ? "retry" : "stop";
}

/** Returns the milliseconds until the next attempt. Returns undefined if there is none. */
export function retryDelayOf(decision: WorkDecision, attempt: number): number | undefined {
  if (typeof decision === "object") return requireAtLeast(0, "retryIn", decision.retryIn);
  if (decision !== "retry") return undefined;
  return Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempt - 1));
}
