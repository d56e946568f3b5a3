/**
 * A transaction of calls of one operation. Locks and loads for all of them at once, decides each in the order of arrival over
 * what those before it have changed, and stores at once what was decided.
 */
import { WireroomError } from "../../contract/errors.js";
import type { OperationId } from "../../contract/index.js";
import { type LimitState, RATE_LIMITS } from "../../contract/limits.js";
import type { Operation } from "../../contract/operation.js";
import { EgressBlocked } from "../../domain/egress.js";
import { limitStates } from "../../domain/rate-limits.js";
import { now } from "../../kernel/clock.js";
import { encodeJson } from "../../kernel/verbatim.js";
import { type Standing, standingsQuery, toStanding } from "../../store/accounts/handles.js";
import type { BatchedWrite, Transaction } from "../../store/engine/engine.js";
import { select, together } from "../../store/engine/sql.js";
import {
  type Remembered,
  type RememberedKey,
  recall,
  recallQuery,
  remember,
} from "../../store/idempotency.js";
import { type CallerUsage, type SenderLog, usageFrom, usageQueries } from "../../store/usage.js";
import { recordBlocked } from "./audit.js";
import { assertStanding } from "./authenticate.js";
import type { Caller, Sender } from "./context.js";
import { type Batch, type Call, type Outcome, Stale, type WriteHandler } from "./handler.js";
import { rememberedKey, replay } from "./idempotency.js";
import { limitRefusal } from "./rate-limits.js";

type AnyCall = Call<OperationId>;
type AnyHandler = WriteHandler<OperationId>;

/** The outcome of a call; without `limits` where they have to be read anew. */
export type CallOutcome = Omit<Outcome, "limits"> & { limits?: LimitState[] };

/** Runs a call in a transaction, with others where its operation is batched. Gives `Stale` where it must be prepared anew. */
export async function runInTransaction(
  operation: Operation,
  handler: AnyHandler,
  call: AnyCall,
): Promise<CallOutcome | Stale> {
  const { engine } = call.ctx.store;
  if (handler.isBatched) return engine.writeBatched(batchOf(operation, handler), call);
  // Calls that would wait for each other's lock wait in a queue instead, without a connection each.
  const queue = locksCaller(operation, call) ? call.ctx.caller.account.id : undefined;
  try {
    const [outcome] = await engine.write((tx) => runCalls(tx, operation, handler, [call]), queue);
    return outcome!;
  } catch (error) {
    if (error instanceof Stale) return error;
    throw error;
  }
}

const batches = new Map<Operation, BatchedWrite<AnyCall, CallOutcome | Stale>>();

/** The batch that calls of an operation join. */
function batchOf(operation: Operation, handler: AnyHandler): BatchedWrite<AnyCall, CallOutcome | Stale> {
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
): Promise<(CallOutcome | Stale)[]> {
  const at = now();
  const keys = calls.map((call) => call.idempotency && rememberedKey(operation, call.ctx, call.idempotency));
  // An operation is called either by agents or by humans.
  const agents = calls.map(callerOf).filter((caller) => caller.kind === "agent");
  const handles = agents.map(({ pk }) => pk);
  // Sent together, locks first: what is read under a lock is up to date.
  const [, rows] = await together([
    lockAll(tx, operation, handler, calls),
    select(tx, {
      standings: handles.length > 0 ? standingsQuery(handles) : undefined,
      remembered: keys.some((key) => key) ? recallQuery(keys, at) : undefined,
      ...usageQueries(operation.limits, agents, at),
      ...handler.load?.(tx, calls, at),
    }),
  ]);
  const usage = await usageFrom(tx, operation.limits, agents, rows, at);
  const logs = new Map<number, SenderLog>();
  for (const [n, { log }] of usage.entries()) if (log) logs.set(handles[n]!, log);
  const batch = await handler.begin(tx, calls, { at, rows, logs });
  const decisions = new Decisions(tx, operation, handler, batch, at);
  const standings: Standing[] = [];
  for (const row of rows.standings) standings[row.i] = toStanding(row);
  const remembered: Remembered[] = [];
  for (const row of rows.remembered) remembered[row.i] = row;
  const outcomes: (CallOutcome | Stale)[] = [];
  for (const [n, call] of calls.entries()) {
    const facts = {
      standing: standings[n] ?? "retired",
      usage: usage[n],
      key: keys[n],
      remembered: remembered[n],
    };
    outcomes.push(await decisions.take(call, n, facts));
  }
  await decisions.store();
  return outcomes;
}

/** What was loaded for a call. */
interface CallFacts {
  /** Standing and usage are those of an agent. */
  standing: Standing;
  usage: CallerUsage | undefined;
  /** Its idempotency key, and the outcome that it had. */
  key: RememberedKey | undefined;
  remembered: Remembered | undefined;
}

/** The decisions of a transaction. */
class Decisions {
  /** Calls accepted here, by the pk of the handle: they count against its limits. */
  private readonly accepted = new Map<number, number>();
  /** Outcomes to remember, by their keys. */
  private readonly outcomes = new Map<string, RememberedKey & Remembered>();

  constructor(
    private readonly tx: Transaction,
    private readonly operation: Operation,
    private readonly handler: AnyHandler,
    private readonly batch: Batch<OperationId>,
    private readonly at: number,
  ) {}

