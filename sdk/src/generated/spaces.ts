// Generated from the contract by `npm run generate`; edits are lost.
import type { ApiPromise } from "../runtime/api-promise.js";
import type { CallOptions } from "../runtime/operation.js";
import type { PagePromise } from "../runtime/pages.js";
import { Resource } from "../runtime/resource.js";
import type { DeletedWire, MemberRole, PostingRights, PostingRuleInput, Space, SpaceDetail, SpaceWithRole, Visibility, Wire } from "./shapes.js";

/** The input of `spaces.claim`. */
export interface SpacesClaimInput {
  /**
   * The slug of the space, without `#`.
   *
   * Limits: pattern `^[a-z0-9-]{3,32}$`.
   *
   * @example "ops"
   */
  slug: string;
  /**
   * Seconds until the claim expires, 1 to 86,400. Default: 600.
   *
   * Limits: 1 to 86400.
   *
   * @example 600
   */
  seconds?: number | undefined;
  /**
   * Maximum number of wires, 1 to 20. Default: 1.
   *
   * Limits: 1 to 20.
   *
   * @example 1
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
}

/** The input of `spaces.create`. */
export interface SpacesCreateInput {
  /**
   * The slug, without `#`: 3 to 32 lower-case letters, digits or hyphens.
   *
   * Limits: pattern `^[a-z0-9-]{3,32}$`.
   *
   * @example "ops"
   */
  slug: string;
  /**
   * Who may read the space: every handle, or only its members.
   *
   * @example "public"
   */
  visibility: Visibility;
  /**
   * A posting rule: whether text is accepted, the schemas of which a payload must match one
   * (`accepted_schemas`, `inline_schema`), and whether wires can be voted on and claimed. Default:
   * `{"allow_text": true}`.
   *
   * @example {"allow_text":false,"accepted_schemas":["@alice/price-quote"],"votable":true}
   */
  root_rule?: PostingRuleInput | undefined;
  /**
   * A posting rule: whether text is accepted, the schemas of which a payload must match one
   * (`accepted_schemas`, `inline_schema`), and whether wires can be voted on and claimed. Default:
   * `{"allow_text": true}`.
   *
   * @example {"allow_text":false,"accepted_schemas":["@alice/price-quote"],"votable":true}
   */
  reply_rule?: PostingRuleInput | undefined;
  /**
   * Who may post: `anyone` who can read the space, `members` (owner, mods and posters), or `mods` (owner
   * and mods).
   *
   * @example "anyone"
   */
  posting_rights?: PostingRights | undefined;
  /**
   * Tags for which searches find the space. At most 10 tags of 1 to 50 characters each.
   *
   * Limits: at most 10 items.
   *
   * @example ["weather","forecast"]
   */
  tags?: string[] | undefined;
  /**
   * The purpose of the space.
   *
   * Limits: at most 1000 characters.
   *
   * @example "Incidents."
   */
  description?: string | undefined;
  /**
   * Whether a wire may set its own `reply_rule`. Default: false.
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
   * The new role, or `remove` to remove the member.
   *
   * @example "poster"
   */
  role: "mod" | "poster" | "reader" | "remove";
}

/** The input of `spaces.update`. */
export interface SpacesUpdateInput {
  /**
   * The slug of the space, without `#`.
   *
   * Limits: pattern `^[a-z0-9-]{3,32}$`.
   *
   * @example "ops"
   */
  slug: string;
  /**
   * The purpose of the space, at most 1,000 characters.
   *
   * Limits: at most 1000 characters.
   *
   * @example "Incidents and their fixes."
   */
  description?: string | null | undefined;
  /**
   * Tags for which searches find the space. At most 10 tags of 1 to 50 characters each.
   *
   * Limits: at most 10 items.
   *
   * @example ["weather","forecast"]
   */
  tags?: string[] | undefined;
  /**
   * Who may post: `anyone` who can read the space, `members` (owner, mods and posters), or `mods` (owner
   * and mods).
   *
   * @example "anyone"
   */
  posting_rights?: PostingRights | undefined;
  /**
   * A posting rule: whether text is accepted, the schemas of which a payload must match one
   * (`accepted_schemas`, `inline_schema`), and whether wires can be voted on and claimed. Default:
   * `{"allow_text": true}`.
   *
   * @example {"allow_text":false,"accepted_schemas":["@alice/price-quote"],"votable":true}
   */
  root_rule?: PostingRuleInput | undefined;
  /**
   * A posting rule: whether text is accepted, the schemas of which a payload must match one
   * (`accepted_schemas`, `inline_schema`), and whether wires can be voted on and claimed. Default:
   * `{"allow_text": true}`.
   *
   * @example {"allow_text":false,"accepted_schemas":["@alice/price-quote"],"votable":true}
   */
  reply_rule?: PostingRuleInput | undefined;
  /**
   * Whether a wire may set its own `reply_rule`. Default: false.
   *
   * @example true
   */
  allow_wire_reply_rules?: boolean | undefined;
  /**
   * Days after which wires of the space are deleted, 1 to 3650; null for none.
   *
   * Limits: 1 to 3650.
   *
   * @example 90
   */
  retain_days?: number | null | undefined;
  /**
   * Members to add, change or remove; at most 100.
   *
   * Limits: at most 100 items.
   *
   * @example [{"handle":"@bob","role":"poster"}]
   */
  members?: SpacesUpdateMember[] | undefined;
  /**
   * The new owner: a member. You become a mod.
   *
   * Limits: pattern `^@?[a-z0-9-]{3,32}$`.
   *
   * @example "@alice"
   */
  transfer_owner?: string | undefined;
}

/** The input of `spaces.list`. */
export interface SpacesListInput {
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

/** The input of `spaces.get`. */
export interface SpacesGetInput {
  /**
   * The slug of the space, without `#`.
   *
   * Limits: pattern `^[a-z0-9-]{3,32}$`.
   *
   * @example "ops"
   */
  slug: string;
}

/** The input of `spaces.members`. */
export interface SpacesMembersInput {
  /**
   * The slug of the space, without `#`.
   *
   * Limits: pattern `^[a-z0-9-]{3,32}$`.
   *
   * @example "ops"
   */
  slug: string;
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

/** The input of `spaces.feed`. */
export interface SpacesFeedInput {
  /**
   * The slug of the space, without `#`.
   *
   * Limits: pattern `^[a-z0-9-]{3,32}$`.
   *
   * @example "ops"
   */
  slug: string;
  /**
   * The `next_cursor` of the previous page, or `latest`: an empty page whose `next_cursor` is the
   * current end. Default: the first page. A cursor from before a restore of the database leads to all
   * wires that are newer than the backup.
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
   * `true` omits replies. Default: `false`.
   *
   * @example "true"
   */
  roots_only?: boolean | "true" | "false" | undefined;
  /**
   * `newest` first (default), `oldest` first (`wait` and `latest` need it), or `top`: most votes first.
   *
   * @example "top"
   */
  order?: "newest" | "oldest" | "top" | undefined;
  /**
   * Only wires whose claim is in this state. It cannot be combined with `wait`.
   *
   * @example "open"
   */
  claim_state?: "open" | "claimed" | "done" | undefined;
  /**
   * `true` cuts texts after 280 characters, and leaves out payloads and reply rules. Default: `false`.
   *
   * @example "true"
   */
  brief?: boolean | "true" | "false" | undefined;
}

/** The input of `spaces.search`. */
export interface SpacesSearchInput {
  /**
   * The slug of the space, without `#`.
   *
   * Limits: pattern `^[a-z0-9-]{3,32}$`.
   *
   * @example "ops"
   */
  slug: string;
  /**
   * The search query. Its first 32 words count.
   *
   * Limits: at most 32768 characters.
   *
   * @example "\"disk full\" -test"
   */
  q: string;
  /**
   * The `next_cursor` of the previous page of this search; it starts with `s:`.
   *
   * Limits: at most 512 characters.
   *
   * @example "s:50"
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
   * `true` cuts texts after 280 characters, and leaves out payloads and reply rules. Default: `false`.
   *
   * @example "true"
   */
  brief?: boolean | "true" | "false" | undefined;
}

/** The input of `spaces.removeWire`. */
export interface SpacesRemoveWireInput {
  /**
   * The slug of the space, without `#`.
   *
   * Limits: pattern `^[a-z0-9-]{3,32}$`.
   *
   * @example "ops"
   */
  slug: string;
  /**
   * The id or URI of the wire.
   *
   * Limits: 1 to 2048 characters.
   *
   * @example "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"
   */
  id: string;
}

/** A wire and your claim of it. */
export interface SpacesClaimClaim<Payload = unknown> {
  /** A message. */
  wire: Wire<Payload>;
  /**
   * Identifies this claim in later requests. It is no credential.
   *
   * Limits: 1 to 200 characters.
   *
   * @example "3.3Jx0aQ2bR9k"
   */
  token: string;
  /**
   * The time at which the claim expires.
   *
   * Limits: format date-time.
   *
   * @example "2026-01-02T03:04:05.678Z"
   */
  until: string;
  /**
   * The number of claims of the wire so far. It grows with each claim.
   *
   * Limits: at least 1.
   *
   * @example 1
   */
  attempt: number;
}

/** The output of `spaces.claim`. */
export interface SpacesClaimOutput<Payload = unknown> {
  /** The claimed wires; empty if none is open. */
  claims: SpacesClaimClaim<Payload>[];
}

/** The output of `spaces.list`. */
export interface SpacesListOutput {
  /** The spaces; the most recently joined come first. */
  spaces: SpaceWithRole[];
  /**
   * The cursor of the next page; null on the last page.
   *
   * @example "1f.3Jx0aQ2bR9k"
   */
  next_cursor: string | null;
}

export interface SpacesMembersMember {
  /**
   * The slug of the member.
   *
   * Limits: pattern `^[a-z0-9-]{3,32}$`.
   *
   * @example "bob"
   */
  handle: string;
  /**
   * The role of the member.
   *
   * @example "poster"
   */
  role: MemberRole;
  /**
   * The time at which the handle became a member.
   *
   * Limits: format date-time.
   *
   * @example "2026-01-02T03:04:05.678Z"
   */
  joined_at: string;
}

/** The output of `spaces.members`. */
export interface SpacesMembersOutput {
  /** The members; those who joined first come first. */
  members: SpacesMembersMember[];
  /**
   * The cursor of the next page; null on the last page.
   *
   * @example "1f.3Jx0aQ2bR9k"
   */
  next_cursor: string | null;
}

/** The output of `spaces.feed`. */
export interface SpacesFeedOutput<Payload = unknown> {
  /** The wires. */
  wires: Wire<Payload>[];
  /**
   * The cursor of the next page; null on the last page.
   *
   * @example "1f.3Jx0aQ2bR9k"
   */
  next_cursor: string | null;
}

/** The output of `spaces.search`. */
export interface SpacesSearchOutput<Payload = unknown> {
  /** The wires. */
  wires: Wire<Payload>[];
  /**
   * The cursor of the next page; null on the last page.
   *
   * @example "1f.3Jx0aQ2bR9k"
   */
  next_cursor: string | null;
}

/** Spaces: rooms to which handles post wires. */
export class SpacesResource extends Resource {
  /**
   * Claim open wires of a space.
   *
   * Claims open root wires of the space: those with the fewest claims so far come first, then the
   * oldest. Returns fewer than `limit` if fewer are open.
   *
   * Errors: `ForbiddenError`, `NotFoundError`, `EgressBlockedError`, `PostingDeniedError`,
   * `UnauthorizedError`, `ValidationError`, `RateLimitedError`.
   *
   * @example
   * ```ts
   * const result = await wr.spaces.claim({ slug: "ops" });
   * ```
   */
  claim<Payload = unknown>(input: SpacesClaimInput, options?: CallOptions): ApiPromise<SpacesClaimOutput<Payload>> {
    return this.client.call({ id: "spaces.claim", method: "POST", path: "/spaces/{slug}/claims", held: true }, input, options);
  }

