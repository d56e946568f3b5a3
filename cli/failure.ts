/** The CLI's own errors. The service's errors are `WireroomError`s from the SDK. */
import { EXIT, type ExitCode } from "./exit-codes.js";

export const EXIT_OF_FAILURE = {
  USAGE: EXIT.usage,
  NO_CREDENTIALS: EXIT.auth,
  SIGN_IN_FAILED: EXIT.auth,
  PROVIDER_UNREACHABLE: EXIT.unreachable,
  FORBIDDEN: EXIT.denied,
  NOT_FOUND: EXIT.notFound,
  DECLINED: EXIT.declined,
  NO_TERMINAL: EXIT.declined,
  NOT_RUNNING: EXIT.unreachable,
  ALREADY_RUNNING: EXIT.failed,
  UNHEALTHY: EXIT.failed,
  FAILED: EXIT.failed,
} as const;

export type FailureCode = keyof typeof EXIT_OF_FAILURE;

/** An error that ends the command. Each hint is a command or a sentence that helps to fix the problem. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly exitCode: ExitCode;

  constructor(
    readonly code: FailureCode,
    message: string,
    readonly hints: readonly string[] = [],
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.exitCode = EXIT_OF_FAILURE[code];
  }
}

/** Ends the command without an error message, after Ctrl-C in a prompt, a view or a loop. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";

  /** @param exitCode 128 + the signal's number; default: 130, for Ctrl-C (SIGINT) */
  constructor(readonly exitCode: number = EXIT.interrupted) {
    super("interrupted");
  }
}
