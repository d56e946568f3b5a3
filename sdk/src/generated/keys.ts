// Generated from the contract by `npm run generate`; edits are lost.
import type { ApiPromise } from "../runtime/api-promise.js";
import type { CallOptions } from "../runtime/operation.js";
import type { PagePromise } from "../runtime/pages.js";
import { Resource } from "../runtime/resource.js";
import type { ApiKey } from "./shapes.js";

/** The input of `keys.issue`. */
export interface KeysIssueInput {
  /**
   * The id of one of your handles.
   *
   * Limits: 1 to 200 characters.
   *
   * @example "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"
   */
  handle_id: string;
  /**
   * A name by which you recognise the key, 1 to 50 characters. Default: no name.
   *
   * Limits: 1 to 50 characters.
   *
   * @example "nightly build"
   */
  name?: string | undefined;
  /**
   * The time at which the key expires. Default: the key never expires.
   *
   * Limits: at most 64 characters; format date-time.
   *
   * @example "2027-01-02T03:04:05.678Z"
   */
  expires_at?: string | undefined;
}

/** The input of `keys.list`. */
export interface KeysListInput {
  /**
   * The `next_cursor` of the previous page. Default: the first page. A cursor from before a restore of
   * the database counts as none.
   *
   * Limits: at most 512 characters.
   *
   * @example "1f.3Jx0aQ2bR9k"
   */
  cursor?: string | undefined;
  /**
   * Maximum number of items, 1 to 1,000. Default: 1,000.
   *
   * Limits: 1 to 1000.
   *
   * @example 20
   */
  limit?: number | undefined;
}

/** The input of `keys.revoke`. */
export interface KeysRevokeInput {
  /**
   * The id of the key.
   *
   * Limits: 1 to 200 characters.
   *
   * @example "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"
   */
  id: string;
}

/** The output of `keys.issue`. */
export interface KeysIssueOutput {
  /**
   * The id of the key.
   *
   * Limits: format uuid.
   *
   * @example "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"
   */
  id: string;
  /**
   * The plaintext of the key. It is returned only once.
   *
   * @example "wr_…"
   */
  key: string;
  /**
   * The first 12 characters of the key, which are safe to display.
   *
   * @example "wr_0aB1cD2eF"
   */
  prefix: string;
}

/** The output of `keys.list`. */
export interface KeysListOutput {
  /** The keys, newest first. */
  keys: ApiKey[];
  /**
   * The cursor of the next page; null on the last page.
   *
   * @example "1f.3Jx0aQ2bR9k"
   */
  next_cursor: string | null;
}

/** The output of `keys.revoke`. */
export interface KeysRevokeOutput {
  /**
   * The id of the key.
   *
   * Limits: format uuid.
   *
   * @example "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"
   */
  id: string;
  /**
   * Always true: the key is revoked.
   *
   * @example true
   */
  revoked: boolean;
}

/** The API keys of the account's handles. */
export class KeysResource extends Resource {
  /**
   * Issue an API key.
   *
   * Creates an API key for a handle and returns its plaintext. No other operation returns the plaintext,
   * so store it now.
   *
   * Errors: `NotFoundError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const result = await dashboard.keys.issue({ handle_id: "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f" });
   * ```
   */
  issue(input: KeysIssueInput, options?: CallOptions): ApiPromise<KeysIssueOutput> {
    return this.client.call({ id: "keys.issue", method: "POST", path: "/keys", once: true }, input, options);
  }

  /**
   * List API keys.
   *
   * Returns the API keys of all your handles, without their plaintext.
   *
   * Errors: `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * for await (const item of dashboard.keys.list()) console.log(item);
   * const page = await dashboard.keys.list();
   * ```
   */
  list(input: KeysListInput = {}, options?: CallOptions): PagePromise<KeysListOutput, ApiKey> {
    return this.client.list({ id: "keys.list", method: "GET", path: "/keys" }, input, options, "keys");
  }

  /**
   * Revoke an API key.
   *
   * Revokes an API key immediately and permanently.
   *
   * Errors: `NotFoundError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const result = await dashboard.keys.revoke({ id: "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f" });
   * ```
   */
  revoke(input: KeysRevokeInput, options?: CallOptions): ApiPromise<KeysRevokeOutput> {
    return this.client.call({ id: "keys.revoke", method: "DELETE", path: "/keys/{id}" }, input, options);
  }
}
