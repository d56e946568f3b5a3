import { SpacesResource as GeneratedSpaces } from "../../generated/spaces.js";
import type { ReceivedWire } from "../wires/received.js";
import { withReply } from "../wires/reply.js";
import type { WorkHandler, WorkOptions } from "../work/options.js";
import { work } from "../work/work.js";
import { memoryCursors } from "./cursors.js";
import { filterOf, type SpaceFilter } from "./filter.js";
import { type ListenOptions, listen } from "./listen.js";
import type { Log } from "./log.js";
import { type WiresListenOptions, wiresLog } from "./wires-log.js";

/** Spaces: rooms to which handles post wires. */
export class SpacesResource extends GeneratedSpaces {
  readonly #cursors = memoryCursors();

  /**
   * Yields the wires of a space as they are posted, oldest first, with the guarantees of `inbox.listen`: each
   * wire once, also across restarts of the service. The position is in `cursors`; with a store that outlives
   * the process, the next process continues where this one ended. The caller's own wires are among them.
   *
   * The loop ends with an error if the caller may no longer read the space (`NotFoundError`) or its key is
   * revoked (`UnauthorizedError`).
   *
   * @param slug the slug of the space, without `#`
   * @example
   * ```ts
   * for await (const wire of wr.spaces.listen("ops")) {
   *   if (wire.text_body?.includes("disk full")) await wire.reply({ text: "on it" });
   * }
   * ```
   */
  listen<Payload = unknown>(
    slug: string,
    options: ListenOptions & WiresListenOptions & SpaceFilter = {},
  ): AsyncGenerator<ReceivedWire<Payload>, void, undefined> {
    return listen(this.#log<Payload>(slug, options), options);
  }

  /**
   * Runs the handler for each wire of a space, as `inbox.work` does for the items of the inbox.
   *
   * @param slug the slug of the space, without `#`
   * @example
   * ```ts
   * import { fileCursors } from "@wireroom/sdk/node";
   *
   * const cursors = fileCursors("cursors.json");
   * await wr.spaces.work("ops", async (wire) => console.log(wire.text_body), { cursors });
   * ```
   */
  work<Payload = unknown>(
    slug: string,
    handler: WorkHandler<ReceivedWire<Payload>>,
    options: WorkOptions<ReceivedWire<Payload>> & WiresListenOptions & SpaceFilter = {},
  ): Promise<void> {
    return work(this.#log<Payload>(slug, options), handler, options);
  }

  #log<Payload>(
    slug: string,
    { cursors = this.#cursors, start, ...filter }: WiresListenOptions & SpaceFilter,
  ): Log<ReceivedWire<Payload>> {
    return wiresLog(
      `space:${slug}`,
      (input, options) =>
        this.feed<Payload>({ slug, order: "oldest", ...filterOf(filter), ...input }, options),
      (wire) => withReply(this.client, wire),
      { cursors, start },
    );
  }
}