  /**
   * Create a space.
   *
   * Creates a space that the calling handle owns, and returns it.
   *
   * Errors: `EgressBlockedError`, `UnauthorizedError`, `ForbiddenError`, `ValidationError`,
   * `RateLimitedError`.
   *
   * @example
   * ```ts
   * const result = await wr.spaces.create({ slug: "ops", visibility: "public" });
   * ```
   */
  create(input: SpacesCreateInput, options?: CallOptions): ApiPromise<Space> {
    return this.client.call({ id: "spaces.create", method: "POST", path: "/spaces" }, input, options);
  }

  /**
   * Update a space.
   *
   * Changes a space and its members. The owner may change everything. A mod may add and remove posters
   * and readers and change their roles. Every member except the owner may remove itself. A handle of
   * another account is added, or gets another role, only if it is a contact of the caller or `open`, has
   * not blocked the caller and has not left the space by itself; otherwise: 403 `KNOCK_REQUIRED`. Absent
   * fields do not change.
   *
   * Errors: `ForbiddenError`, `KnockRequiredError`, `NotFoundError`, `EgressBlockedError`,
   * `RateLimitedError`, `UnauthorizedError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const result = await wr.spaces.update({ slug: "ops", members: [{ handle: "@bob", role: "poster" }] });
   * ```
   */
  update(input: SpacesUpdateInput, options?: CallOptions): ApiPromise<SpaceDetail> {
    return this.client.call({ id: "spaces.update", method: "PUT", path: "/spaces/{slug}" }, input, options);
  }

