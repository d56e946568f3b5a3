import { Failure } from "../../failure.js";

/**
 * Turns a refusal of the store into a `Failure`; other errors are thrown unchanged.
 * @param ends the command that stops a running daemon
 */
export function refusalOf(ends?: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Error) || error.name !== "StoreRefused") throw error;
    const isRunning = error.message.startsWith("another daemon is running");
    if (isRunning && ends !== undefined)
      throw new Failure("ALREADY_RUNNING", error.message.replace("another", "a"), [`End it first: ${ends}`]);
    throw new Failure("FAILED", error.message);
  };
}
