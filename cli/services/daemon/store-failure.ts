import { Failure } from "../../failure.js";

/**
 * Returns a `catch` handler. The handler rethrows a `StoreRefused` error as a `Failure`, and any other error unchanged.
 * @param stopCommand command in the hint, which stops the running daemon
 */
export function toStoreFailure(stopCommand?: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Error) || error.name !== "StoreRefused") throw error;
    const isRunning = error.message.startsWith("another daemon is running");
    if (isRunning && stopCommand !== undefined)
      throw new Failure("ALREADY_RUNNING", error.message.replace("another", "a"), [
        `Stop it first: ${stopCommand}`,
      ]);
    throw new Failure("FAILED", error.message);
  };
}
