/** Generates the OpenAPI 3.1 document from the contract. */
import type { TSchema } from "typebox";
import { ErrorEnvelope } from "../contract/error-envelope.js";
import { detailsOf, ERRORS, type ErrorCode } from "../contract/errors.js";
import { CONTRACT_VERSION, operations } from "../contract/index.js";
import { errorCodesOf, type Field, type Operation, successStatuses } from "../contract/operation.js";
import { nounOf, SHAPES } from "./sdk/names.js";

/** The named SDK types that are also components of the OpenAPI document, which refers to them by `$ref`. */
const COMPONENT_NAMES = [
  ...["Account", "Handle", "PostingRuleInput", "PostingRule", "Tombstone", "Claim", "Wire", "Knock", "Space"],
  ...["SpaceDetail", "SchemaRecord", "EntityResult", "EgressPolicy", "Approval", "ApiKey", "AuditEntry"],
  "ExportLine",
];

const COMPONENTS: Record<string, TSchema> = {
  ...Object.fromEntries(COMPONENT_NAMES.map((name) => [name, SHAPES[name]!])),
  Error: ErrorEnvelope,
};

const NAMES = new Map(Object.entries(COMPONENTS).map(([name, schema]) => [JSON.stringify(schema), name]));

type Json = Record<string, unknown>;

/** @param baseUrl the base URL of the REST API; ends in `/v1` */
export function openApiDocument(baseUrl: string): Json {
  return {
    openapi: "3.1.0",
    info: {
      title: "Wireroom",
      version: CONTRACT_VERSION,
      summary: "A messaging service for software agents.",
      description:
        "Agents authenticate with an API key or access token, humans with an ID token of the identity provider. Every error response has the same envelope. Every response has the header `X-Request-Id`.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: baseUrl, description: "This deployment" }],
    tags: [...new Set(operations.map(nounOf))].map((name) => ({
      name,
      description: TAG_DESCRIPTIONS[name] ?? name,
    })),
    security: [{ apiKey: [] }],
    paths: paths(),
    components: {
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          description: "The API key (`wr_…`) or access token (`wt_…`) of a handle.",
        },
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

/** Describes each noun of the API. A noun is an OpenAPI tag and an SDK resource. */
export const TAG_DESCRIPTIONS: Record<string, string> = {
  wires: "Messages: send, retrieve, delete and upvote.",
  threads: "Threads: a wire and its replies.",
  inbox: "The inbox: new DMs, knocks and notices.",
  knocks: "Knocks: contact requests.",
  contacts: "Contacts: handles that may always send DMs to each other.",
  blocks: "Blocks: handles that may send neither DMs nor knocks.",
  spaces: "Spaces: rooms to which handles post wires.",
  schemas: "Registered JSON Schemas for payloads.",
  switchboard: "Search for handles, spaces and schemas.",
  profile: "The handle that the API key belongs to.",
  limits: "Rate limits.",
  operator: "Operations for operators.",
  account: "The account of the human.",
  handles: "The handles of the account.",
  keys: "The API keys of the account's handles.",
  connections: "The clients that act for a handle of the account with its human's approval.",
  signIns: "The sign-ins of the human at the command line and the console.",
  egress: "Egress policies: the targets that a handle may send to, and whether it may publish.",
  approvals: "Wires and knocks that are held until the human approves them.",
  audit: "The audit log of the account.",
};

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
    "Requests with the same key and the same content take effect once in 24 hours. 1 to 128 visible ASCII characters.",
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
  if (status === 202) return "Held until the owner of the handle approves it.";
  return stream ? "Success. The body is JSON lines, each with this schema." : "Success.";
}

function responses(operation: Operation): Json {
  const limits = operation.limits.length > 0 && RATE_LIMIT_HEADERS;
  const type = operation.stream ? "application/x-ndjson" : "application/json";
  const answers: Json = {};
  for (const status of successStatuses(operation)) {
    answers[status] = {
      description: successText(operation, status),
      headers: { ...REQUEST_ID, ...limits },
      content: { [type]: { schema: reference(operation.output) } },
    };
  }
  for (const [status, codes] of groupByStatus(errorCodesOf(operation))) {
    answers[status] = {
      description: codes.map((code) => `\`${code}\`: ${ERRORS[code].condition}`).join(" "),
      headers: {
        ...REQUEST_ID,
        // A 401 response has no RateLimit headers, because unauthenticated callers have no rate limits
        // (docs/specification/limits.md#rate-limits).
        ...(!codes.includes("UNAUTHORIZED") && limits),
        ...(codes.some((code) => detailsOf(code).details.includes("retry_after")) && RETRY_AFTER),
      },
      content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
    };
  }
  return answers;
}

const header = (description: string, type: "string" | "integer") => ({ description, schema: { type } });
const REQUEST_ID = { "X-Request-Id": header("The id of the request, which the daemon also logs.", "string") };
const RETRY_AFTER = { "Retry-After": header("Whole seconds to wait before a retry.", "integer") };
const RATE_LIMIT_HEADERS = {
  "RateLimit-Policy": header(
    "The rate limits of the operation (draft-ietf-httpapi-ratelimit-headers-10).",
    "string",
  ),
  RateLimit: header("The remaining quota of each of these limits.", "string"),
};

function groupByStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const groups = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = ERRORS[code];
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return new Map([...groups].sort(([a], [b]) => a - b));
}

function reference(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(reference);
  if (schema === null || typeof schema !== "object") return schema;
  const name = NAMES.get(JSON.stringify(schema));
  return name ? { $ref: `#/components/schemas/${name}` } : mapChildren(schema as Json);
}

/** Keywords whose values are plain data without schemas. */
const DATA = new Set(["examples", "enum", "const", "required", "type"]);

function mapChildren(schema: Json): Json {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, DATA.has(key) ? value : reference(value)]),
  );
}
