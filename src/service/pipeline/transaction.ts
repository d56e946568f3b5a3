/**
 * Runs one transaction for one or more calls of an operation. It locks and loads the rows of all calls at
 * once. Then it accepts or refuses the calls in order of arrival. At the end, it stores all accepted calls at
 * once.
 */
import { WireroomError } from "../../contract/errors.js";
import type { OperationId } from "../../contract/index.js";
import type { LimitState } from "../../contract/limits.js";
import type { Operation } from "../../contract/operation.js";
import { EgressBlockedError } from "../../domain/egress.js";
import {
  type CallerUsage,
  isUsedUp,
  type LimitCount,
  limitCounts,
  limitStates,
} from "../../domain/rate-limits.js";
import { SlugTakenError } from "../../domain/slugs.js";
import { monotonicMs, now } from "../../kernel/clock.js";
import { encodeJson } from "../../kernel/raw-json.js";
import { type HandleStatus, statusesQuery, toHandleStatus } from "../../store/accounts/handles.js";
import type { BatchedWrite, Transaction } from "../../store/engine/engine.js";
import { inOneRoundTrip, runSelects } from "../../store/engine/selects.js";
import {
  enqueueStoredResponses,
  findStoredResponse,
  type IdempotencyKey,
  type StoredResponse,
  storedResponsesQuery,
} from "../../store/idempotency.js";
import { type SenderLog, toCallerUsage, usageQueries } from "../../store/limits/usage.js";
import { assertFewAudited, auditedErrorCode, logEgressBlocked } from "./audit.js";
import { assertActiveStatus } from "./authenticate.js";
import type { Caller, Sender } from "./caller.js";
import { type Batch, type Call, type Outcome, StalePreparation, type WriteHandler } from "./handler.js";
import { idempotencyRecordKey, replayResponse } from "./idempotency.js";
import { accountQueries, findRateLimitError, withAccountUsage } from "./rate-limits.js";
import { lockAll } from "./transaction-locks.js";

type AnyCall = Call<OperationId>;
type AnyHandler = WriteHandler<OperationId>;

/** Result of a write call. If `limits` is absent, `invoke` reads the rate limits from the database. */
export type CallOutcome = Omit<Outcome, "limits"> & { limits?: LimitState[] };

/**
 * Runs a call in a transaction. If the operation is batched, other calls may share this transaction. Returns
 * `StalePreparation` if the call must be prepared again.
 */
export async function runInTransaction(
  operation: Operation,
  handler: AnyHandler,
  call: AnyCall,
): Promise<CallOutcome | StalePreparation> {
  const { engine } = call.ctx.store;
  const key = call.ctx.caller.account.id;
  if (handler.isBatched) {
    const characters = handler.characters?.(call) ?? 0;
    return engine.writeBatched(batchOf(operation, handler), call, { key, characters });
  }
  try {
    const [outcome] = await engine.write((tx) => runCalls(tx, operation, handler, [call]), key);
    return outcome!;
  } catch (error) {
    if (error instanceof StalePreparation) return error;
    throw error;
  }
}

const batches = new Map<Operation, BatchedWrite<AnyCall, CallOutcome | StalePreparation>>();

/**
 * Returns the batch definition of an operation. It is cached per operation, because the engine joins only
 * calls that pass the same object.
 */
function batchOf(
  operation: Operation,
  handler: AnyHandler,
): BatchedWrite<AnyCall, CallOutcome | StalePreparation> {
  let batch = batches.get(operation);
  if (!batch) {
    batch = { run: (tx, calls) => runCalls(tx, operation, handler, calls) };
    batches.set(operation, batch);
  }
  return batch;
}

