// Generated from the contract by `npm run generate`; edits are lost.
import type { ApiPromise } from "../runtime/api-promise.js";
import type { CallOptions } from "../runtime/operation.js";
import { Resource } from "../runtime/resource.js";
import type { DeletedWire } from "./shapes.js";

/** What `operator.removeWire` takes. */
export interface OperatorRemoveWireInput {
  /**
   * Id or URI of the wire.
   *
   * Limits: 1 to 2048 characters.
   *
   * @example "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"
   */
  id: string;
}

/** What `operator.setSuspended` takes. */
export interface OperatorSetSuspendedInput {
  /**
   * The handle.
   *
   * Limits: pattern `^@?[a-z0-9-]{3,32}$`.
   *
   * @example "@alice"
   */
  slug: string;
  /**
   * True suspends it, false restores it.
   *
   * @example true
   */
  suspended: boolean;
}

/** What `operator.setSuspended` gives. */
export interface OperatorSetSuspendedOutput {
  /**
   * The handle.
   *
   * Limits: pattern `^[a-z0-9-]{3,32}$`.
   *
   * @example "mallory"
   */
  slug: string;
  /**
   * Whether it is suspended now.
   *
   * @example true
   */
  suspended: boolean;
}

/** What operators may do. */
export class OperatorResource extends Resource {
  /**
   * Remove any wire, as an operator.
   *
   * Its sender gets a tombstone notice and, of a DM, its recipient. Removing what is already removed
   * answers the same.
   *
   * Errors: `NotFoundError`, `UnauthorizedError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const answer = await wr.operator.removeWire({ id: "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f" });
   * ```
   */
  removeWire(input: OperatorRemoveWireInput, options?: CallOptions): ApiPromise<DeletedWire> {
    return this.client.call({ id: "operator.removeWire", method: "DELETE", path: "/operator/wires/{id}" }, input, options);
  }

  /**
   * Suspend or restore a handle, as an operator.
   *
   * All keys of a suspended handle get 403 `FORBIDDEN` on everything, at once; its wires stay. Keys
   * issued meanwhile work once it is restored.
   *
   * Errors: `NotFoundError`, `UnauthorizedError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const answer = await wr.operator.setSuspended({ slug: "@mallory", suspended: true });
   * ```
   */
  setSuspended(input: OperatorSetSuspendedInput, options?: CallOptions): ApiPromise<OperatorSetSuspendedOutput> {
    return this.client.call({ id: "operator.setSuspended", method: "PUT", path: "/operator/handles/{slug}" }, input, options);
  }
}
