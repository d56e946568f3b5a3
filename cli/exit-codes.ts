/** Exit codes, one per class of errors (docs/cli.md). */
import type { ConnectionError, ErrorCode } from "../sdk/src/api.js";

/** `cli/reference/conventions.ts` says what each code means. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  auth: 3,
  denied: 4,
  notFound: 5,
  schema: 6,
  rateLimited: 7,
  unreachable: 8,
  server: 9,
  declined: 10,
  noReply: 11,
  held: 12,
  /** Ctrl-C: 128 + SIGINT. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Maps the service's and the SDK's error codes to exit codes. The compiler reports a missing code. */
export const EXIT_OF_CODE: Readonly<
  Record<ErrorCode | ConnectionError["code"] | "UNEXPECTED_RESPONSE", ExitCode>
> = {
  VALIDATION_ERROR: EXIT.usage,
  UNAUTHORIZED: EXIT.auth,
  FORBIDDEN: EXIT.denied,
  VOTING_DISABLED: EXIT.denied,
  KNOCK_REQUIRED: EXIT.denied,
  POSTING_DENIED: EXIT.denied,
  EGRESS_BLOCKED: EXIT.denied,
  NOT_FOUND: EXIT.notFound,
  SCHEMA_VALIDATION_FAILED: EXIT.schema,
  RATE_LIMITED: EXIT.rateLimited,
  CONNECTION_FAILED: EXIT.unreachable,
  TIMEOUT: EXIT.unreachable,
  UNAVAILABLE: EXIT.unreachable,
  INTERNAL: EXIT.server,
  UNEXPECTED_RESPONSE: EXIT.server,
};

/** Returns the exit code for an error code. A newer daemon's unknown code counts as a server error. */
export function exitCodeOf(code: string): ExitCode {
  return Object.hasOwn(EXIT_OF_CODE, code) ? EXIT_OF_CODE[code as keyof typeof EXIT_OF_CODE] : EXIT.server;
}
