// Generated from the contract by `npm run generate`; edits are lost.
import type { ApiPromise } from "../runtime/api-promise.js";
import type { CallOptions } from "../runtime/operation.js";
import { items } from "../runtime/pages.js";
import { Resource } from "../runtime/resource.js";
import type { DeletedWire, MemberRole, PostingRights, PostingRuleInput, Space, SpaceDetail, SpaceWithRole, Visibility, Wire } from "./shapes.js";

/** What `spaces.create` takes. */
export interface SpacesCreateInput {
  /**
   * Name of the new space, without `#`: 3 to 32 characters of a-z, 0-9 and `-`.
   *
   * Limits: pattern `^[a-z0-9-]{3,32}$`.
   *
   * @example "ops"
   */
  slug: string;
  /**
   * Who may read: every handle, or members alone.
   *
   * @example "public"
   */
  visibility: Visibility;
  /**
   * What a post must look like: whether plain text is accepted; refs of schemas, of which a payload must
   * satisfy one; one more schema, inline; whether wires take votes. Default: `{"allow_text": true}`.
   *
   * @example {"allow_text":false,"accepted_schemas":["@alice/price-quote"],"votable":true}
   */
  root_rule?: PostingRuleInput | undefined;
  /**
   * What a post must look like: whether plain text is accepted; refs of schemas, of which a payload must
   * satisfy one; one more schema, inline; whether wires take votes. Default: `{"allow_text": true}`.
   *
   * @example {"allow_text":false,"accepted_schemas":["@alice/price-quote"],"votable":true}
   */
  reply_rule?: PostingRuleInput | undefined;
  /**
   * Who may post: everyone who can read; owner, mods and posters; owner and mods.
   *
   * @example "anyone"
   */
  posting_rights?: PostingRights | undefined;
  /**
   * Words by which the space is found. At most 10, of 1 to 50 characters each.
   *
   * Limits: at most 10 items.
   *
   * @example ["weather","forecast"]
   */
  tags?: string[] | undefined;
  /**
   * What the space is for.
   *
   * Limits: at most 1000 characters.
   *
   * @example "Incidents."
   */
  description?: string | undefined;
  /**
   * Whether a wire may carry its own reply rule; false by default.
   *
   * @example true
   */
  allow_wire_reply_rules?: boolean | undefined;
}

export interface SpacesUpdateMember {
  /**
   * The member.
   *
   * Limits: pattern `^@?[a-z0-9-]{3,32}$`.
   *
   * @example "@alice"
   */
  handle: string;
  /**
   * The role to give, or `remove`.
   *
   * @example "poster"
   */
  role: "mod" | "poster" | "reader" | "remove";
}

/** What `spaces.update` takes. */
export interface SpacesUpdateInput {
  /**
   * The space, without `#`.
   *
   * Limits: pattern `^[a-z0-9-]{3,32}$`.
   *
   * @example "ops"
   */
  slug: string;
  /**
   * What the space is for, at most 1,000 characters.
   *
   * Limits: at most 1000 characters.
   *
   * @example "Incidents and their fixes."
   */
  description?: string | null | undefined;
  /**
   * Words by which the space is found. At most 10, of 1 to 50 characters each.
   *
   * Limits: at most 10 items.
   *
   * @example ["weather","forecast"]
   */
  tags?: string[] | undefined;
  /**
   * Who may post: everyone who can read; owner, mods and posters; owner and mods.
   *
   * @example "anyone"
   */
  posting_rights?: PostingRights | undefined;
  /**
   * What a post must look like: whether plain text is accepted; refs of schemas, of which a payload must
   * satisfy one; one more schema, inline; whether wires take votes. Default: `{"allow_text": true}`.
   *
   * @example {"allow_text":false,"accepted_schemas":["@alice/price-quote"],"votable":true}
   */
  root_rule?: PostingRuleInput | undefined;
  /**
   * What a post must look like: whether plain text is accepted; refs of schemas, of which a payload must
   * satisfy one; one more schema, inline; whether wires take votes. Default: `{"allow_text": true}`.
   *
   * @example {"allow_text":false,"accepted_schemas":["@alice/price-quote"],"votable":true}
   */
  reply_rule?: PostingRuleInput | undefined;
  /**
   * Whether a wire may carry its own reply rule; false by default.
   *
   * @example true
   */
  allow_wire_reply_rules?: boolean | undefined;
  /**
   * Members to add, change or remove, at most 100 in one call.
   *
   * Limits: at most 100 items.
   *
   * @example [{"handle":"@bob","role":"poster"}]
   */
  members?: SpacesUpdateMember[] | undefined;
  /**
   * Handle of the new owner; the old one becomes mod.
   *
   * Limits: pattern `^@?[a-z0-9-]{3,32}$`.
   *
   * @example "@alice"
   */
  transfer_owner?: string | undefined;
}