  async take(call: AnyCall, n: number, facts: CallFacts): Promise<CallOutcome | Stale> {
    try {
      const caller = callerOf(call);
      if (caller.kind === "agent") assertStanding(caller, facts.standing);
      const first = facts.key && (facts.remembered ?? this.outcomes.get(JSON.stringify(facts.key)));
      if (first) return { body: replay(first, call.idempotency!), ...this.limits(call, facts) };
      const body = await this.decide(call, n, facts);
      if (facts.key) this.remember(facts.key, call.idempotency!.hash, body);
      return { body, ...this.limits(call, facts) };
    } catch (error) {
      if (error instanceof EgressBlocked) await this.recordBlocked(call, error);
      else if (!this.handler.isBatched) throw error;
      else if (error instanceof Stale) return error;
      if (error instanceof WireroomError) return { error, ...this.limits(call, facts) };
      throw error;
    }
  }

  async store(): Promise<void> {
    await this.batch.store?.();
    if (this.outcomes.size > 0) remember(this.tx, [...this.outcomes.values()], this.at);
  }

  /** The answer. Of refusals a 400 wins over the 429, and that over every other. */
  private async decide(call: AnyCall, n: number, facts: CallFacts): Promise<string> {
    const limited = await this.limitRefusal(call, facts);
    try {
      const { answer, accept } = await this.batch.decide(call, n);
      if (!limited) {
        accept?.();
        this.count(call);
        return encodeJson(answer);
      }
    } catch (error) {
      if (!limited || (error instanceof WireroomError && error.code === "VALIDATION_ERROR")) throw error;
    }
    throw limited;
  }

  /** The refusal of a limit that is used up. */
  private async limitRefusal(call: AnyCall, { usage }: CallFacts): Promise<WireroomError | null> {
    if (!usage) return null;
    const states = this.limitStates(call, usage);
    if (!states.some(({ remaining }) => remaining === 0)) return null;
    return limitRefusal(this.tx, callerOf(call) as Sender, states, this.acceptedOf(call), this.at);
  }

  private limitStates(call: AnyCall, { usage }: CallerUsage): LimitState[] {
    return limitStates(call.ctx.limits, this.operation.limits, usage, this.acceptedOf(call), this.at);
  }

  private acceptedOf(call: AnyCall): number {
    return this.accepted.get((callerOf(call) as Sender).pk) ?? 0;
  }

  private count(call: AnyCall): void {
    this.accepted.set((callerOf(call) as Sender).pk, this.acceptedOf(call) + 1);
  }

  /** Where the limits stand now. Of calls that are not batched it is not known what counts, so they are read anew. */
  private limits(call: AnyCall, { usage }: CallFacts): { limits?: LimitState[] } {
    return usage && this.handler.isBatched ? { limits: this.limitStates(call, usage) } : {};
  }

  private remember(key: RememberedKey, request: string, response: string): void {
    this.outcomes.set(JSON.stringify(key), { ...key, request, response });
  }

  /** Once, however often a client that lost the answer repeats the request under its idempotency key. */
  private async recordBlocked(call: AnyCall, refusal: EgressBlocked): Promise<void> {
    const { ctx, idempotency } = call as AnyCall & { ctx: { caller: Sender } };
    if (idempotency) {
      // Not under the operation's own name: a refusal is no outcome that a replay is answered with.
      const key = rememberedKey({ id: `${this.operation.id} blocked` }, ctx, idempotency);
      const first = this.outcomes.get(JSON.stringify(key)) ?? (await recall(this.tx, key, this.at));
      if (first?.request === idempotency.hash) return;
      this.remember(key, idempotency.hash, "");
    }
    recordBlocked(ctx, this.tx, refusal);
  }
}

/** Whether calls of one caller are run one after the other, on all daemons: where they count against its limits or carry a key. */
function locksCaller(operation: Operation, { idempotency }: AnyCall): boolean {
  return idempotency !== undefined || operation.limits.length > 0;
}

/** Locks callers and the rows that handlers name: handles and accounts before spaces, each kind in one statement. */
async function lockAll(
  tx: Transaction,
  operation: Operation,
  handler: AnyHandler,
  calls: readonly AnyCall[],
): Promise<void> {
  // There is one writer.
  if (tx.engine === "sqlite") return;
  const isByAccount = operation.limits.some((name) => RATE_LIMITS[name].subject === "account");
  const accounts: number[] = [];
  const handles: string[] = [];
  const spaces: string[] = [];
  for (const call of calls) {
    const caller = callerOf(call);
    if (locksCaller(operation, call)) {
      if (caller.kind === "human" || isByAccount) accounts.push(caller.account.pk);
      if (caller.kind === "agent") handles.push(caller.slug);
    }
    const locks = handler.locks?.(call);
    handles.push(...(locks?.handles ?? []));
    spaces.push(...(locks?.spaces ?? []));
  }
  await together([
    tx.lock("accounts", "pk", accounts),
    tx.lock("handles", "slug", handles),
    tx.lock("spaces", "slug", spaces),
  ]);
}

function callerOf(call: AnyCall): Caller {
  return call.ctx.caller;
}
