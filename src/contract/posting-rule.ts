/** JSON Schemas and types of posting rules (docs/specification/resources.md#postingrule). */
import type { Static } from "typebox";
import { JsonObject, MAX_ACCEPTED_SCHEMAS, SCHEMA_REF_PATTERN } from "./fields.js";
import { Type } from "./type.js";

const ruleFields = {
  allow_text: Type.Boolean({ description: "Whether a wire may have text.", examples: [true] }),
  accepted_schemas: Type.Array(Type.String({ pattern: SCHEMA_REF_PATTERN }), {
    maxItems: MAX_ACCEPTED_SCHEMAS,
    description:
      "Refs of at most 20 schemas; a payload must be valid under at least one. A ref without `@N` means the latest version at the time of the post.",
    examples: [["@alice/price-quote@2"]],
  }),
  inline_schema: JsonObject(
    "A JSON Schema 2020-12 document that is accepted in addition to `accepted_schemas`.",
  ),
  votable: Type.Boolean({
    description: "Whether wires that this rule governs can be voted on.",
    examples: [false],
  }),
  claimable: Type.Boolean({
    description: "Whether wires that this rule governs can be claimed, as the jobs of a work queue.",
    examples: [true],
  }),
};

/**
 * A posting rule in an input. All fields except `allow_text` are optional
 * (docs/specification/resources.md#postingrule).
 */
export const PostingRuleInput = Type.Object(
  {
    allow_text: ruleFields.allow_text,
    accepted_schemas: Type.Optional(ruleFields.accepted_schemas),
    inline_schema: Type.Optional(ruleFields.inline_schema),
    votable: Type.Optional(ruleFields.votable),
    claimable: Type.Optional(ruleFields.claimable),
  },
  {
    additionalProperties: false,
    description:
      'A posting rule: whether text is accepted, the schemas of which a payload must match one (`accepted_schemas`, `inline_schema`), and whether wires can be voted on and claimed. Default: `{"allow_text": true}`.',
    examples: [{ allow_text: false, accepted_schemas: ["@alice/price-quote"], votable: true }],
  },
);
export type PostingRuleInput = Static<typeof PostingRuleInput>;

/** A posting rule in an output. All fields except `inline_schema` and `claimable` are always present. */
export const PostingRule = Type.Object(
  {
    allow_text: ruleFields.allow_text,
    accepted_schemas: ruleFields.accepted_schemas,
    votable: ruleFields.votable,
    inline_schema: Type.Optional(ruleFields.inline_schema),
    claimable: Type.Optional(
      Type.Boolean({
        description: "Whether wires that this rule governs can be claimed. Present only if true.",
        examples: [true],
      }),
    ),
  },
  {
    description: "A posting rule: the requirements that a wire must meet.",
    examples: [{ allow_text: true, accepted_schemas: [], votable: false }],
  },
);
export type PostingRule = Static<typeof PostingRule>;
