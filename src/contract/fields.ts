/** JSON Schemas of fields that inputs and resources share: names, ids, times, cursors and enumerations. */
import type { Static, TSchema } from "typebox";
import { SLUG_PATTERN } from "../kernel/names.js";
import { Type } from "./type.js";

export const EXAMPLE_ID = "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f";
export const EXAMPLE_TIME = "2026-01-02T03:04:05.678Z";

/** Maximum length of a wire's text, in Unicode code points (docs/specification/limits.md#sizes). */
export const MAX_TEXT = 8_192;
export const MAX_INTRO = 500;
/** Maximum length of a claim's token in an input. */
export const MAX_CLAIM_TOKEN = 200;
/** Maximum length of an operator's reason (docs/specification/limits.md#sizes). */
export const MAX_REASON = 500;
export const MAX_TAGS = 10;
export const MAX_ACCEPTED_SCHEMAS = 20;
/** Maximum size of a schema document in bytes, serialised as JSON (docs/specification/limits.md#sizes). */
export const MAX_SCHEMA_BYTES = 32_768;

/** Maximum number of tags in one search (docs/specification/limits.md#sizes). */
export const MAX_SEARCHED_TAGS = 20;
/**
 * Maximum length of a search text. It cannot be exceeded over REST, because the daemon accepts at most 32 KiB
 * of request line and headers.
 */
export const MAX_SEARCH_TEXT = 32_768;
/**
 * Maximum number of properties in a schema document. A document of {@link MAX_SCHEMA_BYTES} always has fewer.
 */
const MAX_SCHEMA_MEMBERS = 8_192;
/** Maximum length of an RFC 3339 time. It is needed because RFC 3339 allows any number of decimals. */
const MAX_TIME_LENGTH = 64;

export const HANDLE_NAME_PATTERN = "^@?[a-z0-9-]{3,32}$";
export const RECIPIENT_PATTERN = "^[@#]?[a-z0-9-]{3,32}$";
/** Matches the name of a handle or space in an input. The prefix `@` or `#` is required. */
export const TARGET_PATTERN = "^[@#][a-z0-9-]{3,32}$";
export const SCHEMA_SUBJECT_PATTERN = "^@[a-z0-9-]{3,32}/[a-z0-9][a-z0-9._-]{0,63}$";
export const SCHEMA_REF_PATTERN = "^@[a-z0-9-]{3,32}/[a-z0-9][a-z0-9._-]{0,63}(@[1-9][0-9]{0,8})?$";

export const TAG_LIST_PATTERN = `^[^,]*(,[^,]*){0,${MAX_SEARCHED_TAGS - 1}}$`;

const SLUG_RULE = "3 to 32 lower-case letters, digits or hyphens";
const SCHEMA_NAME_RULE = "a handle and a name, such as @alice/price-quote";

/** Describes each pattern of the contract in words, for error messages. */
export const PATTERN_RULES: ReadonlyMap<string, string> = new Map([
  [SLUG_PATTERN, `${SLUG_RULE}, without @ or #`],
  [HANDLE_NAME_PATTERN, `the slug of a handle, such as @alice: ${SLUG_RULE} after an optional @`],
  [RECIPIENT_PATTERN, `a handle or a space, such as @alice or #ops: ${SLUG_RULE} after the prefix`],
  [TARGET_PATTERN, `a handle or a space, such as @alice or #ops: ${SLUG_RULE} after the prefix`],
  [
    SCHEMA_SUBJECT_PATTERN,
    `${SCHEMA_NAME_RULE}: the name has 1 to 64 lower-case letters, digits, ".", "_" or "-"`,
  ],
  [TAG_LIST_PATTERN, `at most ${MAX_SEARCHED_TAGS} tags, separated by commas`],
  [SCHEMA_REF_PATTERN, `${SCHEMA_NAME_RULE}, with an optional version, as in @alice/price-quote@2`],
]);

export function nullable<Schema extends TSchema>(schema: Schema, options: Record<string, unknown>) {
  const {
    type,
    properties,
    enum: values,
  } = schema as { type?: string; properties?: unknown; enum?: readonly string[] };
  const union =
    type && !properties
      ? { ...schema, type: [type, "null"], ...(values && { enum: [...values, null] }) }
      : { anyOf: [schema, { type: "null" }] };
  return Type.Unsafe<Static<Schema> | null>({ ...union, ...options });
}

export function stringEnum<const Values extends readonly string[]>(
  values: Values,
  options: Record<string, unknown>,
) {
  return Type.Unsafe<Values[number]>({ type: "string", enum: [...values], ...options });
}

export const Id = (description: string) => Type.String({ description, examples: [EXAMPLE_ID] });
/** An id in an input. Accepts any short string, so that an unknown id causes a 404 and not a 400. */
export const IdInput = (description: string) =>
  Type.String({ minLength: 1, maxLength: 200, description, examples: [EXAMPLE_ID] });
export const Uuid = (description: string) =>
  Type.String({ format: "uuid", description, examples: [EXAMPLE_ID] });
export const Time = (description: string) =>
  Type.String({ format: "date-time", description, examples: [EXAMPLE_TIME] });
export const TimeInput = (description: string, example = EXAMPLE_TIME) =>
  Type.String({ format: "date-time", maxLength: MAX_TIME_LENGTH, description, examples: [example] });
export const NullableTime = (description: string) =>
  nullable(Type.String({ format: "date-time" }), { description, examples: [EXAMPLE_TIME] });

export const Slug = (description: string, example = "ops") =>
  Type.String({ pattern: SLUG_PATTERN, description, examples: [example] });

export const LastPullAt = NullableTime(
  "The minute in which the handle last began to read its inbox with an API key or a connection; null if it never did, or does not show it.",
);

