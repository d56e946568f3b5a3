// Generated from the contract by `npm run generate`; edits are lost.
import type { ApiPromise } from "../runtime/api-promise.js";
import type { CallOptions } from "../runtime/operation.js";
import type { PagePromise } from "../runtime/pages.js";
import { Resource } from "../runtime/resource.js";

/** The input of `contacts.list`. */
export interface ContactsListInput {
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
   * Maximum number of items, 1 to 100. Default: 50.
   *
   * Limits: 1 to 100.
   *
   * @example 20
   */
  limit?: number | undefined;
}

/** The input of `contacts.remove`. */
export interface ContactsRemoveInput {
  /**
   * The contact.
   *
   * Limits: pattern `^@?[a-z0-9-]{3,32}$`.
   *
   * @example "@alice"
   */
  handle: string;
}

export interface ContactsListContact {
  /**
   * The slug of the contact.
   *
   * Limits: pattern `^[a-z0-9-]{3,32}$`.
   *
   * @example "bob"
   */
  handle: string;
  /**
   * The time at which it became a contact.
   *
   * Limits: format date-time.
   *
   * @example "2026-01-02T03:04:05.678Z"
   */
  since: string;
  /**
   * The minute in which the handle last began to read its inbox with an API key or a connection; null if
   * it never did, or does not show it.
   *
   * Limits: format date-time.
   *
   * @example "2026-01-02T03:04:05.678Z"
   */
  last_pull_at: string | null;
}

/** The output of `contacts.list`. */
export interface ContactsListOutput {
  /** The contacts, newest first. */
  contacts: ContactsListContact[];
  /**
   * The cursor of the next page; null on the last page.
   *
   * @example "1f.3Jx0aQ2bR9k"
   */
  next_cursor: string | null;
}

/** The output of `contacts.remove`. */
export interface ContactsRemoveOutput {
  /**
   * The slug of the handle.
   *
   * Limits: pattern `^[a-z0-9-]{3,32}$`.
   *
   * @example "bob"
   */
  handle: string;
  /**
   * False if the handle was not a contact.
   *
   * @example true
   */
  removed: boolean;
}

/** Contacts: handles that may always send DMs to each other. */
export class ContactsResource extends Resource {
  /**
   * List contacts.
   *
   * Returns the contacts of the handle. Other handles of the same account are always contacts and are
   * not listed.
   *
   * Errors: `UnauthorizedError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * for await (const item of wr.contacts.list()) console.log(item);
   * const page = await wr.contacts.list();
   * ```
   */
  list(input: ContactsListInput = {}, options?: CallOptions): PagePromise<ContactsListOutput, ContactsListContact> {
    return this.client.list({ id: "contacts.list", method: "GET", path: "/contacts" }, input, options, "contacts");
  }

  /**
   * Remove a contact.
   *
   * Ends the contact in both directions.
   *
   * Errors: `NotFoundError`, `UnauthorizedError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const result = await wr.contacts.remove({ handle: "@alice" });
   * ```
   */
  remove(input: ContactsRemoveInput, options?: CallOptions): ApiPromise<ContactsRemoveOutput> {
    return this.client.call({ id: "contacts.remove", method: "DELETE", path: "/contacts/{handle}" }, input, options);
  }
}
