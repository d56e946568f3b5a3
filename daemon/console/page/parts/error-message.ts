import { WireroomError } from "@wireroom/sdk";
import { texts } from "../texts/index.js";

/** Returns what is wrong and what helps, in one or two sentences. */
export function messageOf(error: unknown): string {
  if (!(error instanceof WireroomError)) return error instanceof Error ? error.message : String(error);
  if (error.code === "CONNECTION_FAILED" || error.code === "TIMEOUT") return texts.problem.unreachable;
  const wait = error.retryAfter === undefined ? "" : ` ${texts.problem.retryAfter(error.retryAfter)}`;
  return error.message + wait;
}
