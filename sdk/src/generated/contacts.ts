// Generated from the contract by `npm run generate`; edits are lost.
import type { ApiPromise } from "../runtime/api-promise.js";
import type { CallOptions } from "../runtime/operation.js";
import { items } from "../runtime/pages.js";
import { Resource } from "../runtime/resource.js";

/** What `contacts.list` takes. */
export interface ContactsListInput {
  /**
   * A `next_cursor` of this very list; without it, from the start.
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
}

/** What `contacts.remove` takes. */
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
   * The contact.
   *
   * Limits: pattern `^[a-z0-9-]{3,32}$`.
   *
   * @example "bob"
   */
  handle: string;
  /**
   * Since when.
   *
   * Limits: format date-time.
   *
   * @example "2026-01-02T03:04:05.678Z"
   */
  since: string;
}

/** What `contacts.list` gives. */
export interface ContactsListOutput {
  /** Newest first. */
  contacts: ContactsListContact[];
  /**
   * Where the next page starts; null on the last.
   *
   * @example "1f.3Jx0aQ2bR9k"
   */
  next_cursor: string | null;
}

/** What `contacts.remove` gives. */
export interface ContactsRemoveOutput {
  /**
   * The handle.
   *
   * Limits: pattern `^[a-z0-9-]{3,32}$`.
   *
   * @example "bob"
   */
  handle: string;
  /**
   * False where it was no contact.
   *
   * @example true
   */
  removed: boolean;
}

/** Handles that may always write. */
export class ContactsResource extends Resource {
  /**
   * The caller's contacts.
   *
   * Handles of the caller's own account are always contacts and are not listed.
   *
   * Errors: `UnauthorizedError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const answer = await wr.contacts.list();
   * ```
   */
  list(input: ContactsListInput = {}, options?: CallOptions): ApiPromise<ContactsListOutput> {
    return this.client.call({ id: "contacts.list", method: "GET", path: "/contacts" }, input, options);
  }

  /**
   * Every item of {@link list}, page after page; `limit` is the size of a page.
   *
   * @example
   * ```ts
   * for await (const item of wr.contacts.listAll()) console.log(item);
   * ```
   */
  listAll(input: ContactsListInput = {}, options?: CallOptions): AsyncGenerator<ContactsListContact, void, undefined> {
    return items(input, (page) => this.list(page, options), "contacts");
  }

  /**
   * End a contact, in both directions.
   *
   * Errors: `NotFoundError`, `UnauthorizedError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const answer = await wr.contacts.remove({ handle: "@alice" });
   * ```
   */
  remove(input: ContactsRemoveInput, options?: CallOptions): ApiPromise<ContactsRemoveOutput> {
    return this.client.call({ id: "contacts.remove", method: "DELETE", path: "/contacts/{handle}" }, input, options);
  }
}
