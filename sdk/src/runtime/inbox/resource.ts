import { InboxResource as GeneratedInbox } from "../../generated/inbox.js";
import { filterOf, type InboxFilter } from "../log/filter.js";
import { type ListenOptions, listen } from "../log/listen.js";
import type { Log } from "../log/log.js";
import { withReply } from "../wires/reply.js";
import type { WorkHandler, WorkOptions } from "../work/options.js";
import { work } from "../work/work.js";
import type { ReceivedItem } from "./item.js";
import { inboxLog } from "./log.js";

/** The inbox of a handle: new direct messages, contact requests (knocks) and notices of removed messages. */
export class InboxResource extends GeneratedInbox {
  /**
   * Yields new items as they arrive, by long polling. The loop does not end until the caller ends it.
   *
   * - An item is **finished** when the loop body requests the next one. Finished items are **acknowledged**
   *   at the end of their page, or when the loop ends. Unacknowledged items are delivered again by the next
   *   `listen` or `read`, even in another process. No item is lost, and an item is delivered twice only after
   *   a crash.
   * - **Aborting the signal** lets the body finish the current item, acknowledges it and ends the loop
   *   without an error.
   * - **`break`, `return` and `throw`** leave the current item unacknowledged and acknowledge the items
   *   before it.
   * - **Connection failures, 429 and 502 to 504** are retried without a limit, so a restart of the daemon
   *   does not end the loop. Other errors end the loop, for example a revoked key (`UnauthorizedError`). If
   *   the last acknowledgement fails, the loop ends with its error, and its items are delivered again.
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
  listen<Payload = unknown>(
    options: ListenOptions & InboxFilter = {},
  ): AsyncGenerator<ReceivedItem<Payload>, void, undefined> {
    return listen(this.#log<Payload>(options), options);
  }

  /**
   * Runs the handler for each item, as they arrive, and acknowledges an item when its handler has finished.
   * Resolves when `signal` aborts, after the running handlers.
   *
   * - **Order**: the items of a thread are handled one after the other, oldest first. Items of up to
   *   `concurrency` threads are handled at the same time.
   * - **At least once**: an item is acknowledged together with all items before it, so after a crash,
   *   finished items behind an unfinished one are delivered again. Without a crash, each item is delivered
   *   once, also across restarts of the service.
   * - **Errors of the handler**: `onError` decides. By default an item gets 5 attempts, 1, 2, 4 and 8 seconds
   *   apart. Then `work` rejects with the handler's error, and the item is delivered again by the next
   *   `work`. While an item waits for its next attempt, other threads go on.
   * - **Errors of the service**: connection failures, 429 and 502 to 504 are retried without a limit. Any
   *   other error, for example of a revoked key, rejects.
   *
   * Use one worker or listener per handle: two would both receive the same items.
   *
   * @example
   * ```ts
   * const stop = new AbortController();
   * process.once("SIGTERM", () => stop.abort());
   * await wr.inbox.work(
   *   async (item) => {
   *     if (item.kind === "wire") await item.wire.reply({ text: `you said: ${item.wire.text_body}` });
   *   },
   *   {
   *     concurrency: 4,
   *     signal: stop.signal,
   *     onError: (error, { attempt }) => (attempt < 3 ? "retry" : "skip"),
   *   },
   * );
   * ```
   */
  work<Payload = unknown>(
    handler: WorkHandler<ReceivedItem<Payload>>,
    options: WorkOptions<ReceivedItem<Payload>> & InboxFilter = {},
  ): Promise<void> {
    return work(this.#log<Payload>(options), handler, options);
  }

  #log<Payload>(filter: InboxFilter): Log<ReceivedItem<Payload>> {
    return inboxLog(
      (input, options) => this.read<Payload>({ ...filterOf(filter), ...input }, options),
      (wire) => withReply(this.client, wire, true),
    );
  }
}
