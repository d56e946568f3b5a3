/**
 * Works on a work queue: claims one wire after another, renews the claim while the handler runs, and then
 * finishes it or gives it back. The service decides who has a claim, so two workers never have the same wire.
 * If a process dies, its claims expire by themselves.
 */
import { ForbiddenError, NotFoundError, RateLimitedError } from "../../generated/errors.js";
import { type SpacesClaimOutput, SpacesResource } from "../../generated/spaces.js";
import { WiresResource } from "../../generated/wires.js";
import { onAbort } from "../abort.js";
import type { Client } from "../client.js";
import { sleep } from "../clock.js";
import type { CallOptions } from "../operation.js";
import { requireAtLeast } from "../settings.js";
import type { ReceivedWire, ReplyInput } from "../wires/received.js";
import { reply } from "../wires/reply.js";
import { retryDelayOf, type WorkDecision, type WorkHandler, type WorkOptions } from "./options.js";

/**
 * Options of `spaces.work` in a work queue. After a failed attempt, `onError` decides: `"retry"` (the
 * default) and `{ retryIn }` give the wire back, and this worker pauses; `"skip"` finishes it; `"stop"` gives
 * it back and ends the work.
 */
export type ClaimWorkOptions<Item> = Pick<
  WorkOptions<Item>,
  "concurrency" | "onError" | "signal" | "once" | "wait" | "timeout" | "onRetry"
> & {
  /** Seconds after which the claim of a process that has died expires, 1 to 86,400. Default: 600. */
  seconds?: number | undefined;
};

/** Pause while the handle is at its limit of claims. */
const FULL_PAUSE_MS = 5_000;

type Claimed = SpacesClaimOutput["claims"][number];

interface HeldClaim {
  id: string;
  token: string;
  attempt: number;
  isLost: boolean;
  /** Marks the claim as lost, and aborts the handler's signal with the error as the reason. */
  lose(error: unknown): void;
}

/** Handles wires until the signal aborts. Rejects with the error that ends the work. */
export async function workOnClaims<Payload>(
  client: Client,
  slug: string,
  handler: WorkHandler<ReceivedWire<Payload>>,
  options: ClaimWorkOptions<ReceivedWire<Payload>>,
): Promise<void> {
  await new ClaimWork<Payload>(client, slug, handler, options).run();
}

class ClaimWork<Payload> {
  readonly #ending = new AbortController();
  readonly #seconds: number;
  readonly #spaces: SpacesResource;
  readonly #wires: WiresResource;
  #failure: { error: unknown } | undefined;

  constructor(
    private readonly client: Client,
    private readonly slug: string,
    private readonly handler: WorkHandler<ReceivedWire<Payload>>,
    private readonly options: ClaimWorkOptions<ReceivedWire<Payload>>,
  ) {
    this.#seconds = requireAtLeast(1, "seconds", options.seconds ?? 600);
    this.#spaces = new SpacesResource(client);
    this.#wires = new WiresResource(client);
  }

