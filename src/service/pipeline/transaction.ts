/**
 * Runs a write's transaction: `runAlone` for one call, `runGroup` for many calls together. Both check the
 * caller's status first and the idempotency key next. They run the handler even if a rate limit is used up,
 * because a 400 error takes precedence over a 429.
 */
import { WireroomError } from "../../contract/errors.js";
import type { EncodableOutput, Input, OperationId } from "../../contract/index.js";
import type { Operation } from "../../contract/operation.js";
import { EgressBlockedError } from "../../domain/egress.js";
import { TooManyHopsError } from "../../domain/posting.js";
import {
  type Added,
  type CallerUsage,
  limitCounts,
  limitStates,
  rateLimitError,
} from "../../domain/rate-limits.js";
import { SlugTakenError } from "../../domain/slugs.js";
import { monotonicMs, now } from "../../kernel/clock.js";
import { encodeJson } from "../../kernel/raw-json.js";
import { type HandleStatus, handleStatuses } from "../../store/accounts/handles.js";
import type { Transaction } from "../../store/engine/engine.js";
import { inOneRoundTrip, RoundTrip } from "../../store/engine/selects.js";
import {
  enqueueStoredResponses,
  findStoredResponse,
  findStoredResponses,
  type IdempotencyKey,
  type StoredResponse,
} from "../../store/idempotency.js";
import { assertFewAudited, auditedErrorCode, logEgressBlocked } from "./audit.js";
import { assertActiveStatus } from "./authenticate.js";
import {
  type Call,
  type ContextOf,
  type IdempotencyRequest,
  Repeated,
  StalePreparation,
  Unremembered,
  type WriteOutcome,
} from "./call.js";
import type { Caller, Sender } from "./caller.js";
import type { Context } from "./context.js";
import { idempotencyRecordKey, replayResponse } from "./idempotency.js";
import { loadUsage, NOTHING_ADDED } from "./rate-limits.js";
import { type Locks, lockForCalls } from "./transaction-locks.js";

export interface SingleWrite<Id extends OperationId, Prepared> {
  locks?(input: Input<Id>): Locks;
  run(
    ctx: ContextOf<Id>,
    input: Input<Id>,
    tx: Transaction,
    prepared: Prepared,
  ): Promise<EncodableOutput<Id> | Repeated<EncodableOutput<Id>>>;
}

export interface GroupedCall<Id extends OperationId, Prepared> extends Call<Id> {
  prepared: Prepared;
}

export interface GroupedWrite<Id extends OperationId, Prepared, Facts, Effect> {
  /** Estimates how many characters a call stores and indexes. Limits how many calls share a transaction. */
  characters(prepared: Prepared): number;
  /**
   * Locks the rows that the calls need. Returns the data needed to accept or refuse each call, in the calls'
   * order.
   */
  load(
    tx: Transaction,
    trip: RoundTrip,
    calls: readonly GroupedCall<Id, Prepared>[],
    at: number,
  ): Promise<(Facts & { usage: CallerUsage })[]>;
  /**
   * Returns false if a call normally uses none of the operation's limits. Its other errors then take
   * precedence over a limit that is used up.
   */
  isLimited?(prepared: Prepared): boolean;
  /** Returns the error if a limit that calls use in different amounts is used up, otherwise null. */
  limitError?(prepared: Prepared, facts: Facts, earlier: readonly Effect[], at: number): WireroomError | null;
  /**
   * Accepts or refuses a call, without I/O. Throws the error for the client if it refuses the call. Throws
   * `StalePreparation` if the call must be prepared again.
   * @param earlier the effects of calls that this transaction has already accepted
   */
  decide(prepared: Prepared, facts: Facts, earlier: readonly Effect[], at: number): Decision<Id, Effect>;
  store(
    tx: Transaction,
    accepted: readonly Effect[],
    refused: readonly Prepared[],
    at: number,
  ): Promise<void>;
}

interface Decision<Id extends OperationId, Effect> {
  answer: EncodableOutput<Id> | Unremembered<EncodableOutput<Id>>;
  /** Absent if the call changes nothing. */
  effect?: Effect;
  /** How much of the operation's limits the call uses; negative if it frees some. Default: 1. */
  uses?: number;
}

