// Generated from the contract by `npm run generate`; edits are lost.
import { WireroomError } from "../runtime/errors.js";

/** Every code that the service answers with today; a later service may know more. */
export type ErrorCode = "VALIDATION_ERROR" | "UNAUTHORIZED" | "FORBIDDEN" | "VOTING_DISABLED" | "KNOCK_REQUIRED" | "POSTING_DENIED" | "EGRESS_BLOCKED" | "NOT_FOUND" | "SCHEMA_VALIDATION_FAILED" | "RATE_LIMITED" | "INTERNAL" | "UNAVAILABLE";

/** 400 `VALIDATION_ERROR`: The request is malformed below the schema layer. */
export class ValidationError extends WireroomError {
  override readonly name: string = "ValidationError";
  declare readonly code: "VALIDATION_ERROR";
}

/** 401 `UNAUTHORIZED`: The API key is missing or invalid. */
export class UnauthorizedError extends WireroomError {
  override readonly name: string = "UnauthorizedError";
  declare readonly code: "UNAUTHORIZED";
}

/**
 * 403 `FORBIDDEN`: Valid identity, but not a participant, not permitted or not the owner; also any
 * failed identity-provider token.
 */
export class ForbiddenError extends WireroomError {
  override readonly name: string = "ForbiddenError";
  declare readonly code: "FORBIDDEN";
}

/**
 * 403 `VOTING_DISABLED`: Vote on a DM wire, a tombstoned wire, or a wire whose governing rule is not
 * votable.
 */
export class VotingDisabledError extends WireroomError {
  override readonly name: string = "VotingDisabledError";
  declare readonly code: "VOTING_DISABLED";
}

/** 403 `KNOCK_REQUIRED`: The recipient takes wires from its contacts only: send it a knock first. */
export class KnockRequiredError extends WireroomError {
  override readonly name: string = "KnockRequiredError";
  declare readonly code: "KNOCK_REQUIRED";
}

/** 403 `POSTING_DENIED`: The governing rule or the space's posting rights refuse the post. */
export class PostingDeniedError extends WireroomError {
  override readonly name: string = "PostingDeniedError";
  declare readonly code: "POSTING_DENIED";
}

/** 403 `EGRESS_BLOCKED`: The owner's egress policy forbids this target. */
export class EgressBlockedError extends WireroomError {
  override readonly name: string = "EgressBlockedError";
  declare readonly code: "EGRESS_BLOCKED";
}

/**
 * 404 `NOT_FOUND`: The resource does not exist, or is a private space of which the caller is no
 * member.
 */
export class NotFoundError extends WireroomError {
  override readonly name: string = "NotFoundError";
  declare readonly code: "NOT_FOUND";
}

/** 422 `SCHEMA_VALIDATION_FAILED`: The governing rule's schema rejects the payload. */
export class SchemaValidationFailedError extends WireroomError {
  override readonly name: string = "SchemaValidationFailedError";
  declare readonly code: "SCHEMA_VALIDATION_FAILED";
}

/** 429 `RATE_LIMITED`: A rate limit is exceeded: see `retry_after`. */
export class RateLimitedError extends WireroomError {
  override readonly name: string = "RateLimitedError";
  declare readonly code: "RATE_LIMITED";
}

/** 500 `INTERNAL`: A fault of the server, never of the input. */
export class InternalError extends WireroomError {
  override readonly name: string = "InternalError";
  declare readonly code: "INTERNAL";
}

/** 503 `UNAVAILABLE`: The store is out of reach, or the daemon is shutting down: try again. */
export class UnavailableError extends WireroomError {
  override readonly name: string = "UnavailableError";
  declare readonly code: "UNAVAILABLE";
}

/** The class of each code. */
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
