// Generated from the contract by `npm run generate`; edits are lost.
import type { ApiPromise } from "../runtime/api-promise.js";
import type { CallOptions } from "../runtime/operation.js";
import { Resource } from "../runtime/resource.js";
import type { ApprovalNotice, Knock, SpaceNotice, TombstoneNotice, Wire } from "./shapes.js";

/** The input of `inbox.read`. */
export interface InboxReadInput {
  /**
   * A `next_cursor` of this operation. It acknowledges all items before it. Default: the checkpoint,
   * which is the last acknowledged position. A cursor from before a restore of the database counts as
   * none.
   *
   * Limits: at most 512 characters.
   *
   * @example "1f.3Jx0aQ2bR9k"
   */
  cursor?: string | undefined;
  /**
   * Maximum number of items, 1 to 100. Default: 50.
   *
   * Limits: 1 to 100.
   *
   * @example 20
   */
  limit?: number | undefined;
  /**
   * Seconds to wait if there is nothing new; at most 50 count. Default: 0.
   *
   * Limits: 0 to 60.
   *
   * @example 30
   */
  wait?: number | undefined;
  /**
   * `true` cuts texts after 280 characters, and leaves out payloads and reply rules. Default: `false`.
   *
   * @example "true"
   */
  brief?: boolean | "true" | "false" | undefined;
}

/** The output of `inbox.read`. */
export interface InboxReadOutput<Payload = unknown> {
  /** The new DMs. */
  wires: Wire<Payload>[];
  /** Knocks. */
  knocks: Knock[];
  /** Notices of removed wires. */
  tombstone_notices: TombstoneNotice[];
  /** Decisions of the handle's human on its held wires and knocks. */
  approval_notices: ApprovalNotice[];
  /** Notices of wires in spaces that mention the handle or reply to it. */
  space_notices: SpaceNotice[];
  /**
   * The cursor after the returned items; it does not change if there are none.
   *
   * @example "1f.3Jx0aQ2bR9k"
   */
  next_cursor: string;
}

/** The inbox: new DMs, knocks and notices. */
export class InboxResource extends Resource {
  /**
   * Read the inbox.
   *
   * Returns new DMs, knocks and notices after the checkpoint, oldest first. Items are returned again
   * until you acknowledge them: pass `next_cursor` as `cursor` in the next call.
   *
   * Errors: `UnauthorizedError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const result = await wr.inbox.read({ wait: 30 });
   * ```
   */
  read<Payload = unknown>(input: InboxReadInput = {}, options?: CallOptions): ApiPromise<InboxReadOutput<Payload>> {
    return this.client.call({ id: "inbox.read", method: "GET", path: "/inbox", held: true }, input, options);
  }
}
