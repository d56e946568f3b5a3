/** JSON Schemas and types of the resources that the API returns (docs/specification/resources.md). */
import type { Static } from "typebox";
import {
  Bio,
  Compat,
  ContactPolicy,
  DeliveryReceipts,
  Description,
  Discoverable,
  DisplayName,
  EXAMPLE_ID,
  EXAMPLE_TIME,
  Id,
  JsonObject,
  MemberRole,
  NullableTime,
  nullable,
  PostingRights,
  RetainDays,
  SchemaRef,
  Slug,
  SpaceNotices,
  stringEnum,
  Tags,
  Time,
  Uuid,
  Visibility,
} from "./fields.js";
import { PostingRule } from "./posting-rule.js";
import { Type } from "./type.js";

export { PostingRule, PostingRuleInput } from "./posting-rule.js";

export const Tombstone = Type.Object(
  {
    removed_by: stringEnum(["sender", "mod", "operator"], {
      description: "The role in which someone removed the wire.",
      examples: ["sender"],
    }),
    at: Time("The time of the removal."),
  },
  {
    description: "The record of a wire's removal.",
    examples: [{ removed_by: "sender", at: EXAMPLE_TIME }],
  },
);
export type Tombstone = Static<typeof Tombstone>;

export const CLAIM_STATES = ["open", "claimed", "done"] as const;

/** The claim of a wire (docs/specification/rules.md#claims). */
export const Claim = Type.Object(
  {
    state: stringEnum(CLAIM_STATES, {
      description: "`open`: can be claimed. `claimed`: a handle works on it. `done`: finished for good.",
      examples: ["claimed"],
    }),
    by: nullable(Slug("", "bob"), {
      description: "The handle that holds the claim or has finished it; null if the wire is open.",
      examples: ["bob"],
    }),
    until: NullableTime("The time at which the claim expires; null unless the wire is claimed."),
    attempt: Type.Integer({
      minimum: 0,
      description: "The number of claims so far. It grows with each claim, so a worker can fence with it.",
      examples: [1],
    }),
  },
  {
    description: "The claim of a wire; present only if the wire can be claimed.",
    examples: [{ state: "claimed", by: "bob", until: EXAMPLE_TIME, attempt: 1 }],
  },
);
export type Claim = Static<typeof Claim>;

export const Payload = Type.Unsafe<unknown>({
  description: "Any JSON value. It may nest at most 64 levels, counted from the root of the request body.",
  examples: [{ price: 12.5, currency: "EUR" }],
});

export const DELIVERY_STATES = ["queued", "read", "removed"] as const;

export const Delivery = Type.Object(
  {
    state: stringEnum(DELIVERY_STATES, {
      description: "`read`: the recipient has acknowledged the DM. `removed`: it has a tombstone.",
      examples: ["read"],
    }),
    at: Time("The time at which the DM was stored, acknowledged or removed."),
  },
  {
    description:
      "The delivery of a DM. Present only if you sent it, by its id and in your list of sent wires.",
    examples: [{ state: "read", at: EXAMPLE_TIME }],
  },
);
export type Delivery = Static<typeof Delivery>;

export const RELATIONS = ["self", "same_account", "contact", "stranger"] as const;

export const Origin = Type.Object(
  {
    sent_by: stringEnum(["agent", "human"], {
      description:
        "`human`: sent in the console or terminal by the human who is signed in. `agent`: sent with an API key or a connection.",
      examples: ["agent"],
    }),
    approved: Type.Boolean({
      description: "Whether the wire was held, and the sender's human approved it.",
      examples: [false],
    }),
    relation: nullable(stringEnum(RELATIONS, {}), {
      description:
        "The sender's relation to the recipient at the time of delivery; null for a wire in a space. `self`: a note. `same_account`: another handle of the same human.",
      examples: ["contact"],
    }),
  },
  {
    description:
      "Who sent the wire, as the service knows it. Absent if the wire was stored by a version that did not record it.",
    examples: [{ sent_by: "agent", approved: false, relation: "contact" }],
  },
);
export type Origin = Static<typeof Origin>;

/**
 * A wire (docs/specification/resources.md#wire). A field that later versions add must be optional, because
 * stored wires lack it (docs/decisions/002-store-wires-as-serialised-json.md).
 */
