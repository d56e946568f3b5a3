/** Holds a request until there is something new (docs/specification/reading.md#long-polls). */
import { invalid, WireroomError } from "../../contract/errors.js";
import { LATEST, MAX_HOLD_SECONDS } from "../../contract/fields.js";
import { monotonicMs, SECOND } from "../../kernel/clock.js";
import type { Topics } from "../../store/engine/notifier.js";
import type { Agent, Human } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";

const RETRY_AFTER_SECONDS = 1;

interface Hold<Result> {
  /**
   * Field `wait` of the request, in seconds. The request is held for at most 50. It is not held if it is
   * absent or 0.
   */
  wait: number | undefined;
  /**
   * The changes that end the wait. Those of a caller with an API key must include its `inbox` or its
   * `status`.
   */
  topics: Topics;
  /** Reads the result. Runs again after each wait, so it must also check what the caller may read. */
  read(): Promise<Result>;
  /** Returns whether the result is to be sent at once. */
  isNew(result: Result): boolean;
}

/**
 * Returns the first result that is new. Returns a result that is not new if the time is over, the client
 * disconnects, the daemon stops or the connection is needed for others. Throws what `read` throws, 401 or 403
 * if the credential of the caller has become invalid during the wait, and 503 if too many requests of its
 * account are held.
 */
export async function readOrWait<Result>(ctx: Context, hold: Hold<Result>): Promise<Result> {
  const waitMs = Math.min(hold.wait ?? 0, MAX_HOLD_SECONDS) * SECOND;
  const account = ctx.caller.account.pk;
  const { notifier } = ctx.store;
  const deadlineMs = monotonicMs() + waitMs;
  for (;;) {
    // The subscription must begin before the read: an item committed between the read and the wait must end
    // the wait.
    let result: Result;
    const subscription = waitMs > 0 ? notifier.subscribe(hold.topics, account) : undefined;
    try {
      result = await hold.read();
      const leftMs = deadlineMs - monotonicMs();
      if (!subscription || hold.isNew(result) || leftMs <= 0 || ctx.signal.aborted) return result;
      if (notifier.hasTooMany(account)) throw tooManyHeld(notifier.maxPerAccount);
      const startedMs = monotonicMs();
      ctx.record.onHold?.();
      await subscription.wait(leftMs, ctx.signal);
      ctx.record.heldMs += monotonicMs() - startedMs;
      ctx.record.trace?.record("hold", startedMs);
    } finally {
      subscription?.stop();
    }
    await ctx.authenticator.assertStillValid(ctx.caller as Agent | Human);
    if (subscription?.isGivenUp) return result;
  }
}

/** Throws 400: only in the order `oldest` do new wires come after the last one. */
export function assertNotFollowed({ cursor, wait }: { cursor?: string; wait?: number }): void {
  const field = wait !== undefined ? "wait" : cursor === LATEST ? "cursor" : undefined;
  if (field === undefined) return;
  const message = `${field === "wait" ? "`wait`" : "`cursor=latest`"} needs \`order=oldest\``;
  throw invalid({ instancePath: `/${field}`, keyword: "order", message });
}

function tooManyHeld(max: number): WireroomError {
  const message = `at most ${max} requests of an account are held at a time; try again when others have ended`;
  return new WireroomError("UNAVAILABLE", message, { retry_after: RETRY_AFTER_SECONDS });
}
