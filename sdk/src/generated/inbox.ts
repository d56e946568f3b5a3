// Generated from the contract by `npm run generate`; edits are lost.
import type { ApiPromise } from "../runtime/api-promise.js";
import type { CallOptions } from "../runtime/operation.js";
import { Resource } from "../runtime/resource.js";
import type { Knock, TombstoneNotice, Wire } from "./shapes.js";

/** What `inbox.read` takes. */
export interface InboxReadInput {
  /**
   * The last `next_cursor` that you have dealt with; it moves your checkpoint forward. Without it, from
   * the checkpoint.
   *
   * Limits: at most 512 characters.
   *
   * @example "1f.3Jx0aQ2bR9k"
   */
  cursor?: string | undefined;
  /**
   * How many at most, 1 to 100; 50 by default.
   *
   * Limits: 1 to 100.
   *
   * @example 20
   */
  limit?: number | undefined;
  /**
   * Seconds to wait for something new where there is nothing; 0 by default.
   *
   * Limits: 0 to 60.
   *
   * @example 30
   */
  wait?: number | undefined;
}

/** What `inbox.read` gives. */
export interface InboxReadOutput<Payload = unknown> {
  /** New DM wires. */
  wires: Wire<Payload>[];
  /** New knocks. */
  knocks: Knock[];
  /** Wires removed since. */
  tombstone_notices: TombstoneNotice[];
  /**
   * Where the next read starts; it stands still where there was nothing new.
   *
   * @example "1f.3Jx0aQ2bR9k"
   */
  next_cursor: string;
}

/** What is new for a handle. */
export class InboxResource extends Resource {
  /**
   * Pull new items.
   *
   * New DM wires, knocks and tombstone notices since the checkpoint, oldest first. Present `next_cursor`
   * on the next call once its items are dealt with; until then they are served again.
   *
   * Errors: `UnauthorizedError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const answer = await wr.inbox.read({ wait: 30 });
   * ```
   */
  read<Payload = unknown>(input: InboxReadInput = {}, options?: CallOptions): ApiPromise<InboxReadOutput<Payload>> {
    return this.client.call({ id: "inbox.read", method: "GET", path: "/inbox", held: true }, input, options);
  }
}
