/** The parts that inputs and resources are made of: names, ids, times, pages, and the enumerations. */
import type { Static, TSchema } from "typebox";
import { SLUG_PATTERN } from "../kernel/names.js";
import { Type } from "./type.js";

export const EXAMPLE_ID = "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f";
export const EXAMPLE_TIME = "2026-01-02T03:04:05.678Z";

/** Longest text of a wire, in Unicode code points (specification, section 8). */
export const MAX_TEXT = 8_192;
export const MAX_INTRO = 500;
export const MAX_TAGS = 10;
export const MAX_ACCEPTED_SCHEMAS = 20;
/** Bytes of a schema document, serialised (specification, section 8: 32 KB). */
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
/** An id as a caller names it: anything may stand there, but not without end. */
export const GivenId = (description: string) =>
  Type.String({ minLength: 1, maxLength: 200, description, examples: [EXAMPLE_ID] });
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
  description: "A `next_cursor` of this very list; without it, from the start.",
  examples: ["1f.3Jx0aQ2bR9k"],
});
export const PageLimit = Type.Integer({
  minimum: 1,
  maximum: 100,
  description: "How many at most, 1 to 100; 50 by default.",
  examples: [20],
});
export const NextCursor = nullable(Type.String(), {
  description: "Where the next page starts; null on the last.",
  examples: ["1f.3Jx0aQ2bR9k"],
});
