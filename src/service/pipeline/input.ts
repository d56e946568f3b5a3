/** Validates an operation's input against the contract, and checks the idempotency key. */
import { createRequire } from "node:module";
import type { Ajv2020, ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
import { invalid, type Reason } from "../../contract/errors.js";
import { PATTERN_RULES } from "../../contract/fields.js";
import type { Input, OperationId } from "../../contract/index.js";
import type { Operation } from "../../contract/operation.js";
import { canonicalJson, sha256 } from "../../kernel/hash.js";
import type { IdempotencyRequest } from "./call.js";

const require = createRequire(import.meta.url);
/**
 * Loaded by the first call, because Ajv's many modules would slow down startup. Loading must be synchronous,
 * so the code uses `require`.
 */
let ajv: Ajv2020 | undefined;

/** Each operation's first call compiles its validator, so that startup stays fast. */
const validators = new Map<Operation, ValidateFunction>();

/** Maximum number of reported errors: a malicious body could cause thousands. */
const MAX_REASONS = 20;

/**
 * Returns the valid input. Drops null fields if the operation treats null as absent. Throws VALIDATION_ERROR
 * with the reasons.
 */
export function validateInput<Id extends OperationId>(
  id: Id,
  operation: Operation,
  input: Record<string, unknown>,
): Input<Id> {
  const normalized: unknown = operation.nullIsAbsent ? withoutNulls(input) : input;
  if (isValid(id, operation, normalized)) return normalized;
  throw invalid((validatorOf(operation).errors ?? []).slice(0, MAX_REASONS).map(toReason));
}

function isValid<Id extends OperationId>(_id: Id, operation: Operation, input: unknown): input is Input<Id> {
  return validatorOf(operation)(input);
}

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,128}$/;

/**
 * Returns the idempotency key with a hash of the input, or undefined for a request without a key. Throws
 * VALIDATION_ERROR for a malformed key.
 */
export function toIdempotencyRequest(
  operation: Operation,
  input: object,
  key: string | undefined,
): IdempotencyRequest | undefined {
  if (key === undefined || !operation.idempotent) return undefined;
  if (!IDEMPOTENCY_KEY.test(key))
    throw invalidIdempotencyKey("the idempotency key must be 1 to 128 visible ASCII characters");
  return { key, hash: sha256(canonicalJson(without(input, operation.notCompared))) };
}

function without(input: object, names: readonly string[]): object {
  if (!names.some((name) => name in input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)));
}

export function invalidIdempotencyKey(message: string) {
  return invalid({ instancePath: "", keyword: "idempotency_key", message });
}

function validatorOf(operation: Operation): ValidateFunction {
  const known = validators.get(operation);
  if (known) return known;
  ajv ??= createAjv();
  const validate = ajv.compile(operation.input);
  validators.set(operation, validate);
  return validate;
}

function createAjv(): Ajv2020 {
  const { Ajv2020 } = require("ajv/dist/2020.js") as typeof import("ajv/dist/2020.js");
  const formats = require("ajv-formats") as typeof import("ajv-formats");
  const created = new Ajv2020({
    strict: true,
    allErrors: true,
    allowUnionTypes: true,
    ownProperties: true,
    verbose: true,
  });
  formats.default(created);
  return created;
}

function withoutNulls(input: Record<string, unknown>): Record<string, unknown> {
  for (const name in input) {
    if (input[name] !== null) continue;
    return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
  }
  return input;
}

function toReason(error: ErrorObject): Reason {
  const { instancePath, keyword, message = "is invalid" } = error;
  return { instancePath, keyword, message: explain(error) ?? message };
}

function explain(error: ErrorObject): string | undefined {
  const { keyword, params } = error as { keyword: string; params: Record<string, unknown> };
  switch (keyword) {
    case "additionalProperties":
      return `unknown field ${JSON.stringify(params.additionalProperty)}${knownFields(error)}`;
    case "required":
      return `the field ${JSON.stringify(params.missingProperty)}${typeOfField(error)} is required`;
    case "enum":
      return `must be one of ${(params.allowedValues as unknown[]).map((value) => JSON.stringify(value)).join(", ")}`;
    case "pattern":
      return `must be ${PATTERN_RULES.get(String(params.pattern)) ?? `a text that matches ${params.pattern}`}`;
    case "type":
      return `must be ${[params.type].flat().map(typeName).join(" or ")}`;
    case "format":
      return `must be a ${FORMAT_NAMES[String(params.format)] ?? params.format}`;
    case "minimum":
      return `must be at least ${params.limit}`;
    case "maximum":
      return `must be at most ${params.limit}`;
    case "minLength":
      return params.limit === 1 ? "must not be empty" : `must have at least ${params.limit} characters`;
    case "maxLength":
      return `must have at most ${params.limit} characters`;
    case "minItems":
      return `must have at least ${counted(params.limit, "item")}`;
    case "maxItems":
      return `must have at most ${counted(params.limit, "item")}`;
    case "maxProperties":
      return `must have at most ${counted(params.limit, "field")}`;
    case "minProperties":
      return `must have at least ${counted(params.limit, "field")}`;
    default:
      return undefined;
  }
}

function knownFields({ parentSchema }: ErrorObject): string {
  const names = Object.keys((parentSchema as { properties?: object }).properties ?? {});
  return names.length === 0 ? "" : `; the fields are ${names.join(", ")}`;
}

function typeOfField({ parentSchema, params }: ErrorObject): string {
  const { properties } = parentSchema as { properties?: Record<string, { type?: unknown }> };
  const type = properties?.[params.missingProperty]?.type;
  return typeof type === "string" ? ` (${typeName(type)})` : "";
}

const FORMAT_NAMES: Readonly<Record<string, string>> = {
  "date-time": "date-time as in RFC 3339, such as 2026-01-02T03:04:05Z",
  uuid: "UUID",
};

function typeName(type: unknown): string {
  if (type === "null") return "null";
  return /^[aeiou]/.test(String(type)) ? `an ${type}` : `a ${type}`;
}

function counted(count: unknown, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

const YEAR_0 = Date.parse("0000-01-01T00:00:00Z");
const YEAR_10000 = Date.UTC(10_000);

/**
 * Parses a date-time field to milliseconds since 1970. Throws 400 if the time is well-formed but does not
 * exist (such as a leap second), or if its UTC year does not have four digits.
 */
export function parseDateTime(field: string, text: string): number {
  const time = Date.parse(text);
  if (time >= YEAR_0 && time < YEAR_10000) return time;
  const message = Number.isNaN(time)
    ? "must be a date-time such as 2026-01-02T03:04:05.678Z"
    : "must be in the years 0000 to 9999 in UTC";
  throw invalid({ instancePath: `/${field}`, keyword: "format", message });
}
