import { RULE_SOURCES } from "./errors.js";
import { oneOf, SchemaRef } from "./fields.js";
import { Type } from "./type.js";

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