  async run(): Promise<void> {
    const { signal, concurrency = 1 } = this.options;
    const workers = requireAtLeast(1, "concurrency", concurrency);
    const removeListener = onAbort(signal, () => this.#ending.abort());
    if (signal?.aborted) this.#ending.abort();
    await Promise.all(Array.from({ length: workers }, () => this.#work()));
    removeListener();
    if (this.#failure) throw this.#failure.error;
  }

  get #isEnding(): boolean {
    return this.#ending.signal.aborted;
  }

  /**
   * Returns options that repeat a call until it is answered or the signal aborts. Finishing a claim and
   * giving it back pass no signal, so that they run even while the work ends.
   */
  #call(signal?: AbortSignal): CallOptions {
    const { timeout, onRetry } = this.options;
    return { signal, timeout, onRetry, maxRetries: Infinity, maxRetryAfter: Infinity };
  }

  async #work(): Promise<void> {
    // Pauses grow with consecutive failures, not with a wire's attempts, because other wires would wait too.
    let failures = 0;
    try {
      while (!this.#isEnding) {
        const claimed = await this.#claim();
        if (claimed) failures = (await this.#handle(claimed, failures + 1)) ? 0 : failures + 1;
        else if (this.options.once) return;
      }
    } catch (error) {
      // When the work ends, it aborts the pending request. This error is then not a failure.
      if (!this.#isEnding) this.#failure ??= { error };
      this.#ending.abort();
    }
  }

  async #claim(): Promise<Claimed | undefined> {
    const { once, wait = 30 } = this.options;
    const input = { slug: this.slug, seconds: this.#seconds, wait: once ? 0 : wait };
    try {
      const { claims } = await this.#spaces.claim(input, this.#call(this.#ending.signal));
      return claims[0];
    } catch (error) {
      // Without `retry_after`, the handle is at its limit of claims, perhaps because of other processes.
      if (!(error instanceof RateLimitedError) || error.retryAfter !== undefined) throw error;
      await sleep(FULL_PAUSE_MS, this.#ending.signal);
      return undefined;
    }
  }

  /**
   * Returns false if the handler has failed.
   * @param failures number of consecutive failures, including this call if it fails
   */
  async #handle({ wire, token, attempt }: Claimed, failures: number): Promise<boolean> {
    const stop = new AbortController();
    const removeListener = onAbort(this.#ending.signal, () => stop.abort());
    const handled = new AbortController();
    const { id } = wire;
    const claim: HeldClaim = {
      ...{ id, token, attempt, isLost: false },
      lose(error) {
        claim.isLost = true;
        stop.abort(error);
      },
    };
    const renewing = this.#renew(claim, handled.signal);
    let isDone = false;
    const item = Object.defineProperty(wire, "reply", {
      value: (input: ReplyInput, call?: CallOptions) => {
        const sent = reply(this.client, wire, { claim_token: token, ...input }, call);
        sent.then(
          () => {
            if (!input.done) return;
            isDone = true;
            handled.abort();
          },
          // Ignore NOT_FOUND, which may be about a mentioned handle.
          (error) => error instanceof ForbiddenError && claim.lose(error),
        );
        return sent;
      },
    }) as ReceivedWire<Payload>;
    let failure: { error: unknown } | undefined;
    let result: unknown;
    try {
      result = await this.handler(item, { attempt, signal: stop.signal });
    } catch (error) {
      failure = { error };
    }
    removeListener();
    handled.abort();
    await renewing;
    if (claim.isLost) return true;
    if (failure) await this.#afterFailure(item, claim, { failures, ...failure });
    else if (!isDone && result !== "leave") await this.#finish(claim);
    return failure === undefined;
  }

  /** Extends the claim until `signal` aborts or the claim is lost. */
  async #renew(claim: HeldClaim, signal: AbortSignal): Promise<void> {
    const { id, token } = claim;
    const seconds = this.#seconds;
    while (!claim.isLost) {
      try {
        await sleep((seconds * 1_000) / 3, signal);
        await this.#wires.claim({ id, token, seconds }, this.#call(signal));
      } catch (error) {
        if (signal.aborted) return;
        // After any other error, the handler keeps the claim until the service refuses a request.
        if (isLoss(error)) claim.lose(error);
      }
    }
  }

  async #afterFailure(
    item: ReceivedWire<Payload>,
    claim: HeldClaim,
    { failures, error }: { failures: number; error: unknown },
  ): Promise<void> {
    const { attempt } = claim;
    const signal = this.#ending.signal;
    // The abort may have caused the error, so do not count it as a failure.
    let decision: WorkDecision = "retry";
    try {
      if (!this.#isEnding)
        decision = (await this.options.onError?.(error, { item, attempt, signal })) ?? decision;
    } catch (another) {
      if (claim.isLost) return;
      await this.#giveBack(claim);
      throw another;
    }
    if (decision === "skip") return this.#finish(claim);
    await this.#giveBack(claim);
    if (decision === "stop") throw error;
    if (!this.#isEnding) await sleep(retryDelayOf(decision, failures)!, signal).catch(() => {});
  }

  async #finish(claim: HeldClaim): Promise<void> {
    const { id, token } = claim;
    try {
      await this.#wires.claim({ id, token, done: true }, this.#call());
    } catch (error) {
      if (!isLoss(error)) throw error;
      claim.lose(error);
    }
  }

  async #giveBack({ id, token }: HeldClaim): Promise<void> {
    try {
      await this.#wires.unclaim({ id, token }, this.#call());
    } catch (error) {
      if (!isLoss(error)) throw error;
    }
  }
}

/** Returns whether a request with the claim's token failed because the claim is lost or its wire is gone. */
function isLoss(error: unknown): boolean {
  return error instanceof ForbiddenError || error instanceof NotFoundError;
}