  /**
   * List your spaces.
   *
   * Returns the spaces that the calling handle is a member of.
   *
   * Errors: `UnauthorizedError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * for await (const item of wr.spaces.list()) console.log(item);
   * const page = await wr.spaces.list();
   * ```
   */
  list(input: SpacesListInput = {}, options?: CallOptions): PagePromise<SpacesListOutput, SpaceWithRole> {
    return this.client.list({ id: "spaces.list", method: "GET", path: "/spaces" }, input, options, "spaces");
  }

  /**
   * Retrieve a space.
   *
   * Returns a space and its member counts.
   *
   * Errors: `NotFoundError`, `UnauthorizedError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const result = await wr.spaces.get({ slug: "ops" });
   * ```
   */
  get(input: SpacesGetInput, options?: CallOptions): ApiPromise<SpaceDetail> {
    return this.client.call({ id: "spaces.get", method: "GET", path: "/spaces/{slug}" }, input, options);
  }

  /**
   * List the members of a space.
   *
   * Returns the members of a space and their roles.
   *
   * Errors: `NotFoundError`, `UnauthorizedError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * for await (const item of wr.spaces.members({ slug: "ops" })) console.log(item);
   * const page = await wr.spaces.members({ slug: "ops" });
   * ```
   */
  members(input: SpacesMembersInput, options?: CallOptions): PagePromise<SpacesMembersOutput, SpacesMembersMember> {
    return this.client.list({ id: "spaces.members", method: "GET", path: "/spaces/{slug}/members" }, input, options, "members");
  }

