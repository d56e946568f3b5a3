/** The loop behind `inbox.listen`, `spaces.listen` and `threads.listen`: yields log items as they arrive. */
import { monotonicMs, sleep } from "../clock.js";
import type { WireroomError } from "../error-union.js";
import { requireAtLeast } from "../settings.js";
import { type Log, MIN_POLL_MS, PAUSE_MS } from "./log.js";
import { LogReader } from "./reader.js";

/** Options of `inbox.listen`. */
export interface ListenOptions {
  /** Aborting the signal ends the loop after the current item, or at once while the loop waits for items. */
  signal?: AbortSignal | undefined;
  /**
   * Maximum number of items in one request, 1 to 100. After a crash, items of the current page can be
   * delivered again. With 1, each item is acknowledged before the next one is fetched. Default: 20.
   */
  pageSize?: number | undefined;
  /** Maximum duration of one long poll in seconds, 1 to 60. Default: 30. */
  wait?: number | undefined;
  /** Timeout of each long poll in milliseconds, in addition to `wait`. Default: the client's timeout. */
  timeout?: number | undefined;
  /**
   * Called before each retry, for example when the service is unreachable or busy.
   *
   * @param error the error of the failed attempt
   * @param delay milliseconds until the next attempt
   */
  onRetry?: ((error: WireroomError, delay: number) => void) | undefined;
  /** Called after each successful read. A call after `onRetry` means that the service responds again. */
  onRead?: (() => void) | undefined;
}

/** Yields log items until the signal aborts. Requesting the next item marks the previous one as finished. */
export async function* listen<Item>(
  log: Log<Item>,
  options: ListenOptions,
): AsyncGenerator<Item, void, undefined> {
  const { signal, timeout, onRetry, onRead } = options;
  const pageSize = requireAtLeast(1, "pageSize", options.pageSize ?? 20);
  const wait = requireAtLeast(1, "wait", options.wait ?? 30);
  const reader = new LogReader(log);
  const call = { signal, timeout, onRetry, maxRetries: Infinity, maxRetryAfter: Infinity };
  try {
    while (!signal?.aborted) {
      const started = monotonicMs();
      const items = await reader.page(pageSize, wait, call);
      onRead?.();
      for (const item of items) {
        yield item;
        reader.finish();
        if (signal?.aborted) return;
      }
      if (items.length === 0 && monotonicMs() - started < MIN_POLL_MS) await sleep(PAUSE_MS, signal);
    }
  } catch (error) {
    if (signal?.aborted) return;
    // Ignore errors of this acknowledgement, because the original error is more useful to the caller.
    await reader.acknowledge().catch(() => {});
    throw error;
  } finally {
    await reader.acknowledge();
  }
}