async function runCalls(
  tx: Transaction,
  operation: Operation,
  handler: AnyHandler,
  calls: readonly AnyCall[],
): Promise<(CallOutcome | StalePreparation)[]> {
  const at = now();
  for (const { ctx } of calls) if (ctx.record.trace) ctx.record.transactionAtMs = monotonicMs();
  const keys = calls.map(
    (call) => call.idempotency && idempotencyRecordKey(operation, call.ctx, call.idempotency),
  );
  // All callers are of the same kind, because an operation accepts either API keys (agents) or ID tokens
  // (humans).
  const agents = calls.map(callerOf).filter((caller) => caller.kind === "agent");
  const handles = agents.map(({ pk }) => pk);
  const settings = calls[0]!.ctx.limits;
  // The locks are the first statements of the round trip, so that the queries after them read the latest
  // committed rows.
  const [, rows] = await inOneRoundTrip([
    lockAll(tx, operation, handler, calls),
    runSelects(tx, {
      statuses: handles.length > 0 ? statusesQuery(handles) : undefined,
      stored: keys.some((key) => key) ? storedResponsesQuery(keys, at) : undefined,
      ...usageQueries(operation.limits, agents, at),
      ...accountQueries(settings, operation.limits, agents, at),
      ...handler.load?.(tx, calls, at),
    }),
  ]);
  const usage = await toCallerUsage(tx, operation.limits, agents, rows, at);
  const limitUsage = withAccountUsage(settings, operation.limits, agents, usage, rows);
  const logs = new Map<number, SenderLog>();
  for (const [n, { log }] of usage.entries()) if (log) logs.set(handles[n]!, log);
  const batch = await handler.begin(tx, calls, { at, rows, logs });
  const decider = new CallDecider(tx, operation, handler, batch, at);
  const statuses: HandleStatus[] = [];
  for (const row of rows.statuses) statuses[row.i] = toHandleStatus(row);
  const stored: StoredResponse[] = [];
  for (const row of rows.stored) stored[row.i] = row;
  const outcomes: (CallOutcome | StalePreparation)[] = [];
  for (const [n, call] of calls.entries()) {
    const facts = {
      status: statuses[n] ?? "retired",
      usage: limitUsage[n],
      key: keys[n],
      storedResponse: stored[n],
    };
    outcomes.push(await decider.run(call, n, facts));
  }
  await decider.store();
  return outcomes;
}

/** Data loaded for one call. */
interface CallFacts {
  /** Status of the calling handle. Not used if the caller is a human. */
  status: HandleStatus;
  usage: CallerUsage | undefined;
  /** The idempotency key of the call, and the response that is stored for this key. */
  key: IdempotencyKey | undefined;
  storedResponse: StoredResponse | undefined;
}

/**
 * Accepts or refuses the calls of one transaction. For each call it checks the status of the caller, then the
 * idempotency key, and then runs the handler even if a limit is used up, because a 400 wins over 429.
 */
class CallDecider {
  /**
   * Numbers of calls that this transaction has accepted, by primary key of the calling handle, and of its
   * account. These calls count against their rate limits.
   */
  private readonly accepted = new Map<number, number>();
  private readonly acceptedOfAccounts = new Map<number, number>();
  /** Responses to store at the end of the transaction, by the JSON of their idempotency keys. */
  private readonly responses = new Map<string, IdempotencyKey & StoredResponse>();

  constructor(
    private readonly tx: Transaction,
    private readonly operation: Operation,
    private readonly handler: AnyHandler,
    private readonly batch: Batch<OperationId>,
    private readonly at: number,
  ) {}

  async run(call: AnyCall, n: number, facts: CallFacts): Promise<CallOutcome | StalePreparation> {
    try {
      const caller = callerOf(call);
      if (caller.kind === "agent") assertActiveStatus(caller, facts.status);
      const first = facts.key && (facts.storedResponse ?? this.responses.get(JSON.stringify(facts.key)));
      if (first) return { body: replayResponse(first, call.idempotency!), ...this.limits(call, facts) };
      const body = await this.decide(call, n, facts);
      // The transaction is that of this call alone.
      if (!this.handler.isBatched)
        await assertFewAudited(call.ctx, this.tx, auditedErrorCode(this.operation));
      if (facts.key) this.saveResponse(facts.key, call.idempotency!.hash, body);
      return { body, ...this.limits(call, facts) };
    } catch (error) {
      if (error instanceof EgressBlockedError)
        return { error: (await this.logBlockedOnce(call, error)) ?? error, ...this.limits(call, facts) };
      if (!this.handler.isBatched) throw error;
      if (error instanceof StalePreparation) return error;
      if (error instanceof WireroomError) return { error, ...this.limits(call, facts) };
      throw error;
    }
  }

