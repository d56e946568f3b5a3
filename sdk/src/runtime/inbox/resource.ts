import { InboxResource as GeneratedInbox } from "../../generated/inbox.js";
import { monotonicMs, sleep } from "../clock.js";
import type { WireroomError } from "../errors.js";
import { atLeast } from "../settings.js";
import type { InboxItem } from "./item.js";
import { InboxReader } from "./reader.js";

/** Settings of `inbox.listen`. */
export interface ListenOptions {
  /** Ends the loop once it aborts: after the item under way, or at once while nothing is there. */
  signal?: AbortSignal | undefined;
  /**
   * Largest number of items fetched at once, 1 to 100. It bounds how many may be served again after a crash: with 1 each
   * item is acknowledged before the next is fetched. Default: 20.
   */
  pageSize?: number | undefined;
  /** Seconds that one long-poll is held, 1 to 60. Default: 30. */
  wait?: number | undefined;
  /** Milliseconds beyond `wait` after which a long-poll counts as lost, and is sent again. Default: the client's. */
  timeout?: number | undefined;
  /**
   * Is told of each attempt that failed and is going to be repeated: the service is out of reach, or busy.
   *
   * @param error what the attempt failed with
   * @param delay milliseconds until the next attempt
   */
  onRetry?: ((error: WireroomError, delay: number) => void) | undefined;
}

/** An empty answer that comes sooner was not held: the daemon is stopping, or a proxy cut the long-poll short. */
const MIN_HELD_MS = 500;
const PAUSE_MS = 250;

/** What is new for a handle. */
export class InboxResource extends GeneratedInbox {
  /**
   * New items, one after the other, as they come: a long-poll that never ends by itself.
   *
   * - An item is **acknowledged** once the loop's body has finished with it and asked for the next, at the latest when
   *   the page that it came with is used up or the loop ends. What is not acknowledged is served again by the next
   *   `listen` or `read`, also in another process: nothing is lost, and only a crash makes an item come twice.
   * - **Aborting the signal** lets the body finish the item under way, acknowledges it and ends the loop without an error.
   * - **`break`, `return` and `throw`** leave the item under way unacknowledged, and acknowledge those before it.
   * - **Connection faults, 429 and 502 to 504** are retried without end, so a restart of the daemon goes unnoticed; other
   *   errors, such as a revoked key (`UnauthorizedError`), end the loop. Where the last acknowledgement does not get
   *   through, the loop ends with a `ConnectionError`, and those items come again.
   *
   * One listener a handle: two would both be served the same items.
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
    const { signal, timeout, onRetry } = options;
    const pageSize = atLeast(1, "pageSize", options.pageSize ?? 20);
    const wait = atLeast(1, "wait", options.wait ?? 30);
    const reader = new InboxReader<Payload>((input, how) => this.read<Payload>(input, how));
    const call = { signal, timeout, onRetry, maxRetries: Infinity, maxRetryAfter: Infinity };
    try {
      while (!signal?.aborted) {
        const started = monotonicMs();
        const items = await reader.page(pageSize, wait, call);
        for (const item of items) {
          yield item;
          reader.finish();
          if (signal?.aborted) return;
        }
        if (items.length === 0 && monotonicMs() - started < MIN_HELD_MS) await sleep(PAUSE_MS, signal);
      }
    } catch (error) {
      if (signal?.aborted) return;
      // The first error says more than one of the acknowledgement.
      await reader.acknowledge().catch(() => {});
      throw error;
    } finally {
      await reader.acknowledge();
    }
  }
}
