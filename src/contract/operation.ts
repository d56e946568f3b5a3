/**
 * Defines operations. REST routes, input validation, the OpenAPI document, MCP tools and the SDK are all
 * generated from these definitions.
 */
import type { Static, TSchema } from "typebox";
import type { ErrorCode } from "./errors.js";
import type { LimitName } from "./limits.js";
import type { MergedTool, Tool } from "./tool.js";
import { Type } from "./type.js";

export type Place = "path" | "query" | "body";

/** One input field of an operation: its schema, and the part of the HTTP request that contains the field. */
export interface Field<Schema extends TSchema = TSchema, Required extends boolean = boolean> {
  place: Place;
  schema: Schema;
  required: Required;
}

/** Path parameters are always required. */
export function path<Schema extends TSchema>(schema: Schema): Field<Schema, true> {
  return { place: "path", schema, required: true };
}

/** Defines an optional query parameter. */
export function query<Schema extends TSchema>(schema: Schema): Field<Schema, false> {
  return { place: "query", schema, required: false };
}

export function requiredQuery<Schema extends TSchema>(schema: Schema): Field<Schema, true> {
  return { place: "query", schema, required: true };
}

export function body<Schema extends TSchema>(schema: Schema): Field<Schema, true> {
  return { place: "body", schema, required: true };
}

export function optionalBody<Schema extends TSchema>(schema: Schema): Field<Schema, false> {
  return { place: "body", schema, required: false };
}

export type Fields = Record<string, Field>;

type RequiredKeys<F extends Fields> = {
  [Key in keyof F]: F[Key]["required"] extends true ? Key : never;
}[keyof F];

export type InputOf<F extends Fields> = {
  [Key in RequiredKeys<F>]: Static<F[Key]["schema"]>;
} & {
  [Key in Exclude<keyof F, RequiredKeys<F>>]?: Static<F[Key]["schema"]>;
};

/**
 * The credential of a call: an agent's API key or access token, or a human's ID token
 * (docs/specification/identity.md#credentials).
 */
export type Auth = "key" | "token";

export interface Operation<
  Id extends string = string,
  F extends Fields = Fields,
  Output extends TSchema = TSchema,
  A extends Auth = Auth,
> {
  /** `noun.verb`: the OpenAPI operationId, and the SDK's property and method. */
  id: Id;
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path relative to the base URL, with `{name}` for each path parameter. */
  path: string;
  summary: string;
  description?: string;
  auth: A;
  /** HTTP status of a successful call. */
  status: 200 | 201;
  /** Whether the call may be held for a human's approval. A held call returns 202 with `status: "held"`. */
  mayBeHeld: boolean;
  limits: readonly LimitName[];
  /**
   * The operation's own MCP tool, or the tool of another operation that also calls this one. Undefined if no
   * tool calls the operation.
   */
  tool?: Tool | MergedTool;
  fields: F;
  /** Generated from `fields`. */
  input: TSchema;
  output: Output;
  /** Whether the response is JSON lines (`application/x-ndjson`). Each line then matches `output`. */
  stream: boolean;
  /** The operation's error codes, except those that follow from `auth`, `limits` and `fields`. */
  errors: readonly ErrorCode[];
  /**
   * Error code for an agent with too many audited actions in the last minute. Undefined if agents' calls are
   * not audited, or if the operation has rate limits, because the code is then RATE_LIMITED.
   */
  auditedError?: "RATE_LIMITED" | "FORBIDDEN";
  /** Whether a null field counts as absent (docs/specification/agent-operations.md#post-wires). */
  nullIsAbsent: boolean;
  /** Fields that may differ when a request is repeated with the same `Idempotency-Key`. */
  notCompared: readonly string[];
  /**
   * Whether the operation supports `Idempotency-Key`. Every POST does, except if it returns a plaintext key.
   */
  idempotent: boolean;
}

interface Definition<Id extends string, F extends Fields, Output extends TSchema, A extends Auth> {
  id: Id;
  method: Operation["method"];
  path: string;
  summary: string;
  description?: string;
  auth: A;
  status?: 200 | 201;
  mayBeHeld?: boolean;
  limits?: readonly LimitName[];
  tool?: Tool | MergedTool;
  fields?: F;
  output: Output;
  stream?: boolean;
  errors?: readonly ErrorCode[];
  auditedError?: Operation["auditedError"];
  nullIsAbsent?: boolean;
  notCompared?: readonly string[];
  idempotent?: boolean;
}

export function defineOperation<
  const Id extends string,
  Output extends TSchema,
  const A extends Auth,
  // biome-ignore lint/complexity/noBannedTypes: an operation without input has no fields at all
  F extends Fields = {},
>(definition: Definition<Id, F, Output, A>): Operation<Id, F, Output, A> {
  const fields = definition.fields ?? ({} as F);
  return {
    status: 200,
    mayBeHeld: false,
    limits: [],
    stream: false,
    errors: [],
    nullIsAbsent: false,
    notCompared: [],
    idempotent: definition.method === "POST",
    ...definition,
    fields,
    input: inputSchema(fields),
  };
}

function inputSchema(fields: Fields): TSchema {
  const properties: Record<string, TSchema> = {};
  for (const [name, field] of Object.entries(fields)) {
    properties[name] = field.required ? field.schema : Type.Optional(field.schema);
  }
  return Type.Object(properties, { additionalProperties: false });
}

export function successStatuses({ status, mayBeHeld }: Operation): number[] {
  return mayBeHeld ? [status, 202] : [status];
}

export function errorCodesOf(operation: Operation): ErrorCode[] {
  const codes = new Set<ErrorCode>(operation.errors);
  if (operation.auth === "key") codes.add("UNAUTHORIZED");
  // Every operation can return FORBIDDEN, for an invalid ID token
  // (docs/specification/identity.md#credentials) or a suspended handle
  // (docs/specification/dashboard-operations.md#operators).
  codes.add("FORBIDDEN");
  // Every request body is checked, even if the operation has no body fields.
  if (operation.method !== "GET" || Object.keys(operation.fields).length > 0) codes.add("VALIDATION_ERROR");
  if (operation.limits.length > 0) codes.add("RATE_LIMITED");
  if (operation.auditedError) codes.add(operation.auditedError);
  codes.add("INTERNAL").add("UNAVAILABLE");
  return [...codes];
}
