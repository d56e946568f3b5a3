/**
 * Runs a handler for each log item, and acknowledges finished items. `inbox.work`, `spaces.work` and the
 * command `wireroom watch` share this code.
 */
import { onAbort } from "../abort.js";
import { monotonicMs, sleep } from "../clock.js";
import { cursorAfter, FINAL_ACKNOWLEDGEMENT, type Log, MIN_POLL_MS, PAUSE_MS } from "../log/log.js";
import type { CallOptions } from "../operation.js";
import {
  defaultDecision,
  numbersOf,
  retryDelayOf,
  type WorkContext,
  type WorkHandler,
  type WorkOptions,
} from "./options.js";
import { type Entry, WorkQueue } from "./queue.js";

/** Maximum time that finished items stay unacknowledged while others are unfinished. */
const ACKNOWLEDGE_MS = 250;

/** Handles log items until the signal aborts. Rejects with the error that ends the work. */
export async function work<Item>(
  log: Log<Item>,
  handler: WorkHandler<Item>,
  options: WorkOptions<Item>,
): Promise<void> {
  await new Work(log, handler, options).run();
}

/** The main loop never waits for handlers: a handler that ends starts the next handler itself. */
class Work<Item> {
  readonly #queue = new WorkQueue<Item>();
  readonly #numbers: ReturnType<typeof numbersOf>;
  readonly #call: CallOptions;
  readonly #ending = new AbortController();
  readonly #handlers = new Set<Promise<void>>();
  #failure: { error: unknown } | undefined;
  /** The cursor after finished items that are not acknowledged yet. */
  #cursor: string | undefined;
  /** The cursor after the queue's last item. */
  #end: string | undefined;
  #nextRead = 0;
  #isFull = false;
  /** Aborting this controller wakes the loop. */
  #pause = new AbortController();

  constructor(
    private readonly log: Log<Item>,
    private readonly handler: WorkHandler<Item>,
    private readonly options: WorkOptions<Item>,
  ) {
    this.#numbers = numbersOf(options);
    const { timeout, onRetry } = options;
    const { signal } = this.#ending;
    this.#call = { signal, timeout, onRetry, maxRetries: Infinity, maxRetryAfter: Infinity };
  }

