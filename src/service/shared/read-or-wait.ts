/** Holds a request until there is something new (docs/specification/reading.md#long-polls). */
import { MAX_HOLD_SECONDS } from "../../contract/fields.js";
import { monotonicMs, SECOND } from "../../kernel/clock.js";
import type { Topics } from "../../store/engine/notifier.js";
import type { Agent, Context } from "../pipeline/context.js";

interface Hold<Result> {
  /** Field `wait` of the request, in seconds. At most 50 count. The request is not held if it is absent or 0. */
  wait: number | undefined;
  /** The changes that end the wait. Those of a caller with an API key must include its `inbox` or its `status`. */
  topics: Topics;
  /**
   * Reads the result. Runs again after a wait, so it must also check what the caller may read.
   * @param isRepeated false for the first read
   */
  read(isRepeated: boolean): Promise<Result>;
  /** Returns whether the result is to be sent at once. */
  isNew(result: Result): boolean;
}

/**
 * Returns the first result that is new. Returns a result that is not new if the time is over, the client disconnects or the daemon
 * stops. Throws what `read` throws, and 401 or 403 if the key of the caller has become invalid during the wait.
 */
export async function readOrWait<Result>(ctx: Context, hold: Hold<Result>): Promise<Result> {
  const waitMs = Math.min(hold.wait ?? 0, MAX_HOLD_SECONDS) * SECOND;
  const deadlineMs = monotonicMs() + waitMs;
  for (let isRepeated = false; ; isRepeated = true) {
    // The subscription must begin before the read: an item committed between the read and the wait must end the wait.
    const subscription = waitMs > 0 ? ctx.store.notifier.subscribe(hold.topics) : undefined;
    try {
      const result = await hold.read(isRepeated);
      const leftMs = deadlineMs - monotonicMs();
      if (!subscription || hold.isNew(result) || leftMs <= 0 || ctx.signal.aborted) return result;
      await subscription.wait(leftMs, ctx.signal);
    } finally {
      subscription?.stop();
    }
    if (ctx.caller.kind === "agent") await ctx.authenticator.assertStillValid(ctx.caller as Agent);
  }
}
