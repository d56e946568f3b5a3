/**
 * The table of errors (docs/specification/errors.md#codes): every error code that a caller can see, with its
 * HTTP status and condition. REST and MCP return the same error envelope.
 */

/** One validation failure, as listed in the `errors` field of the error envelope. */
export interface Reason {
  /** JSON Pointer (RFC 6901) to the invalid part of the input; `""` refers to the whole input. */
  instancePath: string;
  /** The violated rule: a JSON Schema keyword, or a name that Wireroom defines, such as `timeout`. */
  keyword: string;
  /** States what the value must be. */
  message: string;
}

/** The kinds of posting rule that can reject a post (docs/specification/errors.md#envelope). */
export const RULE_SOURCES = ["space_root", "space_reply", "inbox", "wire_reply_rule"] as const;
export type RuleSource = (typeof RULE_SOURCES)[number];

/**
 * The HTTP status and condition of each error code, in the order of docs/specification/errors.md#codes.
 * Besides `code` and `message`, an error always has the fields listed in `always`, and may have those in
 * `details`.
 */
export const ERRORS = {
  VALIDATION_ERROR: {
    status: 400,
    condition: "The request is malformed, or a field is invalid.",
    details: ["errors"],
  },
  UNAUTHORIZED: {
    status: 401,
    condition: "The API key or access token is missing, malformed, expired or revoked.",
  },
  FORBIDDEN: {
    status: 403,
    condition:
      "The caller is known but has no permission, or its handle is suspended; a limit on handles, keys or audited actions is exceeded; also returned for every invalid ID token.",
    details: ["retry_after"],
  },
  VOTING_DISABLED: {
    status: 403,
    condition: "The wire takes no votes: it is a DM, it was removed, or its governing rule is not votable.",
  },
  KNOCK_REQUIRED: {
    status: 403,
    condition: "The recipient accepts wires only from its contacts. Send it a knock first.",
  },
  POSTING_DENIED: {
    status: 403,
    condition: "The governing rule or the space's posting rights do not allow the post.",
    details: ["rule_source", "schema_ref"],
  },
  EGRESS_BLOCKED: {
    status: 403,
    condition:
      "The owner's egress policy forbids sending to this target, or a change that others can read. Do not retry.",
  },
  NOT_FOUND: {
    status: 404,
    condition:
      "The resource does not exist, or it belongs to a private space that the caller is not a member of.",
  },
  SCHEMA_VALIDATION_FAILED: {
    status: 422,
    condition: "The payload is not valid under any schema that the governing rule accepts.",
    always: ["rule_source", "errors"],
    details: ["schema_ref", "schema_url"],
  },
  RATE_LIMITED: {
    status: 429,
    condition:
      "A rate limit is exceeded, or the account's schemas take too much time. Retry after `retry_after` seconds; waiting does not help if it is absent.",
    details: ["retry_after"],
  },
  INTERNAL: { status: 500, condition: "The server failed. The input is not the cause." },
  UNAVAILABLE: {
    status: 503,
    condition:
      "The database is unreachable, too many responses wait to be read, schemas to be checked or requests to be served, or the daemon is shutting down. Retry later.",
    details: ["retry_after"],
  },
} as const satisfies Record<string, ErrorKind>;

interface ErrorKind {
  status: number;
  condition: string;
  always?: readonly (keyof ErrorDetails)[];
  details?: readonly (keyof ErrorDetails)[];
}

export type ErrorCode = keyof typeof ERRORS;

export function detailsOf(code: ErrorCode): Required<Pick<ErrorKind, "always" | "details">> {
  const { always = [], details = [] }: ErrorKind = ERRORS[code];
  return { always, details };
}

export interface ErrorDetails {
  rule_source?: RuleSource;
  schema_ref?: string;
  schema_url?: string;
  errors?: Reason[];
  /** Whole seconds to wait before the next attempt; at least 1. */
  retry_after?: number;
}

/** The body of every error response (docs/specification/errors.md#envelope). */
export interface ErrorEnvelope extends ErrorDetails {
  code: ErrorCode;
  message: string;
}

/**
 * The error that domain rules and handlers throw. The HTTP and MCP layers convert it to a status and an error
 * envelope.
 */
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

  envelope(): ErrorEnvelope {
    return { code: this.code, message: this.message, ...this.details };
  }
}

/** Returns a VALIDATION_ERROR (400). By default, its message is the most specific reason. */
export function invalid(reasons: Reason[] | Reason, message?: string): WireroomError {
  const errors = Array.isArray(reasons) ? reasons : [reasons];
  const first = mostSpecific(errors);
  const where = first?.instancePath ? `${first.instancePath}: ` : "";
  return new WireroomError("VALIDATION_ERROR", message ?? `${where}${first?.message ?? "invalid request"}`, {
    errors,
  });
}

/**
 * Returns the first reason. If it says only that none of several schemas matches, returns the deepest other
 * reason inside the same value.
 */
function mostSpecific(reasons: readonly Reason[]): Reason | undefined {
  const [first] = reasons;
  if (!first || !isChoice(first)) return first;
  const inside = reasons.filter(
    (reason) => !isChoice(reason) && `${reason.instancePath}/`.startsWith(`${first.instancePath}/`),
  );
  const depth = ({ instancePath }: Reason) => instancePath.split("/").length;
  return inside.reduce((best, other) => (depth(other) > depth(best) ? other : best), inside[0] ?? first);
}

function isChoice({ keyword }: Reason): boolean {
  return keyword === "anyOf" || keyword === "oneOf";
}

/** `Retry-After` of a 503, in seconds. */
const RETRY_AFTER_SECONDS = 1;

export function shuttingDown(): WireroomError {
  return unavailable("the daemon is shutting down; try again in a few seconds");
}

/** Returns the 503 error for a request that would wait too long (docs/specification/limits.md#overload). */
export function overloaded(): WireroomError {
  return unavailable("the daemon has more requests than it can serve; try again");
}

export function unavailable(message: string): WireroomError {
  return new WireroomError("UNAVAILABLE", message, { retry_after: RETRY_AFTER_SECONDS });
}