  async run(): Promise<void> {
    const { signal } = this.options;
    const end = () => this.#endWork();
    const removeListener = onAbort(signal, end);
    if (signal?.aborted) end();
    try {
      while (!this.#isEnding && (await this.#step())) await this.#rest();
    } catch (error) {
      // When `work` ends, it aborts the pending request. This error is then not a failure.
      if (!this.#isEnding) this.#fail(error);
    } finally {
      removeListener();
      end();
    }
    await Promise.all(this.#handlers);
    await this.#acknowledgeLast();
    if (this.#failure) throw this.#failure.error;
  }

  get #isEnding(): boolean {
    return this.#ending.signal.aborted;
  }

  #endWork(): void {
    this.#ending.abort();
    this.#pause.abort();
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#endWork();
  }

  /** Returns false if no work is left. */
  async #step(): Promise<boolean> {
    this.#pause = new AbortController();
    const { concurrency, window } = this.#numbers;
    const hasMoved = await this.#moveCursor(this.#call);
    const isIdle = this.#queue.isHandled;
    const isDue = monotonicMs() >= this.#nextRead && (isIdle || this.#queue.running < concurrency);
    const hasRoom = isIdle || this.#queue.size < window;
    if (hasRoom && (hasMoved || isDue)) {
      const added = await this.#read();
      if (added === 0 && isIdle && this.options.once) return false;
    } else if (hasMoved) await this.#acknowledge(this.#call);
    this.#start();
    return true;
  }

  /** Waits until something is due. */
  async #rest(): Promise<void> {
    if (this.#queue.size === 0) return;
    const delay = this.#queue.isHandled ? this.#nextRead - monotonicMs() : ACKNOWLEDGE_MS;
    if (delay > 0) await sleep(delay, this.#pause.signal).catch(() => {});
  }

  /** Reads a page, and acknowledges the items before the cursor. Returns the number of new items. */
  async #read(): Promise<number> {
    const { window, wait, pollInterval } = this.#numbers;
    const canWait = this.#queue.size === 0 && !this.options.once;
    const started = monotonicMs();
    const page = await this.log.read(
      { cursor: this.#cursor, limit: window, wait: canWait ? wait : 0 },
      this.#call,
    );
    this.#cursor = undefined;
    this.#end = page.next;
    const added = this.#queue.update(
      page.items.map((item) => ({ item, key: this.log.keyOf(item), thread: this.log.threadOf(item) })),
    );
    // Call `onRead` after the queue update. If it threw before, unhandled items would be acknowledged.
    this.options.onRead?.();
    this.#nextRead = monotonicMs() + (this.#queue.size > 0 ? pollInterval : 0);
    this.#reportFull();
    if (canWait && added === 0 && monotonicMs() - started < MIN_POLL_MS)
      await sleep(PAUSE_MS, this.#ending.signal);
    return added;
  }

  #reportFull(): void {
    const isFull = this.#queue.size >= this.#numbers.window && this.#queue.isHandled;
    if (isFull && !this.#isFull) this.options.onFull?.();
    this.#isFull = isFull;
  }

  #start(): void {
    while (!this.#isEnding && this.#queue.running < this.#numbers.concurrency) {
      const entry = this.#queue.next();
      if (entry === undefined) return;
      entry.state = "running";
      entry.attempt++;
      const handling = this.#handle(entry).finally(() => this.#handlers.delete(handling));
      this.#handlers.add(handling);
    }
  }

  async #handle(entry: Entry<Item>): Promise<void> {
    // Give each handler its own signal, because Node warns if many handlers listen to one signal.
    const ending = new AbortController();
    const removeListener = onAbort(this.#ending.signal, () => ending.abort());
    const context = { attempt: entry.attempt, signal: ending.signal };
    try {
      const result = await this.handler(entry.item, context);
      entry.state = result === "leave" ? "left" : "finished";
    } catch (error) {
      await this.#afterFailure(entry, error, context);
    }
    removeListener();
    this.#start();
    if (!this.#queue.isHandled) return;
    this.#nextRead = 0;
    this.#pause.abort();
  }

  async #afterFailure(entry: Entry<Item>, error: unknown, context: WorkContext): Promise<void> {
    const { attempt } = context;
    // The abort may have caused the error, so do not count it as a failure. The item will be delivered again.
    if (this.#isEnding) {
      entry.state = "waiting";
      return;
    }
    try {
      const decided = await this.options.onError?.(error, { ...context, item: entry.item });
      const decision = decided ?? defaultDecision(attempt);
      const delay = retryDelayOf(decision, attempt);
      entry.state = decision === "skip" ? "finished" : "pausing";
      if (delay !== undefined) void this.#retryIn(delay, entry);
      else if (decision !== "skip") this.#fail(error);
    } catch (another) {
      entry.state = "waiting";
      this.#fail(another);
    }
  }

  async #retryIn(delay: number, entry: Entry<Item>): Promise<void> {
    try {
      await sleep(delay, this.#ending.signal);
    } catch {
      return;
    }
    entry.state = "waiting";
    this.#start();
  }

  /** Moves the cursor past finished items at the head of the queue. */
  async #moveCursor(options: CallOptions): Promise<boolean> {
    const finished = this.#queue.finishedPrefix();
    if (finished.size === 0) return false;
    const isAll = finished.size === this.#queue.size;
    const moved = isAll
      ? { cursor: this.#end!, passed: finished }
      : await cursorAfter(this.log, this.#cursor, finished, options);
    if (moved === undefined) return false;
    this.#cursor = moved.cursor;
    this.#queue.remove(moved.passed);
    return true;
  }

  async #acknowledge(options: CallOptions): Promise<void> {
    await this.log.acknowledge(this.#cursor!, options);
    this.#cursor = undefined;
  }

  async #acknowledgeLast(): Promise<void> {
    try {
      await this.#moveCursor(FINAL_ACKNOWLEDGEMENT);
      if (this.#cursor !== undefined) await this.#acknowledge(FINAL_ACKNOWLEDGEMENT);
    } catch (error) {
      this.#failure ??= { error };
    }
  }
}
