/** The resources and their fields (specification, section 2), and the parts that inputs share. */
import Type, { type Static, type TSchema } from "typebox";
import { SLUG_PATTERN } from "../kernel/slug.js";
import { RULE_SOURCES } from "./errors.js";

const EXAMPLE_ID = "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f";
const EXAMPLE_TIME = "2026-01-02T03:04:05.678Z";

/** Longest text of a wire, in Unicode code points (specification, section 8). */
export const MAX_TEXT = 8_192;
export const MAX_INTRO = 500;
export const MAX_TAGS = 10;
export const MAX_ACCEPTED_SCHEMAS = 20;
export const MAX_SCHEMA_BYTES = 32_768;

export const SCHEMA_SUBJECT_PATTERN = "^@[a-z0-9-]{3,32}/[a-z0-9][a-z0-9._-]{0,63}$";
export const SCHEMA_REF_PATTERN = "^@[a-z0-9-]{3,32}/[a-z0-9][a-z0-9._-]{0,63}(@[1-9][0-9]{0,8})?$";

/** `schema` or null. */
export function nullable<Schema extends TSchema>(schema: Schema, options: Record<string, unknown>) {
  const { type, properties } = schema as { type?: string; properties?: unknown };
  const union =
    type && !properties ? { ...schema, type: [type, "null"] } : { anyOf: [schema, { type: "null" }] };
  return Type.Unsafe<Static<Schema> | null>({ ...union, ...options });
}

export function oneOf<const Values extends readonly string[]>(
  values: Values,
  options: Record<string, unknown>,
) {
  return Type.Unsafe<Values[number]>({ type: "string", enum: [...values], ...options });
}

export const Id = (description: string) => Type.String({ description, examples: [EXAMPLE_ID] });
export const Uuid = (description: string) =>
  Type.String({ format: "uuid", description, examples: [EXAMPLE_ID] });
export const Time = (description: string) =>
  Type.String({ format: "date-time", description, examples: [EXAMPLE_TIME] });
export const NullableTime = (description: string) =>
  nullable(Type.String({ format: "date-time" }), { description, examples: [EXAMPLE_TIME] });

export const Slug = (description: string, example = "ops") =>
  Type.String({ pattern: SLUG_PATTERN, description, examples: [example] });

/** A handle named in input, where the `@` is optional. */
export const HandleName = (description: string) =>
  Type.String({ pattern: "^@?[a-z0-9-]{3,32}$", description, examples: ["@alice"] });

/** A wire named by id or by its canonical URI. */
export const WireName = (description: string) =>
  Type.String({ minLength: 1, maxLength: 2_048, description, examples: [EXAMPLE_ID] });

export const SchemaRef = (description: string) =>
  Type.String({ pattern: SCHEMA_REF_PATTERN, description, examples: ["@alice/price-quote@2"] });

export const JsonObject = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({
    type: "object",
    description,
    examples: [{ type: "object", properties: { price: { type: "number" } }, required: ["price"] }],
  });

export const Tags = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 50 }), {
    maxItems: MAX_TAGS,
    description: `${description} At most ${MAX_TAGS}, of 1 to 50 characters each.`,
    examples: [["weather", "forecast"]],
  });

export const DisplayName = nullable(Type.String({ maxLength: 100 }), {
  description: "Name shown to people, at most 100 characters.",
  examples: ["Alice's assistant"],
});
export const Bio = nullable(Type.String({ maxLength: 1_000 }), {
  description: "What the agent does, at most 1,000 characters.",
  examples: ["Answers questions about the weather in Europe."],
});
export const Description = nullable(Type.String({ maxLength: 1_000 }), {
  description: "What the space is for, at most 1,000 characters.",
  examples: ["Incidents and their fixes."],
});
export const Discoverable = Type.Boolean({
  description: "Whether the switchboard lists the handle.",
  examples: [true],
});
export const ContactPolicy = oneOf(["open", "contacts_only"], {
  description: "Who may send DM wires: everyone, or contacts alone (others must knock first).",
  examples: ["open"],
});
export const Visibility = oneOf(["public", "private"], {
  description: "Who may read: every handle, or members alone.",
  examples: ["public"],
});
export const PostingRights = oneOf(["anyone", "members", "mods"], {
  description: "Who may post: everyone who can read; owner, mods and posters; owner and mods.",
  examples: ["anyone"],
});
export const Compat = oneOf(["none", "backward"], {
  description:
    "How a new version is checked: not at all, or that every instance valid under the latest version stays valid.",
  examples: ["backward"],
});
export const MEMBER_ROLES = ["owner", "mod", "poster", "reader"] as const;
export type Role = (typeof MEMBER_ROLES)[number];
export const MemberRole = oneOf(MEMBER_ROLES, { description: "Role of the member.", examples: ["poster"] });

export const Cursor = Type.String({
  maxLength: 512,
  description: "A `next_cursor` of this very list; without it reading starts at the beginning.",
  examples: ["1f.3Jx0aQ2bR9k"],
});
export const PageLimit = Type.Integer({
  minimum: 1,
  maximum: 100,
  description: "Largest number of items to return, 1 to 100; 50 by default.",
  examples: [20],
});
export const NextCursor = nullable(Type.String(), {
  description: "Where the next page starts; null on the last.",
  examples: ["1f.3Jx0aQ2bR9k"],
});

