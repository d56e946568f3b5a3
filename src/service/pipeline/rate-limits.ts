/** Reads how much of its rate limits a caller has used, and creates the error for an exhausted limit. */
import type { WireroomError } from "../../contract/errors.js";
import {
  accountLimit,
  type LimitName,
  type LimitSettings,
  type LimitState,
  RATE_LIMITS,
} from "../../contract/limits.js";
import {
  type CallerUsage,
  isUsedUp,
  type LimitCount,
  limitCounts,
  limitExceeded,
  limitStates,
  longestRateLimitError,
} from "../../domain/rate-limits.js";
import type { Session } from "../../store/engine/engine.js";
import { type Query, runSelects } from "../../store/engine/sql.js";
import {
  type CountedHandle,
  countedHandlesQuery,
  timeOfNthNewestOf,
  usageOfAccounts,
} from "../../store/limits/account-usage.js";
import {
  type RateLimitedCaller,
  timeOfNthNewest,
  toCallerUsage,
  usageQueries,
} from "../../store/limits/usage.js";

/** Returns those of the limits that all handles of an account share. */
export function accountLimits(settings: LimitSettings, names: readonly LimitName[]): LimitName[] {
  return names.filter((name) => accountLimit(settings, name) !== null);
}

/** Returns the query for the handles of the callers' accounts, or undefined if the account has no limits. */
export function accountHandlesQuery(
  settings: LimitSettings,
  names: readonly LimitName[],
  callers: readonly RateLimitedCaller[],
  at: number,
): Query<CountedHandle> | undefined {
  if (callers.length === 0 || accountLimits(settings, names).length === 0) return undefined;
  const accounts = callers.map(({ account }) => account.pk);
  return countedHandlesQuery(accounts, settings.account_factor!, at);
}

/**
 * Returns the usage of each account whose handles `accountHandlesQuery` has found, by primary key of the account and in the order of
 * `names`.
 */
export async function readAccountUsage(
  session: Session,
  settings: LimitSettings,
  names: readonly LimitName[],
  handles: readonly CountedHandle[],
  at: number,
): Promise<Map<number, CallerUsage["accountUsage"]>> {
  if (handles.length === 0) return new Map();
  const shared = accountLimits(settings, names);
  const totals = await usageOfAccounts(session, shared, handles, at);
  return new Map(
    [...totals].map(([account, usage]) => [account, names.map((name) => usage[shared.indexOf(name)])]),
  );
}

/**
 * Returns a RATE_LIMITED error if a limit is exhausted, otherwise null. If several limits are exhausted, the error is the one
 * with the longest wait.
 * @param handles the handles of the caller's account, if they count together
 */
export async function findRateLimitError(
  session: Session,
  caller: RateLimitedCaller,
  counts: readonly LimitCount[],
  handles: readonly CountedHandle[],
  at: number,
): Promise<WireroomError | null> {
  const refusals: WireroomError[] = [];
  for (const count of counts) {
    if (!isUsedUp(count)) continue;
    const own = handles.filter(({ account }) => account === caller.account.pk);
    refusals.push(limitExceeded(count, await blockingTime(session, caller, count, own, at), at));
  }
  return longestRateLimitError(refusals);
}

/** Returns the time of the item that must leave the window, so that it contains only `limit - 1` items. */
async function blockingTime(
  session: Session,
  caller: RateLimitedCaller,
  { name, subject, limit, used, oldestAt, added }: LimitCount,
  handles: readonly CountedHandle[],
  at: number,
): Promise<number | undefined> {
  if (limit === 0) return undefined;
  if (used === limit) return oldestAt ?? undefined;
  // More than the limit were counted, because it was higher before.
  const after = limit! - 1 - added;
  if (after < 0) return at;
  return subject === RATE_LIMITS[name].subject
    ? timeOfNthNewest(session, name, caller, after)
    : timeOfNthNewestOf(session, name, handles, after, at);
}

/** Reads the caller's states of the named limits from the database. */
export async function readLimitStates(
  session: Session,
  settings: LimitSettings,
  names: readonly LimitName[],
  caller: RateLimitedCaller,
  at: number,
): Promise<LimitState[]> {
  const rows = await runSelects(session, {
    ...usageQueries(names, [caller], at),
    handles: accountHandlesQuery(settings, names, [caller], at),
  });
  const [own] = await toCallerUsage(session, names, [caller], rows, at);
  const accounts = await readAccountUsage(session, settings, names, rows.handles, at);
  const usage = { usage: own!.usage, accountUsage: accounts.get(caller.account.pk) };
  return limitStates(limitCounts(settings, names, usage, { ofHandle: 0, ofAccount: 0 }, at), at);
}
