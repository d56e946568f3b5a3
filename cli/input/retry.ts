/** `--retry`: waiting as long as a rate limit asks for. */
import type { Command } from "commander";
import type { WireroomError } from "../../sdk/src/index.js";
import { sleep } from "../clock.js";
import { duration } from "../output/units.js";
import type { Session } from "../session.js";

export interface RetryFlags {
  retry?: true;
}

export function addRetryOption(command: Command): Command {
  return command.option("--retry", "wait where a rate limit is reached, instead of ending with 7");
}

/** Repeats a rate-limited call after its `retry_after`. A limit without one, which waiting does not lift, is thrown. */
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
      session.output.warn(`rate limited: trying again in ${duration(retryAfter)}`);
      await sleep(retryAfter * 1_000);
    }
  }
}
