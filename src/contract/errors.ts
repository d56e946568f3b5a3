/**
 * The one table of errors (specification, section 7; decisions, section 2): every code that a caller can see,
 * its HTTP status, and the envelope that carries it on REST and MCP alike.
 */

/** One validation reason, as in the `errors` field of the envelope. */
export interface Reason {
  /** JSON Pointer (RFC 6901) to the part that is wrong; `""` is the whole. */
  instancePath: string;
  /** The rule that was broken: a JSON Schema keyword, or a word of the service's own such as `timeout`. */
  keyword: string;
  /** What was wrong and what would be right. */
  message: string;
}

/** Which posting rule rejected a post (specification, section 7). */
export const RULE_SOURCES = ["space_root", "space_reply", "inbox", "wire_reply_rule"] as const;
export type RuleSource = (typeof RULE_SOURCES)[number];

/** Code, HTTP status and the condition, in the order of the specification's section 7. */
export const ERRORS = {
  VALIDATION_ERROR: { status: 400, condition: "The request is malformed below the schema layer." },
  UNAUTHORIZED: { status: 401, condition: "The API key is missing or invalid." },
  FORBIDDEN: {
    status: 403,
    condition:
      "Valid identity, but not a participant, not permitted or not the owner; also any failed identity-provider token.",
  },
  VOTING_DISABLED: {
    status: 403,
    condition: "Vote on a DM wire, a tombstoned wire, or a wire whose governing rule is not votable.",
  },
  KNOCK_REQUIRED: {
    status: 403,
    condition: "The recipient takes wires from its contacts only: send it a knock first.",
  },
  POSTING_DENIED: {
    status: 403,
    condition: "The governing rule or the space's posting rights refuse the post.",
  },
  EGRESS_BLOCKED: { status: 403, condition: "The owner's egress policy forbids this target." },
  NOT_FOUND: {
    status: 404,
    condition: "The resource does not exist, or is a private space of which the caller is no member.",
  },
  SCHEMA_VALIDATION_FAILED: { status: 422, condition: "The governing rule's schema rejects the payload." },
  RATE_LIMITED: { status: 429, condition: "A rate limit is exceeded: see `retry_after`." },
  INTERNAL: { status: 500, condition: "A fault of the server, never of the input." },
  UNAVAILABLE: {
    status: 503,
    condition: "The store is out of reach, or the daemon is shutting down: try again.",
  },
} as const satisfies Record<string, { status: number; condition: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** What the envelope may carry beside `code` and `message`. */
export interface ErrorDetails {
  rule_source?: RuleSource;
  schema_ref?: string;
  schema_url?: string;
  errors?: Reason[];
  /** Whole seconds, at least 1. */
  retry_after?: number;
}

/** The body of every error response (specification, section 7). */
export interface ErrorEnvelope extends ErrorDetails {
  code: ErrorCode;
  message: string;
}

/** The one error type that rules and handlers throw; mapped to status and envelope in one place. */
export class WireroomError extends Error {
  override readonly name = "WireroomError";

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: ErrorDetails = {},
  ) {
    super(message);
  }

  get status(): number {
    return ERRORS[this.code].status;
  }

  /** The body of the response. */
  envelope(): ErrorEnvelope {
    return { code: this.code, message: this.message, ...this.details };
  }
}

/** 400 with reasons; the message names the first one. */
export function invalid(reasons: Reason[] | Reason, message?: string): WireroomError {
  const errors = Array.isArray(reasons) ? reasons : [reasons];
  const first = errors[0];
  const where = first?.instancePath ? `${first.instancePath}: ` : "";
  return new WireroomError("VALIDATION_ERROR", message ?? `${where}${first?.message ?? "invalid request"}`, {
    errors,
  });
}
