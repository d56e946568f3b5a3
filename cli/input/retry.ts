/** `--retry`: waiting where a rate limit asks for it. */
import type { Command } from "commander";
import type { WireroomError } from "../../sdk/src/index.js";
import { sleep } from "../clock.js";
import { duration } from "../output/times.js";
import type { Session } from "../session.js";

export interface RetryFlags {
  retry?: true;
}

export function addRetryOption(command: Command): Command {
  return command.option("--retry", "wait where a rate limit is reached, instead of ending with 7");
}

/** Repeats a call that a rate limit refused, once it may pass. A quota that waiting does not free ends it in any case. */
export async function patiently<Result>(
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