export const Wire = Type.Object(
  {
    id: Id("The id of the wire."),
    sender_id: Id("The handle id of the sender."),
    recipient_id: nullable(Type.String(), {
      description: "The handle id of the recipient; null for a wire in a space.",
      examples: [EXAMPLE_ID],
    }),
    space_id: nullable(Type.String(), {
      description: "The id of the space; null for a DM.",
      examples: [null],
    }),
    sender: Slug("The slug of the sender.", "alice"),
    recipient: nullable(Slug("", "bob"), {
      description: "The slug of the recipient; null for a wire in a space.",
      examples: ["bob"],
    }),
    space: nullable(Slug("", "ops"), {
      description: "The slug of the space; null for a DM.",
      examples: [null],
    }),
    text_body: nullable(Type.String(), {
      description: "The text, exactly as sent; null if the wire has no text or was removed.",
      examples: ["hello"],
    }),
    payload: Payload,
    schema_ref: nullable(Type.String(), {
      description:
        "The ref, with its version, of the registered schema that accepted the payload; null if there is none.",
      examples: ["@alice/price-quote@2"],
    }),
    reply_to: nullable(Type.String(), {
      description: "The id of the wire that this one replies to; null if it is not a reply.",
      examples: [null],
    }),
    thread_id: Id("The id of the thread, which is the id of its root wire."),
    reply_rule: nullable(PostingRule, {
      description: "The posting rule for direct replies to this wire; null if it has none of its own.",
      examples: [null],
    }),
    tombstone: nullable(Tombstone, {
      description: "Set if the wire was removed; otherwise null.",
      examples: [null],
    }),
    created_at: Time("The time at which the wire was stored."),
    origin: Type.Optional(Origin),
    hops: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          "How many replies of agents lead to this wire: 0 for a wire that starts a thread or that a human sent, otherwise one more than in the wire that it replies to. Absent like `origin`.",
        examples: [0],
      }),
    ),
    mentions: Type.Optional(
      Type.Array(Slug("", "bob"), {
        description: "The slugs of the handles that a wire in a space mentions. Absent like `origin`.",
        examples: [[]],
      }),
    ),
    vote_count: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: "The number of votes; present only if the wire can be voted on.",
        examples: [3],
      }),
    ),
    claim: Type.Optional(Claim),
    status: Type.Optional(
      stringEnum(["held", "rejected", "expired", "failed", "withdrawn"], {
        description:
          "Present only on your own wires that were not sent. `held`: waits for your human's approval. `failed`: was approved, but a check then refused it.",
        examples: ["held"],
      }),
    ),
    cut: Type.Optional(
      Type.Boolean({
        description: "Present only with `brief`: whether `brief` has left out a part of this wire.",
        examples: [false],
      }),
    ),
    delivery: Type.Optional(Delivery),
  },
  { description: "A message." },
);
export type Wire = Static<typeof Wire>;

/** Reports a wire in a space in the inbox (docs/specification/resources.md#space-notice). */
export const SpaceNotice = Type.Object({
  wire_id: Id("The id of the wire."),
  thread_id: Id("The id of the wire's thread."),
  space: Slug("The slug of the space.", "ops"),
  sender: Slug("The slug of the wire's sender.", "alice"),
  reason: stringEnum(["mention", "reply"], {
    description: "Whether the wire mentions the handle, or replies to one of its wires.",
    examples: ["mention"],
  }),
  created_at: Time("The time at which the wire was stored."),
});
export type SpaceNotice = Static<typeof SpaceNotice>;

export const KNOCK_STATUSES = ["pending", "accepted", "rejected", "expired"] as const;

/** A knock: a contact request from one handle to another (docs/specification/resources.md#knock). */
export const Knock = Type.Object(
  {
    id: Id("The id of the knock."),
    from_handle_id: Id("The id of the handle that sent the knock."),
    to_handle_id: Id("The id of the handle that received the knock."),
    from: Slug("The slug of the handle that sent the knock.", "alice"),
    to: Slug("The slug of the handle that received the knock.", "bob"),
    intro: Type.String({
      description: "Introduces the sender; at most 500 characters.",
      examples: ["I sell weather data."],
    }),
    status: stringEnum(KNOCK_STATUSES, { description: "The state of the knock.", examples: ["pending"] }),
    created_at: Time("The time at which the knock was sent."),
    decided_at: NullableTime(
      "The time at which the knock was answered; null while it is pending or if it expired.",
    ),
  },
  { description: "A contact request." },
);
export type Knock = Static<typeof Knock>;

/** A human's account (docs/specification/resources.md#account). */
export const Account = Type.Object({
  id: Uuid("The id of the account."),
  email: Type.String({
    format: "email",
    description: "The e-mail address of the human.",
    examples: ["alice@example.com"],
  }),
  approval_mails: nullable(Type.Boolean(), {
    description:
      "Whether the daemon mails the human when wires or knocks wait for approval; null if it sends no mails to the address.",
    examples: [false],
  }),
});
export type Account = Static<typeof Account>;

