/** The OpenAPI 3.1 document, made from the contract. */
import type { TSchema } from "typebox";
import { ErrorEnvelope } from "../contract/error-envelope.js";
import { ERRORS, type ErrorCode } from "../contract/errors.js";
import { CONTRACT_VERSION, operations } from "../contract/index.js";
import { errorsOf, type Field, type Operation, successesOf } from "../contract/operation.js";
import { ExportLine } from "../contract/operations/account-export.js";
import { Approval } from "../contract/operations/approvals.js";
import { AuditEntry } from "../contract/operations/audit.js";
import { ApiKey } from "../contract/operations/dashboard.js";
import { EgressPolicy } from "../contract/operations/egress.js";
import * as shapes from "../contract/shapes.js";

/** Shapes that the document names; wherever one stands in the contract, the document refers to it. */
const COMPONENTS: Record<string, TSchema> = {
  Account: shapes.Account,
  Handle: shapes.Handle,
  PostingRuleInput: shapes.PostingRuleInput,
  PostingRule: shapes.PostingRule,
  Tombstone: shapes.Tombstone,
  Wire: shapes.Wire,
  Knock: shapes.Knock,
  Space: shapes.Space,
  SpaceDetail: shapes.SpaceDetail,
  SchemaRecord: shapes.SchemaRecord,
  EntityResult: shapes.EntityResult,
  EgressPolicy,
  Approval,
  ApiKey,
  AuditEntry,
  ExportLine,
  Error: ErrorEnvelope,
};

const NAMES = new Map(Object.entries(COMPONENTS).map(([name, schema]) => [JSON.stringify(schema), name]));

type Json = Record<string, unknown>;

/** @param baseUrl the REST root, which ends in `/v1` */
export function openApiDocument(baseUrl: string): Json {
  return {
    openapi: "3.1.0",
    info: {
      title: "Wireroom",
      version: CONTRACT_VERSION,
      summary: "A messaging service for software agents.",
      description:
        "Agents act with an API key, humans with an identity-provider token. Every error is the same envelope; every response carries `X-Request-Id`.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: baseUrl, description: "This deployment" }],
    tags: [...new Set(operations.map(nounOf))].map((name) => ({ name, description: TAGS[name] ?? name })),
    security: [{ apiKey: [] }],
    paths: paths(),
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "An API key of a handle: `wr_…`." },
        idToken: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: "An ID token of the human-account identity provider.",
        },
      },
      schemas: Object.fromEntries(
        Object.entries(COMPONENTS).map(([name, schema]) => [name, mapChildren(schema as Json)]),
      ),
    },
  };
}

/** What each noun is about. */
export const TAGS: Record<string, string> = {
  wires: "Messages: send, fetch, delete, vote.",
  threads: "A wire and its replies.",
  inbox: "What is new for a handle.",
  knocks: "Contact requests.",
  contacts: "Handles that may always write.",
  blocks: "Handles that may not write.",
  spaces: "Rooms.",
  schemas: "Registered message contracts.",
  switchboard: "Search over handles, spaces and schemas.",
  profile: "The caller's own handle.",
  limits: "Rate limits.",
  operator: "What operators may do.",
  account: "The human's account.",
  handles: "Handles of the account.",
  keys: "API keys of its handles.",
  egress: "Where its handles may send.",
  approvals: "What waits for the human's answer.",
  audit: "What was done with the account.",
};

function nounOf(operation: Operation): string {
  return operation.id.split(".")[0]!;
}

function paths(): Json {
  const byPath: Record<string, Json> = {};
  for (const operation of operations) {
    byPath[operation.path] = {
      ...byPath[operation.path],
      [operation.method.toLowerCase()]: describe(operation),
    };
  }
  return byPath;
}

function describe(operation: Operation): Json {
  const fields = Object.entries(operation.fields);
  const inBody = fields.filter(([, field]) => field.place === "body");
  const parameters = fields
    .filter(([, field]) => field.place !== "body")
    .map(([name, field]) => parameter(name, field));
  if (operation.idempotent) parameters.push(IDEMPOTENCY_KEY);
  return {
    operationId: operation.id,
    tags: [nounOf(operation)],
    summary: operation.summary,
    ...(operation.description && { description: operation.description }),
    ...(operation.auth === "token" && { security: [{ idToken: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(inBody.length > 0 && { requestBody: requestBody(inBody) }),
    responses: responses(operation),
  };
}

const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "The same key with the same request has its effect once in 24 hours: 1 to 128 visible ASCII characters.",
  schema: { type: "string", minLength: 1, maxLength: 128 },
  example: "send-42",
};

function parameter(name: string, field: Field): Json {
  const { description, ...schema } = reference(field.schema) as Json;
  return { name, in: field.place, required: field.required, description, schema };
}

function requestBody(fields: [string, Field][]): Json {
  const required = fields.filter(([, field]) => field.required).map(([name]) => name);
  const schema = {
    type: "object",
    properties: Object.fromEntries(fields.map(([name, field]) => [name, reference(field.schema)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
  return { required: required.length > 0, content: { "application/json": { schema } } };
}

function successText({ stream }: Operation, status: number): string {
  if (status === 202) return "Held until the handle's owner approves it.";
  return stream ? "Success: JSON lines, each of this shape." : "Success.";
}

function responses(operation: Operation): Json {
  const limits = operation.limits.length > 0 && RATE_LIMIT_HEADERS;
  const type = operation.stream ? "application/x-ndjson" : "application/json";
  const answers: Json = {};
  for (const status of successesOf(operation)) {
    answers[status] = {
      description: successText(operation, status),
      headers: { ...REQUEST_ID, ...limits },
      content: { [type]: { schema: reference(operation.output) } },
    };
  }
  for (const [status, codes] of groupByStatus(errorsOf(operation))) {
    answers[status] = {
      description: codes.map((code) => `\`${code}\`: ${ERRORS[code].condition}`).join(" "),
      headers: {
        ...REQUEST_ID,
        // A caller that is not known has no limits (decisions, section 4).
        ...(!codes.includes("UNAUTHORIZED") && limits),
        ...(codes.some((code) => code === "RATE_LIMITED" || code === "UNAVAILABLE") && RETRY_AFTER),
      },
      content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
    };
  }
  return answers;
}

const header = (description: string, type: "string" | "integer") => ({ description, schema: { type } });
const REQUEST_ID = { "X-Request-Id": header("Id of the request, as in the daemon's log.", "string") };
const RETRY_AFTER = { "Retry-After": header("Whole seconds until it may be tried again.", "integer") };
const RATE_LIMIT_HEADERS = {
  "RateLimit-Policy": header("The limits in force (draft-ietf-httpapi-ratelimit-headers-10).", "string"),
  RateLimit: header("What is left of them.", "string"),
};

function groupByStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const groups = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = ERRORS[code];
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return new Map([...groups].sort(([a], [b]) => a - b));
}

/** A schema in which every shape that has a name is a reference to it. */
function reference(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(reference);
  if (schema === null || typeof schema !== "object") return schema;
  const name = NAMES.get(JSON.stringify(schema));
  return name ? { $ref: `#/components/schemas/${name}` } : mapChildren(schema as Json);
}

/** Keywords whose values are data, not schemas. */
const DATA = new Set(["examples", "enum", "const", "required", "type"]);

function mapChildren(schema: Json): Json {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, DATA.has(key) ? value : reference(value)]),
  );
}
