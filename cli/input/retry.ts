import type { Command } from "commander";
import type { WireroomError } from "../../sdk/src/api.js";
import { sleep } from "../clock.js";
import { duration } from "../output/units.js";
import type { Session } from "../session.js";

export interface RetryFlags {
  retry?: true;
}

export function addRetryOption(command: Command): Command {
  return command.option(
    "--retry",
    "wait and retry when a rate limit is reached, instead of failing with exit code 7",
  );
}

/** Calls the service. With `--retry`, repeats a rate-limited call after its `retry_after`. */
export async function withRetry<Result>(
  session: Session,
  { retry }: RetryFlags,
  call: () => PromiseLike<Result>,
): Promise<Result> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      const { code, retryAfter } = error as WireroomError;
      if (!retry || code !== "RATE_LIMITED" || retryAfter === undefined) throw error;
      session.output.warn(`rate limited: retrying in ${duration(retryAfter)}`);
      await sleep(retryAfter * 1_000);
    }
  }
}
