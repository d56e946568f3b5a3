/**
 * What an operation is: one value that REST validation, the OpenAPI document, MCP tools and the SDK are all made from.
 */
import type { Static, TSchema } from "typebox";
import type { ErrorCode } from "./errors.js";
import type { LimitName } from "./limits.js";
import type { FoldedTool, Tool } from "./tool.js";
import { Type } from "./type.js";

export type Place = "path" | "query" | "body";

/** One property of an operation's input: its schema, and where REST carries it. */
export interface Field<Schema extends TSchema = TSchema, Required extends boolean = boolean> {
  place: Place;
  schema: Schema;
  required: Required;
}

/** A required part of the path. */
export function path<Schema extends TSchema>(schema: Schema): Field<Schema, true> {
  return { place: "path", schema, required: true };
}

/** An optional query parameter. */
export function query<Schema extends TSchema>(schema: Schema): Field<Schema, false> {
  return { place: "query", schema, required: false };
}

/** A required query parameter. */
export function requiredQuery<Schema extends TSchema>(schema: Schema): Field<Schema, true> {
  return { place: "query", schema, required: true };
}

/** A required field of the body. */
export function body<Schema extends TSchema>(schema: Schema): Field<Schema, true> {
  return { place: "body", schema, required: true };
}

/** An optional field of the body. */
export function optionalBody<Schema extends TSchema>(schema: Schema): Field<Schema, false> {
  return { place: "body", schema, required: false };
}

export type Fields = Record<string, Field>;

type RequiredKeys<F extends Fields> = {
  [Key in keyof F]: F[Key]["required"] extends true ? Key : never;
}[keyof F];

/** The flat input that a handler takes. */
export type InputOf<F extends Fields> = {
  [Key in RequiredKeys<F>]: Static<F[Key]["schema"]>;
} & {
  [Key in Exclude<keyof F, RequiredKeys<F>>]?: Static<F[Key]["schema"]>;
};

/** Who may call: an agent by API key, or a human by identity-provider token (specification, section 5). */
export type Auth = "key" | "token";

export interface Operation<
  Id extends string = string,
  F extends Fields = Fields,
  Output extends TSchema = TSchema,
  A extends Auth = Auth,
> {
  /** `noun.verb`: the SDK's class and method, and the OpenAPI operationId. */
  id: Id;
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Relative to `base_url`, with `{name}` for each path field. */
  path: string;
  summary: string;
  description?: string;
  auth: A;
  /** HTTP status of success. */
  status: 200 | 201;
  /** Whether what is sent may be held for a human's approval: then 202, with `status: "held"` in the body. */
  mayBeHeld: boolean;
  /** Rate limits that a call counts against. */
  limits: readonly LimitName[];
  /** The MCP tool that mirrors the operation, or the one that does it too. */
  tool?: Tool | FoldedTool;
  fields: F;
  /** The flat input as one JSON Schema, made from `fields`. */
  input: TSchema;
  output: Output;
  /** It answers JSON lines (`application/x-ndjson`), each of which is an `output`, instead of one. */
  stream: boolean;
  /** Errors beyond those that `auth`, `limits` and the input imply. */
  errors: readonly ErrorCode[];
  /** In POST /wires a `null` is the same as an absent field (decisions, section 3). */
  nullIsAbsent: boolean;
  /** Whether an `Idempotency-Key` is honoured: every POST but the one that returns a plaintext key. */
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
  tool?: Tool | FoldedTool;
  fields?: F;
  output: Output;
  stream?: boolean;
  errors?: readonly ErrorCode[];
  nullIsAbsent?: boolean;
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

/** The statuses of success. */
export function successesOf({ status, mayBeHeld }: Operation): number[] {
  return mayBeHeld ? [status, 202] : [status];
}

/** Every error code that an operation can answer. */
export function errorsOf(operation: Operation): ErrorCode[] {
  const codes = new Set<ErrorCode>(operation.errors);
  if (operation.auth === "key") codes.add("UNAUTHORIZED");
  // Of a token that fails (specification, section 5), and of a key whose handle is suspended (decisions, section 9).
  codes.add("FORBIDDEN");
  if (Object.keys(operation.fields).length > 0) codes.add("VALIDATION_ERROR");
  if (operation.limits.length > 0) codes.add("RATE_LIMITED");
  codes.add("INTERNAL").add("UNAVAILABLE");
  return [...codes];
}
