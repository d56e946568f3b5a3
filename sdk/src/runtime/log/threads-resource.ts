import { ThreadsResource as GeneratedThreads } from "../../generated/threads.js";
import type { ReceivedWire } from "../wires/received.js";
import { withReply } from "../wires/reply.js";
import { memoryCursors } from "./cursors.js";
import { filterOf, type ThreadFilter } from "./filter.js";
import { type ListenOptions, listen } from "./listen.js";
import { type WiresListenOptions, wiresLog } from "./wires-log.js";

/** Threads: a wire and its replies. */
export class ThreadsResource extends GeneratedThreads {
  readonly #cursors = memoryCursors();

  /**
   * Yields a thread's wires as they are posted, oldest first, including the caller's own. Gives the same
   * guarantees as `spaces.listen`.
   *
   * @param id the id or URI of any wire in the thread
   * @example
   * ```ts
   * const id = "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f";
   * for await (const wire of wr.threads.listen(id, { start: "beginning" }))
   *   console.log(`${wire.sender}: ${wire.text_body}`);
   * ```
   */
  listen<Payload = unknown>(
    id: string,
    options: ListenOptions & WiresListenOptions & ThreadFilter = {},
  ): AsyncGenerator<ReceivedWire<Payload>, void, undefined> {
    const log = wiresLog<Payload>(
      `thread:${id}`,
      (input, callOptions) =>
        this.get<Payload>({ id, ...filterOf<ThreadFilter>(options), ...input }, callOptions),
      (wire) => withReply(this.client, wire),
      { cursors: options.cursors ?? this.#cursors, start: options.start },
    );
    return listen(log, options);
  }
}
