/** Exit codes, one per class of errors (docs/cli.md). */
import type { ConnectionError, ErrorCode } from "../sdk/src/index.js";

export const EXIT = {
  ok: 0,
  /** An unexpected error, such as a bug of the CLI or a file that cannot be written. */
  failed: 1,
  /** The command line or one of its values is invalid (`VALIDATION_ERROR`). */
  usage: 2,
  /** Credentials are missing or no longer valid (`UNAUTHORIZED`). */
  auth: 3,
  /** The caller is authenticated but not allowed to do this. */
  denied: 4,
  notFound: 5,
  /** The payload does not match the required schema (`SCHEMA_VALIDATION_FAILED`). */
  schema: 6,
  rateLimited: 7,
  /** The daemon did not respond (`CONNECTION_FAILED`, `TIMEOUT`, `UNAVAILABLE`). */
  unreachable: 8,
  /** The daemon failed (`INTERNAL`, `UNEXPECTED_RESPONSE`). */
  server: 9,
  /** The human answered no, or there is no terminal to ask on. */
  declined: 10,
  /** With `--wait-for-reply` and `wire wait`: the wire was sent, and no reply has come yet. */
  noReply: 11,
  /** With `--wait-for-reply` and `wire wait`: the wire still waits for its human's approval. */
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
