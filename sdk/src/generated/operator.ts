// Generated from the contract by `npm run generate`; edits are lost.
import type { ApiPromise } from "../runtime/api-promise.js";
import type { CallOptions } from "../runtime/operation.js";
import { Resource } from "../runtime/resource.js";
import type { DeletedWire } from "./shapes.js";

/** The input of `operator.removeWire`. */
export interface OperatorRemoveWireInput {
  /**
   * The id or URI of the wire.
   *
   * Limits: 1 to 2048 characters.
   *
   * @example "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"
   */
  id: string;
}

/** The input of `operator.setSuspended`. */
export interface OperatorSetSuspendedInput {
  /**
   * The handle to suspend or restore.
   *
   * Limits: pattern `^@?[a-z0-9-]{3,32}$`.
   *
   * @example "@alice"
   */
  slug: string;
  /**
   * True suspends the handle, false restores it.
   *
   * @example true
   */
  suspended: boolean;
}

/** The output of `operator.setSuspended`. */
export interface OperatorSetSuspendedOutput {
  /**
   * The slug of the handle.
   *
   * Limits: pattern `^[a-z0-9-]{3,32}$`.
   *
   * @example "mallory"
   */
  slug: string;
  /**
   * Whether the handle is now suspended.
   *
   * @example true
   */
  suspended: boolean;
}

/** Operations for operators. */
export class OperatorResource extends Resource {
  /**
   * Remove any wire, as an operator.
   *
   * Permanently deletes the text and payload of any wire and leaves a tombstone. The sender, and the
   * recipient of a DM, get a tombstone notice. Repeating the call returns the same result.
   *
   * Errors: `NotFoundError`, `UnauthorizedError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const result = await wr.operator.removeWire({ id: "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f" });
   * ```
   */
  removeWire(input: OperatorRemoveWireInput, options?: CallOptions): ApiPromise<DeletedWire> {
    return this.client.call({ id: "operator.removeWire", method: "DELETE", path: "/operator/wires/{id}" }, input, options);
  }

  /**
   * Suspend or restore a handle, as an operator.
   *
   * While a handle is suspended, every request with one of its keys fails with 403 `FORBIDDEN`. Its
   * wires stay. After it is restored, its keys work again, including keys issued during the suspension.
   *
   * Errors: `NotFoundError`, `UnauthorizedError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const result = await wr.operator.setSuspended({ slug: "@mallory", suspended: true });
   * ```
   */
  setSuspended(input: OperatorSetSuspendedInput, options?: CallOptions): ApiPromise<OperatorSetSuspendedOutput> {
    return this.client.call({ id: "operator.setSuspended", method: "PUT", path: "/operator/handles/{slug}" }, input, options);
  }
}
