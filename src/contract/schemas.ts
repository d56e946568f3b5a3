import Type from "typebox";
import { Compat, JsonObject, SCHEMA_SUBJECT_PATTERN, SchemaRef } from "./fields.js";
import { body, defineOperation, optionalBody, path } from "./operation.js";
import { SchemaRecord } from "./shapes.js";

const registerSchema = defineOperation({
  id: "schemas.register",
  method: "POST",
  path: "/schemas",
  summary: "Register a schema version",
  description:
    "Each call registers a new version of the subject. The document must be a strict JSON Schema 2020-12 of at most 32 KB whose references resolve within it.",
  auth: "key",
  status: 201,
  limits: ["schemas_per_hour"],
  tool: "register_schema",
  fields: {
    subject: body(
      Type.String({
        pattern: SCHEMA_SUBJECT_PATTERN,
        description: "`@handle/name`, where the handle is the caller's or another of the same account.",
        examples: ["@alice/price-quote"],
      }),
    ),
    json_schema: body(JsonObject("The JSON Schema document, at most 32,768 bytes.")),
    compat: optionalBody(Compat),
  },
  output: Type.Object({
    ref: SchemaRef("`subject@version` of the new version."),
    version: Type.Integer({ minimum: 1, description: "The new version.", examples: [1] }),
  }),
  errors: ["FORBIDDEN", "NOT_FOUND"],
});

const getSchema = defineOperation({
  id: "schemas.get",
  method: "GET",
  path: "/schemas/{ref}",
  summary: "Fetch a schema",
  auth: "key",
  tool: "get_schema",
  fields: {
    ref: path(
      SchemaRef("`@handle/name` for the latest version, `@handle/name@N` for one; percent-encoded in a URL."),
    ),
  },
  output: SchemaRecord,
  errors: ["NOT_FOUND"],
});

export const schemaOperations = [registerSchema, getSchema] as const;
