/** Input against the contract, by one compiled validator an operation; and the idempotency key beside it. */
import { createRequire } from "node:module";
import type { Ajv2020, ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
import { invalid, type Reason } from "../../contract/errors.js";
import type { Operation } from "../../contract/operation.js";
import { canonicalJson, sha256 } from "../../kernel/hash.js";
import type { IdempotencyRequest } from "./handler.js";

const require = createRequire(import.meta.url);
/** Loaded, by a function that need not be awaited, with the first call: its 90 modules would take a tenth of each start. */
let ajv: Ajv2020 | undefined;

/** Compiled at an operation's first call: all of them take a fifth of a second, which each start would wait for. */
const validators = new Map<Operation, ValidateFunction>();

/** Reasons that are reported at most: a hostile body could break thousands of rules. */
const MAX_REASONS = 20;

/** The input as the handler takes it. Throws VALIDATION_ERROR with a reason for each fault. */
export function validateInput(operation: Operation, input: Record<string, unknown>): Record<string, unknown> {
  const given = operation.nullIsAbsent ? withoutNulls(input) : input;
  const validate = validatorOf(operation);
  if (!validate(given)) throw invalid((validate.errors ?? []).slice(0, MAX_REASONS).map(toReason));
  return given;
}

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,128}$/;

/** What a key asks for; undefined without one, and for an operation that ignores it. Throws on a malformed key. */
export function idempotencyRequest(
  operation: Operation,
  input: Record<string, unknown>,
  key: string | undefined,
): IdempotencyRequest | undefined {
  if (key === undefined || !operation.idempotent) return undefined;
  if (!IDEMPOTENCY_KEY.test(key))
    throw refusedKey("the idempotency key must be 1 to 128 visible ASCII characters");
  return { key, hash: sha256(canonicalJson(input)) };
}

/** The 400 of an idempotency key. */
export function refusedKey(message: string) {
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
  const created = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true, ownProperties: true });
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

/** Messages that Ajv leaves without the value that would be right. */
function explain(error: ErrorObject): string | undefined {
  const { keyword, params } = error as { keyword: string; params: Record<string, unknown> };
  switch (keyword) {
    case "additionalProperties":
      return `unknown field ${JSON.stringify(params.additionalProperty)}`;
    case "required":
      return `the field ${JSON.stringify(params.missingProperty)} is required`;
    case "enum":
      return `must be one of ${(params.allowedValues as unknown[]).map((value) => JSON.stringify(value)).join(", ")}`;
    default:
      return undefined;
  }
}