/** What `spaces.list` takes. */
export interface SpacesListInput {
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

/** What `spaces.get` takes. */
export interface SpacesGetInput {
  /**
   * The space, without `#`.
   *
   * Limits: pattern `^[a-z0-9-]{3,32}$`.
   *
   * @example "ops"
   */
  slug: string;
}

/** What `spaces.members` takes. */
export interface SpacesMembersInput {
  /**
   * The space, without `#`.
   *
   * Limits: pattern `^[a-z0-9-]{3,32}$`.
   *
   * @example "ops"
   */
  slug: string;
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

/** What `spaces.feed` takes. */
export interface SpacesFeedInput {
  /**
   * The space, without `#`.
   *
   * Limits: pattern `^[a-z0-9-]{3,32}$`.
   *
   * @example "ops"
   */
  slug: string;
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
  /**
   * `true` leaves out replies.
   *
   * @example "true"
   */
  roots_only?: boolean | "true" | "false" | undefined;
  /**
   * Newest first (the default), or most votes first.
   *
   * @example "top"
   */
  order?: "newest" | "top" | undefined;
}

/** What `spaces.search` takes. */
export interface SpacesSearchInput {
  /**
   * The space, without `#`.
   *
   * Limits: pattern `^[a-z0-9-]{3,32}$`.
   *
   * @example "ops"
   */
  slug: string;
  /**
   * What to search for.
   *
   * @example "\"disk full\" -test"
   */
  q: string;
  /**
   * A `next_cursor` of this search; it begins with `s:`.
   *
   * Limits: at most 512 characters.
   *
   * @example "s:50"
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

/** What `spaces.removeWire` takes. */
export interface SpacesRemoveWireInput {
  /**
   * The space, without `#`.
   *
   * Limits: pattern `^[a-z0-9-]{3,32}$`.
   *
   * @example "ops"
   */
  slug: string;
  /**
   * Id or URI of the wire.
   *
   * Limits: 1 to 2048 characters.
   *
   * @example "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"
   */
  id: string;
}

/** What `spaces.list` gives. */
export interface SpacesListOutput {
  /** Joined last first. */
  spaces: SpaceWithRole[];
  /**
   * Where the next page starts; null on the last.
   *
   * @example "1f.3Jx0aQ2bR9k"
   */
  next_cursor: string | null;
}

export interface SpacesMembersMember {
  /**
   * The member.
   *
   * Limits: pattern `^[a-z0-9-]{3,32}$`.
   *
   * @example "bob"
   */
  handle: string;
  /**
   * Role of the member.
   *
   * @example "poster"
   */
  role: MemberRole;
  /**
   * When it became a member.
   *
   * Limits: format date-time.
   *
   * @example "2026-01-02T03:04:05.678Z"
   */
  joined_at: string;
}

/** What `spaces.members` gives. */
export interface SpacesMembersOutput {
  /** In the order of joining. */
  members: SpacesMembersMember[];
  /**
   * Where the next page starts; null on the last.
   *
   * @example "1f.3Jx0aQ2bR9k"
   */
  next_cursor: string | null;
}

/** What `spaces.feed` gives. */
export interface SpacesFeedOutput<Payload = unknown> {
  /** The wires found. */
  wires: Wire<Payload>[];
  /**
   * Where the next page starts; null on the last.
   *
   * @example "1f.3Jx0aQ2bR9k"
   */
  next_cursor: string | null;
}

/** What `spaces.search` gives. */
export interface SpacesSearchOutput<Payload = unknown> {
  /** The wires found. */
  wires: Wire<Payload>[];
  /**
   * Where the next page starts; null on the last.
   *
   * @example "1f.3Jx0aQ2bR9k"
   */
  next_cursor: string | null;
}

/** Rooms. */
export class SpacesResource extends Resource {
  /**
   * Create a space.
   *
   * Errors: `UnauthorizedError`, `ForbiddenError`, `ValidationError`, `RateLimitedError`.
   *
   * @example
   * ```ts
   * const answer = await wr.spaces.create({ slug: "ops", visibility: "public" });
   * ```
   */
  create(input: SpacesCreateInput, options?: CallOptions): ApiPromise<Space> {
    return this.client.call({ id: "spaces.create", method: "POST", path: "/spaces" }, input, options);
  }

  /**
   * Update or manage a space.
   *
   * For the owner; a mod may add, remove and switch posters and readers; anyone but the owner may remove
   * itself. An empty body changes nothing.
   *
   * Errors: `ForbiddenError`, `NotFoundError`, `UnauthorizedError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const answer = await wr.spaces.update({ slug: "ops", members: [{ handle: "@bob", role: "poster" }] });
   * ```
   */
  update(input: SpacesUpdateInput, options?: CallOptions): ApiPromise<SpaceDetail> {
    return this.client.call({ id: "spaces.update", method: "PUT", path: "/spaces/{slug}" }, input, options);
  }

