// Generated from the contract by `npm run generate`; edits are lost.
import type { ApiPromise } from "../runtime/api-promise.js";
import type { CallOptions } from "../runtime/operation.js";
import { Resource } from "../runtime/resource.js";
import type { ApiKey } from "./shapes.js";

/** What `keys.issue` takes. */
export interface KeysIssueInput {
  /**
   * Id of a handle of the caller's.
   *
   * Limits: 1 to 200 characters.
   *
   * @example "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"
   */
  handle_id: string;
  /**
   * When the key ends by itself; without it the key lives until revoked.
   *
   * Limits: format date-time.
   *
   * @example "2027-01-02T03:04:05.678Z"
   */
  expires_at?: string | undefined;
}

/** What `keys.revoke` takes. */
export interface KeysRevokeInput {
  /**
   * Id of the key.
   *
   * Limits: 1 to 200 characters.
   *
   * @example "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"
   */
  id: string;
}

/** What `keys.issue` gives. */
export interface KeysIssueOutput {
  /**
   * Id of the key.
   *
   * Limits: format uuid.
   *
   * @example "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"
   */
  id: string;
  /**
   * The plaintext key, shown this once.
   *
   * @example "wr_…"
   */
  key: string;
  /**
   * First 12 characters of the key, safe to display.
   *
   * @example "wr_0aB1cD2eF"
   */
  prefix: string;
}

/** What `keys.list` gives. */
export interface KeysListOutput {
  /** Newest first. */
  keys: ApiKey[];
}

/** What `keys.revoke` gives. */
export interface KeysRevokeOutput {
  /**
   * Id of the key.
   *
   * Limits: format uuid.
   *
   * @example "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"
   */
  id: string;
  /**
   * True: the key no longer works.
   *
   * @example true
   */
  revoked: boolean;
}

/** API keys of its handles. */
export class KeysResource extends Resource {
  /**
   * Issue an API key.
   *
   * The only operation that ever returns a plaintext key; it is shown once.
   *
   * Errors: `NotFoundError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const answer = await dashboard.keys.issue({ handle_id: "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f" });
   * ```
   */
  issue(input: KeysIssueInput, options?: CallOptions): ApiPromise<KeysIssueOutput> {
    return this.client.call({ id: "keys.issue", method: "POST", path: "/keys", once: true }, input, options);
  }

  /**
   * Keys of the caller's handles.
   *
   * Errors: `ForbiddenError`.
   *
   * @example
   * ```ts
   * const answer = await dashboard.keys.list();
   * ```
   */
  list(options?: CallOptions): ApiPromise<KeysListOutput> {
    return this.client.call({ id: "keys.list", method: "GET", path: "/keys" }, {}, options);
  }

  /**
   * Revoke an API key.
   *
   * Errors: `NotFoundError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const answer = await dashboard.keys.revoke({ id: "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f" });
   * ```
   */
  revoke(input: KeysRevokeInput, options?: CallOptions): ApiPromise<KeysRevokeOutput> {
    return this.client.call({ id: "keys.revoke", method: "DELETE", path: "/keys/{id}" }, input, options);
  }
}