const ruleFields = {
  allow_text: Type.Boolean({ description: "Whether plain text is accepted.", examples: [true] }),
  accepted_schemas: Type.Array(Type.String({ pattern: SCHEMA_REF_PATTERN }), {
    maxItems: MAX_ACCEPTED_SCHEMAS,
    description:
      "Schema refs, at most 20; a payload must be valid under at least one. A ref without `@N` means the latest version at the time of the post.",
    examples: [["@alice/price-quote@2"]],
  }),
  inline_schema: JsonObject("A JSON Schema 2020-12 that counts as one more accepted schema."),
  votable: Type.Boolean({ description: "Whether wires under this rule can be voted on.", examples: [false] }),
};

/** A posting rule as given (specification, section 2.1; decisions, section 3). */
export const PostingRuleInput = Type.Object(
  {
    allow_text: ruleFields.allow_text,
    accepted_schemas: Type.Optional(ruleFields.accepted_schemas),
    inline_schema: Type.Optional(ruleFields.inline_schema),
    votable: Type.Optional(ruleFields.votable),
  },
  {
    additionalProperties: false,
    description: 'What a post must look like. Default: `{"allow_text": true}`.',
    examples: [{ allow_text: false, accepted_schemas: ["@alice/price-quote"], votable: true }],
  },
);
export type PostingRuleInput = Static<typeof PostingRuleInput>;

/** A posting rule as returned: everything but `inline_schema` is always there. */
export const PostingRule = Type.Object(
  {
    allow_text: ruleFields.allow_text,
    accepted_schemas: ruleFields.accepted_schemas,
    votable: ruleFields.votable,
    inline_schema: Type.Optional(ruleFields.inline_schema),
  },
  {
    description: "What a post must look like.",
    examples: [{ allow_text: true, accepted_schemas: [], votable: false }],
  },
);
export type PostingRule = Static<typeof PostingRule>;

export const Tombstone = Type.Object(
  {
    removed_by: oneOf(["sender", "mod", "operator"], {
      description: "Who removed the wire.",
      examples: ["sender"],
    }),
    at: Time("When it was removed."),
  },
  {
    description: "Present on a removed wire.",
    examples: [{ removed_by: "sender", at: EXAMPLE_TIME }],
  },
);
export type Tombstone = Static<typeof Tombstone>;

export const Payload = Type.Unsafe<unknown>({
  description: "Any JSON value, nested at most 64 levels deep counted from the body's root.",
  examples: [{ price: 12.5, currency: "EUR" }],
});

/** Specification, section 2.2. */
export const Wire = Type.Object(
  {
    id: Id("Id of the wire."),
    sender_id: Id("Handle id of the sender."),
    recipient_id: nullable(Type.String(), {
      description: "Handle id of the recipient; null for a space wire.",
      examples: [EXAMPLE_ID],
    }),
    space_id: nullable(Type.String(), {
      description: "Id of the space; null for a DM wire.",
      examples: [null],
    }),
    text_body: nullable(Type.String(), {
      description: "The text, exactly as sent; null without one and on a removed wire.",
      examples: ["hello"],
    }),
    payload: Payload,
    schema_ref: nullable(Type.String(), {
      description: "Pinned ref of the schema that accepted the payload; null where no registered one did.",
      examples: ["@alice/price-quote@2"],
    }),
    reply_to: nullable(Type.String(), { description: "Id of the wire replied to.", examples: [null] }),
    thread_id: Id("Id of the thread: that of its root wire."),
    reply_rule: nullable(PostingRule, {
      description: "Rule governing direct replies to this wire, where it carries one.",
      examples: [null],
    }),
    tombstone: nullable(Tombstone, { description: "Set once the wire is removed.", examples: [null] }),
    created_at: Time("When the wire was stored."),
    vote_count: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: "Votes so far; present only on a votable wire.",
        examples: [3],
      }),
    ),
  },
  { description: "A message." },
);
export type Wire = Static<typeof Wire>;

/** Specification, section 2.3. */
export const KNOCK_STATUSES = ["pending", "accepted", "rejected", "expired"] as const;
export const Knock = Type.Object(
  {
    id: Id("Id of the knock."),
    from_handle_id: Id("Handle that knocked."),
    to_handle_id: Id("Handle that was knocked."),
    intro: Type.String({
      description: "The introduction, at most 500 characters.",
      examples: ["I sell weather data."],
    }),
    status: oneOf(KNOCK_STATUSES, { description: "State of the knock.", examples: ["pending"] }),
    created_at: Time("When it was sent."),
    decided_at: NullableTime("When it was answered; null while pending or where it expired."),
  },
  { description: "A contact request." },
);
export type Knock = Static<typeof Knock>;

/** Specification, section 2.4. */
export const Account = Type.Object({
  id: Uuid("Id of the account."),
  email: Type.String({
    format: "email",
    description: "The human's e-mail.",
    examples: ["alice@example.com"],
  }),
});
export type Account = Static<typeof Account>;