  async store(): Promise<void> {
    await this.batch.store?.();
    if (this.responses.size > 0) enqueueStoredResponses(this.tx, [...this.responses.values()], this.at);
  }

  /**
   * Returns the response body. Throws the error that takes precedence
   * (docs/specification/errors.md#which-error-wins).
   */
  private async decide(call: AnyCall, n: number, facts: CallFacts): Promise<string> {
    const limited = await this.rateLimitError(call, facts);
    try {
      const { answer, isRepeat, accept } = await this.batch.decide(call, n);
      if (isRepeat) return encodeJson(answer);
      if (!limited) {
        accept?.();
        this.countAccepted(call);
        return encodeJson(answer);
      }
    } catch (error) {
      if (!limited || takesPrecedenceOverLimit(error)) throw error;
    }
    throw limited;
  }

  private async rateLimitError(call: AnyCall, { usage }: CallFacts): Promise<WireroomError | null> {
    if (!usage) return null;
    const counts = this.limitCounts(call, usage);
    if (!counts.some(isUsedUp)) return null;
    return findRateLimitError(this.tx, callerOf(call) as Sender, counts, this.at);
  }

  private limitCounts(call: AnyCall, usage: CallerUsage): LimitCount[] {
    const { pk, account } = callerOf(call) as Sender;
    const added = {
      ofHandle: this.accepted.get(pk) ?? 0,
      ofAccount: this.acceptedOfAccounts.get(account.pk) ?? 0,
    };
    return limitCounts(call.ctx.limits, this.operation.limits, usage, added, this.at);
  }

  private countAccepted(call: AnyCall): void {
    const { pk, account } = callerOf(call) as Sender;
    this.accepted.set(pk, (this.accepted.get(pk) ?? 0) + 1);
    this.acceptedOfAccounts.set(account.pk, (this.acceptedOfAccounts.get(account.pk) ?? 0) + 1);
  }

  /**
   * Returns the caller's rate limits after this call. The result is empty if the operation is not batched,
   * because `invoke` then reads the limits.
   */
  private limits(call: AnyCall, { usage }: CallFacts): { limits?: LimitState[] } {
    if (!usage || !this.handler.isBatched) return {};
    return { limits: limitStates(this.limitCounts(call, usage), this.at) };
  }

  private saveResponse(key: IdempotencyKey, request: string, response: string): void {
    this.responses.set(JSON.stringify(key), { ...key, request, response });
  }

  /**
   * Appends one audit entry for a blocked post, knock or change. A retry with the same
   * idempotency key adds no second entry. Returns an error if there are too many entries.
   */
  private async logBlockedOnce(call: AnyCall, refusal: EgressBlockedError): Promise<WireroomError | null> {
    const { ctx, idempotency } = call as AnyCall & { ctx: { caller: Sender } };
    const code = auditedErrorCode(this.operation);
    if (idempotency) {
      // Marks the call as blocked under a separate key. Under the key of the call, a retry would get the mark
      // as its response. The mark is JSON, as every stored response is.
      const key = idempotencyRecordKey({ id: `${this.operation.id} blocked` }, ctx, idempotency);
      const first =
        this.responses.get(JSON.stringify(key)) ?? (await findStoredResponse(this.tx, key, this.at));
      if (first?.request === idempotency.hash) return null;
      const error = await logEgressBlocked(ctx, this.tx, refusal, code);
      if (!error) this.saveResponse(key, idempotency.hash, "null");
      return error;
    }
    return logEgressBlocked(ctx, this.tx, refusal, code);
  }
}

/**
 * Returns whether an error takes precedence over 429. Every 400 does, except the one for a slug that another
 * account holds.
 */
function takesPrecedenceOverLimit(error: unknown): boolean {
  return (
    error instanceof WireroomError && error.code === "VALIDATION_ERROR" && !(error instanceof SlugTakenError)
  );
}

function callerOf(call: AnyCall): Caller {
  return call.ctx.caller;
}
