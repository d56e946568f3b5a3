import { Failure } from "../../failure.js";
import { shellQuoted } from "../../output/shell-quote.js";

/**
 * Returns a `catch` handler that converts a `StoreRefused` error to a `Failure` and throws it.
 * @param stopCommand the command that stops the running daemon, for the hint
 * @param postgresHint returns the hint for a PostgreSQL database, if the command supports only SQLite
 */
export function toStoreFailure(
  stopCommand?: string,
  postgresHint?: (url: string) => string,
): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Error) || error.name !== "StoreRefused") throw error;
    const isRunning = error.message.startsWith("another daemon is running");
    if (isRunning && stopCommand !== undefined)
      throw new Failure(
        "ALREADY_RUNNING",
        error.message.replace("another", "a").replace(/; stop it \(.*$/s, ""),
        [`Stop it first: ${stopCommand}`],
      );
    const { postgresUrl } = error as { postgresUrl?: string };
    const hints = postgresHint && postgresUrl !== undefined ? [postgresHint(shellQuoted(postgresUrl))] : [];
    throw new Failure("FAILED", error.message, hints);
  };
}