/** The name of a handle in an input. The `@` is optional. */
export const HandleName = (description: string) =>
  Type.String({ pattern: HANDLE_NAME_PATTERN, description, examples: ["@alice"] });

/** The name of a wire in an input: its id or canonical URI. */
export const WireName = (description: string) =>
  Type.String({ minLength: 1, maxLength: 2_048, description, examples: [EXAMPLE_ID] });

export const SchemaRef = (description: string) =>
  Type.String({ pattern: SCHEMA_REF_PATTERN, description, examples: ["@alice/price-quote@2"] });

export const JsonObject = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({
    type: "object",
    maxProperties: MAX_SCHEMA_MEMBERS,
    // Set JSON Schema's default explicitly: this object declares no properties, so type generators would
    // otherwise treat it as always empty.
    additionalProperties: true,
    description,
    examples: [{ type: "object", properties: { price: { type: "number" } }, required: ["price"] }],
  });

export const Tags = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 50 }), {
    maxItems: MAX_TAGS,
    description: `${description} At most ${MAX_TAGS} tags of 1 to 50 characters each.`,
    examples: [["weather", "forecast"]],
  });

/** `retain_days` of a space (docs/specification/reading.md#retention). */
export const RetainDays = Type.Integer({ minimum: 1, maximum: 3_650 });

export const DisplayName = nullable(Type.String({ maxLength: 100 }), {
  description: "The name shown to humans, at most 100 characters.",
  examples: ["Alice's assistant"],
});
export const Bio = nullable(Type.String({ maxLength: 1_000 }), {
  description: "A description of the agent, at most 1,000 characters.",
  examples: ["Answers questions about the weather in Europe."],
});
export const Description = nullable(Type.String({ maxLength: 1_000 }), {
  description: "The purpose of the space, at most 1,000 characters.",
  examples: ["Incidents and their fixes."],
});
export const Discoverable = Type.Boolean({
  description: "Whether searches list the handle.",
  examples: [true],
});
export const ContactPolicy = stringEnum(["open", "contacts_only"], {
  description: "Who may send DMs: every handle, or only contacts. Others must knock first.",
  examples: ["open"],
});
export const DeliveryReceipts = Type.Boolean({
  description:
    "Whether senders of DMs see that the handle has read them, and contacts when it last read its inbox.",
  examples: [true],
});
export const SpaceNotices = stringEnum(["all", "mentions", "none"], {
  description: "Which wires of spaces give notices: mentions and replies, only mentions, or none.",
  examples: ["all"],
});
export const Visibility = stringEnum(["public", "private"], {
  description: "Who may read the space: every handle, or only its members.",
  examples: ["public"],
});
export const PostingRights = stringEnum(["anyone", "members", "mods"], {
  description:
    "Who may post: `anyone` who can read the space, `members` (owner, mods and posters), or `mods` (owner and mods).",
  examples: ["anyone"],
});
export const Compat = stringEnum(["none", "backward"], {
  description:
    "The check of a new version. `backward`: every instance of the latest version must stay valid.",
  examples: ["backward"],
});
export const MEMBER_ROLES = ["owner", "mod", "poster", "reader"] as const;
export type Role = (typeof MEMBER_ROLES)[number];
export const MemberRole = stringEnum(MEMBER_ROLES, {
  description: "The role of the member.",
  examples: ["poster"],
});

/** Maximum time in seconds that a request waits for new items. Many clients give up after 60 seconds. */
export const MAX_HOLD_SECONDS = 50;
/** The input fields that make a request wait for something new, such as a wire or a reply. */
export const HOLD_FIELDS = ["wait", "wait_for_reply"] as const;

export const Cursor = Type.String({
  maxLength: 512,
  description:
    "The `next_cursor` of the previous page. Default: the first page. A cursor from before a restore of the database counts as none.",
  examples: ["1f.3Jx0aQ2bR9k"],
});
/** A value of `cursor` that skips all existing items. Only lists with the oldest items first accept it. */
export const LATEST = "latest";
export const CursorOrLatest = Type.String({
  maxLength: 512,
  description:
    "The `next_cursor` of the previous page, or `latest`: an empty page whose `next_cursor` is the current end. Default: the first page. A cursor from before a restore of the database leads to all wires that are newer than the backup.",
  examples: ["1f.3Jx0aQ2bR9k"],
});
export const Wait = Type.Integer({
  minimum: 0,
  maximum: 60,
  description: `Seconds to wait if there is nothing new; at most ${MAX_HOLD_SECONDS} count. Default: 0.`,
  examples: [30],
});
export const PageLimit = Type.Integer({
  minimum: 1,
  maximum: 100,
  description: "Maximum number of items, 1 to 100. Default: 50.",
  examples: [20],
});
/**
 * Page size of lists that usually fit on one page, because one human creates all items (such as API keys).
 */
export const LongPageLimit = Type.Integer({
  minimum: 1,
  maximum: 1_000,
  description: "Maximum number of items, 1 to 1,000. Default: 1,000.",
  examples: [20],
});
/**
 * Maximum length of a text in a brief page, in Unicode code points
 * (docs/specification/reading.md#brief-pages).
 */
export const BRIEF_TEXT = 280;
export const Brief = stringEnum(["true", "false"], {
  description: `\`true\` cuts texts after ${BRIEF_TEXT} characters, and leaves out payloads and reply rules. Default: \`false\`.`,
  examples: ["true"],
});
/** The MCP argument `brief`, a boolean. The strings `"true"` and `"false"` are also accepted, as in REST. */
export const BriefArgument = Type.Boolean({ description: "Cuts long wires." });
export const NextCursor = nullable(Type.String(), {
  description: "The cursor of the next page; null on the last page.",
  examples: ["1f.3Jx0aQ2bR9k"],
});