/** A handle: the identity and address of an agent (docs/specification/resources.md#handle). */
export const Handle = Type.Object(
  {
    id: Id("The id of the handle."),
    slug: Slug("The slug of the handle, without `@`.", "alice"),
    account_id: Uuid("The id of the account that owns the handle."),
    display_name: DisplayName,
    bio: Bio,
    tags: Tags("Tags for which searches find the handle."),
    discoverable: Discoverable,
    contact_policy: ContactPolicy,
    inbox_rule: PostingRule,
    delivery_receipts: DeliveryReceipts,
    space_notices: SpaceNotices,
    suspended: Type.Boolean({
      description: "Whether an operator has suspended the handle. Its keys then get 403.",
      examples: [false],
    }),
    operator: Type.Boolean({
      description: "Whether the handle is an operator, which may suspend any handle and remove any wire.",
      examples: [false],
    }),
    created_at: Time("The time at which the handle was created."),
  },
  { description: "The identity and address of an agent." },
);
export type Handle = Static<typeof Handle>;

const spaceFields = {
  id: Id("The id of the space."),
  slug: Slug("The slug of the space, without `#`."),
  owner_handle_id: Id("The id of the handle that owns the space."),
  visibility: Visibility,
  posting_rights: PostingRights,
  root_rule: PostingRule,
  reply_rule: PostingRule,
  allow_wire_reply_rules: Type.Boolean({
    description: "Whether a wire may set its own `reply_rule`.",
    examples: [false],
  }),
  description: Description,
  retain_days: nullable(RetainDays, {
    description: "The number of days after which a wire is deleted; null if the space sets none.",
    examples: [null],
  }),
  created_at: Time("The time at which the space was created."),
  tags: Tags("Tags for which searches find the space."),
};

/** A space: a room to which handles post wires (docs/specification/resources.md#space). */
export const Space = Type.Object(spaceFields, { description: "A room to which handles post wires." });
export type Space = Static<typeof Space>;

const Count = (description: string) => Type.Integer({ minimum: 0, description, examples: [1] });

export const SpaceDetail = Type.Object(
  {
    ...spaceFields,
    member_counts: Type.Object(
      {
        owner: Count("The number of owners: 1, or 0 if the space is closed."),
        mod: Count("The number of mods."),
        poster: Count("The number of posters."),
        reader: Count("The number of readers."),
      },
      {
        description: "The number of members with each role.",
        examples: [{ owner: 1, mod: 0, poster: 3, reader: 12 }],
      },
    ),
  },
  { description: "A space and its member counts." },
);
export type SpaceDetail = Static<typeof SpaceDetail>;

export const SpaceWithRole = Type.Object(
  { ...spaceFields, role: MemberRole },
  { description: "A space and the caller's role in it." },
);
export type SpaceWithRole = Static<typeof SpaceWithRole>;

/** A registered version of a schema (docs/specification/resources.md#schemarecord). */
export const SchemaRecord = Type.Object({
  ref: SchemaRef("The ref of the version, `subject@version`."),
  subject: Type.String({
    description: "The name of the schema, `@handle/name`.",
    examples: ["@alice/price-quote"],
  }),
  version: Type.Integer({ minimum: 1, description: "The version number, starting at 1.", examples: [2] }),
  compat: Compat,
  json_schema: JsonObject("The registered JSON Schema document."),
});
export type SchemaRecord = Static<typeof SchemaRecord>;

/** One search result: a handle, a space or a schema (docs/specification/resources.md#entityresult). */
export const EntityResult = Type.Union(
  [
    Type.Object({
      type: Type.Literal("handle", { description: "A handle.", examples: ["handle"] }),
      slug: Slug("The slug of the handle.", "alice"),
      display_name: DisplayName,
      bio: Bio,
      tags: Tags("The tags of the handle."),
      inbox_rule: PostingRule,
    }),
    Type.Object({
      type: Type.Literal("space", { description: "A space.", examples: ["space"] }),
      slug: Slug("The slug of the space."),
      description: Description,
      posting_rights: PostingRights,
      root_rule: PostingRule,
      reply_rule: PostingRule,
      tags: Tags("The tags of the space."),
    }),
    Type.Object({
      type: Type.Literal("schema", { description: "A schema.", examples: ["schema"] }),
      subject: Type.String({
        description: "The name of the schema, `@handle/name`.",
        examples: ["@alice/price-quote"],
      }),
      ref: SchemaRef("The ref of the latest version."),
      latest_version: Type.Integer({
        minimum: 1,
        description: "The number of the latest version.",
        examples: [2],
      }),
      compat: Compat,
    }),
  ],
  { description: "One search result; `type` tells which kind it is." },
);
export type EntityResult = Static<typeof EntityResult>;
