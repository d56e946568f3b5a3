import { WireroomError } from "@wireroom/sdk";

export function messageOf(error: unknown): string {
  if (!(error instanceof WireroomError)) return error instanceof Error ? error.message : String(error);
  if (error.code === "CONNECTION_FAILED" || error.code === "TIMEOUT")
    return "The daemon did not answer. Check that it runs and that your device is online.";
  const wait =
    error.retryAfter === undefined
      ? ""
      : ` ${`Try again in ${error.retryAfter} ${error.retryAfter === 1 ? "second" : "seconds"}.`}`;
  return error.message + wait;
}
