/** Requirements of docs/specification/errors.md, by the anchor of their section and by their id. */
export const errorsRequirements = {
  envelope: {
    "S7-envelope":
      "Every error body is an envelope with `code` and `message`, and has only documented fields.",
    "D2-retry-after":
      "`retry_after` is a whole number of seconds, at least 1, and equals the Retry-After header.",
  },
  codes: {
    "S7-validation-error": "A malformed request is answered with VALIDATION_ERROR, 400.",
    "S7-unauthorized": "A missing or invalid API key is answered with UNAUTHORIZED, 401.",
    "S7-forbidden":
      "A caller that is not permitted, and a failed ID token, are answered with FORBIDDEN, 403.",
    "S7-voting-disabled": "A vote on a DM wire is answered with VOTING_DISABLED, 403.",
    "S7-not-found":
      "An unknown resource, and a private space for a non-member, are answered with NOT_FOUND, 404.",
    "S7-schema-validation-failed":
      "A payload that the schema rejects is answered with SCHEMA_VALIDATION_FAILED, 422.",
    "S7-rate-limited": "An exceeded rate limit is answered with RATE_LIMITED, 429.",
    "D2-internal": "INTERNAL, 500, means that the service failed, and is never the answer to any input.",
    "D2-unavailable":
      "UNAVAILABLE, 503, with `retry_after`, means that the database is out of reach, the disk is full, or the daemon is stopping.",
    "D2-openapi-400": "Every operation with input declares 400 in the OpenAPI document.",
  },
  "which-error-wins": {
    "D4-refusal-order":
      "Refusals win in the order 401, 400, 429, 404, EGRESS_BLOCKED, KNOCK_REQUIRED, POSTING_DENIED, 422.",
    "D17-reply-hops-order":
      "Too many hops come after 400 and the 404 of the parent, and before the other refusals.",
    "D4-taken-order":
      "The 400 of a new space whose slug another account has taken follows 429, so that a used-up limit ends guesses.",
  },
} as const;