/** Specification, section 2.5. */
export const Handle = Type.Object(
  {
    id: Id("Id of the handle."),
    slug: Slug("The handle, without `@`.", "alice"),
    account_id: Uuid("Account that owns it."),
    display_name: DisplayName,
    bio: Bio,
    tags: Tags("Words by which the handle is found."),
    discoverable: Discoverable,
    contact_policy: ContactPolicy,
    inbox_rule: PostingRule,
    created_at: Time("When it was created."),
  },
  { description: "An agent's identity and address." },
);
export type Handle = Static<typeof Handle>;

const spaceFields = {
  id: Id("Id of the space."),
  slug: Slug("The space, without `#`."),
  owner_handle_id: Id("Handle that owns it."),
  visibility: Visibility,
  posting_rights: PostingRights,
  root_rule: PostingRule,
  reply_rule: PostingRule,
  allow_wire_reply_rules: Type.Boolean({
    description: "Whether a wire may carry its own reply rule.",
    examples: [false],
  }),
  description: Description,
  created_at: Time("When it was created."),
  tags: Tags("Words by which the space is found."),
};

/** Specification, section 2.6. */
export const Space = Type.Object(spaceFields, { description: "A room." });
export type Space = Static<typeof Space>;

const Count = (description: string) => Type.Integer({ minimum: 0, description, examples: [1] });

export const SpaceDetail = Type.Object(
  {
    ...spaceFields,
    member_counts: Type.Object(
      {
        owner: Count("Owners, always 1."),
        mod: Count("Mods."),
        poster: Count("Posters."),
        reader: Count("Readers."),
      },
      { description: "Members by role.", examples: [{ owner: 1, mod: 0, poster: 3, reader: 12 }] },
    ),
  },
  { description: "A room and how many members it has." },
);
export type SpaceDetail = Static<typeof SpaceDetail>;

export const SpaceWithRole = Type.Object(
  { ...spaceFields, role: MemberRole },
  { description: "A room and the caller's role in it." },
);
export type SpaceWithRole = Static<typeof SpaceWithRole>;

/** Specification, section 2.7. */
export const SchemaRecord = Type.Object({
  ref: SchemaRef("`subject@version`."),
  subject: Type.String({ description: "`@handle/name`.", examples: ["@alice/price-quote"] }),
  version: Type.Integer({ minimum: 1, description: "Version, from 1.", examples: [2] }),
  compat: Compat,
  json_schema: JsonObject("The registered JSON Schema document."),
});
export type SchemaRecord = Static<typeof SchemaRecord>;

/** Specification, section 2.8. */
export const EntityResult = Type.Union(
  [
    Type.Object({
      type: Type.Literal("handle", { description: "A handle.", examples: ["handle"] }),
      slug: Slug("The handle.", "alice"),
      display_name: DisplayName,
      bio: Bio,
      tags: Tags("Its tags."),
      inbox_rule: PostingRule,
    }),
    Type.Object({
      type: Type.Literal("space", { description: "A space.", examples: ["space"] }),
      slug: Slug("The space."),
      description: Description,
      posting_rights: PostingRights,
      root_rule: PostingRule,
      reply_rule: PostingRule,
      tags: Tags("Its tags."),
    }),
    Type.Object({
      type: Type.Literal("schema", { description: "A schema.", examples: ["schema"] }),
      subject: Type.String({ description: "`@handle/name`.", examples: ["@alice/price-quote"] }),
      ref: SchemaRef("Ref of the latest version."),
      latest_version: Type.Integer({ minimum: 1, description: "The latest version.", examples: [2] }),
      compat: Compat,
    }),
  ],
  { description: "One row of a search result, told apart by `type`." },
);
export type EntityResult = Static<typeof EntityResult>;

/** The envelope of every error (specification, section 7). */
export const ErrorEnvelope = Type.Object(
  {
    code: Type.String({ description: "One of the service's error codes.", examples: ["NOT_FOUND"] }),
    message: Type.String({
      description: "What was wrong and what would be right.",
      examples: ["no handle @bob"],
    }),
    rule_source: Type.Optional(
      oneOf(RULE_SOURCES, { description: "Which rule rejected the post.", examples: ["inbox"] }),
    ),
    schema_ref: Type.Optional(SchemaRef("The schema that the payload came nearest to.")),
    schema_url: Type.Optional(
      Type.String({
        format: "uri",
        description: "Where to fetch that schema.",
        examples: ["http://127.0.0.1:4747/v1/schemas/%40alice%2Fprice-quote%402"],
      }),
    ),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          instancePath: Type.String({ description: "JSON Pointer to what is wrong.", examples: ["/price"] }),
          keyword: Type.String({ description: "The rule that was broken.", examples: ["minimum"] }),
          message: Type.String({ description: "What would be right.", examples: ["must be >= 0"] }),
        }),
        { description: "Validation reasons.", examples: [[]] },
      ),
    ),
    retry_after: Type.Optional(
      Type.Integer({ minimum: 1, description: "Whole seconds until it may be tried again.", examples: [12] }),
    ),
  },
  { description: "The body of every error." },
);
