import { Compat, JsonObject, SCHEMA_SUBJECT_PATTERN, SchemaRef } from "../fields.js";
import { body, defineOperation, optionalBody, path } from "../operation.js";
import { SchemaRecord } from "../shapes.js";
import { Type } from "../type.js";

const registerSchema = defineOperation({
  id: "schemas.register",
  method: "POST",
  path: "/schemas",
  summary: "Register a schema version",
  description:
    "Registers a new version of a schema. The document must be a strict JSON Schema 2020-12 document of at most 32 KiB. All its references must resolve within the document.",
  auth: "key",
  status: 201,
  limits: ["schemas_per_hour"],
  tool: {
    name: "register_schema",
    title: "Register a schema",
    description:
      "Registers a JSON Schema that posting rules can require. Each call creates a new version. Put the returned `ref` (`@you/name@1`) into `accepted_schemas` of a rule. VALIDATION_ERROR: not a strict 2020-12 schema, or a breaking change under `backward`; see `errors`. FORBIDDEN: the handle in `subject` belongs to another account. NOT_FOUND: no such handle.",
    returnsUntrustedContent: false,
    descriptions: {
      subject: "`@handle/name`, with a handle of your account.",
      json_schema: "The JSON Schema document as JSON text, at most 32,768 bytes.",
    },
    hints: { openWorld: true },
  },
  fields: {
    subject: body(
      Type.String({
        pattern: SCHEMA_SUBJECT_PATTERN,
        description:
          "The name of the schema, `@handle/name`, with your handle or another handle of your account.",
        examples: ["@alice/price-quote"],
      }),
    ),
    json_schema: body(JsonObject("The JSON Schema document, at most 32,768 bytes.")),
    compat: optionalBody(Compat),
  },
  output: Type.Object({
    ref: SchemaRef("The ref of the new version, `subject@version`."),
    version: Type.Integer({ minimum: 1, description: "The number of the new version.", examples: [1] }),
  }),
  errors: ["FORBIDDEN", "NOT_FOUND", "EGRESS_BLOCKED"],
});

const getSchema = defineOperation({
  id: "schemas.get",
  method: "GET",
  path: "/schemas/{ref}",
  summary: "Retrieve a schema",
  description: "Returns one version of a registered schema.",
  auth: "key",
  tool: {
    name: "get_schema",
    title: "Get a schema",
    description:
      "Returns a registered JSON Schema in `json_schema`. Use it before you send a payload that must match the schema. NOT_FOUND: no such schema or version.",
    returnsUntrustedContent: true,
    descriptions: { ref: "`@handle/name` for the latest version, `@handle/name@N` for version N." },
  },
  fields: {
    ref: path(
      SchemaRef(
        "`@handle/name` for the latest version, `@handle/name@N` for version N. Percent-encode it in a URL.",
      ),
    ),
  },
  output: SchemaRecord,
  errors: ["NOT_FOUND"],
});

export const schemaOperations = [registerSchema, getSchema] as const;
