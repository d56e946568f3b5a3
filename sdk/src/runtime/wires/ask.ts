/** Sends a wire and waits for its reply, despite timeouts, lost connections and restarts of the service. */
import type { Wire } from "../../generated/shapes.js";
import type { WiresSendInput, WiresSendOutput } from "../../generated/wires.js";
import { monotonicMs, randomName, sleep } from "../clock.js";
import { TimeoutError, type WireroomError } from "../errors.js";
import { MIN_POLL_MS, PAUSE_MS } from "../log/log.js";
import type { CallOptions } from "../operation.js";
import { requireAtLeast } from "../settings.js";
import { AttemptSignal } from "../transport/attempt-signal.js";
import { NoReplyError, type SentWire } from "./no-reply-error.js";

/** Options of `wires.ask`. */
export interface AskOptions {
  /**
   * Milliseconds until the call gives up. At most 82,800,000 (23 hours), because the service forgets an
   * idempotency key after 24 hours. Default: 300,000 (5 minutes).
   */
  timeout?: number | undefined;
  /** Aborting the signal rejects the call with the signal's reason, but does not withdraw a sent wire. */
  signal?: AbortSignal | undefined;
  /**
   * The wire's idempotency key. A later call with the same key and input sends no second wire, but waits for
   * the reply to the first one. This works even after a restart of the process. Default: a random key.
   *
   * @example "order-42"
   */
  idempotencyKey?: string | undefined;
  /** Called before each retry, for example when the service is unreachable. */
  onRetry?: ((error: WireroomError, delay: number) => void) | undefined;
}

/** The operations that `ask` uses. */
export interface AskOperations<Reply> {
  send(input: WiresSendInput, options: CallOptions): PromiseLike<WiresSendOutput>;
  get(input: { id: string }, options: CallOptions): PromiseLike<Wire>;
  listen(threadId: string, options: Pick<CallOptions, "signal" | "onRetry">): AsyncIterable<Wire<Reply>>;
}

const DEFAULT_TIMEOUT_MS = 300_000;
const LONGEST_TIMEOUT_MS = 23 * 3_600_000;
/** Maximum duration of one long poll in seconds. */
const LONGEST_HOLD_S = 50;
/** The delay doubles after each poll, up to the maximum. */
const FIRST_POLL_DELAY_MS = 500;
const LONGEST_POLL_DELAY_MS = 5_000;

/** Rejects with `NoReplyError` if no reply arrives in time. */
export async function ask<Reply>(
  operations: AskOperations<Reply>,
  input: WiresSendInput,
  options: AskOptions,
): Promise<Wire<Reply>> {
  const { signal, idempotencyKey = randomName() } = options;
  const timeout = requireAtLeast(1, "timeout", options.timeout ?? DEFAULT_TIMEOUT_MS);
  if (timeout > LONGEST_TIMEOUT_MS) throw new TypeError(`\`timeout\` must be at most ${LONGEST_TIMEOUT_MS}`);
  const end = monotonicMs() + timeout;
  const limit = new AttemptSignal(timeout, signal);
  let lastError: WireroomError | undefined;
  const onRetry = (error: WireroomError, delay: number) => {
    lastError = error;
    options.onRetry?.(error, delay);
  };
  const call = { signal: limit.signal, onRetry, maxRetries: Infinity, maxRetryAfter: Infinity };
  let sent: SentWire | undefined;
  const noReply = (wire: SentWire) =>
    new NoReplyError(`no reply to the wire ${wire.id} within ${timeout} ms`, wire);
  try {
    // Also check the clock, because the timer of `limit` may not fire while responses arrive without a pause.
    while (sent === undefined || monotonicMs() < end) {
      const started = monotonicMs();
      const seconds = Math.max(0, end - started) / 1_000;
      // The first response contains the sent wire's id. Hold that request for only half of the time, so that
      // the response arrives before the deadline even if the service is slow.
      const hold = Math.min(LONGEST_HOLD_S, sent ? Math.ceil(seconds) : Math.floor(seconds / 2));
      const answer = await operations.send({ ...input, wait_for_reply: hold }, { ...call, idempotencyKey });
      const { id, uri, thread_id, status } = answer;
      sent = { id, uri, thread_id, status };
      if (status === "held") return await replyToHeld(operations, sent, call);
      if (answer.reply) return answer.reply as Wire<Reply>;
      if (hold > 0 && monotonicMs() - started < MIN_POLL_MS) await sleep(PAUSE_MS, limit.signal);
    }
    throw noReply(sent);
  } catch (error) {
    if (!limit.isTimedOut) throw error;
    if (sent) throw noReply(sent);
    throw lastError ?? new TimeoutError(`wires.ask: no response within ${timeout} ms`);
  } finally {
    limit.dispose();
  }
}

/** Rejects if the wire is never sent. */
async function replyToHeld<Reply>(
  operations: AskOperations<Reply>,
  sent: SentWire,
  call: CallOptions & { signal: AbortSignal },
): Promise<Wire<Reply>> {
  let wire: Wire;
  let pause = FIRST_POLL_DELAY_MS;
  do {
    await sleep(pause, call.signal);
    pause = Math.min(pause * 2, LONGEST_POLL_DELAY_MS);
    wire = await operations.get({ id: sent.id }, call);
    sent.status = wire.status;
  } while (wire.status === "held");
  if (wire.status !== undefined)
    throw new NoReplyError(`the wire ${sent.id} was not sent; its state is: ${wire.status}`, sent);
  const { signal, onRetry } = call;
  for await (const other of operations.listen(sent.thread_id, { signal, onRetry }))
    if (other.reply_to === sent.id && other.sender_id !== wire.sender_id && other.tombstone === null)
      return other;
  throw signal.reason;
}