/** Runs one call in a transaction. Throws `StalePreparation` if the call must be prepared again. */
export async function runAlone<Id extends OperationId, Prepared>(
  tx: Transaction,
  operation: Operation,
  { locks, run }: SingleWrite<Id, Prepared>,
  call: Call<Id>,
  prepared: Prepared,
): Promise<WriteOutcome> {
  const at = now();
  const { ctx, input } = call;
  const caller: Caller = ctx.caller;
  const agents = caller.kind === "agent" ? [caller] : [];
  const trip = new RoundTrip(tx);
  const [, checks, [usage]] = await inOneRoundTrip([
    lockForCalls(tx, operation, [call], locks ? [locks(input)] : []),
    CallChecks.load(tx, trip, operation, [call], at),
    loadUsage(trip, ctx.limits, operation.limits, agents, at),
  ]);
  let outcome: WriteOutcome;
  try {
    let body = checks.replay(call, 0);
    if (body === undefined) {
      const limited =
        usage && rateLimitError(limitCounts(ctx.limits, operation.limits, usage, NOTHING_ADDED, at), at);
      const answer = await run(ctx, input, tx, prepared).catch((error) => {
        throw errorOf(limited, error);
      });
      if (limited && !(answer instanceof Repeated)) throw limited;
      body = encodeJson(answer instanceof Repeated ? answer.answer : answer);
      await assertFewAudited(ctx, tx, auditedErrorCode(operation));
      checks.saveResponse(call, 0, body);
    }
    outcome = { body };
  } catch (error) {
    // Do not throw for a blocked call: the transaction must commit, because it logs the refusal.
    if (!(error instanceof EgressBlockedError) || caller.kind !== "agent") throw error;
    outcome = { error: await checks.logBlocked(ctx, caller, call.idempotency, error) };
  }
  checks.storeResponses();
  return outcome;
}

export async function runGroup<Id extends OperationId, Prepared, Facts, Effect>(
  tx: Transaction,
  operation: Operation,
  { load, isLimited, limitError, decide, store }: GroupedWrite<Id, Prepared, Facts, Effect>,
  calls: readonly GroupedCall<Id, Prepared>[],
): Promise<(WriteOutcome | StalePreparation)[]> {
  const at = now();
  const trip = new RoundTrip(tx);
  const [facts, checks] = await inOneRoundTrip([
    load(tx, trip, calls, at),
    CallChecks.load(tx, trip, operation, calls, at),
  ]);
  const accepted: Effect[] = [];
  const refused: Prepared[] = [];
  const added = new AddedCalls();
  const outcomes: (WriteOutcome | StalePreparation)[] = [];
  for (const [n, call] of calls.entries()) {
    const caller: Caller = call.ctx.caller;
    const counts = () =>
      limitCounts(call.ctx.limits, operation.limits, facts[n]!.usage, added.of(caller), at);
    const limits = () => limitStates(counts(), at);
    try {
      let body = checks.replay(call, n);
      if (body === undefined) {
        const { prepared } = call;
        const limited =
          rateLimitError(counts(), at) ?? limitError?.(prepared, facts[n]!, accepted, at) ?? null;
        const {
          answer,
          effect,
          uses = 1,
        } = decideWithin(limited, isLimited?.(prepared) ?? true, () =>
          decide(prepared, facts[n]!, accepted, at),
        );
        if (effect) {
          accepted.push(effect);
          added.count(caller, uses);
        }
        body = encodeJson(answer instanceof Unremembered ? answer.answer : answer);
        if (!(answer instanceof Unremembered)) checks.saveResponse(call, n, body);
      }
      outcomes.push({ body, limits: limits() });
    } catch (error) {
      refused.push(call.prepared);
      if (error instanceof StalePreparation) outcomes.push(error);
      else if (error instanceof EgressBlockedError && caller.kind === "agent")
        outcomes.push({
          error: await checks.logBlocked(call.ctx, caller, call.idempotency, error),
          limits: limits(),
        });
      else if (error instanceof WireroomError) outcomes.push({ error, limits: limits() });
      else throw error;
    }
  }
  await store(tx, accepted, refused, at);
  checks.storeResponses();
  return outcomes;
}

/**
 * Runs `decide`. If it fails or a rate limit is used up, throws the error that takes precedence
 * (docs/specification/errors.md#which-error-wins).
 */
function decideWithin<Made extends { uses?: number }>(
  limited: WireroomError | null,
  isLimited: boolean,
  decide: () => Made,
): Made {
  let decision: Made;
  try {
    decision = decide();
  } catch (error) {
    throw errorOf(isLimited && limited, error);
  }
  if (limited && (decision.uses ?? 1) > 0) throw limited;
  return decision;
}

/**
 * Returns the error that takes precedence. Too many hops precede a 429, and so does a 400, unless it
 * reveals that another account owns a slug.
 */
