import { Failure } from "../../failure.js";

/**
 * Makes a `Failure` of what the store refuses; anything else goes on as it is.
 * @param ends the command that ends a daemon which is in the way
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
