/** Holds a request until something new arrives (docs/specification/reading.md#long-polls). */
import { invalid, WireroomError } from "../../contract/errors.js";
import { LATEST, MAX_HOLD_SECONDS } from "../../contract/fields.js";
import { monotonicMs, SECOND } from "../../kernel/clock.js";
import type { Topics } from "../../store/engine/notifier.js";
import type { Agent, Human } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";

const RETRY_AFTER_SECONDS = 1;

interface Hold<Result> {
  /**
   * The request's `wait` field, in seconds. The service holds the request for at most 50 seconds. If the
   * field is absent or 0, the service responds at once.
   */
  wait: number | undefined;
  /**
   * The changes that end the wait. For an agent, include `inbox` or `status`, so that revoking its key ends
   * the wait.
   */
  topics: Topics;
  /** Reads the result. Runs again after each wait, so it must also check the caller's read access. */
  read(): Promise<Result>;
  isNew(result: Result): boolean;
}

/**
 * Returns the first new result. Returns the last result if nothing new arrives before the wait ends; a
 * disconnected client, a shutdown or a lack of free connections ends the wait early. Throws any error of
 * `read`, 401 or 403 if the caller's credential became invalid during the wait, and 503 if the account holds
 * too many requests.
 */
export async function readOrWait<Result>(ctx: Context, hold: Hold<Result>): Promise<Result> {
  const waitMs = Math.min(hold.wait ?? 0, MAX_HOLD_SECONDS) * SECOND;
  const account = ctx.caller.account.pk;
  const { notifier } = ctx.store;
  const deadlineMs = monotonicMs() + waitMs;
  for (;;) {
    // Subscribe before reading, so that an item committed between the read and the wait ends the wait.
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

/**
 * Throws 400 if the request waits for new wires or uses `cursor=latest`. Both need `order=oldest`, in which
 * new wires come after the last wire.
 */
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
