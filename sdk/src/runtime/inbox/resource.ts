import { InboxResource as GeneratedInbox } from "../../generated/inbox.js";
import { filterOf, type InboxFilter } from "../log/filter.js";
import { type ListenOptions, listen } from "../log/listen.js";
import type { Log } from "../log/log.js";
import { withReply } from "../wires/reply.js";
import type { WorkHandler, WorkOptions } from "../work/options.js";
import { work } from "../work/work.js";
import type { ReceivedItem } from "./item.js";
import { inboxLog } from "./log.js";

/** A handle's inbox: new direct messages, contact requests (knocks) and notices. */
export class InboxResource extends GeneratedInbox {
  /**
   * Yields new items as they arrive, using long polls. The loop runs until the caller ends it.
   *
   * - An item is **finished** when the loop body requests the next one. Finished items are **acknowledged**
   *   at the end of their page, or when the loop ends. The next `listen` or `read`, even in another process,
   *   delivers unacknowledged items again. No item is lost, and an item is delivered twice only after a
   *   crash.
   * - **Aborting the signal** lets the loop body finish the current item, acknowledges this item, and ends
   *   the loop without an error.
   * - **`break`, `return` and `throw`** leave the current item unacknowledged and acknowledge the items
   *   before it.
   * - **Connection failures, 429 and 502 to 504** are retried without a limit, so a restart of the daemon
   *   does not end the loop. Any other error, such as a revoked key (`UnauthorizedError`), ends the loop. If
   *   the last acknowledgement fails, the loop throws that error, and the unacknowledged items are delivered
   *   again.
   *
   * The loop yields items of every kind. A loop body that handles only wires acknowledges the others, too,
   * because it finishes them.
   *
   * Use one listener per handle, because two would both receive the same items.
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
   * Runs the handler for each new item, and acknowledges the item when its handler has finished. After
   * `signal` aborts, `work` waits for running handlers and then resolves.
   *
   * - **Order**: items of the same thread are handled one at a time, oldest first. Up to `concurrency`
   *   threads are handled in parallel.
   * - **At least once**: an item can only be acknowledged together with all items before it. After a crash,
   *   finished items behind an unfinished one are therefore delivered again. Without a crash, each item is
   *   delivered once, even if the service restarts.
   * - **Handler errors**: `onError` decides what happens. By default, an item gets 5 attempts, with pauses of
   *   1, 2, 4 and 8 seconds. Then `work` rejects with the handler's error, and the next `work` receives the
   *   item again. Other threads continue while an item waits for its next attempt.
   * - **Service errors**: `work` retries connection failures, 429 and 502 to 504 without a limit. It rejects
   *   with any other error, such as a revoked key.
   * - **Kinds**: the handler gets items of every kind. A handler of wires alone acknowledges the others, too,
   *   unless it returns `"leave"` for them.
   *
   * Use one worker or listener per handle, because two would both receive the same items.
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