function errorOf(limited: WireroomError | null | undefined | false, error: unknown): unknown {
  const isBadRequest =
    error instanceof WireroomError && error.code === "VALIDATION_ERROR" && !(error instanceof SlugTakenError);
  return isBadRequest || error instanceof TooManyHopsError || !limited ? error : limited;
}

/** Counts how much of the limits the accepted calls of this transaction have used. */
class AddedCalls {
  private readonly byHandle = new Map<number, number>();
  private readonly byAccount = new Map<number, number>();

  of(caller: Caller): Added {
    return {
      ofHandle: (caller.kind === "agent" && this.byHandle.get(caller.pk)) || 0,
      ofAccount: this.byAccount.get(caller.account.pk) ?? 0,
    };
  }

  count(caller: Caller, uses: number): void {
    const { ofHandle, ofAccount } = this.of(caller);
    if (caller.kind === "agent") this.byHandle.set(caller.pk, ofHandle + uses);
    this.byAccount.set(caller.account.pk, ofAccount + uses);
  }
}

class CallChecks<Id extends OperationId> {
  /** Responses to store at the end of the transaction, keyed by the JSON of the idempotency key. */
  private readonly responses = new Map<string, IdempotencyKey & StoredResponse>();

  private constructor(
    private readonly tx: Transaction,
    private readonly operation: Operation,
    private readonly statuses: readonly (HandleStatus | undefined)[],
    private readonly keys: readonly (IdempotencyKey | undefined)[],
    private readonly stored: readonly (StoredResponse | undefined)[],
    private readonly at: number,
  ) {}

  static async load<Id extends OperationId>(
    tx: Transaction,
    trip: RoundTrip,
    operation: Operation,
    calls: readonly Call<Id>[],
    at: number,
  ): Promise<CallChecks<Id>> {
    // All callers in a group are either agents or humans, because each operation accepts only one kind.
    const handles = calls.flatMap(({ ctx }) => {
      if (ctx.record.trace) ctx.record.transactionAtMs = monotonicMs();
      const caller: Caller = ctx.caller;
      return caller.kind === "agent" ? [caller.pk] : [];
    });
    const keys = calls.map(
      ({ ctx, idempotency }) => idempotency && idempotencyRecordKey(operation, ctx, idempotency),
    );
    const [statuses, stored] = await inOneRoundTrip([
      handleStatuses(trip, handles),
      keys.some((key) => key) ? findStoredResponses(trip, keys, at) : [],
    ]);
    return new CallChecks(tx, operation, statuses, keys, stored, at);
  }

  /**
   * Throws 401 or 403 if the handle of call `n` is not active. Returns the stored response if an earlier
   * request had the same idempotency key.
   */
  replay({ ctx, idempotency }: Call<Id>, n: number): string | undefined {
    const caller: Caller = ctx.caller;
    if (caller.kind === "agent") assertActiveStatus(caller, this.statuses[n]!);
    const key = this.keys[n];
    if (!key || !idempotency) return undefined;
    const first = this.stored[n] ?? this.responses.get(JSON.stringify(key));
    return first && replayResponse(first, idempotency);
  }

  saveResponse({ idempotency }: Call<Id>, n: number, response: string): void {
    const key = this.keys[n];
    if (key && idempotency) this.save(key, idempotency.hash, response);
  }

  storeResponses(): void {
    if (this.responses.size > 0) enqueueStoredResponses(this.tx, [...this.responses.values()], this.at);
  }

  /**
   * Appends an audit entry for a blocked post, knock or change, unless a retry with the same idempotency key
   * has already logged it. Returns the error for the client: the refusal, or an error for too many entries.
   */
  async logBlocked(
    ctx: Context,
    caller: Sender,
    idempotency: IdempotencyRequest | undefined,
    refusal: EgressBlockedError,
  ): Promise<WireroomError> {
    // Record the blocked call under a separate key. Under the call's own key, a retry would receive this
    // record as its response.
    const blocked = { id: `${this.operation.id} blocked` };
    const key = idempotency && idempotencyRecordKey(blocked, ctx, idempotency);
    if (key) {
      const first =
        this.responses.get(JSON.stringify(key)) ?? (await findStoredResponse(this.tx, key, this.at));
      if (first?.request === idempotency.hash) return refusal;
    }
    const error = await logEgressBlocked(ctx, caller, this.tx, refusal, auditedErrorCode(this.operation));
    if (key && !error) this.save(key, idempotency.hash, "null");
    return error ?? refusal;
  }

  private save(key: IdempotencyKey, request: string, response: string): void {
    this.responses.set(JSON.stringify(key), { ...key, request, response });
  }
}
