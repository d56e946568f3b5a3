/** Exit codes: one per class of error (docs/cli.md). */
export const EXIT = {
  ok: 0,
  /** Something that should not happen: a bug, a file that cannot be written. */
  failed: 1,
  /** The command line, or a value on it, makes no sense (`VALIDATION_ERROR`). */
  usage: 2,
  /** No credentials, or ones that are not valid any more (`UNAUTHORIZED`). */
  auth: 3,
  /** Known, but not allowed (`FORBIDDEN`, `KNOCK_REQUIRED`, `POSTING_DENIED`, `EGRESS_BLOCKED`, `VOTING_DISABLED`). */
  denied: 4,
  /** `NOT_FOUND`. */
  notFound: 5,
  /** A payload breaks the schema that governs it (`SCHEMA_VALIDATION_FAILED`). */
  schema: 6,
  /** `RATE_LIMITED`. */
  rateLimited: 7,
  /** No answer from the daemon, or none now (`CONNECTION_FAILED`, `TIMEOUT`, `UNAVAILABLE`). */
  unreachable: 8,
  /** The daemon failed (`INTERNAL`, `UNEXPECTED_RESPONSE`). */
  server: 9,
  /** A question was answered with no, or could not be asked since there is no terminal. */
  declined: 10,
  /** Ctrl-C: 128 + SIGINT. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The exit code of an error code, of the service or of the SDK. */
export const EXIT_OF_CODE: Readonly<Record<string, ExitCode>> = {
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

/** A code that this version does not know yet is a failure of the daemon's. */
export function exitCodeOf(code: string): ExitCode {
  return EXIT_OF_CODE[code] ?? EXIT.server;
}
