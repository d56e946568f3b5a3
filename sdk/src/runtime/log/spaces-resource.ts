import { SpacesResource as GeneratedSpaces } from "../../generated/spaces.js";
import type { ReceivedWire } from "../wires/received.js";
import { withReply } from "../wires/reply.js";
import { type ClaimWorkOptions, workOnClaims } from "../work/claims.js";
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
   * Yields a space's wires as they are posted, oldest first, including the caller's own. Delivers each wire
   * once, even across restarts of the service, with the same guarantees as `inbox.listen`. `cursors` stores
   * the position: with a persistent store, the next process continues where this one ended.
   *
   * The loop throws `NotFoundError` if the caller may no longer read the space, and `UnauthorizedError` if
   * the caller's key is revoked.
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
   * Runs the handler for each wire posted to a space. A space whose `root_rule` is claimable is a work queue.
   * There, `work` claims each wire and renews the claim while the handler runs. It finishes the wire when the
   * handler returns, and gives it back when the handler throws. Any number of workers can share the queue.
   * `wire.reply` passes the claim's token. The handler's `attempt` counts all claims of the wire. The
   * handler's signal also aborts when the claim is lost, with the service's error as the reason. In any other
   * space, and with `cursors` or `start`, `work` behaves like `inbox.work`.
   *
   * @param slug the slug of the space, without `#`
   * @example
   * ```ts
   * await wr.spaces.work("jobs", async (wire, { signal }) => {
   *   const answer = await compute(wire.payload, signal);
   *   await wire.reply({ payload: answer, done: true });
   * });
   * ```
   * @example
   * ```ts
   * import { fileCursors } from "@wireroom/sdk/node";
   *
   * const cursors = fileCursors("cursors.json");
   * await wr.spaces.work("ops", async (wire) => console.log(wire.text_body), { cursors });
   * ```
   */
  async work<Payload = unknown>(
    slug: string,
    handler: WorkHandler<ReceivedWire<Payload>>,
    options: WorkOptions<ReceivedWire<Payload>> &
      ClaimWorkOptions<ReceivedWire<Payload>> &
      WiresListenOptions &
      SpaceFilter = {},
  ): Promise<void> {
    if (await this.#isQueue(slug, options)) return workOnClaims(this.client, slug, handler, options);
    return work(this.#log<Payload>(slug, options), handler, options);
  }

  async #isQueue(
    slug: string,
    { cursors, start, seconds, signal, timeout, onRetry }: ClaimWorkOptions<never> & WiresListenOptions,
  ): Promise<boolean> {
    if (seconds !== undefined) return true;
    if (cursors !== undefined || start !== undefined || signal?.aborted) return false;
    const endless = { signal, timeout, onRetry, maxRetries: Infinity, maxRetryAfter: Infinity };
    const space = await this.get({ slug }, endless).catch((error: unknown) => {
      if (!signal?.aborted) throw error;
    });
    return space?.root_rule.claimable ?? false;
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
