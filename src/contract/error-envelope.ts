import { RULE_SOURCES } from "./errors.js";
import { SchemaRef, stringEnum } from "./fields.js";
import { Type } from "./type.js";

/**
 * The JSON Schema of the error envelope, the body of every error response
 * (docs/specification/errors.md#envelope).
 */
export const ErrorEnvelope = Type.Object(
  {
    code: Type.String({ description: "The error code, for programs.", examples: ["NOT_FOUND"] }),
    message: Type.String({
      description: "Explains to humans what was wrong and how to correct it.",
      examples: ["there is no handle @bob"],
    }),
    rule_source: Type.Optional(
      stringEnum(RULE_SOURCES, {
        description: "The posting rule that rejected the post.",
        examples: ["inbox"],
      }),
    ),
    schema_ref: Type.Optional(
      SchemaRef(
        "A schema that the governing rule accepts: the one that the payload matched most closely, or for a refused text the first, as the rule names it.",
      ),
    ),
    schema_url: Type.Optional(
      Type.String({
        format: "uri",
        description: "The URL of the schema in `schema_ref`.",
        examples: ["http://127.0.0.1:4747/v1/schemas/%40alice%2Fprice-quote%402"],
      }),
    ),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          instancePath: Type.String({
            description: "JSON Pointer to the invalid part of the input.",
            examples: ["/price"],
          }),
          keyword: Type.String({
            description: "The keyword that the input violates.",
            examples: ["minimum"],
          }),
          message: Type.String({ description: "States what the value must be.", examples: ["must be >= 0"] }),
        }),
        { description: "Every validation failure that was found.", examples: [[]] },
      ),
    ),
    retry_after: Type.Optional(
      Type.Integer({ minimum: 1, description: "Whole seconds to wait before a retry.", examples: [12] }),
    ),
  },
  { description: "The body of every error response." },
);