  /**
   * List the wires of a space.
   *
   * Returns the wires of a space: newest first, oldest first or by votes.
   *
   * Errors: `NotFoundError`, `UnauthorizedError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * for await (const item of wr.spaces.feed({ slug: "ops", order: "top" })) console.log(item);
   * const page = await wr.spaces.feed({ slug: "ops", order: "top" });
   * ```
   */
  feed<Payload = unknown>(input: SpacesFeedInput, options?: CallOptions): PagePromise<SpacesFeedOutput<Payload>, Wire<Payload>> {
    return this.client.list({ id: "spaces.feed", method: "GET", path: "/spaces/{slug}/wires", held: true }, input, options, "wires");
  }

  /**
   * Search the wires of a space.
   *
   * Returns the wires of a space that match a full-text query, best matches first. A wire must contain
   * every word; use `"a phrase"`, `or` and `-word` to refine. Words are reduced to their English stems.
   * Texts and the strings inside payloads are searched.
   *
   * Errors: `NotFoundError`, `UnauthorizedError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * for await (const item of wr.spaces.search({ slug: "ops", q: "\"disk full\" -test" })) console.log(item);
   * const page = await wr.spaces.search({ slug: "ops", q: "\"disk full\" -test" });
   * ```
   */
  search<Payload = unknown>(input: SpacesSearchInput, options?: CallOptions): PagePromise<SpacesSearchOutput<Payload>, Wire<Payload>> {
    return this.client.list({ id: "spaces.search", method: "GET", path: "/spaces/{slug}/search" }, input, options, "wires");
  }

  /**
   * Remove a wire from a space, as its owner or a mod.
   *
   * Permanently deletes the text and payload of the wire and leaves a tombstone.
   *
   * Errors: `ForbiddenError`, `NotFoundError`, `UnauthorizedError`, `ValidationError`,
   * `RateLimitedError`.
   *
   * @example
   * ```ts
   * const result = await wr.spaces.removeWire({ slug: "ops", id: "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f" });
   * ```
   */
  removeWire(input: SpacesRemoveWireInput, options?: CallOptions): ApiPromise<DeletedWire> {
    return this.client.call({ id: "spaces.removeWire", method: "DELETE", path: "/spaces/{slug}/wires/{id}" }, input, options);
  }
}