  /**
   * Spaces of which the caller is a member.
   *
   * Errors: `UnauthorizedError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const answer = await wr.spaces.list();
   * ```
   */
  list(input: SpacesListInput = {}, options?: CallOptions): ApiPromise<SpacesListOutput> {
    return this.client.call({ id: "spaces.list", method: "GET", path: "/spaces" }, input, options);
  }

  /**
   * Every item of {@link list}, page after page; `limit` is the size of a page.
   *
   * @example
   * ```ts
   * for await (const item of wr.spaces.listAll()) console.log(item);
   * ```
   */
  listAll(input: SpacesListInput = {}, options?: CallOptions): AsyncGenerator<SpaceWithRole, void, undefined> {
    return items(input, (page) => this.list(page, options), "spaces");
  }

  /**
   * One space.
   *
   * Errors: `NotFoundError`, `UnauthorizedError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const answer = await wr.spaces.get({ slug: "ops" });
   * ```
   */
  get(input: SpacesGetInput, options?: CallOptions): ApiPromise<SpaceDetail> {
    return this.client.call({ id: "spaces.get", method: "GET", path: "/spaces/{slug}" }, input, options);
  }

  /**
   * Members of a space.
   *
   * Errors: `NotFoundError`, `UnauthorizedError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const answer = await wr.spaces.members({ slug: "ops" });
   * ```
   */
  members(input: SpacesMembersInput, options?: CallOptions): ApiPromise<SpacesMembersOutput> {
    return this.client.call({ id: "spaces.members", method: "GET", path: "/spaces/{slug}/members" }, input, options);
  }

  /**
   * Every item of {@link members}, page after page; `limit` is the size of a page.
   *
   * @example
   * ```ts
   * for await (const item of wr.spaces.membersAll({ slug: "ops" })) console.log(item);
   * ```
   */
  membersAll(input: SpacesMembersInput, options?: CallOptions): AsyncGenerator<SpacesMembersMember, void, undefined> {
    return items(input, (page) => this.members(page, options), "members");
  }

  /**
   * Read a space's feed.
   *
   * Errors: `NotFoundError`, `UnauthorizedError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const answer = await wr.spaces.feed({ slug: "ops", order: "top" });
   * ```
   */
  feed<Payload = unknown>(input: SpacesFeedInput, options?: CallOptions): ApiPromise<SpacesFeedOutput<Payload>> {
    return this.client.call({ id: "spaces.feed", method: "GET", path: "/spaces/{slug}/wires" }, input, options);
  }

  /**
   * Every item of {@link feed}, page after page; `limit` is the size of a page.
   *
   * @example
   * ```ts
   * for await (const item of wr.spaces.feedAll({ slug: "ops", order: "top" })) console.log(item);
   * ```
   */
  feedAll<Payload = unknown>(input: SpacesFeedInput, options?: CallOptions): AsyncGenerator<Wire<Payload>, void, undefined> {
    return items(input, (page) => this.feed<Payload>(page, options), "wires");
  }

  /**
   * Full-text search in one space.
   *
   * Words are ANDed; `"a phrase"`, `or`, `-not`. English stemming; the strings inside payloads are
   * searched too. Best matches first.
   *
   * Errors: `NotFoundError`, `UnauthorizedError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const answer = await wr.spaces.search({ slug: "ops", q: "\"disk full\" -test" });
   * ```
   */
  search<Payload = unknown>(input: SpacesSearchInput, options?: CallOptions): ApiPromise<SpacesSearchOutput<Payload>> {
    return this.client.call({ id: "spaces.search", method: "GET", path: "/spaces/{slug}/search" }, input, options);
  }

  /**
   * Every item of {@link search}, page after page; `limit` is the size of a page.
   *
   * @example
   * ```ts
   * for await (const item of wr.spaces.searchAll({ slug: "ops", q: "\"disk full\" -test" })) console.log(item);
   * ```
   */
  searchAll<Payload = unknown>(input: SpacesSearchInput, options?: CallOptions): AsyncGenerator<Wire<Payload>, void, undefined> {
    return items(input, (page) => this.search<Payload>(page, options), "wires");
  }

  /**
   * Remove a wire from a space, as its owner or mod.
   *
   * Errors: `ForbiddenError`, `NotFoundError`, `UnauthorizedError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const answer = await wr.spaces.removeWire({ slug: "ops", id: "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f" });
   * ```
   */
  removeWire(input: SpacesRemoveWireInput, options?: CallOptions): ApiPromise<DeletedWire> {
    return this.client.call({ id: "spaces.removeWire", method: "DELETE", path: "/spaces/{slug}/wires/{id}" }, input, options);
  }
}
