import { InboxResource as GeneratedInbox } from "../../generated/inbox.js";
import { monotonicMs, sleep } from "../clock.js";
import type { WireroomError } from "../errors.js";
import { requireAtLeast } from "../settings.js";
import type { InboxItem } from "./item.js";
import { InboxReader } from "./reader.js";

/** Options of `inbox.listen`. */
export interface ListenOptions {
  /** Aborting the signal ends the loop after the current item, or immediately if the loop is waiting for items. */
  signal?: AbortSignal | undefined;
  /**
   * Maximum number of items in one request, 1 to 100. Items of the current page can be delivered again after a crash.
   * With 1, each item is acknowledged before the next one is fetched. Default: 20.
   */
  pageSize?: number | undefined;
  /** Maximum duration of one long-poll in seconds, 1 to 60. Default: 30. */
  wait?: number | undefined;
  /** Timeout of a long-poll in milliseconds, in addition to `wait`. The default is the timeout of the client. */
  timeout?: number | undefined;
  /**
   * Called before each retry, for example because the service is unreachable or busy.
   *
   * @param error the error of the failed attempt
   * @param delay milliseconds until the next attempt
   */
  onRetry?: ((error: WireroomError, delay: number) => void) | undefined;
  /** Called after each successful read, also of an empty page. After `onRetry`, it means that the service answers again. */
  onRead?: (() => void) | undefined;
}

/**
 * Minimum duration of a normal long-poll without items. If a proxy or a stopping daemon ends one sooner, the next
 * long-poll is delayed.
 */
const MIN_POLL_MS = 500;
const PAUSE_MS = 250;

/** The inbox of a handle: new direct messages, contact requests (knocks) and notices of removed messages. */
export class InboxResource extends GeneratedInbox {
  /**
   * Yields new items as they arrive, by long-polling. The loop does not end until the caller ends it.
   *
   * - An item is **finished** when the loop body requests the next one. Finished items are **acknowledged** at the end of
   *   their page, or when the loop ends. Unacknowledged items are delivered again by the next `listen` or `read`, even in
   *   another process. No item is lost, and an item is delivered twice only after a crash.
   * - **Aborting the signal** lets the body finish the current item, acknowledges it and ends the loop without an error.
   * - **`break`, `return` and `throw`** leave the current item unacknowledged and acknowledge the items before it.
   * - **Connection failures, 429 and 502 to 504** are retried without a limit, so a restart of the daemon does not end the
   *   loop. Other errors end the loop, for example a revoked key (`UnauthorizedError`). If the last acknowledgement fails,
   *   the loop ends with its error, and its items are delivered again.
   *
   * Use one listener per handle: two listeners would both receive the same items.
   *
   * @example
   * ```ts
   * const stop = new AbortController();
   * process.once("SIGTERM", () => stop.abort());
   * for await (const item of wr.inbox.listen({ signal: stop.signal })) {
   *   if (item.kind === "wire") console.log(item.wire.text_body);
   * }
   * ```
   */
  async *listen<Payload = unknown>(
    options: ListenOptions = {},
  ): AsyncGenerator<InboxItem<Payload>, void, undefined> {
    const { signal, timeout, onRetry, onRead } = options;
    const pageSize = requireAtLeast(1, "pageSize", options.pageSize ?? 20);
    const wait = requireAtLeast(1, "wait", options.wait ?? 30);
    const reader = new InboxReader<Payload>((input, callOptions) => this.read<Payload>(input, callOptions));
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
      // Ignores an error of the acknowledgement, because the first error is more useful.
      await reader.acknowledge().catch(() => {});
      throw error;
    } finally {
      await reader.acknowledge();
    }
  }
}
