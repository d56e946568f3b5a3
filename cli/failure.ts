/** Errors of the command itself, as opposed to errors that the service answers. */
import { EXIT, type ExitCode } from "./exit-codes.js";

/** Error codes of the CLI; those of the service are in its OpenAPI document. */
export type FailureCode =
  | "USAGE"
  | "NO_CREDENTIALS"
  | "SIGN_IN_FAILED"
  | "PROVIDER_UNREACHABLE"
  | "NOT_FOUND"
  | "DECLINED"
  | "NO_TERMINAL"
  | "NOT_RUNNING"
  | "ALREADY_RUNNING"
  | "UNHEALTHY"
  | "FAILED";

/** The exit code of each. */
export const EXIT_OF_FAILURE: Readonly<Record<FailureCode, ExitCode>> = {
  USAGE: EXIT.usage,
  NO_CREDENTIALS: EXIT.auth,
  SIGN_IN_FAILED: EXIT.auth,
  PROVIDER_UNREACHABLE: EXIT.unreachable,
  NOT_FOUND: EXIT.notFound,
  DECLINED: EXIT.declined,
  NO_TERMINAL: EXIT.declined,
  NOT_RUNNING: EXIT.unreachable,
  ALREADY_RUNNING: EXIT.failed,
  UNHEALTHY: EXIT.failed,
  FAILED: EXIT.failed,
};

/** Ends the command. `message` says what was wrong, `next` what would be right: commands or a sentence, a line each. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly exitCode: ExitCode;

  constructor(
    readonly code: FailureCode,
    message: string,
    readonly next: readonly string[] = [],
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.exitCode = EXIT_OF_FAILURE[code];
  }
}

/** Ctrl-C in a question, a view or a loop: ends the command with 130 and no further word. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";

  /** @param exitCode of another signal than Ctrl-C's: 128 + its number */
  constructor(readonly exitCode: number = EXIT.interrupted) {
    super("interrupted");
  }
}
