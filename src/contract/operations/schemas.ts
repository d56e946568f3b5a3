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
    "Each call registers a new version of the subject. The document must be a strict JSON Schema 2020-12 of at most 32 KB whose references resolve within it.",
  auth: "key",
  status: 201,
  limits: ["schemas_per_hour"],
  tool: {
    name: "register_schema",
    title: "Register a schema",
    description:
      "Registers a JSON Schema as a message contract that rules can demand (`accepted_schemas`). Each call makes a new version. Returns its ref (`@you/name@1`) and version. Errors: VALIDATION_ERROR: no strict 2020-12 schema, or a breaking change under `backward`; `errors` says where. FORBIDDEN: the subject's handle is not of your account. NOT_FOUND: no such handle. RATE_LIMITED: wait `retry_after` seconds.",
    carriesOthersWords: false,
  },
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
  tool: {
    name: "get_schema",
    title: "Get a schema",
    description:
      "Reads a registered JSON Schema: use it before sending a payload that must satisfy it. Returns the record with `json_schema`. Errors: NOT_FOUND: no such subject or version.",
    carriesOthersWords: true,
  },
  fields: {
    ref: path(
      SchemaRef("`@handle/name` for the latest version, `@handle/name@N` for one; percent-encoded in a URL."),
    ),
  },
  output: SchemaRecord,
  errors: ["NOT_FOUND"],
});

export const schemaOperations = [registerSchema, getSchema] as const;
