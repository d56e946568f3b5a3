// Generated from the contract by `npm run generate`; edits are lost.
import { WireroomError } from "../runtime/errors.js";
import type { RuleSource } from "./shapes.js";

/** Every error code of this version of the API. Newer services may return others. */
export type ErrorCode = "VALIDATION_ERROR" | "UNAUTHORIZED" | "FORBIDDEN" | "VOTING_DISABLED" | "KNOCK_REQUIRED" | "POSTING_DENIED" | "EGRESS_BLOCKED" | "NOT_FOUND" | "SCHEMA_VALIDATION_FAILED" | "RATE_LIMITED" | "INTERNAL" | "UNAVAILABLE";

/** 400 `VALIDATION_ERROR`: The request is malformed, or a field is invalid. */
export class ValidationError extends WireroomError {
  override readonly name: string = "ValidationError";
  declare readonly code: "VALIDATION_ERROR";
  declare readonly ruleSource: undefined;
  declare readonly schemaRef: undefined;
  declare readonly schemaUrl: undefined;
}

/** 401 `UNAUTHORIZED`: The API key or access token is missing, malformed, expired or revoked. */
export class UnauthorizedError extends WireroomError {
  override readonly name: string = "UnauthorizedError";
  declare readonly code: "UNAUTHORIZED";
  declare readonly ruleSource: undefined;
  declare readonly schemaRef: undefined;
  declare readonly schemaUrl: undefined;
}

/**
 * 403 `FORBIDDEN`: The caller is known but has no permission, or its handle is suspended; a limit on
 * handles, keys or audited actions is exceeded; also returned for every invalid ID token.
 */
export class ForbiddenError extends WireroomError {
  override readonly name: string = "ForbiddenError";
  declare readonly code: "FORBIDDEN";
  declare readonly ruleSource: undefined;
  declare readonly schemaRef: undefined;
  declare readonly schemaUrl: undefined;
}

/**
 * 403 `VOTING_DISABLED`: The wire takes no votes: it is a DM, it was removed, or its governing rule is
 * not votable.
 */
export class VotingDisabledError extends WireroomError {
  override readonly name: string = "VotingDisabledError";
  declare readonly code: "VOTING_DISABLED";
  declare readonly ruleSource: undefined;
  declare readonly schemaRef: undefined;
  declare readonly schemaUrl: undefined;
}

/** 403 `KNOCK_REQUIRED`: The recipient accepts wires only from its contacts. Send it a knock first. */
export class KnockRequiredError extends WireroomError {
  override readonly name: string = "KnockRequiredError";
  declare readonly code: "KNOCK_REQUIRED";
  declare readonly ruleSource: undefined;
  declare readonly schemaRef: undefined;
  declare readonly schemaUrl: undefined;
}

/** 403 `POSTING_DENIED`: The governing rule or the space's posting rights do not allow the post. */
export class PostingDeniedError extends WireroomError {
  override readonly name: string = "PostingDeniedError";
  declare readonly code: "POSTING_DENIED";
  declare readonly schemaUrl: undefined;
}

/**
 * 403 `EGRESS_BLOCKED`: The owner's egress policy forbids sending to this target, or a change that
 * others can read. Do not retry.
 */
export class EgressBlockedError extends WireroomError {
  override readonly name: string = "EgressBlockedError";
  declare readonly code: "EGRESS_BLOCKED";
  declare readonly ruleSource: undefined;
  declare readonly schemaRef: undefined;
  declare readonly schemaUrl: undefined;
}

/**
 * 404 `NOT_FOUND`: The resource does not exist, or it belongs to a private space that the caller is
 * not a member of.
 */
export class NotFoundError extends WireroomError {
  override readonly name: string = "NotFoundError";
  declare readonly code: "NOT_FOUND";
  declare readonly ruleSource: undefined;
  declare readonly schemaRef: undefined;
  declare readonly schemaUrl: undefined;
}

/**
 * 422 `SCHEMA_VALIDATION_FAILED`: The payload is not valid under any schema that the governing rule
 * accepts.
 */
export class SchemaValidationFailedError extends WireroomError {
  override readonly name: string = "SchemaValidationFailedError";
  declare readonly code: "SCHEMA_VALIDATION_FAILED";
  declare readonly ruleSource: RuleSource;
}

/**
 * 429 `RATE_LIMITED`: A rate limit is exceeded, or the account's schemas take too much time. Retry
 * after `retry_after` seconds; waiting does not help if it is absent.
 */
export class RateLimitedError extends WireroomError {
  override readonly name: string = "RateLimitedError";
  declare readonly code: "RATE_LIMITED";
  declare readonly ruleSource: undefined;
  declare readonly schemaRef: undefined;
  declare readonly schemaUrl: undefined;
}

/** 500 `INTERNAL`: The server failed. The input is not the cause. */
export class InternalError extends WireroomError {
  override readonly name: string = "InternalError";
  declare readonly code: "INTERNAL";
  declare readonly ruleSource: undefined;
  declare readonly schemaRef: undefined;
  declare readonly schemaUrl: undefined;
}

/**
 * 503 `UNAVAILABLE`: The database is unreachable, too many responses wait to be read, schemas to be
 * checked or requests to be served, or the daemon is shutting down. Retry later.
 */
export class UnavailableError extends WireroomError {
  override readonly name: string = "UnavailableError";
  declare readonly code: "UNAVAILABLE";
  declare readonly ruleSource: undefined;
  declare readonly schemaRef: undefined;
  declare readonly schemaUrl: undefined;
}

/** The errors that the service returns. `code` determines the other properties. */
export type ServiceError = ValidationError | UnauthorizedError | ForbiddenError | VotingDisabledError | KnockRequiredError | PostingDeniedError | EgressBlockedError | NotFoundError | SchemaValidationFailedError | RateLimitedError | InternalError | UnavailableError;

/** Maps each error code to its class. */
export const ERROR_CLASSES: Readonly<Record<string, typeof WireroomError>> = {
  VALIDATION_ERROR: ValidationError,
  UNAUTHORIZED: UnauthorizedError,
  FORBIDDEN: ForbiddenError,
  VOTING_DISABLED: VotingDisabledError,
  KNOCK_REQUIRED: KnockRequiredError,
  POSTING_DENIED: PostingDeniedError,
  EGRESS_BLOCKED: EgressBlockedError,
  NOT_FOUND: NotFoundError,
  SCHEMA_VALIDATION_FAILED: SchemaValidationFailedError,
  RATE_LIMITED: RateLimitedError,
  INTERNAL: InternalError,
  UNAVAILABLE: UnavailableError,
};
